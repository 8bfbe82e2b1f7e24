/* The log of a routine of which --trace logs what is assigned, and its tree (t/56-routines.t). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/log.h>
#include <snode/module.h>
#include <snode/program.h>

#include "blocks.h"

enum { LOG = 1 << 18 };

typedef struct course {
  sn_engine *engine;
  sn_program *program;
  sn_context *context;
  sn_queue *queue;
} course;

static void collect(void *user, const char *text)
{
  strncat(user, text, LOG - 1 - strlen(user));
}

static void print(void *user, const char *text)
{
  (void)user;
  fputs(text, stdout);
}

/* What the code has logged: a run is given addresses before, which differ, and its index. */
static const char *logged(const char *log)
{
  const char *last = strstr(log, "COMMENT: "), *source = strstr(log, "# ");

  return source && (!last || source < last) ? source : last ? last : "";
}

static int run(course *c, sn_routine *routine, const char *how)
{
  static char log[LOG];
  sn_capture *capture = NULL;

  if (strcmp(how, "stdout") == 0) SN_TRY(sn_capture_create(&capture));
  SN_TRY(sn_routine_set_log(routine, capture, collect, log));
  SN_TRY(sn_routine_schedule(routine, c->queue, NULL));
  SN_TRY(sn_queue_await(c->queue));
  SN_TRY(sn_capture_destroy(capture));
  if (strcmp(how, "tree") == 0) return sn_log_tree(logged(log), print, NULL);
  fputs(logged(log), stdout);
  return SN_OK;
}

static int go(course *c, sn_unit *unit, const char *kernel, const char *how)
{
  static const char *const fields[] = { "x", "y", "even", "odd" };
  sn_routine *routine;
  sn_context *own;

  SN_TRY(sn_queue_create(unit, NULL, &c->queue));
  SN_TRY(sn_context_create_on(unit, NULL, NULL, &c->context));
  for (int k = 0; k < 4; k++)
    SN_TRY(sn_context_add(c->context, sn_program_node(c->program, fields[k])));
  SN_TRY(sn_program_link(c->program, kernel, c->context, NULL, &routine));
  if (strcmp(kernel, "sweep") == 0) SN_TRY(sn_routine_set_index(routine, "turns", 2));
  SN_TRY(run(c, routine, how));
  own = sn_routine_context(routine);
  SN_TRY(sn_routine_destroy(routine));
  SN_TRY(sn_context_destroy(own));
  SN_TRY(sn_context_destroy(c->context));
  return sn_queue_destroy(c->queue);
}

/* UNIT KERNEL log|stdout|tree */
int main(int count, char **arguments)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  course c = { NULL, NULL, NULL, NULL };
  int code;

  if (count != 4) return 2;
  options.workers = 0;
  options.memories = 1;
  options.backend = blocks_module()->backend;
  options.devices = options.backend->devices() > 0;
  if (sn_engine_create(&options, &c.engine) != SN_OK) return 2;
  code = sn_program_create(c.engine, blocks_routines(), &c.program);
  if (code == SN_OK)
    code = go(&c, sn_engine_unit(c.engine, atoi(arguments[1])), arguments[2], arguments[3]);
  if (code == SN_OK) code = sn_program_destroy(c.program);
  if (code != SN_OK) printf("%s: %s\n", sn_strerror(code), sn_engine_error(c.engine));
  else code = sn_engine_destroy(c.engine);
  return code != SN_OK;
}
