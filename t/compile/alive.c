/* What t/54-compile.t runs: codes and programs that are alive at once, whose they are by name, and
 * what is refused; with compilers from the environment.  Prints what came.
 *
 *   alive STEP
 */
#include <stdio.h>
#include <string.h>

#include <snode/program.h>

/* Names that the texts have too, or call: the executable exports them (-rdynamic). */
int helper(void);
int of_program(void);
extern int level;
int level = 111;
int helper(void) { return 111; }
int of_program(void) { return 30; }

static sn_engine *engine;
static sn_queue *queue;
static sn_context *context;

static void tell_error(int code)
{
  printf("%s\n%s\n", sn_strerror(code), sn_engine_error(engine));
  sn_engine_clear(engine);
}

/* ---- codes: a routine's code is the result ---- */

static sn_code *compile(const char *name, const char *text)
{
  sn_source source = SN_SOURCE_INIT;
  sn_entry entry = SN_ENTRY_INIT;
  sn_code *code = NULL;
  int result;

  entry.name = name;
  source.texts = &text;
  result = sn_code_compile(engine, &entry, 1, &source, NULL, &code);
  if (result != SN_OK) tell_error(result);
  return code;
}

/* What the code's only entry returns; -1: it did not run. */
static int call(sn_code *code)
{
  sn_routine *routine = NULL;
  sn_context *own;
  int result = sn_code_link(code, 0, context, NULL, &routine);

  if (result != SN_OK || sn_routine_schedule(routine, queue, NULL) != SN_OK) return -1;
  result = sn_queue_await(queue);
  own = sn_routine_context(routine);
  return sn_routine_destroy(routine) || sn_context_destroy(own) ? -1 : result;
}

static int end_codes(sn_code *a, sn_code *b)
{
  return sn_code_destroy(a) || sn_code_destroy(b);
}

static int two(void)
{
  sn_code *nine = compile("step", "int step(const void *a) { (void)a; return 9; }");
  sn_code *four = compile("step", "int step(const void *a) { (void)a; return 4; }");

  printf("%d %d %d\n", call(nine), call(four), call(nine));
  (void)compile("step", "int other(const void *a) { (void)a; return 3; }");
  return end_codes(nine, four);
}

/* Of one text: each has its variables. */
static int same(void)
{
  static const char text[] = "int step(const void *a) { static int n; (void)a; return ++n; }";
  sn_code *one = compile("step", text), *other = compile("step", text);
  const int first = call(one), second = call(one);

  printf("%d %d, %d\n", first, second, call(other));
  return end_codes(one, other);
}

static int names(void)
{
  sn_code *own = compile("step", "int level = 1;\nint helper(void) { return 20; }\n"
                         "int of_program(void);\nint step(const void *a) {\n"
                         "  (void)a; return level + helper() + of_program() * 10; }\n");

  printf("%d\n", call(own));
  return sn_code_destroy(own);
}

/* What a library that is loaded has. */
static int missing(void)
{
  static const char text[] =
    "int puts(const char *);\nint step(const void *a) { return a ? 0 : puts(\"\"); }";

  (void)compile("send", text);
  (void)compile("helper", text);
  return 0;
}

static int null_flag(void)
{
  static const char *const flags[] = { "-O1", NULL };
  sn_compiler compiler = SN_COMPILER_INIT;
  sn_program *program = NULL;

  compiler.flags = flags;
  compiler.flag_count = 2;
  tell_error(sn_program_compile(engine, "", "none", &compiler, &program));
  return program != NULL;
}

static int bad_entry(void)
{
  sn_code *code = compile("step", "int step(const void *a) { (void)a; return 9; }");
  sn_routine *routine = NULL;

  tell_error(sn_code_link(code, 1, context, NULL, &routine));
  return sn_code_destroy(code);
}

/* ---- programs: a[0] is the result ---- */

static sn_program *compile_program(const char *name, const char *text, const char *option)
{
  sn_compiler compiler = SN_COMPILER_INIT;
  sn_program *program = NULL;
  int result;

  compiler.options = &option;
  compiler.option_count = option != NULL;
  result = sn_program_compile(engine, text, name, &compiler, &program);
  if (result != SN_OK) tell_error(result);
  return program;
}

static int run_program(sn_program *program)
{
  sn_node *a = sn_program_node(program, "a");
  sn_routine *routine = NULL;
  sn_context *own;
  void *data = NULL;
  int value;

  SN_TRY(sn_program_link(program, "step", context, NULL, &routine));
  own = sn_routine_context(routine);
  SN_TRY(sn_routine_schedule(routine, queue, NULL));
  SN_TRY(sn_context_to_host(own, a, queue, NULL, NULL));
  SN_TRY(sn_node_acquire(a, 0, &data));
  value = *(int32_t *)data;
  SN_TRY(sn_node_release(a));
  SN_TRY(sn_routine_destroy(routine));
  SN_TRY(sn_context_destroy(own));
  printf("%d\n", value);
  return SN_OK;
}

/* One after the other: none is ever unloaded. */
static int programs(void)
{
  static const char *const name[] = { "foo", "foo", "entries" };
  static const char *const text[] = {
    "field i32 a[4] hosted; kernel void step() { foreach (i in a) a[i] = 111; }",
    "field i32 a[4] hosted; kernel void step() { foreach (i in a) a[i] = 222; }",
    "field i32 a[4] hosted; kernel void step() { foreach (i in a) a[i] = 333; }",
  };

  for (int k = 0; k < 3; k++) {
    sn_program *program = compile_program(name[k], text[k], NULL);
    SN_TRY(run_program(program));
    SN_TRY(sn_program_destroy(program));
  }
  return SN_OK;
}

/* A node that a context holds, behind another one: nothing goes. */
static int refused(void)
{
  sn_program *program =
    compile_program("foo", "field i32 b[4] hosted; field i32 a[4] hosted; kernel void step() {\n"
                    "  foreach (i in a) { a[i] = 1; b[i] = 2; } }", NULL);
  sn_context *holder = NULL;

  SN_TRY(sn_context_create_on(sn_engine_unit(engine, 0), NULL, NULL, &holder));
  SN_TRY(sn_context_add(holder, sn_program_node(program, "a")));
  tell_error(sn_program_destroy(program));
  printf("%d %d %d\n", sn_program_code(program) != NULL, sn_program_node(program, "a") != NULL,
         sn_program_node(program, "b") != NULL);
  SN_TRY(run_program(program));
  SN_TRY(sn_context_destroy(holder));
  return sn_program_destroy(program);
}

static int most_local(void)
{
  sn_program *program =
    compile_program("foo", "field i32 b[4]; field i32 a[4] hosted; kernel void step() {\n"
                    "  foreach (i in b) b[i] = 7;\n  foreach (i in a) a[i] = b[i]; }",
                    "--most-local");

  if (!program) return SN_EINVAL;
  printf("%s\n", sn_mode_name(sn_node_mode(sn_program_node(program, "b"))));
  SN_TRY(run_program(program));
  return sn_program_destroy(program);
}

int main(int count, char **arguments)
{
  static const struct { const char *name; int (*run)(void); } steps[] = {
    { "two", two }, { "same", same }, { "names", names }, { "missing", missing },
    { "null", null_flag }, { "bad", bad_entry }, { "programs", programs },
    { "refused", refused }, { "most-local", most_local },
  };
  int code = -1;

  if (count != 2 || sn_engine_create(NULL, &engine) ||
      sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue) ||
      sn_context_create_on(sn_engine_unit(engine, 0), NULL, NULL, &context))
    return 2;
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
    if (strcmp(steps[k].name, arguments[1]) == 0) code = steps[k].run();
  if (code) printf("step: %d %s\n", code, sn_engine_error(engine));
  return sn_context_destroy(context) || sn_queue_destroy(queue) || sn_engine_destroy(engine);
}
