/* The reader of IR text: functions, their parameters and their locals. */
#include "gen/ir/reader.h"
#include "gen/ir/words.h"

#include <string.h>

/* An extent that a name gives, until all parameters are known. */
typedef struct Pending {
  IrVariable *array;
  int position;
  const char *name;
  struct Pending *next;
} Pending;

static void read_array(Reader *r, IrVariable *v, Pending **pending)
{
  int count = 0;

  reader_expect(r, "[");
  do {
    IrVariable *variable = NULL;
    int64_t constant = 0;
    if (reader_sees(r, TOKEN_NAME, NULL)) {
      Pending *p = NEW(r->arena, Pending);
      *p = (Pending){ v, v->extent_count, reader_expect_name(r, "an extent"), *pending };
      *pending = p;
    } else {
      constant = reader_expect_integer(r, 1, INT64_MAX);
    }
    vec_push(r->arena, v->extent_variable, v->extent_count, variable);
    vec_push(r->arena, v->extent_constant, count, constant);
  } while (!r->failed && reader_accept(r, ","));
  reader_expect(r, "]");
}

static void read_slot(Reader *r)
{
  IrFunction *f = r->function;
  IrSlot slot = { 0 };

  slot.tree = reader_find_tree(r, reader_expect_name(r, "a tree"));
  slot.name = reader_expect_name(r, "a name");
  slot.position = f->param_count;
  slot.is_merge = reader_accept(r, "merge");
  slot.is_virtual = reader_accept(r, "virtual");
  vec_push(r->arena, f->slots, f->slot_count, slot);
}

static void read_parameter(Reader *r, Pending **pending)
{
  IrFunction *f = r->function;
  IrVariable *v;
  int mode;

  if (reader_accept(r, "tree")) {
    read_slot(r);
    return;
  }
  v = NEW(r->arena, IrVariable);
  mode = r->token.kind == TOKEN_NAME
         ? words_position(array_mode_name, ARRAY_MODES, r->token.text) : -1;
  if (mode >= 0)
    reader_advance(r);
  v->kind = mode >= 0 ? IR_VAR_ARRAY : reader_accept(r, "extent") ? IR_VAR_EXTENT : IR_VAR_PARAM;
  v->mode = mode >= 0 ? mode : ARRAY_IN;
  v->type = reader_expect_type(r);
  v->name = reader_expect_name(r, "a name");
  v->of = reader_accept_struct(r);
  if (!r->failed && reader_find_variable(f, v->name))
    reader_fail(r, "'%s' is declared twice", v->name);
  if (mode >= 0)
    read_array(r, v, pending);
  vec_push(r->arena, f->params, f->param_count, v);
}

static void read_parameters(Reader *r)
{
  Pending *pending = NULL;

  reader_expect(r, "(");
  if (reader_accept(r, ")"))
    return;
  do
    read_parameter(r, &pending);
  while (!r->failed && reader_accept(r, ","));
  reader_expect(r, ")");
  for (; pending && !r->failed; pending = pending->next) {
    IrVariable *v = reader_find_variable(r->function, pending->name);
    pending->array->extent_variable[pending->position] = v;
    if (!v)
      reader_fail(r, "unknown extent '%s'", pending->name);
  }
}

static void read_apart(Reader *r)
{
  IrFunction *f = r->function;

  while (reader_accept(r, "apart")) {
    IrApart apart = { .slot = reader_expect_name(r, "a slot") };
    apart.other = reader_expect_name(r, "a slot");
    vec_push(r->arena, f->apart, f->apart_count, apart);
  }
}

static const IrVariable *read_base(Reader *r)
{
  const char *name = reader_accept(r, "of") ? reader_expect_name(r, "a parameter") : NULL;
  const IrVariable *v = name ? reader_find_variable(r->function, name) : NULL;

  if (name && !v)
    reader_fail(r, "unknown parameter '%s'", name);
  return v;
}

/* assigns FIELD SLOT INDEX LO HI [of PARAMETER], or needs ... */
static void read_spans(Reader *r)
{
  IrFunction *f = r->function;

  for (;;) {
    IrSpan span = { .is_assigned = reader_accept(r, "assigns") };
    if (!span.is_assigned && !reader_accept(r, "needs"))
      return;
    span.field = reader_expect_field(r);
    span.slot = reader_expect_name(r, "a slot");
    span.index = (int)reader_expect_integer(r, 0, MAX_AXES - 1);
    span.lo = reader_expect_integer(r, INT64_MIN, INT64_MAX);
    span.hi = reader_expect_integer(r, INT64_MIN, INT64_MAX);
    span.base = read_base(r);
    vec_push(r->arena, f->spans, f->span_count, span);
  }
}

static void read_local(Reader *r, int kind)
{
  IrFunction *f = r->function;
  IrVariable *v = NEW(r->arena, IrVariable);

  v->kind = kind;
  v->type = reader_expect_type(r);
  v->name = reader_expect_name(r, "a name");
  v->lanes = reader_accept_lane_count(r);
  if (reader_accept(r, "places"))
    v->places = (int)reader_expect_integer(r, 1, 1 << 16);
  v->of = reader_accept_struct(r);
  if (!r->failed && reader_find_variable(f, v->name))
    reader_fail(r, "'%s' is declared twice", v->name);
  v->is_hidden = reader_accept(r, "hidden");
  if (reader_accept(r, "result"))
    vec_push(r->arena, f->results, f->result_count, v);
  reader_expect_line_end(r);
  vec_push(r->arena, f->locals, f->local_count, v);
}

static void read_locals(Reader *r)
{
  for (;;) {
    if (reader_accept(r, "local"))
      read_local(r, IR_VAR_LOCAL);
    else if (reader_accept(r, "variable"))
      read_local(r, IR_VAR_KERNEL);
    else
      return;
  }
}

void read_function(Reader *r, bool is_kernel)
{
  IrModule *m = r->module;
  IrFunction *f = NEW(r->arena, IrFunction);

  r->function = f;
  r->values = NULL;
  r->value_count = 0;
  f->is_kernel = is_kernel;
  f->result = reader_expect_type(r);
  f->name = reader_expect_name(r, "a name");
  read_parameters(r);
  f->may_trap = reader_accept(r, "may_trap");
  f->is_settled = reader_accept(r, "settled");
  f->is_serial_only = reader_accept(r, "serial_only");
  f->derivation |= reader_accept(r, "reverse") ? IR_REVERSE : 0;
  f->derivation |= reader_accept(r, "forward") ? IR_FORWARD : 0;
  if (reader_accept(r, "gradient"))
    f->gradient = reader_expect_name(r, "a kernel");
  read_apart(r);
  read_spans(r);
  f->loc = reader_accept_loc(r);
  f->doc = reader_accept_doc(r);
  f->body = ir_block(m, NULL);
  reader_expect(r, "{");
  reader_expect_line_end(r);
  read_locals(r);
  reader_read_block(r, f->body);
  reader_expect_line_end(r);
  if (is_kernel)
    vec_push(r->arena, m->kernels, m->kernel_count, f);
  else
    vec_push(r->arena, m->functions, m->function_count, f);
}
