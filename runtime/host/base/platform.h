/* The door to the operating system: memory pages, time, locks, threads, files that
 * appear whole, the size of the machine.  A port to another system is this file, process.h and
 * their pairs, and nothing else.
 */
#ifndef SNI_BASE_PLATFORM_H
#define SNI_BASE_PLATFORM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

size_t sni_page_bytes(void);
uint64_t sni_physical_memory(void);      /* bytes; 2^62 where it cannot be told */
double sni_seconds(void);                /* since some moment; never runs backwards */

/* Reserves address space that reads as zero and takes memory only where it is
 * touched.  huge: large stretches ask for huge pages.  *bytes: wanted; where that much
 * cannot be had it is halved until it can, down to least.  The result is whole
 * pages.  NULL: not even least. */
void *sni_pages_reserve(size_t *bytes, size_t least, int huge);
void sni_pages_release(void *base, size_t bytes);

typedef pthread_mutex_t sni_mutex;
void sni_mutex_create(sni_mutex *);
void sni_mutex_destroy(sni_mutex *);
void sni_mutex_lock(sni_mutex *);
void sni_mutex_unlock(sni_mutex *);

/* A file that appears whole or not at all: it is written beside its place, and takes
 * it when all has reached the disk.  What is no regular file (a pipe, a device) is
 * written where it is.  A process that is killed leaves PATH.partial-... behind, and
 * the file at PATH as it was. */
enum { SNI_PATH_BYTES = 4096 };
typedef struct sni_aside {
  FILE *file;
  char target[SNI_PATH_BYTES];   /* where the path leads, links followed */
  char name[SNI_PATH_BYTES];     /* where it is written */
} sni_aside;

/* 0, or errno with nothing left open; the file is binary and may pass 2 GiB. */
int sni_aside_open(sni_aside *, const char *path);
int sni_aside_commit(sni_aside *);       /* closes it in any case; removes it on an error */
void sni_aside_drop(sni_aside *);        /* closes and removes it */

/* To be read from the start, twice; NULL with errno. */
FILE *sni_file_read(const char *path);

/* ---- conditions and threads ---- */

typedef pthread_cond_t sni_condition;
void sni_condition_create(sni_condition *);
void sni_condition_destroy(sni_condition *);
void sni_condition_wait(sni_condition *, sni_mutex *);        /* may wake for nothing */
void sni_condition_wake_one(sni_condition *);
void sni_condition_wake_all(sni_condition *);

int sni_processors(void);                /* that this process may use; at least 1 */

typedef pthread_t sni_thread;
/* 0: none could be had. */
int sni_thread_start(sni_thread *, void *(*run)(void *), void *user);
void sni_thread_join(sni_thread);
int sni_thread_is_this(sni_thread);
/* The calling thread stays on one of the processors that it may use, by turn: 0 is the first of
 * them, and behind the last it begins again.  0: the system has no such thing. */
int sni_thread_bind(int turn);
/* What the calling thread has put aside, NULL at first: the execution core's, which asks once
 * whether there can be such a thing (0: the system has no room), and then for the value.  A key
 * of the system's, since not every linker that meets libsnode.a (tcc's does not) knows
 * _Thread_local. */
int sni_thread_has_value(void);
void *sni_thread_value(void);
void sni_thread_set_value(void *);
void sni_thread_yield(void);             /* others that can run go first */

#endif
