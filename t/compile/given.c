/* What routines take over from their context, by kernel: linked where nothing is, and where all is
 * there (t/56-routines.t).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/module.h>
#include <snode/program.h>

#include "given.h"

typedef struct course {
  sn_engine *engine;
  sn_program *program;
  sn_unit *unit;
  sn_queue *queue;
} course;

static void print(void *user, const char *text)
{
  (void)user;
  fputs(text, stdout);
}

static int show(course *c, sn_routine *routine, const char *field)
{
  sn_node *node = sn_program_node(c->program, field);
  float *values;
  sn_span span;
  void *data;

  SN_TRY(sn_context_array(sn_routine_context(routine), node, &span));
  if (!span.data) return SN_OK;
  SN_TRY(sn_context_to_host(sn_routine_context(routine), node, c->queue, NULL, NULL));
  SN_TRY(sn_node_acquire(node, 0, &data));
  values = data;
  printf("  %s:", field);
  for (int64_t k = 0; k < sn_node_elements(node); k++) printf(" %g", (double)values[k]);
  printf("\n");
  return sn_node_release(node);
}

/* Twice, so that what a run leaves is there at the next. */
static int run(course *c, sn_routine *routine, int has_index)
{
  SN_TRY(sn_routine_explain(routine, print, NULL));
  for (int turn = 0; turn < 2; turn++) {
    if (has_index) SN_TRY(sn_routine_set_index(routine, "n", 3 - turn));
    SN_TRY(sn_routine_schedule(routine, c->queue, NULL));
  }
  SN_TRY(show(c, routine, "x"));
  SN_TRY(show(c, routine, "y"));
  SN_TRY(show(c, routine, "v"));
  SN_TRY(sn_queue_await(c->queue));
  return SN_OK;
}

static int has_index(const sn_kernel_info *kernel)
{
  return kernel->param_count > 0;
}

static int link_and_run(course *c, sn_context *context, int k)
{
  const sn_kernel_info *kernel = given_routines()->entries[k].kernel;
  sn_routine *routine = NULL;
  sn_context *own;

  if (sn_program_link(c->program, kernel->name, context, NULL, &routine) != SN_OK) {
    printf("%s\n", sn_engine_error(c->engine));
    sn_engine_clear(c->engine);
    return SN_OK;
  }
  SN_TRY(run(c, routine, has_index(kernel)));
  own = sn_routine_context(routine);
  SN_TRY(sn_routine_destroy(routine));
  return sn_context_destroy(own);
}

/* A context with trees does not begin anew; without them its arrays go. */
static int begin_anew(course *c, sn_context *context)
{
  given_x_tree *tree;
  sn_span span;

  SN_TRY(given_x_tree_create(context, NULL, &tree));
  if (sn_context_reinitialize(context) != SN_ESTATE) return SN_EBUG;
  printf("%s\n", sn_engine_error(c->engine));
  sn_engine_clear(c->engine);
  given_x_tree_destroy(tree);
  SN_TRY(sn_context_reinitialize(context));
  SN_TRY(sn_context_array(context, sn_program_node(c->program, "x"), &span));
  printf("anew: %s\n", span.data ? "x is there" : "empty");
  return SN_OK;
}

static int go(course *c)
{
  static const char *const fields[] = { "x", "y", "v" };
  sn_context *empty, *full;

  SN_TRY(sn_queue_create(c->unit, NULL, &c->queue));
  for (int k = 0; k < given_routines()->entry_count; k++) {
    SN_TRY(sn_context_create_on(c->unit, NULL, "empty", &empty));
    SN_TRY(link_and_run(c, empty, k));
    SN_TRY(sn_context_destroy(empty));
  }
  SN_TRY(sn_context_create_on(c->unit, NULL, "full", &full));
  for (int k = 0; k < 3; k++)
    SN_TRY(sn_context_add(full, sn_program_node(c->program, fields[k])));
  for (int k = 0; k < given_routines()->entry_count; k++) SN_TRY(link_and_run(c, full, k));
  SN_TRY(begin_anew(c, full));
  SN_TRY(sn_context_destroy(full));
  return sn_queue_destroy(c->queue);
}

/* UNIT */
int main(int count, char **arguments)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  course c = { NULL, NULL, NULL, NULL };
  int code;

  if (count != 2) return 2;
  options.workers = 0;
  options.memories = 1;
  options.backend = given_module()->backend;
  options.devices = options.backend->devices() > 0;
  if (sn_engine_create(&options, &c.engine) != SN_OK) return 2;
  c.unit = sn_engine_unit(c.engine, atoi(arguments[1]));
  code = sn_program_create(c.engine, given_routines(), &c.program);
  if (code == SN_OK) code = go(&c);
  if (code == SN_OK) code = sn_program_destroy(c.program);
  if (code != SN_OK) printf("%s: %s\n", sn_strerror(code), sn_engine_error(c.engine));
  else code = sn_engine_destroy(c.engine);
  return code != SN_OK;
}
