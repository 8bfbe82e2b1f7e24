/* What an engine says went wrong: its first error, and the errors of those that were not made, or
 * have ended and could not write their trace.
 */
#include "runtime/host/base/sized.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/engine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- its first error ---- */

int sni_engine_fail(sn_engine *engine, int code, const char *format, ...)
{
  va_list arguments;

  sni_mutex_lock(&engine->error_lock);
  if (!engine->has_error) {
    va_start(arguments, format);
    (void)sni_text_vformat(engine->error, sizeof engine->error, format, arguments);
    va_end(arguments);
    engine->has_error = 1;
  }
  sni_mutex_unlock(&engine->error_lock);
  return code;
}

const void *sni_engine_sized(sn_engine *engine, const char *what, const void *given, void *own,
                             const void *standard, size_t bytes)
{
  const void *sized = sni_sized(given, own, standard, bytes);

  if (!sized)
    (void)sni_engine_fail(engine, SN_EINVAL, "%s: its member size is %zu, and such a struct has "
                          "%zu bytes: begin with its INIT", what, *(const size_t *)given, bytes);
  return sized;
}

void sni_engine_free(sn_engine *engine)
{
  sni_mutex_destroy(&engine->error_lock);
  free(engine);
}

/* Of the calling thread: what its last call said that made no engine.  Where there is no memory for
 * it, there is none for engines either. */
void sni_engine_keep_text(const char *text)
{
  char *own = sni_thread_text();

  if (own)
    (void)sni_text_copy(own + SNI_ENGINE_TEXT, SNI_ENGINE_TEXT, text);
}

static const char *kept_text(void)
{
  const char *own = sni_thread_text();

  if (!own)
    return sn_strerror(SN_ENOMEM);
  return own[SNI_ENGINE_TEXT] ? own + SNI_ENGINE_TEXT : "no engine";
}

/* ---- engines that have ended, and have something to say still ---- */

/* All that is left of them is their memory, so that no other has their address; it is given back
 * when they are destroyed again. */
static struct {
  sni_mutex lock;
  sn_engine *first;
} ended = { SNI_MUTEX_INIT, NULL };

/* lock held: the link that leads to it; NULL: it is none of them. */
static sn_engine **link_to(const sn_engine *engine)
{
  sn_engine **link = &ended.first;

  while (*link && *link != engine)
    link = &(*link)->next_ended;
  return *link ? link : NULL;
}

static int has_ended(const sn_engine *engine)
{
  int is_there;

  sni_mutex_lock(&ended.lock);
  is_there = link_to(engine) != NULL;
  sni_mutex_unlock(&ended.lock);
  return is_there;
}

void sni_engine_keep_ended(sn_engine *engine)
{
  sni_mutex_lock(&ended.lock);
  engine->next_ended = ended.first;
  ended.first = engine;
  sni_mutex_unlock(&ended.lock);
}

/* 0: it is none of them. */
int sni_engine_drop_ended(sn_engine *engine)
{
  sn_engine **link;

  sni_mutex_lock(&ended.lock);
  link = link_to(engine);
  if (link)
    *link = engine->next_ended;
  sni_mutex_unlock(&ended.lock);
  if (link)
    sni_engine_free(engine);
  return link != NULL;
}

const char *sn_engine_error(sn_engine *engine)
{
  char *own;

  if (sni_is_gone(engine) && !has_ended(engine))
    return kept_text();
  if (engine->forks != sni_process_forks())
    return "the engine is the parent's of this process, which fork has made: it cannot be called "
           "here";
  own = sni_thread_text();
  if (!own)
    return sn_strerror(SN_ENOMEM);
  sni_mutex_lock(&engine->error_lock);
  memcpy(own, engine->error, sizeof engine->error);
  if (!engine->has_error)
    own[0] = 0;
  sni_mutex_unlock(&engine->error_lock);
  return own;
}

void sn_engine_clear(sn_engine *engine)
{
  if (sni_is_gone(engine) || engine->forks != sni_process_forks())
    return;
  sni_mutex_lock(&engine->error_lock);
  engine->has_error = 0;
  sni_mutex_unlock(&engine->error_lock);
}
