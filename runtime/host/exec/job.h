/* Jobs: what is enqueued and uses arrays. */
#ifndef SNI_EXEC_JOB_H
#define SNI_EXEC_JOB_H

#include "runtime/host/exec/node.h"

typedef struct sni_touch {
  sni_array *array;
  sni_permission permission;
  sni_member member;
} sni_touch;

struct sni_job {
  sni_item item;                 /* its place in the queue */
  sn_queue *queue;               /* NULL: the host's, from acquire to release */
  sn_event *event;               /* its end; others may wait for it */
  uint64_t mark;                 /* who has seen it last, while waits are collected */
  size_t bytes;                  /* of all of it */
  /* Lock held, when nothing else can fail; what it refuses is not enqueued.  NULL: always fine. */
  int (*admit)(sni_job *);
  void (*over)(sni_job *, int code);       /* lock held; NULL: nothing to do */
  sni_touch *touches;            /* behind it in memory */
  int touch_count;
};

/* For at most so many touches; bytes: of the struct that begins with it.  NULL: no memory. */
sni_job *sni_job_create(sn_engine *, size_t bytes, int touches);
/* One that was not enqueued. */
void sni_job_drop(sn_engine *, sni_job *);
void sni_job_touch(sni_job *, sni_array *, sni_permission);
/* Enqueues it behind all that it has to follow, or drops it and says why. */
int sni_job_enqueue(sni_job *, sn_queue *, sn_event **done);
/* It is the host's from now on, when what it has to follow is done; and it is over. */
int sni_job_hold(sn_engine *, sni_job *);
void sni_job_end(sn_engine *, sni_job *, int code);

#endif
