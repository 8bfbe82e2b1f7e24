/* Updates of a place as C: plain, and atomic where other iterations may meet it.
 */
#include "gen/emit/body.h"

/* The compound assignment that does it, or NULL. */
static const char *compound(Op update, const Type *t)
{
  bool is_float = type_is_float(t) && t->kind != TYPE_F16;
  bool wraps = !t->is_signed && t->bits >= 32;

  switch (update) {
  case OP_ADD: return is_float || wraps ? "+=" : NULL;
  case OP_SUB: return is_float || wraps ? "-=" : NULL;
  case OP_MUL: return is_float || wraps ? "*=" : NULL;
  case OP_DIV: return is_float ? "/=" : NULL;
  case OP_AND: return t->bits >= 32 ? "&=" : NULL;
  case OP_OR:  return t->bits >= 32 ? "|=" : NULL;
  case OP_XOR: return t->bits >= 32 ? "^=" : NULL;
  default:            return NULL;
  }
}

/* Floats are compared bit by bit, as an atomic compares them. */
static const char *swap_text(Body *b, const IrStmt *s, const char *place)
{
  Arena *arena = b->emit->arena;
  const IrStmt *expected = s->operands[s->operand_count - 2];
  const IrStmt *value = s->operands[s->operand_count - 1];
  const char *bits = s->type->bits == 32 ? "u32" : "u64", *t = suffix(s->type);

  if (!type_is_float(s->type) || s->type->kind == TYPE_F16)
    return format(arena, "if (%s == %s) %s = %s", place,
                  within(b, value_text(b, expected), BOUND_LESS), place, loose(b, value));
  return format(arena, "if (snd_bitcast_%s_%s(%s) == snd_bitcast_%s_%s(%s)) %s = %s", bits, t,
                place, bits, t, loose(b, expected), place, loose(b, value));
}

/* What is at the place once it is updated. */
static const char *updated_text(Body *b, const IrStmt *s, const char *place)
{
  const IrStmt *value = s->operands[s->operand_count - 1];
  const char *assign = compound(s->update, s->type);

  if (s->update == OP_EXCHANGE)
    return loose(b, value);
  if (assign)
    return format(b->emit->arena, "%s %c %s", place, *assign,
                  within(b, value_text(b, value), BOUND_UNARY));
  return format(b->emit->arena, "snd_%s_%s(%s, %s)", operator_name[s->update], suffix(s->type),
                place, right_text(b, s->update, value));
}

const char *update_text(Body *b, const IrStmt *s, const char *place)
{
  const IrStmt *value = s->operands[s->operand_count - 1];
  const char *assign = compound(s->update, s->type);

  if (s->relaxed)                      /* others load it meanwhile */
    return format(b->emit->arena, "snd_store_%s(&%s, %s)", suffix(s->type), place,
                  updated_text(b, s, place));
  if (assign)
    return format(b->emit->arena, "%s %s %s", place, assign, loose(b, value));
  if (s->update == OP_COMPARE_EXCHANGE)
    return swap_text(b, s, place);
  return format(b->emit->arena, "%s = %s", place, updated_text(b, s, place));
}

static const char *exchange_text(Body *b, const IrStmt *s, const char *address)
{
  const char *arguments = "";

  for (int k = s->operand_count - ir_update_values(s->update); k < s->operand_count; k++)
    arguments = format(b->emit->arena, "%s, %s", arguments, loose(b, s->operands[k]));
  return format(b->emit->arena, "snd_%s_%s(%s%s)", operator_name[s->update], suffix(s->type),
                address, arguments);
}

const char *atomic_text(Body *b, const IrStmt *s, const char *address, bool wants_old)
{
  const IrStmt *value = s->operands[s->operand_count - 1];

  if (s->update == OP_EXCHANGE || s->update == OP_COMPARE_EXCHANGE)
    return exchange_text(b, s, address);
  return format(b->emit->arena, "snd_%s_%s_%s(%s, %s)", wants_old ? "fetch" : "atomic",
                operator_name[s->update], suffix(s->type), address,
                right_text(b, s->update, value));
}
