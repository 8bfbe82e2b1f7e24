/* Elements of staged fields: the walk to one from its coordinates, as a function.
 *
 *   func f32 k_near_x(tree t t, i32 i)     gives x at i, of a field that is read;
 *   func void k_near_x(tree t t, i32 i, f32 x)      adds x to it, of one that is added to.
 *
 * Coordinates count cells from 0.  Nothing of a walk is shared: lanes of a team take elements that
 * lie side by side, and what they load is the same for most of them.
 */
#include "gen/passes/stage.h"
#include "gen/passes/walk.h"

#include <string.h>

static bool has_function(const IrModule *m, const char *name)
{
  for (int k = 0; k < ir_function_count(m); k++)
    if (strcmp(ir_function(m, k)->name, name) == 0)
      return true;
  return false;
}

static const char *free_name(IrModule *m, const char *kernel, const char *field)
{
  const char *wanted = intern_format(m->arena, "%s_near_%s", kernel, field), *name = wanted;

  for (int k = 2; has_function(m, name); k++)
    name = intern_format(m->arena, "%s_%d", wanted, k);
  return name;
}

static IrStmt *put_param(Walk *w, const char *name, const Type *type)
{
  IrVariable *v = make_index(w->make.module, w->function, name, type);
  IrStmt *s = ir_stmt(w->make.module, IR_param, type, w->make.loc, NULL);

  v->kind = IR_VAR_PARAM;
  vec_push(w->make.module->arena, w->function->params, w->function->param_count, v);
  s->variable = v;
  return put(&w->make, s);
}

static bool is_short(int64_t extent)
{
  return extent > 0 && extent <= INT32_MAX;
}

static void put_coordinates(Walk *w)
{
  for (int k = 0; k < w->snode->path_axis_count; k++) {
    const int axis = w->snode->path_axes[k];
    const char name[] = { (char)('i' + axis), '\0' };
    w->coordinate[axis] = put_param(w, name, is_short(w->snode->total[axis]) ? TY(I32) : TY(I64));
  }
}

static void put_read(Walk *w)
{
  IrModule *m = w->make.module;
  IrStmt *cell = walk_put(w, w->snode, IR_MODE_READ);
  IrStmt *load = ir_stmt(m, IR_load, w->field->type, w->make.loc, cell, NULL);

  load->field = w->field;
  put(&w->make, load);
  put(&w->make, ir_stmt(m, IR_return, TY(VOID), w->make.loc, load, NULL));
}

/* An atomic: other teams add to the cell too. */
static void put_addition(Walk *w)
{
  IrModule *m = w->make.module;
  IrStmt *sum = put_param(w, "sum", w->field->type);
  IrStmt *cell = walk_put(w, w->snode, IR_MODE_ACTIVATE);
  IrStmt *add = ir_stmt(m, IR_cell_atomic, w->field->type, w->make.loc, cell, sum, NULL);

  add->field = w->field;
  add->update = OP_ADD;
  add->may_be_null = takes_memory(w->snode);
  put(&w->make, add);
}

IrFunction *stage_element(IrModule *m, const IrFunction *kernel, const IrStmt *cache,
                          const IrStmt *access)
{
  const bool is_read = cache->index == IR_CACHED_READ;
  IrFunction *f = NEW(m->arena, IrFunction);
  const IrSlot *from = &kernel->slots[cache->slot];
  const IrSlot slot = { .tree = from->tree, .name = from->name };
  Walk w = { .function = f, .field = cache->field, .snode = cache->field->snode };

  vec_push(m->arena, f->slots, f->slot_count, slot);
  f->name = free_name(m, kernel->name, cache->field->name);
  f->result = is_read ? cache->field->type : TY(VOID);
  f->loc = access->operands[0]->loc;
  f->body = ir_block(m, NULL);
  w.make = make_at_end(m, f->body, access->operands[0]);
  put_coordinates(&w);
  if (is_read)
    put_read(&w);
  else
    put_addition(&w);
  ir_number(f);
  vec_push(m->arena, m->functions, m->function_count, f);
  return f;
}
