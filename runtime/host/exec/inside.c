/* What the calling thread is inside of: a chain that its thread keeps, the innermost first. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/inside.h"
#include "runtime/host/exec/task.h"

#include <stdarg.h>

static void begin(sni_inside *inside, const sni_inside *what)
{
  *inside = *what;
  inside->outer = sni_thread_value();
  sni_thread_set_value(inside);
}

void sni_inside_queue(sni_inside *inside, const sn_queue *queue)
{
  const sni_inside what = { .engine = queue->engine, .queue = queue };

  begin(inside, &what);
}

void sni_inside_body(sni_inside *inside, sn_run *run)
{
  const sni_inside what = { .engine = run->task->engine, .run = run };

  begin(inside, &what);
}

void sni_inside_bodies(sni_inside *inside, const sn_engine *engine)
{
  const sni_inside what = { .engine = engine };

  begin(inside, &what);
}

void sni_inside_callback(sni_inside *inside, const char *name)
{
  const sni_inside what = { .callback = name };

  begin(inside, &what);
}

/* The chain is not written to: only its first place changes. */
void sni_inside_end(const sni_inside *inside)
{
  sni_thread_set_value((void *)(uintptr_t)inside->outer);
}

sn_run *sni_engine_running(void)
{
  const sni_inside *inside = sni_thread_value();

  while (inside && !inside->run)
    inside = inside->outer;
  return inside ? inside->run : NULL;
}

/* The innermost place of the engine. */
static const sni_inside *place_in(const sn_engine *engine)
{
  const sni_inside *inside = sni_thread_value();

  while (inside && (inside->engine != engine || (!inside->run && !inside->queue)))
    inside = inside->outer;
  return inside;
}

/* The callback under a lock that the calling thread is in; NULL: none. */
static const char *callback(void)
{
  const sni_inside *inside = sni_thread_value();

  while (inside && !inside->callback)
    inside = inside->outer;
  return inside ? inside->callback : NULL;
}

int sni_is_in_callback(void)
{
  return callback() != NULL;
}

int sni_engine_may_call(sn_engine *engine)
{
  const char *name;

  if (!engine)
    return SN_EINVAL;
  if (engine->forks != sni_process_forks())
    return SN_ESTATE;            /* and no text: its lock may be held by who is not here */
  name = callback();
  return !name ? SN_OK
               : sni_engine_fail(engine, SN_ESTATE, "%s calls the library: it is called under an "
                                 "engine's lock, and may call what snode/task.h names and nothing "
                                 "else", name);
}

int sni_engine_is_inside(const sn_engine *engine)
{
  return place_in(engine) != NULL;
}

int sni_engine_may_wait(sn_engine *engine, const char *what, ...)
{
  const sni_inside *inside = place_in(engine);
  char text[SNI_ENGINE_TEXT / 2], name[SNI_NAME];
  va_list arguments;

  if (!inside)
    return SN_OK;
  va_start(arguments, what);
  (void)sni_text_vformat(text, sizeof text, what, arguments);
  va_end(arguments);
  if (inside->queue)
    return sni_engine_fail(engine, SN_ESTATE, "%s inside the work of %s: the work of a queue waits "
                           "for nobody: let the queue wait before it (sn_queue_wait)", text,
                           inside->queue->name);
  return sni_engine_fail(engine, SN_ESTATE, "%s inside '%s': a task waits for nobody: submit what "
                         "follows as a task of its own", text,
                         sni_task_name(inside->run->task, name));
}
