/* Tables of constants.  An element whose indices are known is its constants.  Of a short table it
 * is else chosen by comparisons (place.c); a long one is one of the module's, in memory.
 */
#include "gen/ir/table.h"
#include "gen/lower/scope.h"

#include <stddef.h>

bool is_long_table(const Variable *v)
{
  return v->table && v->element_count > MOST_COMPARED;
}

/* ---- the module's ---- */

/* Of scalar k of each element; a bool is a byte, as in memory. */
static IrTable *new_table(Lowering *l, const Variable *v, int k)
{
  Arena *arena = l->module->arena;
  const Type *type = type_at(v->type, k);
  const char *wanted = element_name(l, v->name, v->type, k);
  IrTable *t = NEW(arena, IrTable);

  t->name = wanted;
  for (int number = 2; ir_find_table(l->module, t->name); number++)
    t->name = intern_format(arena, "%s_%d", wanted, number);
  t->type = type == TY(BOOL) ? TY(U8) : type;
  t->count = v->element_count;
  t->values = NEW_ARRAY(arena, Value, t->count);
  for (int i = 0; i < t->count; i++)
    t->values[i] = v->table[i * type_count(v->type) + k];
  vec_push(arena, l->module->tables, l->module->table_count, t);
  return t;
}

static IrTable **tables_of(Lowering *l, const Variable *v)
{
  const int width = type_count(v->type);
  IrTable **tables = map_get(l->tables, v);

  if (tables)
    return tables;
  tables = NEW_ARRAY(l->module->arena, IrTable *, width);
  for (int k = 0; k < width; k++)
    tables[k] = new_table(l, v, k);
  map_put(l->tables, v, tables);
  return tables;
}

/* ---- an element ---- */

/* 0 where there is no such element, as --bounds=zero wants it. */
static IrStmt *read_table(Lowering *l, IrTable *table, const Type *type, IrStmt *at, Loc loc)
{
  IrStmt *value = emit(l, ir_stmt(l->module, IR_table, table->type, loc, at, NULL));

  value->table = table;
  return type != TY(BOOL) ? value
         : lower_binary(l, OP_NE, value, emit_int(l, table->type, 0, loc), loc);
}

static IrStmt **constants(Lowering *l, const Variable *v, int first, int count, Loc loc)
{
  const int width = type_count(v->type);
  IrStmt **values = NEW_ARRAY(l->module->arena, IrStmt *, v->element_count * width);

  for (int k = first; k < first + count; k++)
    values[k] = emit_const(l, type_at(v->type, k % width), v->table[k], loc);
  return values;
}

IrStmt **lower_table(Lowering *l, const Expr *e)
{
  const Variable *v = e->variable;
  const int width = type_count(v->type);
  const Choice c = lower_own_choice(l, e);
  IrStmt **values;

  if (!c.at)
    values = constants(l, v, c.starts[0], width, e->loc);
  else if (!is_long_table(v))
    values = constants(l, v, 0, v->element_count * width, e->loc);
  else {
    values = NEW_ARRAY(l->module->arena, IrStmt *, width);
    for (int k = 0; k < width; k++)
      values[k] = read_table(l, tables_of(l, v)[k], type_at(v->type, k), c.at, e->loc);
    return values;
  }
  return choose_values(l, &c, v->type, values, e->loc);
}
