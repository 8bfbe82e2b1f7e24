/* The IR: what is printed reads back, every operation of ops.def does, and what breaks
 * a rule is refused with the rule's name. */
#include "gen/base/base.h"
#include "gen/model/builtins.h"
#include "gen/ir/ir.h"

#define diag tap_diag         /* gen/base has another */
#include "t/tap.h"
#undef diag

static Arena *arena;

/* ---- reading ---- */

static Source read_file(const char *name)
{
  const char *folder = getenv("SN_SRCDIR");
  Source source = { .path = intern_format(arena, "%s/t/ir/%s", folder ? folder : ".", name) };
  FILE *file = fopen(source.path, "rb");
  char *text = arena_alloc(arena, 1 << 18);

  if (!file)
    bail(source.path);
  source.length = fread(text, 1, (1 << 18) - 1, file);
  source.text = text;
  fclose(file);
  return source;
}

/* The module, or NULL and the message in *why. */
static IrModule *read_text(const Source *source, const char **why)
{
  DiagOptions options;
  FILE *messages = tmpfile();
  char text[2048] = "";
  IrModule *m;
  Diag *d;

  if (!messages)
    bail("no temporary file");
  diag_defaults(&options);
  d = diag_create(arena, &options, messages);
  diag_source(d, source);
  m = ir_read(arena, d, source);
  rewind(messages);
  if (fread(text, 1, sizeof text - 1, messages) == 0)
    text[0] = '\0';
  fclose(messages);
  *why = intern(arena, text, strlen(text));
  return m;
}

static const char *print(const IrModule *m)
{
  Text text = { 0 };
  const char *copy;

  ir_print(m, &text);
  copy = intern(arena, text.data, text.length);
  text_free(&text);
  return copy;
}

/* ---- what is printed reads back ---- */

static bool op_seen[IR_OP_COUNT], update_seen[OP_UPDATES], task_seen[IR_TASKS], mode_seen[3];

static void note(const IrStmt *s)
{
  op_seen[s->op] = true;
  if (ir_op_info[s->op].attributes & IR_ATTR_UPDATE)
    update_seen[s->update] = true;
  if (s->op == IR_cell)
    mode_seen[s->mode] = true;
  if (s->op == IR_offloaded)
    task_seen[s->task] = true;
}

static void test_file(const char *name, int stage)
{
  Source source = read_file(name);
  const char *why, *broken;
  IrModule *m = read_text(&source, &why), *again;

  if (!ok(m != NULL, "%s is read", name)) {
    tap_diag("%s", why);
    return;
  }
  broken = ir_verify(m, stage);
  is_str(broken, NULL, "%s keeps the rules of stage %d", name, stage);
  is_str(print(m), source.text, "%s is printed as it stands", name);
  source.text = print(m);
  again = read_text(&source, &why);
  is_str(again ? print(again) : why, source.text, "%s: what is printed reads back", name);
  for (int k = 0; k < ir_function_count(m); k++) {
    const IrBlock *body = ir_function(m, k)->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      note(s);
  }
}

static void test_tables(void)
{
  for (int k = 0; k < IR_OP_COUNT; k++)
    ok(op_seen[k], "%s was printed, read and verified", ir_op_info[k].name);
  for (int k = OP_ADD; k < OP_UPDATES; k++)
    ok(update_seen[k], "update %s was", operator_name[k]);
  for (int k = 0; k < IR_TASKS; k++)
    ok(task_seen[k], "task %s was", ir_task_name[k]);
  for (int k = 0; k < 3; k++)
    ok(mode_seen[k], "mode %s was", ir_mode_name[k]);
}

/* The facts of a row agree with its other columns, and none is forgotten: the permissions of a
 * kernel, its sites and its traps are what the rows say. */
static void test_facts(void)
{
  const unsigned memory = IR_OF_LOCAL | IR_OF_FIELD | IR_OF_ARRAY | IR_OF_PLACES;
  const unsigned activity = IR_SEES | IR_ACTIVATES | IR_DEACTIVATES;

  for (int k = 0; k < IR_OP_COUNT; k++) {
    const IrOpInfo *o = &ir_op_info[k];
    bool touches = o->effects == IR_READS || o->effects == IR_WRITES;
    bool names_tree = (o->attributes & (IR_ATTR_FIELD | IR_ATTR_SNODE)) != 0;
    bool names_variable = (o->attributes & IR_ATTR_VARIABLE) != 0;
    unsigned writes = IR_ACTIVATES | IR_DEACTIVATES | IR_DRAWS | IR_PRINTS;
    unsigned of = o->facts & memory;

    ok((o->facts & (memory | activity) ? touches : !touches || !(names_tree || names_variable)) &&
         !(touches && names_tree && !(o->facts & (IR_OF_FIELD | activity))) &&
         !(touches && names_variable && !of),
       "%s says which memory it reads or changes", o->name);
    ok((of & (of - 1)) == 0, "%s is of one memory", o->name);
    ok(!(o->facts & writes) || o->effects == IR_WRITES || (o->attributes & IR_ATTR_MODE),
       "%s writes what it changes", o->name);
    ok(!(o->facts & (IR_PRINTS | IR_BOUNDED)) || (o->facts & IR_SITE), "%s has a site", o->name);
    ok(!(o->facts & IR_TRAPS) || (o->facts & (IR_SITE | IR_LINE)), "%s traps somewhere", o->name);
    ok(!(o->facts & IR_LOOPS) || o->blocks > 0, "%s has what it repeats", o->name);
    ok(o->stages != 0, "%s stands somewhere", o->name);
  }
}

/* Not of the text but of the tables behind it. */
static void test_derived(void)
{
  Source source = read_file("written.ir");
  const char *why;
  IrModule *m = read_text(&source, &why);
  IrTree *t = m->trees[0];
  const IrFunction *all = m->kernels[0];
  const IrTree *slopes = m->trees[2];

  is_int(t->snode_count, 4, "SNodes of grid");
  is_int(t->snodes[2]->depth, 2, "depth of node");
  is_int(t->snodes[2]->total[0], 0, "its total extent on i is given at creation");
  is_int(t->snodes[2]->total[1], 128, "on j it is 16 * 8");
  is_int(ir_below(t->snodes[1], t->snodes[2], 1), 8, "below a tile 8 on j");
  is_int(ir_below(t->snodes[0], t->snodes[2], 1), 128, "below the root 128");
  is_int(ir_below(t->snodes[0], t->snodes[2], 0), 0, "and on i what creation says");
  is_int(ir_below(t->snodes[2], t->snodes[2], 0), 1, "below itself 1");
  is_int(t->snodes[3]->path_axis_count, 1, "axes of mark");
  is_str(t->fields[2]->name, "v", "field 2");
  is_int(t->fields[2]->axes[0], 1, "its first index is j");
  is_int(all->params[0]->extent_count, 2, "at has two extents");
  ok(all->params[0]->extent_variable[0] == all->params[1], "the first is m");
  is_int(all->params[0]->extent_constant[1], 2, "the second is 2");
  ok(all->result_count == 1 && all->results[0] == all->locals[1], "the result's variable");
  ok(slopes->fields[0]->grad == slopes->fields[1] && slopes->fields[0]->dual == slopes->fields[3],
     "s has its adjoint and its tangent");
  ok(slopes->fields[1]->dual == slopes->fields[2], "and its adjoint a tangent");
}

static void test_kinds(void)
{
  Source source = read_file("kinds.ir");
  const char *why;
  IrModule *m = read_text(&source, &why);
  const IrTree *marks = m->trees[0], *lists = m->trees[1], *pairs = m->trees[2];

  is_int(marks->fields[0]->origin[0], -2, "the origin of v");
  is_int(lists->fields[0]->origin[0], -100, "of w, on its first index");
  is_int(lists->fields[0]->origin[1], -5, "on its second");
  is_int(lists->snodes[1]->open_axes, 3, "both axes of the hash are open");
  is_int(lists->snodes[2]->open_axes, 3, "and stay so below it");
  is_int(lists->snodes[2]->total[0], 2, "where only what is divided further counts");
  is_int(lists->snodes[2]->total[1], 1, "and else 1");
  is_int(lists->snodes[4]->open_axes, 0, "beside it none is");
  is_int(lists->snodes[4]->chunk, 4, "the list's chunk");
  is_int(lists->snodes[4]->total[2], 10, "its extent");
  is_int(ir_array_cells(pairs->snodes[1]), 4, "soa rows: an array is as long as a row");
  is_int(ir_array_cells(marks->snodes[2]), 4, "soa: as long as the container");
}

/* ---- sites ---- */

static void test_sites(void)
{
  Source source = read_file("run.ir");
  const char *why;
  IrModule *m = read_text(&source, &why);
  int next = 0;

  is_int(ir_number_sites(m), 25, "sites of run.ir");
  is_str(print(m), source.text, "they are those that its text says");
  for (int k = 0; k < m->function_count; k++) {
    const IrBlock *body = m->functions[k]->body;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      if (ir_is(s, IR_SITE))
        ok(s->site == next++, "%s has site %d", ir_op_info[s->op].name, s->site);
  }
}

/* ---- what breaks a rule ---- */

static void test_case(const char *preamble, const char *head, const char *body)
{
  int stage = -1, at = 0;
  const char *rule, *why;
  Source source = { .path = "case" };
  IrModule *m;

  if (strncmp(head, "text: ", 6) == 0)
    at = 6;
  else if (sscanf(head, "%d: %n", &stage, &at) != 1)
    bail(head);
  rule = intern(arena, head + at, strcspn(head + at, "\n"));
  source.text = intern_format(arena, "%s%s",
                              strncmp(body, "module", 6) == 0 ? "" : preamble, body);
  source.length = strlen(source.text);
  m = read_text(&source, &why);
  if (stage >= 0 && m)
    why = ir_verify(m, stage);
  ok((stage >= 0) == (m != NULL) && why && strstr(why, rule), "refused: %s", rule);
  if (stage >= 0 && !m)
    tap_diag("could not be read");
  if (!why || !strstr(why, rule))
    tap_diag("said: %s", why ? why : "nothing");
}

static void test_broken(void)
{
  static const char mark[] = "// ---- ";
  Source source = read_file("broken.ir");
  const char *head = strstr(source.text, mark);
  const char *preamble = intern(arena, source.text, (size_t)(head - source.text));

  while (head) {
    const char *body = strchr(head, '\n') + 1, *next = strstr(body, mark);
    size_t length = next ? (size_t)(next - body) : strlen(body);
    test_case(preamble, head + sizeof mark - 1, intern(arena, body, length));
    head = next;
  }
}

/* ---- what text cannot say: the verifier alone stands before it ---- */

typedef struct Made {
  IrModule *m;
  IrFunction *f;
} Made;

static Made make(void)
{
  Source source = read_file("written.ir");
  const char *why;
  Made made = { read_text(&source, &why), NULL };

  made.f = NEW(arena, IrFunction);
  made.f->name = "made";
  made.f->result = TY(VOID);
  made.f->body = ir_block(made.m, NULL);
  vec_push(arena, made.m->functions, made.m->function_count, made.f);
  return made;
}

static IrStmt *put(Made *made, IrStmt *s)
{
  ir_append(made->m, made->f->body, s);
  return s;
}

static IrStmt *put_const(Made *made, const Type *type, int64_t i)
{
  IrStmt *s = ir_stmt(made->m, IR_const, type, (Loc){ 0 }, NULL);

  s->value.i = i;
  return put(made, s);
}

static void is_refused(const Made *made, int stage, const char *rule)
{
  const char *why = ir_verify(made->m, stage);

  ok(why && strstr(why, rule), "refused: %s", rule);
  if (!why || !strstr(why, rule))
    tap_diag("said: %s", why ? why : "nothing");
}

static void test_made_blocks(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *yes, *s;

  is_str(ir_verify(made.m, 0), NULL, "an empty function is fine");
  yes = put_const(&made, TY(BOOL), 1);
  s = put(&made, ir_stmt(made.m, IR_if, TY(VOID), loc, yes, NULL));
  s->blocks[0] = ir_block(made.m, s);
  is_refused(&made, 0, "it has not the blocks of its operation");
  s->blocks[1] = ir_block(made.m, yes);
  is_refused(&made, 0, "its block has another owner");
  s->blocks[1]->owner = s;
  is_str(ir_verify(made.m, 0), NULL, "an if with both blocks is fine");
  s->parent = s->blocks[0];
  is_refused(&made, 0, "it says that it stands in another block");
  s->parent = made.f->body;
  made.f->is_kernel = true;
  is_refused(&made, 0, "a kernel is no func, and each has a body");
}

static void test_made_values(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *one = put_const(&made, TY(I8), 1), *s;

  one->value.i = 128;
  is_refused(&made, 0, "the value does not fit in its type");
  one->value.i = 127;
  s = put(&made, ir_stmt(made.m, IR_builtin, TY(I8), loc, one, NULL));
  s->builtin = BUILTIN_COUNT;
  is_refused(&made, 0, "there is no such built-in");
  s->op = IR_call;
  s->function = NEW(arena, IrFunction);
  s->function->name = "elsewhere";
  is_refused(&made, 0, "the module has no such function");
  ir_remove(s);
  s = put(&made, ir_stmt(made.m, IR_print, TY(VOID), loc, NULL));
  is_refused(&made, 0, "it has no text");
  ir_remove(s);
  is_str(ir_verify(made.m, 0), NULL, "without it all is fine");
}

/* Alone in its module, since the others are not lowered. */
static void test_made_cells(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *root = put(&made, ir_stmt(made.m, IR_root, TY(CELL), loc, NULL));

  made.m->functions[0] = made.f;
  made.m->function_count = 1;
  made.m->kernel_count = 0;
  is_refused(&made, 2, "the function has no such slot");
  vec_push(arena, made.f->slots, made.f->slot_count,
           ((IrSlot){ .tree = made.m->trees[0], .name = "grid" }));
  is_str(ir_verify(made.m, 2), NULL, "with a slot it has");
  put(&made, ir_stmt(made.m, IR_cast, TY(I8), loc, root, NULL));
  is_refused(&made, 2, "it takes a scalar");
}

static void test_made_objects(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *s;

  vec_push(arena, made.f->slots, made.f->slot_count, ((IrSlot){ .tree = made.m->trees[0] }));
  is_refused(&made, 0, "a slot has a tree and a name");
  made.f->slots[0].name = "grid";
  s = put(&made, ir_stmt(made.m, IR_activate, TY(VOID), loc, NULL));
  is_refused(&made, 0, "it names no field and no SNode");
  s->snode = made.m->trees[1]->snodes[1];
  is_refused(&made, 0, "the SNode is of another tree");
}

static void test_made_tasks(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *task, *one;

  made.m->function_count = made.m->kernel_count = 0;
  made.f->is_kernel = true;
  vec_push(arena, made.m->kernels, made.m->kernel_count, made.f);
  one = ir_stmt(made.m, IR_const, TY(I32), loc, NULL);
  task = put(&made, ir_stmt(made.m, IR_offloaded, TY(VOID), loc, one, one, NULL));
  task->blocks[0] = ir_block(made.m, task);
  is_refused(&made, 1, "only loops have operands");
  task->task = IR_TASK_RANGE_FOR;
  is_str(ir_verify(made.m, 1), NULL, "a range_for has them");
  one->op = IR_neg;
  is_refused(&made, 1, "a bound is a const, a param or a get");
  task->operand_count = 0;
  task->task = IR_TASK_STRUCT_FOR;
  is_refused(&made, 1, "it names no SNode of its slot's tree");
}

static void test_made_variables(void)
{
  Made made = make();
  IrVariable *a = NEW(arena, IrVariable), *b = NEW(arena, IrVariable);

  a->name = b->name = "a";
  a->type = b->type = TY(I32);
  a->kind = IR_VAR_LOCAL;
  b->kind = IR_VAR_PARAM;
  vec_push(arena, made.f->locals, made.f->local_count, a);
  is_str(ir_verify(made.m, 0), NULL, "a local is fine");
  vec_push(arena, made.f->params, made.f->param_count, b);
  is_refused(&made, 0, "two variables have one name");
  a->name = "b";
  b->kind = IR_VAR_LOCAL;
  is_refused(&made, 0, "a parameter is no parameter");
  b->kind = IR_VAR_PARAM;
  a->kind = IR_VAR_PARAM;
  is_refused(&made, 0, "a local is no local");
}

/* ---- building ---- */

static void test_building(void)
{
  Loc loc = { 0 };
  Made made = make();
  IrStmt *a = put_const(&made, TY(I32), 1), *b = put_const(&made, TY(I32), 2), *sum, *c;
  Text text = { 0 };

  sum = put(&made, ir_stmt(made.m, IR_add, TY(I32), loc, a, a, NULL));
  c = ir_stmt(made.m, IR_const, TY(I32), loc, NULL);
  c->value.i = 3;
  ir_insert_before(made.m, sum, c);
  ir_replace_uses(made.f, a, c);
  ir_remove(a);
  ir_number(made.f);
  ir_print_function(made.f, &text);
  is_str(text.data, "func void made() {\n  <i32> $0 = const 2\n  <i32> $1 = const 3\n"
                    "  <i32> $2 = add $1 $1\n}\n", "put, put before, replace, remove");
  text_free(&text);
  ok(!a->parent && b->parent == made.f->body, "what is removed stands nowhere");
  is_int(made.f->number_count, 3, "numbers are counted");
  c->op = IR_cell;
  is_int(ir_effects(c), IR_READS, "a walk reads");
  c->mode = IR_MODE_ACTIVATE;
  is_int(ir_effects(c), IR_WRITES, "unless it activates");
}

/* Noise, programs cut off: a message or a module, never a crash. */
static void test_cut(void)
{
  Source whole = read_file("written.ir");
  int read = 0;

  for (size_t length = 0; length < whole.length; length += 7) {
    Source cut = { .path = "cut", .text = intern(arena, whole.text, length), .length = length };
    read += ir_read(arena, NULL, &cut) != NULL;
  }
  ok(read < (int)whole.length / 70, "text that is cut off is refused (%d were whole)", read);
}

int main(void)
{
  arena = arena_create();
  test_file("written.ir", 0);
  test_file("values.ir", 1);
  test_file("split.ir", 1);
  test_file("run.ir", 1);
  test_file("kinds.ir", 1);
  test_file("lowered.ir", 2);
  test_file("rows.ir", 2);
  test_file("runs.ir", 2);
  test_file("near.ir", 2);
  test_file("team.ir", 2);
  test_file("gang.ir", 2);
  test_file("vectors.ir", 2);
  test_file("locals.ir", 2);
  test_tables();
  test_facts();
  test_derived();
  test_kinds();
  test_sites();
  test_broken();
  test_made_blocks();
  test_made_values();
  test_made_cells();
  test_made_objects();
  test_made_tasks();
  test_made_variables();
  test_building();
  test_cut();
  arena_destroy(arena);
  return done_testing();
}
