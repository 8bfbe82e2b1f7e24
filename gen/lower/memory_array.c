/* Local arrays in memory.
 *
 * Of an array with more than MOST_COMPARED elements each scalar of an element is a local with
 * places, where it may be: in a parallel loop, in a function that is called, and where nothing is
 * derived, since a derivative goes through variables.  They are restored and saved by number.
 *
 * Behind the body it shows which numbers are known.  An array of which all are is a variable for
 * each element after all (replace_by_scalars), as a short one is from the start: passes see through
 * variables, not through memory.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

typedef struct MemoryArray {
  const char *name;                    /* of the array */
  const Type *type;                    /* of an element */
  int count;
  IrVariable **variables;              /* with places, for each scalar of an element */
  IrVariable ***elements;              /* that are instead of them, for each element */
  int given;                           /* saves of first values, the first ones; 0: they are zero */
  bool is_memory;                      /* a number is known at run time only */
} MemoryArray;

bool is_memory_array(const Lowering *l, const Variable *v)
{
  return !v->table && v->element_count > MOST_COMPARED && !v->at_kernel_level && !l->derivation &&
         (l->in_foreach || !l->source->is_kernel);
}

bool is_in_memory_array(const Place *p)
{
  return p->variables && p->variables[0]->places > 0;
}

/* ---- the declaration ---- */

/* The array has taken its name already. */
static IrVariable *new_memory(Lowering *l, const char *name, const Type *type, MemoryArray *array)
{
  IrVariable *v = NEW(l->module->arena, IrVariable);

  v->kind = IR_VAR_LOCAL;
  v->name = name;
  v->type = type;
  v->places = array->count;
  vec_push(l->module->arena, l->function->locals, l->function->local_count, v);
  if (!l->memory_arrays) {
    l->memory_arrays = NEW(l->module->arena, Map);
    map_init(l->memory_arrays, l->module->arena);
  }
  map_put(l->memory_arrays, v, array);
  return v;
}

static IrStmt *emit_save(Lowering *l, IrVariable *v, IrStmt *at, IrStmt *value, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_save, TY(VOID), loc, at, value, NULL);

  s->variable = v;
  return emit(l, s);
}

static void save_given(Lowering *l, const MemoryArray *array, IrStmt ***values, Loc loc)
{
  IrStmt **at = NEW_ARRAY(l->module->arena, IrStmt *, array->count);

  for (int k = 0; k < array->count; k++)
    at[k] = emit_int(l, TY(I32), k, loc);
  for (int k = 0; k < array->count; k++)
    for (int i = 0; i < type_count(array->type); i++)
      emit_save(l, array->variables[i], at[k], values[k][i], loc);
}

IrVariable **declare_memory_array(Lowering *l, const Variable *v, const char *name,
                                  IrStmt ***values, Loc loc)
{
  const int width = type_count(v->type);
  MemoryArray *array = NEW(l->module->arena, MemoryArray);

  *array = (MemoryArray){ .name = name, .type = v->type, .count = v->element_count };
  array->variables = NEW_ARRAY(l->module->arena, IrVariable *, width);
  for (int i = 0; i < width; i++) {
    IrStmt *reserve = ir_stmt(l->module, IR_reserve, TY(VOID), loc, NULL);
    array->variables[i] =
        new_memory(l, element_name(l, name, v->type, i), type_at(v->type, i), array);
    reserve->variable = array->variables[i];
    reserve->index = !values;
    emit(l, reserve);
  }
  if (values) {
    save_given(l, array, values, loc);
    array->given = array->count * width;
  }
  return array->variables;
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

IrStmt *read_memory_array(Lowering *l, const Place *p, int scalar)
{
  IrVariable *v = p->variables[scalar];
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

void write_memory_array(Lowering *l, const Place *p, int scalar, IrStmt *value)
{
  IrStmt *at = p->indices[0], *branch;
  IrBlock *outer = l->block;

  if (may_be_none(l, at)) {
    branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), p->loc, is_some(l, at, p->loc), NULL));
    branch->blocks[1] = ir_block(l->module, branch);
    open_block(l, branch, 0);
  }
  emit_save(l, p->variables[scalar], at, value, p->loc);
  l->block = outer;
}

/* ---- those that are variables after all ---- */

/* The array that a local is of; NULL: none. */
static MemoryArray *array_of(const Lowering *l, const IrVariable *v)
{
  return v && v->places > 0 ? map_get(l->memory_arrays, v) : NULL;
}

static void find_memory(Lowering *l)
{
  for (IrStmt *s = ir_first(l->function->body); s; s = ir_next(s, l->function->body))
    if ((s->op == IR_save || s->op == IR_restore) && s->operands[0]->op != IR_const)
      array_of(l, s->variable)->is_memory = true;
}

static int scalar_of(const MemoryArray *array, const IrVariable *v)
{
  int scalar = 0;

  while (array->variables[scalar] != v)
    scalar++;
  return scalar;
}

static void make_variables(Lowering *l, MemoryArray *array)
{
  array->elements = NEW_ARRAY(l->module->arena, IrVariable **, array->count);
  for (int k = 0; k < array->count; k++)
    array->elements[k] =
        new_elements(l, IR_VAR_LOCAL, intern_format(l->module->arena, "%s.%d", array->name, k),
                     array->type);
}

static void declare_before(Lowering *l, IrStmt *where, IrVariable *v, IrStmt *value)
{
  IrStmt *s = ir_stmt(l->module, IR_declare, TY(VOID), where->loc, value, NULL);

  s->variable = v;
  ir_insert_before(l->module, where, s);
}

/* Of the scalar that is reserved, where no values are given. */
static void declare_zero(Lowering *l, const MemoryArray *array, IrStmt *reserve, int scalar)
{
  IrStmt *zero = ir_stmt(l->module, IR_const, reserve->variable->type, reserve->loc, NULL);

  zero->value = value_cast(zero->type, TY(I64), (Value){ .i = 0 });
  ir_insert_before(l->module, reserve, zero);
  for (int k = 0; k < array->count; k++)
    declare_before(l, reserve, array->elements[k][scalar], zero);
}

/* What is saved first is what is declared. */
static void replace_stmt(Lowering *l, MemoryArray *array, IrStmt *s)
{
  const int scalar = scalar_of(array, s->variable);

  if (s->op == IR_reserve) {
    if (!array->elements)
      make_variables(l, array);
    if (s->index)
      declare_zero(l, array, s, scalar);
    ir_remove(s);
    return;
  }
  s->variable = array->elements[s->operands[0]->value.i][scalar];
  if (s->op == IR_restore) {
    s->op = IR_get;
    s->operand_count = 0;
  } else {
    s->op = array->given > 0 ? IR_declare : IR_set;
    array->given -= array->given > 0;
    s->operands[0] = s->operands[1];
    s->operand_count = 1;
  }
}

/* The function's locals, without those that other variables stand for now. */
static void drop_replaced(Lowering *l)
{
  IrFunction *f = l->function;
  int count = 0;

  for (int k = 0; k < f->local_count; k++) {
    const MemoryArray *array = array_of(l, f->locals[k]);
    if (!array || array->is_memory)
      f->locals[count++] = f->locals[k];
  }
  f->local_count = count;
}

void replace_by_scalars(Lowering *l)
{
  IrStmt *next;

  if (!l->memory_arrays)
    return;
  find_memory(l);
  for (IrStmt *s = ir_first(l->function->body); s; s = next) {
    MemoryArray *array = array_of(l, s->variable);
    next = ir_next(s, l->function->body);
    if (array && !array->is_memory)
      replace_stmt(l, array, s);
  }
  drop_replaced(l);
}
