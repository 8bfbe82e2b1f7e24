/* Local arrays in memory.
 *
 * Of an array with more than MOST_COMPARED elements each scalar of an element is a local with
 * places, where it may be: in a parallel loop, in a function that is called, and where nothing is
 * derived, since a derivative goes through variables.  They are restored and saved by number.
 *
 * Behind the body it shows which numbers are known.  An array of which all are is a variable for
 * each element after all (settle_kept), as a short one is from the start: passes see through
 * variables, not through memory.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

struct Kept {
  const char *name;                    /* of the array */
  const Type *type;                    /* of an element */
  int count;
  IrVariable **variables;              /* with places, for each scalar of an element */
  IrVariable ***elements;              /* that are instead of them, for each element */
  int given;                           /* saves of first values, the first ones; 0: they are zero */
  bool is_memory;                      /* a number is known at run time only */
};

bool is_kept_array(const Lowering *l, const Variable *v)
{
  return !v->table && v->element_count > MOST_COMPARED && !v->at_kernel_level && !l->derivation &&
         (l->in_foreach || !l->source->is_kernel);
}

bool is_kept(const Place *p)
{
  return p->variables && p->variables[0]->places > 0;
}

/* ---- the declaration ---- */

/* The array has taken its name already. */
static IrVariable *new_kept(Lowering *l, const char *name, const Type *type, int count)
{
  IrVariable *v = NEW(l->module->arena, IrVariable);

  v->kind = IR_VAR_LOCAL;
  v->name = name;
  v->type = type;
  v->places = count;
  vec_push(l->module->arena, l->function->locals, l->function->local_count, v);
  return v;
}

static IrStmt *emit_save(Lowering *l, IrVariable *v, IrStmt *at, IrStmt *value, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_save, TY(VOID), loc, at, value, NULL);

  s->variable = v;
  return emit(l, s);
}

static void save_given(Lowering *l, const struct Kept *kept, IrStmt ***values, Loc loc)
{
  IrStmt **at = NEW_ARRAY(l->module->arena, IrStmt *, kept->count);

  for (int k = 0; k < kept->count; k++)
    at[k] = emit_int(l, TY(I32), k, loc);
  for (int k = 0; k < kept->count; k++)
    for (int i = 0; i < type_count(kept->type); i++)
      emit_save(l, kept->variables[i], at[k], values[k][i], loc);
}

IrVariable **declare_kept(Lowering *l, const Variable *v, const char *name, IrStmt ***values,
                          Loc loc)
{
  const int width = type_count(v->type);
  struct Kept kept = { .name = name, .type = v->type, .count = v->element_count };

  kept.variables = NEW_ARRAY(l->module->arena, IrVariable *, width);
  for (int i = 0; i < width; i++) {
    IrStmt *reserve = ir_stmt(l->module, IR_reserve, TY(VOID), loc, NULL);
    kept.variables[i] =
        new_kept(l, element_name(l, name, v->type, i), type_at(v->type, i), kept.count);
    reserve->variable = kept.variables[i];
    reserve->index = !values;
    emit(l, reserve);
  }
  if (values) {
    save_given(l, &kept, values, loc);
    kept.given = kept.count * width;
  }
  vec_push(l->module->arena, l->kept, l->kept_count, kept);
  return kept.variables;
}

/* ---- an element ---- */

/* With --bounds=zero a negative number is no element. */
static bool may_be_none(const Lowering *l, const IrStmt *at)
{
  return l->options->bounds == IR_BOUNDS_ZERO && at->op != IR_const;
}

static IrStmt *is_some(Lowering *l, IrStmt *at, Loc loc)
{
  return lower_binary(l, OP_GE, at, emit_int(l, TY(I32), 0, loc), loc);
}

IrStmt *read_kept(Lowering *l, const Place *p, int element)
{
  IrVariable *v = p->variables[element];
  IrStmt *at = p->indices[0], *good = NULL, *value;

  if (may_be_none(l, at)) {
    good = is_some(l, at, p->loc);
    at = emit(l, ir_stmt(l->module, IR_select, TY(I32), p->loc, good, at,
                         emit_int(l, TY(I32), 0, p->loc), NULL));
  }
  value = ir_stmt(l->module, IR_restore, v->type, p->loc, at, NULL);
  value->variable = v;
  emit(l, value);
  if (!good)
    return value;
  return emit(l, ir_stmt(l->module, IR_select, v->type, p->loc, good, value,
                         emit_int(l, v->type, 0, p->loc), NULL));
}

void write_kept(Lowering *l, const Place *p, int element, IrStmt *value)
{
  IrStmt *at = p->indices[0], *branch;
  IrBlock *outer = l->block;

  if (may_be_none(l, at)) {
    branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), p->loc, is_some(l, at, p->loc), NULL));
    branch->blocks[1] = ir_block(l->module, branch);
    open_block(l, branch, 0);
  }
  emit_save(l, p->variables[element], at, value, p->loc);
  l->block = outer;
}

/* ---- those that are variables after all ---- */

/* The array that the statement's variable is of, and which scalar of an element it is. */
static struct Kept *kept_of(const Lowering *l, const IrStmt *s, int *scalar)
{
  if (!s->variable || s->variable->places == 0)
    return NULL;
  for (int k = 0; k < l->kept_count; k++)
    for (*scalar = 0; *scalar < type_count(l->kept[k].type); ++*scalar)
      if (l->kept[k].variables[*scalar] == s->variable)
        return &l->kept[k];
  return NULL;
}

static void find_memory(Lowering *l)
{
  int scalar;

  for (IrStmt *s = ir_first(l->function->body); s; s = ir_next(s, l->function->body))
    if ((s->op == IR_save || s->op == IR_restore) && s->operands[0]->op != IR_const) {
      struct Kept *kept = kept_of(l, s, &scalar);
      if (kept)
        kept->is_memory = true;
    }
}

static void make_variables(Lowering *l, struct Kept *kept)
{
  kept->elements = NEW_ARRAY(l->module->arena, IrVariable **, kept->count);
  for (int k = 0; k < kept->count; k++)
    kept->elements[k] =
        new_elements(l, IR_VAR_LOCAL, intern_format(l->module->arena, "%s.%d", kept->name, k),
                     kept->type);
}

static void declare_before(Lowering *l, IrStmt *where, IrVariable *v, IrStmt *value)
{
  IrStmt *s = ir_stmt(l->module, IR_declare, TY(VOID), where->loc, value, NULL);

  s->variable = v;
  ir_insert_before(l->module, where, s);
}

/* Of the scalar that is reserved, where no values are given. */
static void declare_zero(Lowering *l, const struct Kept *kept, IrStmt *reserve, int scalar)
{
  IrStmt *zero = ir_stmt(l->module, IR_const, reserve->variable->type, reserve->loc, NULL);

  zero->value = value_cast(zero->type, TY(I64), (Value){ .i = 0 });
  ir_insert_before(l->module, reserve, zero);
  for (int k = 0; k < kept->count; k++)
    declare_before(l, reserve, kept->elements[k][scalar], zero);
}

/* What is saved first is what is declared. */
static void settle_stmt(Lowering *l, struct Kept *kept, IrStmt *s, int scalar)
{
  IrVariable *v = s->op == IR_reserve ? NULL
                                      : kept->elements[s->operands[0]->value.i][scalar];

  if (s->op == IR_reserve) {
    if (s->index)
      declare_zero(l, kept, s, scalar);
    ir_remove(s);
  } else if (s->op == IR_restore) {
    s->op = IR_get;
    s->operand_count = 0;
    s->variable = v;
  } else {
    s->op = kept->given > 0 ? IR_declare : IR_set;
    kept->given -= kept->given > 0;
    s->operands[0] = s->operands[1];
    s->operand_count = 1;
    s->variable = v;
  }
}

/* The function's locals, without those that stand for variables now. */
static void drop_settled(Lowering *l)
{
  IrFunction *f = l->function;
  int count = 0;

  for (int k = 0; k < f->local_count; k++) {
    const IrStmt named = { .variable = f->locals[k] };
    int scalar;
    struct Kept *kept = kept_of(l, &named, &scalar);
    if (!kept || kept->is_memory)
      f->locals[count++] = f->locals[k];
  }
  f->local_count = count;
}

void settle_kept(Lowering *l)
{
  IrStmt *next;
  int scalar;

  if (l->kept_count == 0)
    return;
  find_memory(l);
  for (int k = 0; k < l->kept_count; k++)
    if (!l->kept[k].is_memory)
      make_variables(l, &l->kept[k]);
  for (IrStmt *s = ir_first(l->function->body); s; s = next) {
    struct Kept *kept = kept_of(l, s, &scalar);
    next = ir_next(s, l->function->body);
    if (kept && !kept->is_memory)
      settle_stmt(l, kept, s, scalar);
  }
  drop_settled(l);
}
