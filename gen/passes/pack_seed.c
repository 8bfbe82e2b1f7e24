/* What the pass pack begins with: values that a near form wants side by side, of additions to a
 * cell of a window and of stores of a vector's elements. */
#include "gen/passes/pack.h"

#include <string.h>

/* ---- additions to a cell ---- */

static bool is_same_distance(const IrStmt *a, const IrStmt *b, int axes)
{
  for (int k = 1; k <= axes; k++) {
    const IrStmt *x = a->operands[k], *y = b->operands[k];
    if (x != y && !(is_const(x) && is_const(y) && x->value.i == y->value.i))
      return false;
  }
  return true;
}

static bool adds_to_same_cell(const IrStmt *a, const IrStmt *b)
{
  return b->op == IR_near_add && b->operands[0] == a->operands[0] && b->update == a->update &&
         is_same_distance(a, b, a->operands[0]->snode->path_axis_count);
}

/* The additions to all fields of the cell, of which the first stands at `at`; false: there are none
 * to some before there is one to another cell. */
static bool find_additions(const Pack *p, int at, Seed *seed)
{
  const IrWindow w = ir_window(p->stmts[at]->operands[0]);
  int found = 0;

  *seed = (Seed){ .is_addition = true, .values = { .count = w.field_count } };
  for (int k = at; k < p->count && found < w.field_count; k++) {
    IrStmt *s = p->stmts[k];
    int element;
    if (s->op != IR_near_add)
      continue;
    if (!adds_to_same_cell(p->stmts[at], s))
      return false;
    element = ir_window_element(&w, s->field);
    if (seed->stmt[element])
      return false;
    seed->stmt[element] = s;
    seed->values.lane[element] = s->operands[s->operand_count - 1];
    seed->anchor = k;
    found++;
  }
  return found == w.field_count && found > 1;
}

/* ---- stores of a vector ---- */

/* "1_" of "A.1_0", "" of "v.x". */
static size_t row_of(const char *element)
{
  const char *end = strchr(element, '_');

  return end ? (size_t)(end - element) + 1 : 0;
}

static bool is_in_row(const char *x, const char *y)
{
  return row_of(x) == row_of(y) && strncmp(x, y, row_of(x)) == 0;
}

static bool is_in_column(const char *x, const char *y)
{
  return row_of(x) > 0 && row_of(y) > 0 && strcmp(x + row_of(x), y + row_of(y)) == 0;
}

static int elements_of(const IrField *f)
{
  int count = 0;

  for (int k = 0; k < f->snode->field_count; k++)
    count += ir_same_whole(f->snode->fields[k]->name, f->name);
  return count;
}

/* Both of a vector, of a row or a column of a matrix, or of a matrix that has no more than four
 * elements. */
static bool is_beside(const IrField *a, const IrField *b, bool by_columns)
{
  const char *x = strrchr(a->name, '.'), *y = strrchr(b->name, '.');

  if (!ir_same_whole(a->name, b->name) || a->type != b->type || !x || !y)
    return false;
  if (elements_of(a) <= 4)
    return true;
  return by_columns && row_of(x) > 0 ? is_in_column(x, y) : is_in_row(x, y);
}

static bool is_store_of_element(const IrStmt *s)
{
  return s->op == IR_store && ir_is_element(s->field->name) && type_is_float(s->field->type);
}

/* Elements of another row or column may stand between them. */
static bool find_stores(const Pack *p, int at, bool by_columns, Seed *seed)
{
  const IrStmt *first = p->stmts[at];

  *seed = (Seed){ .values = { .count = 0 } };
  for (int k = at; k < p->count && seed->values.count < IR_MOST_LANES; k++) {
    IrStmt *s = p->stmts[k];
    if (!is_store_of_element(s))
      continue;
    if (s->operands[0] != first->operands[0] || !ir_same_whole(first->field->name, s->field->name))
      break;
    if (!is_beside(first->field, s->field, by_columns))
      continue;
    seed->stmt[seed->values.count] = s;
    seed->values.lane[seed->values.count++] = s->operands[1];
    seed->anchor = k;
  }
  return seed->values.count > 1;
}

/* ---- all of a form ---- */

static bool is_seeded(const Seeds *seeds, const IrStmt *s)
{
  for (int k = 0; k < seeds->count; k++)
    for (int lane = 0; lane < seeds->seeds[k].values.count; lane++)
      if (seeds->seeds[k].stmt[lane] == s)
        return true;
  return false;
}

Seeds pack_seeds_of(const Pack *p, bool by_columns)
{
  Seeds seeds = { NULL, 0 };

  for (int at = 0; at < p->count; at++) {
    Seed seed;
    if (is_seeded(&seeds, p->stmts[at]))
      continue;
    if (p->stmts[at]->op == IR_near_add          ? find_additions(p, at, &seed)
        : is_store_of_element(p->stmts[at]) && find_stores(p, at, by_columns, &seed))
      vec_push(p->module->arena, seeds.seeds, seeds.count, seed);
  }
  return seeds;
}
