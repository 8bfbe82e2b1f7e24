/* Copies of statements, with what stands in their blocks. */
#include "gen/passes/tools.h"

#include <string.h>

void copy_init(Copy *c, IrModule *m, IrFunction *f)
{
  *c = (Copy){ .module = m, .function = f, .kind = IR_VAR_LOCAL };
  map_init(&c->made, m->arena);
}

void copy_note(Copy *c, const void *original, void *copy)
{
  map_put(&c->made, original, copy);
}

void *copied(const Copy *c, void *original)
{
  void *copy = original ? map_get(&c->made, original) : NULL;

  return copy ? copy : original;
}

/* The name of a loop's index stands in the loop only; a local that is declared is another one. */
static IrVariable *copy_variable(Copy *c, const IrStmt *s)
{
  IrVariable *v = s->variable;

  if (s->op == IR_for_range)
    return make_index(c->module, c->function, v->name, v->type);
  if (s->op == IR_declare && (v->kind == IR_VAR_LOCAL || (int)v->kind == c->kind)) {
    IrVariable *copy = make_hidden(c->module, c->function, c->kind,
                                   ir_whole_name(c->module->arena, v->name), v->type);
    copy->shown = !c->keeps_names ? NULL : v->shown ? v->shown : v->name;
    copy_note(c, v, copy);
  }
  return copied(c, v);
}

static void copy_blocks(Copy *c, const IrStmt *s, IrStmt *copy)
{
  for (int b = 0; b < IR_BLOCKS; b++)
    if (s->blocks[b]) {
      Maker inner = { .module = c->module, .block = ir_block(c->module, copy) };
      copy->blocks[b] = inner.block;
      copy_block(c, s->blocks[b], &inner);
    }
}

static void copy_operands(Copy *c, const IrStmt *s, IrStmt *copy)
{
  for (int k = 0; k < s->operand_count; k++)
    ir_add_operand(c->module, copy, copied(c, s->operands[k]));
}

void copy_stmt(Copy *c, const IrStmt *s, Maker *make)
{
  IrStmt *copy = NEW(c->module->arena, IrStmt);

  *copy = *s;
  copy->id = -1;
  copy->operands = NULL;
  copy->operand_count = 0;
  memset(copy->blocks, 0, sizeof copy->blocks);
  copy_note(c, s, copy);
  if (s->variable)
    copy->variable = copy_variable(c, s);
  put(make, copy);
  copy->site = s->site;
  copy_blocks(c, s, copy);
  copy_operands(c, s, copy);             /* the condition of a while stands in its block */
}

void copy_block(Copy *c, const IrBlock *from, Maker *make)
{
  for (int k = 0; k < from->count; k++) {
    const IrStmt *s = from->stmts[k];
    if (!map_get(&c->made, s) && (!c->needed || c->needed[s->id]))
      copy_stmt(c, s, make);
  }
}
