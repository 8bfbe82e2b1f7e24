/* The buffers of a task, and the commits that come after its body. */
#ifndef SNI_EXEC_BUFFER_H
#define SNI_EXEC_BUFFER_H

#include <string.h>

#include "runtime/host/exec/task.h"

/* Off the lock: what was declared is put in order for the body. */
int sni_buffers_begin(sni_task *);
/* Lock held: what the body left is given back (the caller tells the engine that something has
 * changed); SN_ESTATE: a write that was not released. */
int sni_buffers_end(sni_task *);
/* Off the lock; then lock held: the commits of temporary buffers. */
int sni_commits_run(sni_task *);
void sni_commits_end(sni_task *);

/* Where the values are. */
sn_span sni_buffer_span(const sn_buffer *);
/* Whether a body holds it: it has been handed out, and not released. */
int sni_buffer_is_out(const sn_buffer *);

/* "a" or "an", before that word of a message. */
static inline const char *sni_article(const char *word)
{
  return strchr("aeiou", *word) ? "an" : "a";
}

#endif
