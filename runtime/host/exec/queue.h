/* Queues: what they hold. */
#ifndef SNI_EXEC_QUEUE_H
#define SNI_EXEC_QUEUE_H

#include <snode/node.h>

#include "runtime/host/exec/engine.h"

typedef enum sni_item_kind {
  SNI_WORK, SNI_COPY, SNI_FILL, SNI_WAIT, SNI_RECORD, SNI_TASK
} sni_item_kind;

typedef struct sni_item {
  struct sni_item *next;
  sni_item_kind kind;
  sn_work_fn run;                /* WORK */
  void *user;
  sn_span dst, src;              /* COPY, FILL */
  uint8_t byte;
  sn_event *before;              /* WAIT */
  struct sni_task *task;         /* TASK */
  void (*run_task)(sn_queue *, struct sni_task *);       /* no lock held: what runs it */
  sn_event *done;                /* NULL: nobody asked */
  /* Not NULL: the item belongs to someone, who is called with the lock held when it is over. */
  void (*finish)(void *user, int code);
  uint64_t number;               /* of an immediate queue */
  const char *name;              /* in traces; NULL: the queue's, or its kind */
  const char *category;          /* in traces; NULL: "transfer" for someone's, or its kind */
} sni_item;

/* A second array, of some node of another context (merge.c). */
typedef struct sni_merge {
  sn_node *node;                 /* that is scheduled to be there; NULL: none */
  /* Of what has run; the queue's work alone changes it, under the lock. */
  const sn_node *filled;         /* whose values it holds; NULL: a transfer has failed */
  sn_span memory;                /* grows */
  uint64_t allocations, copied;
} sni_merge;

struct sn_queue {
  sn_engine *engine;
  sn_unit *unit;
  sn_queue *next;                /* of the engine's */
  char name[SNI_NAME];
  int number;                    /* its row in traces */
  int is_immediate;
  /* Immediate: items take a ticket when they come and run in the order of these, one at a time. */
  uint64_t tickets, now_serving; /* given out; whose item runs or is the next to run */
  sni_thread thread;             /* not immediate */
  sni_condition filled;
  sni_item *head, **tail;
  uint64_t busy;                 /* items that wait or run */
  int is_closing;
  int is_internal;               /* the engine's own: not counted among the user's */
  int code;                      /* of the first item that failed and was not told; 0: none */
  sni_merge merge;
};

/* Lock held: an item with finish, at the end; it stays where it is until then. */
void sni_queue_push(sn_queue *, sni_item *);
/* SN_OK, or SN_ESTATE: an immediate queue runs what it is given in the caller's thread, which waits
 * for its ticket there, and so takes nothing from a task or the work of a queue: two of those that
 * give each other's queues something would wait for each other. */
int sni_queue_may_take(const sn_queue *);
/* Lock held: a place for a task at the end, or what failed before and was not told, or
 * SN_ENOMEM.  It is taken by sni_queue_place; an immediate queue's is then to be run, without
 * the lock. */
int sni_queue_admit(sn_queue *, sni_item **out);
void sni_queue_place(sn_queue *, sni_item *, struct sni_task *,
                     void (*run)(sn_queue *, struct sni_task *));
void sni_queue_run_at_once(sn_queue *, sni_item *);           /* the queue may be gone afterwards */
/* Lock held: an item comes that sni_queue_run_at_once will run. */
void sni_queue_number(sn_queue *, sni_item *);
/* Lock held: what failed and was not told; it is told now. */
int sni_queue_take_code(sn_queue *);
/* Lock held: a queue of the engine's own; NULL: no memory or no thread could be had. */
sn_queue *sni_queue_start(sn_unit *, const char *name);

#endif
