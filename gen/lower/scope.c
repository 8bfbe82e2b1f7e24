/* Variables, names and single statements: the vocabulary of gen/lower. */
#include "gen/lower/scope.h"

#include <ctype.h>
#include <string.h>

/* NULL: no one has taken it.  Names are interned. */
static Name *find_name(const Lowering *l, const char *name)
{
  for (int k = 0; k < l->name_count; k++)
    if (l->names[k].text == name)
      return &l->names[k];
  return NULL;
}

void take_name(Lowering *l, const char *name)
{
  Arena *arena = l->module->arena;

  vec_push(arena, l->names, l->name_count, ((Name){ intern(arena, name, strlen(name)), 1 }));
}

/* What calls inlined by the hundred ask for is found again at the number that was free last. */
const char *unique_name(Lowering *l, const char *wanted)
{
  Arena *arena = l->module->arena;
  const char *name = intern(arena, wanted, strlen(wanted));
  Name *first = find_name(l, name);
  int number = first ? first->number : 1;

  while (find_name(l, name))
    name = intern_format(arena, "%s_%d", wanted, ++number);
  if (first)
    first->number = number;
  take_name(l, name);
  return name;
}

IrVariable *new_variable(Lowering *l, int kind, const char *name,
                         const Type *type)
{
  IrVariable *v = NEW(l->module->arena, IrVariable);

  v->kind = kind;
  v->name = unique_name(l, name);
  v->type = type;
  if (kind == IR_VAR_LOCAL || kind == IR_VAR_KERNEL)
    vec_push(l->module->arena, l->function->locals, l->function->local_count,
             v);
  return v;
}

IrVariable *new_hidden(Lowering *l, const char *name, const Type *type)
{
  bool shared = l->source->is_kernel && !l->in_foreach;
  IrVariable *v =
      new_variable(l, shared ? IR_VAR_KERNEL : IR_VAR_LOCAL, name, type);

  v->is_hidden = true;
  return v;
}

static Binding *add_binding(Lowering *l, const Variable *from)
{
  vec_push(l->module->arena, l->bindings, l->binding_count,
           (Binding){ .from = from });
  return &l->bindings[l->binding_count - 1];
}

void bind_variable(Lowering *l, const Variable *from, IrVariable *to)
{
  add_binding(l, from)->variable = to;
}

/* The last binding counts: a parameter that is assigned is bound again, to its
 * copy. */
Binding *find_binding(Lowering *l, const Variable *from)
{
  for (int k = l->binding_count - 1; k >= 0; k--)
    if (l->bindings[k].from == from)
      return &l->bindings[k];
  ICE("'%s' is used where it has no meaning", from->name);
}

const char *element_name(Lowering *l, const char *name, const Type *type, int k)
{
  Arena *arena = l->module->arena;

  if (type_is_struct(type)) {
    const Member *m = struct_member_at(type_struct(type), k);
    /* behind a dot the IR's text has labels of SNodes, "S1pointer", too */
    bool is_like_label = m->name[0] == 'S' && isdigit((unsigned char)m->name[1]);
    return element_name(l, intern_format(arena, "%s.%s%s", name, is_like_label ? "_" : "",
                                         m->name), m->type, k - m->first);
  }
  if (!type_is_shaped(type))
    return name;
  if (type_is_matrix(type))
    return intern_format(arena, "%s.%d_%d", name, k / type->columns, k % type->columns);
  if (type->rows <= 4)
    return intern_format(arena, "%s.%c", name, "xyzw"[k]);
  return intern_format(arena, "%s.%d", name, k);
}

IrTree *lowered_tree(Lowering *l, const Tree *tree)
{
  return l->module->trees[tree->id];
}

IrSNode *lowered_snode(Lowering *l, const SNode *snode)
{
  return lowered_tree(l, snode->tree)->snodes[snode->id];
}

IrField *lowered_field(Lowering *l, const Field *field)
{
  const IrTree *tree = lowered_tree(l, field->snode->tree);
  const bool is_virtual = field->mode == FIELD_MODE_virtual;
  IrField *const *fields = is_virtual ? tree->virtuals : tree->fields;
  const char *first = element_name(l, field->name, field->type, 0);

  for (int k = 0; k < (is_virtual ? tree->virtual_count : tree->field_count); k++)
    if (strcmp(fields[k]->name, first) == 0)
      return fields[k];
  ICE("field '%s' is in no tree", field->name);
}

int lowered_slot(const Lowering *l, int tree_slot)
{
  return l->slot_map ? l->slot_map[tree_slot] : tree_slot;
}

/* ---- statements ---- */

IrStmt *emit(Lowering *l, IrStmt *s)
{
  ir_append(l->module, l->block, s);
  return s;
}

IrStmt *emit_const(Lowering *l, const Type *type, Value value, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_const, type, loc, NULL);

  s->value = value;
  return emit(l, s);
}

IrStmt *emit_int(Lowering *l, const Type *type, int64_t i, Loc loc)
{
  Value v = { .i = i };

  return emit_const(l, type, value_cast(type, TY(I64), v), loc);
}

IrStmt *emit_get(Lowering *l, IrVariable *v, Loc loc)
{
  bool is_given = v->kind == IR_VAR_PARAM || v->kind == IR_VAR_EXTENT;
  IrStmt *s =
      ir_stmt(l->module, is_given ? IR_param : IR_get, v->type, loc, NULL);

  s->variable = v;
  return emit(l, s);
}

IrStmt *emit_set(Lowering *l, IrVariable *v, IrStmt *value, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_set, TY(VOID), loc, value, NULL);

  s->variable = v;
  return emit(l, s);
}

IrStmt *emit_declare(Lowering *l, IrVariable *v, IrStmt *value, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_declare, TY(VOID), loc, value, NULL);

  s->variable = v;
  return emit(l, s);
}

IrStmt *convert(Lowering *l, IrStmt *value, const Type *type, Loc loc)
{
  if (value->type == type)
    return value;
  return emit(l, ir_stmt(l->module, IR_cast, type, loc, value, NULL));
}

static bool is_deep(const IrBlock *block)
{
  int depth = 0;

  for (; block && depth < IR_MOST_NESTED; block = block->owner ? block->owner->parent : NULL)
    depth++;
  return depth == IR_MOST_NESTED;
}

void fail_nested(Lowering *l, Loc loc, bool by_calls)
{
  if (!l->is_too_deep)
    diag(l->diag, by_calls ? DIAG_BLOCKS_TOO_DEEP : DIAG_OWN_BLOCKS_TOO_DEEP, loc, l->source->name,
         (int)IR_MOST_NESTED);
  l->is_too_deep = true;
}

/* The parser bounds what is written; calls that are replaced by the function's body lead further,
 * and from here on they are not replaced. */
IrBlock *open_block(Lowering *l, IrStmt *owner, int which)
{
  IrBlock *outer = l->block;

  if (is_deep(outer))
    fail_nested(l, owner->loc, l->inlined != NULL);

  owner->blocks[which] = ir_block(l->module, owner);
  l->block = owner->blocks[which];
  return outer;
}

void bind_value(Lowering *l, const Variable *from, IrStmt *value)
{
  add_binding(l, from)->value = value;
}

void bind_index(Lowering *l, const Variable *from, IrStmt *value,
                const Stmt *body)
{
  if (!assigns(body, from)) {
    bind_value(l, from, value);
    return;
  }
  bind_variable(l, from, new_variable(l, IR_VAR_LOCAL, from->name, from->type));
  emit_declare(l, find_binding(l, from)->variable, value, from->loc);
}

bool known_value(const IrStmt *s, int64_t *out)
{
  Value operand[2];

  if (!type_is_integer(s->type))
    return false;
  switch (s->op) {
  case IR_const: case IR_cast: case IR_add: case IR_sub: case IR_mul:
    for (int k = 0; k < s->operand_count; k++)
      if (!known_value(s->operands[k], &operand[k].i))
        return false;
    *out = ir_evaluate(s, operand).i;
    return true;
  default:
    return false;
  }
}

bool known_truth(const IrStmt *s, bool *out)
{
  *out = s->value.i != 0;
  return s->op == IR_const && s->type == TY(BOOL);
}

IrStmt *emit_require(Lowering *l, IrFault fault, const char *text, IrStmt *condition,
                            Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_require, TY(VOID), loc, condition, NULL);

  s->index = (int)fault;
  s->text = text;
  return emit(l, s);
}
