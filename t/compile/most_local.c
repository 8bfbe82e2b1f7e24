/* Two routines that compute one field for themselves, linked below one context: what analysis
 * has made of the field's mode, and what comes out (t/56-routines.t).
 */
#include <stdio.h>
#include <stdlib.h>

#include <snode/module.h>
#include <snode/program.h>

#include "most_local.h"

typedef struct course {
  sn_engine *engine;
  sn_program *program;
  sn_context *context;
  sn_queue *queue;
} course;

static void print(void *user, const char *text)
{
  (void)user;
  fputs(text, stdout);
}

static int give(course *c)
{
  sn_node *from = sn_program_node(c->program, "from");
  void *data;

  SN_TRY(sn_context_add(c->context, from));
  SN_TRY(sn_node_acquire(from, 1, &data));
  for (int k = 0; k < 4; k++) ((float *)data)[k] = (float)(2 * k + 2);
  SN_TRY(sn_node_release(from));
  return sn_context_from_host(c->context, from, c->queue, NULL, NULL);
}

static int show(course *c)
{
  sn_node *to = sn_program_node(c->program, "to");
  void *data;

  SN_TRY(sn_context_to_host(c->context, to, c->queue, NULL, NULL));
  SN_TRY(sn_node_acquire(to, 0, &data));
  printf("to:");
  for (int k = 0; k < 4; k++) printf(" %g", (double)((float *)data)[k]);
  printf("\n");
  return sn_node_release(to);
}

static int run(course *c, const char *kernel, sn_context **own)
{
  sn_routine *routine;

  if (sn_program_link(c->program, kernel, c->context, NULL, &routine) != SN_OK) {
    printf("%s\n", sn_engine_error(c->engine));
    sn_engine_clear(c->engine);
    return SN_OK;
  }
  *own = sn_routine_context(routine);
  SN_TRY(sn_routine_explain(routine, print, NULL));
  SN_TRY(sn_routine_schedule(routine, c->queue, NULL));
  SN_TRY(sn_queue_await(c->queue));
  SN_TRY(sn_routine_destroy(routine));
  return show(c);
}

static int explain(course *c, const char *field)
{
  printf("%s:\n", field);
  return sn_node_explain(sn_program_node(c->program, field), print, NULL);
}

static int go_through(course *c)
{
  sn_context *step = NULL, *scale = NULL;

  SN_TRY(sn_program_create(c->engine, most_local_routines(), &c->program));
  SN_TRY(sn_context_create_on(sn_engine_unit(c->engine, 0), NULL, "both", &c->context));
  SN_TRY(sn_queue_create(sn_engine_unit(c->engine, 0), NULL, &c->queue));
  SN_TRY(give(c));
  SN_TRY(sn_context_add(c->context, sn_program_node(c->program, "to")));
  SN_TRY(run(c, "step", &step));
  SN_TRY(run(c, "scale", &scale));
  SN_TRY(explain(c, "half"));
  SN_TRY(explain(c, "next"));
  SN_TRY(explain(c, "count"));
  if (sn_node_set_mode(sn_program_node(c->program, "half"), SN_MODE_HOSTED_NONCONSTANT,
                       "who looks at it") != SN_OK)
    printf("%s\n", sn_engine_error(c->engine));
  sn_engine_clear(c->engine);
  SN_TRY(sn_context_destroy(step));
  SN_TRY(sn_context_destroy(scale));
  SN_TRY(sn_context_destroy(c->context));
  SN_TRY(sn_queue_destroy(c->queue));
  return sn_program_destroy(c->program);
}

int main(void)
{
  course c = { 0 };

  if (sn_engine_create(NULL, &c.engine) != SN_OK) return EXIT_FAILURE;
  if (go_through(&c) != SN_OK) {
    printf("%s\n", sn_engine_error(c.engine));
    return EXIT_FAILURE;
  }
  return sn_engine_destroy(c.engine) == SN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
