/* What the interpreter reaches outside: the launch record, parameters, arrays and,
 * through the caller's functions, trees.
 *
 * Guarantees: an index outside the extents reaches no memory, in any bounds mode.
 */
#include "gen/interpret/interpret.h"
#include "gen/model/evaluate.h"

#include <string.h>

/* ---- values in memory ---- */

static uint64_t load_bits(const void *at, uint32_t bytes)
{
  uint8_t b1;
  uint16_t b2;
  uint32_t b4;
  uint64_t b8;

  switch (bytes) {
  case 1: memcpy(&b1, at, 1); return b1;
  case 2: memcpy(&b2, at, 2); return b2;
  case 4: memcpy(&b4, at, 4); return b4;
  default: memcpy(&b8, at, 8); return b8;
  }
}

static void store_bits(void *at, uint32_t bytes, uint64_t bits)
{
  const uint8_t b1 = (uint8_t)bits;
  const uint16_t b2 = (uint16_t)bits;
  const uint32_t b4 = (uint32_t)bits;

  switch (bytes) {
  case 1: memcpy(at, &b1, 1); break;
  case 2: memcpy(at, &b2, 2); break;
  case 4: memcpy(at, &b4, 4); break;
  default: memcpy(at, &bits, 8); break;
  }
}

static Value load(const Type *t, const void *at, uint32_t bytes)
{
  Value v;
  float f;

  if (t->kind == TYPE_F16)
    return (Value){ .f = half_value((uint16_t)load_bits(at, bytes)) };
  if (t->kind == TYPE_F32) {
    memcpy(&f, at, sizeof f);
    return (Value){ .f = (double)f };
  }
  if (t->kind == TYPE_F64) {
    memcpy(&v.f, at, sizeof v.f);
    return v;
  }
  v.i = (int64_t)load_bits(at, bytes);
  if (t->kind == TYPE_BOOL)
    return (Value){ .i = v.i != 0 };
  return value_wrap(t, v);
}

static void store(const Type *t, void *at, uint32_t bytes, Value v)
{
  float f = 0;

  if (t->kind == TYPE_F32) {
    f = (float)v.f;
    memcpy(at, &f, sizeof f);
  } else if (t->kind == TYPE_F64) {
    memcpy(at, &v.f, sizeof v.f);
  } else if (t->kind == TYPE_F16) {
    store_bits(at, bytes, half_bits(v.f));
  } else {
    store_bits(at, bytes, (uint64_t)v.i);
  }
}

/* In a tree: a bool is a byte. */
static uint32_t bytes_in_tree(const Type *t)
{
  return t->bits < 8 ? 1 : (uint32_t)t->bits / 8;
}

/* ---- the kernel's frame ---- */

void interpret_load_frame(Interpreter *in)
{
  const IrFunction *k = in->kernel;
  const char *params = in->args->params, *vars = (const char *)in->launch->vars;
  const sn_interpreter_place *place = in->places->vars;

  for (int p = 0; p < k->param_count; p++) {
    const IrVariable *v = k->params[p];
    const sn_interpreter_place *at = &in->places->params[p];
    if (v->kind == IR_VAR_ARRAY)       /* the address itself */
      in->variables[v->id].i = (int64_t)load_bits(params + at->offset, 8);
    else
      in->variables[v->id] = load(v->type, params + at->offset, at->bytes);
  }
  for (int l = 0; l < k->local_count; l++)
    if (k->locals[l]->kind == IR_VAR_KERNEL) {
      in->variables[k->locals[l]->id] = load(k->locals[l]->type, vars + place->offset,
                                             place->bytes);
      place++;
    }
}

void interpret_store_vars(Interpreter *in)
{
  const IrFunction *k = in->kernel;
  char *vars = (char *)in->launch->vars;
  const sn_interpreter_place *place = in->places->vars;

  for (int l = 0; l < k->local_count; l++)
    if (k->locals[l]->kind == IR_VAR_KERNEL) {
      store(k->locals[l]->type, vars + place->offset, place->bytes,
            in->variables[k->locals[l]->id]);
      place++;
    }
}

/* ---- errors and prints ---- */

static void trap(Interpreter *in, int32_t code, int32_t site, int slot, int snode,
                 int count, const int64_t *index)
{
  snd_status *status = &in->launch->status;

  if (status->code != SN_OK)
    return;
  status->code = code;
  status->site = site;
  status->slot = slot;
  status->snode = snode;
  status->index_count = count;
  for (int k = 0; k < count; k++)
    status->index[k] = index[k];
}

static uint64_t word_of(const Type *t, Value v)
{
  uint64_t bits = (uint64_t)v.i;

  if (type_is_float(t))
    memcpy(&bits, &v.f, sizeof bits);
  return bits;
}

/* The arguments of the message go where other errors have their indices. */
static void trap_with(Interpreter *in, int32_t code, const IrStmt *s)
{
  int64_t words[SN_MAX_AXES];
  int count = s->operand_count - 1 < SN_MAX_AXES ? s->operand_count - 1 : SN_MAX_AXES;

  for (int k = 0; k < count; k++)
    words[k] = (int64_t)word_of(s->operands[1 + k]->type, interpret_operand(in, s, 1 + k));
  trap(in, code, s->site, -1, -1, count, words);
}

void interpret_failed_assert(Interpreter *in, const IrStmt *s)
{
  trap_with(in, SN_EASSERT, s);
}

void interpret_failed_require(Interpreter *in, const IrStmt *s)
{
  static const int32_t codes[IR_FAULTS] = {
    [IR_FAULT_DIVISION] = SN_EARITHMETIC, [IR_FAULT_INACTIVE] = SN_ESTATE,
    [IR_FAULT_BOUNDS] = SN_EBOUNDS
  };

  trap_with(in, codes[s->index], s);
}

/* Too many iterations: the loop's line goes where other errors have their indices. */
void interpret_failed_ranges(Interpreter *in, const IrStmt *task)
{
  const int64_t line = task->loc.line;

  trap(in, SN_ENOTSUP, -1, -1, -1, 1, &line);
}

void interpret_failed_element(Interpreter *in, const IrStmt *s, int64_t index)
{
  trap(in, SN_EBOUNDS, s->site, -1, -1, 1, &index);
}

bool interpret_claim(Interpreter *in, const IrStmt *s)
{
  int64_t words[MAX_ELEMENTS + MAX_AXES];

  for (int k = 0; k < s->operand_count; k++)
    words[k] = interpret_operand(in, s, k).i;
  return in->access->claim(in->args, s->site, s->index, s->operand_count - s->index, words) != 0;
}

void interpret_print(Interpreter *in, const IrStmt *s)
{
  int words = 2 + s->operand_count;
  void (*print_host)(void *, const uint64_t *);

  if (!in->launch->print_host)
    return;
  in->record[0] = (uint64_t)words;
  in->record[1] = (uint64_t)s->site;
  for (int k = 0; k < s->operand_count; k++)
    in->record[2 + k] = word_of(s->operands[k]->type, interpret_operand(in, s, k));
  print_host = (void (*)(void *, const uint64_t *))(uintptr_t)in->launch->print_host;
  print_host((void *)(uintptr_t)in->launch->host, in->record);
}

/* ---- indices ---- */

int64_t interpret_total(Interpreter *in, const IrSNode *s, int slot, int axis)
{
  return s->total[axis] > 0 ? s->total[axis]
                            : in->access->total(in->args, in->slots[slot], s->id, axis);
}

typedef enum Inside { INSIDE, OUTSIDE, TRAPPED } Inside;

/* A u64 index past INT64_MAX is negative here: outside as it should be. */
static void take_indices(Interpreter *in, const IrStmt *s, int count, int64_t *index)
{
  for (int k = 0; k < count; k++)
    index[k] = interpret_operand(in, s, k).i;
}

static Inside outside(Interpreter *in, const IrStmt *s, int slot, int snode, int count,
                      const int64_t *index)
{
  bool has_border = s->field && s->field->border != BORDER_NONE;

  if (in->module->bounds != IR_BOUNDS_TRAP || has_border)
    return OUTSIDE;
  trap(in, SN_EBOUNDS, s->site, slot, snode, count, index);
  return TRAPPED;
}

/* An open axis has every index. */
static bool has_cell(Interpreter *in, const IrSNode *n, int slot, int axis, int64_t cell)
{
  return n->open_axes >> axis & 1 || (cell >= 0 && cell < interpret_total(in, n, slot, axis));
}

static Inside field_index(Interpreter *in, const IrStmt *s, int64_t *index)
{
  const IrField *f = s->field;
  take_indices(in, s, f->axis_count, index);
  for (int k = 0; k < f->axis_count; k++) {
    int64_t cell = (int64_t)((uint64_t)index[k] - (uint64_t)f->origin[k]);
    if (!has_cell(in, f->snode, s->slot, f->axes[k], cell))
      return outside(in, s, in->slots[s->slot], f->snode->id, f->axis_count, index);
  }
  return INSIDE;
}

bool interpret_is_inside(Interpreter *in, const IrStmt *s, Value *result)
{
  int64_t index[MAX_AXES];
  const Inside inside = field_index(in, s, index);

  result->i = inside == INSIDE;
  return inside != TRAPPED;
}

/* Of the cells of n, without a trap: is_active has none. */
static bool snode_index(Interpreter *in, const IrStmt *s, const IrSNode *n, int64_t *index)
{
  take_indices(in, s, n->path_axis_count, index);
  for (int k = 0; k < n->path_axis_count; k++)
    if (!has_cell(in, n, s->slot, n->path_axes[k], index[k]))
      return false;
  return true;
}

/* The address of the element; NULL when outside. */
static Inside element(Interpreter *in, const IrStmt *s, char **at, uint32_t *bytes)
{
  const IrVariable *a = s->variable;
  int64_t index[MAX_AXES], position = 0;
  int which = 0;

  take_indices(in, s, a->extent_count, index);
  for (int k = 0; k < a->extent_count; k++) {
    int64_t extent = a->extent_variable[k] ? in->variables[a->extent_variable[k]->id].i
                                           : a->extent_constant[k];
    if (index[k] < 0 || index[k] >= extent)
      return outside(in, s, -1, -1, a->extent_count, index);
    position = position * extent + index[k];
  }
  while (in->kernel->params[which] != a)
    which++;
  *bytes = in->places->params[which].bytes;
  *at = (char *)(uintptr_t)in->variables[a->id].i + position * (int64_t)*bytes;
  return INSIDE;
}

/* ---- fields ---- */

static Value get(Interpreter *in, const IrStmt *s, const int64_t *index)
{
  const Type *t = s->field->type;
  uint64_t memory = 0;

  in->access->get(in->args, in->slots[s->slot], s->field->id, index, &memory);
  return load(t, &memory, bytes_in_tree(t));
}

static void set(Interpreter *in, const IrStmt *s, const int64_t *index, Value v)
{
  const Type *t = s->field->type;
  uint64_t memory = 0;

  store(t, &memory, bytes_in_tree(t), v);
  in->access->set(in->args, in->slots[s->slot], s->field->id, index, &memory);
}

bool interpret_read(Interpreter *in, const IrStmt *s, Value *result)
{
  int64_t index[MAX_AXES];
  Inside inside = field_index(in, s, index);

  *result = inside == INSIDE ? get(in, s, index) : s->field->default_value;
  return inside != TRAPPED;
}

/* Whether the access may do something: what is `if_active` leaves inactive cells alone. */
static bool is_meant(Interpreter *in, const IrStmt *s, const int64_t *index)
{
  const IrField *f = s->field;
  int64_t cell[MAX_AXES] = { 0 }, path[MAX_AXES];

  if (!s->if_active)
    return true;
  for (int k = 0; k < f->axis_count; k++)
    cell[f->axes[k]] = index[k] - f->origin[k];
  for (int k = 0; k < f->snode->path_axis_count; k++)
    path[k] = cell[f->snode->path_axes[k]];
  return in->access->is_active(in->args, in->slots[s->slot], f->snode->id, path) != 0;
}

bool interpret_write(Interpreter *in, const IrStmt *s)
{
  int64_t index[MAX_AXES];
  Inside inside = field_index(in, s, index);

  if (inside == INSIDE && is_meant(in, s, index))
    set(in, s, index, interpret_operand(in, s, s->operand_count - 1));
  return inside != TRAPPED;
}

/* A comparison is one of all bits, as the processor's is: of a float too. */
Value interpret_updated(const Interpreter *in, const IrStmt *s, Value old)
{
  Value by = interpret_operand(in, s, s->operand_count - 1);

  if (s->update == OP_EXCHANGE)
    return by;
  if (s->update == OP_COMPARE_EXCHANGE)
    return interpret_operand(in, s, s->operand_count - 2).i == old.i ? by : old;
  return evaluate_binary(s->update, s->type, old, by);
}

bool interpret_atomic(Interpreter *in, const IrStmt *s, Value *old)
{
  int64_t index[MAX_AXES];
  Inside inside = field_index(in, s, index);

  *old = inside == INSIDE ? get(in, s, index) : s->field->default_value;
  if (inside == INSIDE && is_meant(in, s, index))
    set(in, s, index, interpret_updated(in, s, *old));
  return inside != TRAPPED;
}

/* ---- SNodes ---- */

/* The one whose cells the indices count: where a dynamic container is meant, the parent. */
static const IrSNode *indexed(const IrStmt *s)
{
  bool means_list = s->op == IR_append || s->op == IR_length || s->op == IR_deactivate;

  return kind_is(s->snode->kind, KIND_LIST) && means_list ? s->snode->parent : s->snode;
}

/* As an append that finds the list full. */
static void trap_full(Interpreter *in, const IrStmt *s)
{
  snd_status *status = &in->launch->status;
  const IrSNode *list = s->snode;

  if (status->code != SN_OK)
    return;
  trap(in, SN_ECAPACITY, s->site, in->slots[s->slot], list->id, 0, NULL);
  status->have = interpret_total(in, list, s->slot, list->axes[0].axis);
  status->want = status->have + 1;
}

/* Outside the extents of n; one that goes on gives 0. */
static bool leave_node(Interpreter *in, const IrStmt *s, const IrSNode *n, const int64_t *index)
{
  int slot = in->slots[s->slot];

  if (outside(in, s, slot, n->id, n->path_axis_count, index) == TRAPPED)
    return false;
  if (s->op != IR_append)
    return true;
  trap_full(in, s);
  return false;
}

bool interpret_node(Interpreter *in, const IrStmt *s, Value *result)
{
  const IrSNode *n = indexed(s);
  const sn_interpreter_access *to = in->access;
  int64_t index[MAX_AXES];
  int slot = in->slots[s->slot], id = s->snode->id;
  bool inside = snode_index(in, s, n, index);

  result->i = 0;
  if (!inside)
    return s->op == IR_is_active || leave_node(in, s, n, index);
  switch (s->op) {
  case IR_is_active:  result->i = to->is_active(in->args, slot, id, index) != 0; return true;
  case IR_length:     result->i = to->length(in->args, slot, id, index); return true;
  case IR_append:     result->i = to->append(in->args, slot, id, index, s->site);
                      return result->i >= 0;
  case IR_activate:   to->activate(in->args, slot, id, index); return true;
  default:            to->deactivate(in->args, slot, id, index); return true;
  }
}

/* ---- arrays ---- */

bool interpret_array(Interpreter *in, const IrStmt *s, Value *result)
{
  const Type *t = s->variable->type;
  uint32_t bytes = 0;
  char *at = NULL;
  Inside inside = element(in, s, &at, &bytes);

  result->i = 0;
  if (type_is_float(t))
    result->f = 0;
  if (inside != INSIDE)
    return inside != TRAPPED;
  if (s->op != IR_array_write)
    *result = load(t, at, bytes);
  if (s->op == IR_array_write)
    store(t, at, bytes, interpret_operand(in, s, s->operand_count - 1));
  if (s->op == IR_array_atomic)
    store(t, at, bytes, interpret_updated(in, s, *result));
  return true;
}
