/* The interface to the operating system: memory pages, time, locks, threads, the size of the
 * machine.  A port to another system is this file, file.h, process.h, what pairs with them, and
 * allowed.c, and nothing else.
 */
#ifndef SNI_BASE_PLATFORM_H
#define SNI_BASE_PLATFORM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

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
#define SNI_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER         /* of one that is static */
void sni_mutex_create(sni_mutex *);
void sni_mutex_destroy(sni_mutex *);
void sni_mutex_lock(sni_mutex *);
int sni_mutex_try(sni_mutex *);          /* 1: it is the caller's; 0: another thread has it */
void sni_mutex_unlock(sni_mutex *);

/* ---- conditions and threads ---- */

typedef pthread_cond_t sni_condition;
void sni_condition_create(sni_condition *);
void sni_condition_destroy(sni_condition *);
void sni_condition_wait(sni_condition *, sni_mutex *);        /* may wake for nothing */
/* The same, and no longer than so many seconds.  0: they are over. */
int sni_condition_wait_for(sni_condition *, sni_mutex *, double seconds);
void sni_condition_wake_one(sni_condition *);
void sni_condition_wake_all(sni_condition *);

int sni_processors(void);                /* that this process may use; at least 1 */

typedef pthread_t sni_thread;
/* A thread of the library: the system's tools show it by the name (15 bytes of it), its stack has
 * so many bytes (at least what the system asks for), and it takes none of the process's signals:
 * but for those by which a thread is told of a fault of its own, and SIGPROF, by which profilers
 * look at it.  0: none could be had. */
enum { SNI_STACK_BYTES = 8 << 20, SNI_SMALL_STACK_BYTES = 256 << 10 };
int sni_thread_start(sni_thread *, const char *name, size_t stack, void *(*run)(void *),
                     void *user);
void sni_thread_join(sni_thread);
sni_thread sni_thread_this(void);        /* the calling one */
int sni_thread_is_this(sni_thread);
/* The calling thread stays on one of the processors that it may use: index 0 is the first of them,
 * and behind the last they are counted from the first again.  0: the system has no such thing. */
int sni_thread_bind(int index);
/* What the calling thread has put aside, NULL at first: the execution core's, which asks once
 * whether there can be such a thing (0: the system has no room), and then for the value.  A key
 * of the system's, since not every linker that meets libsnode.a (tcc's does not) knows
 * _Thread_local. */
int sni_thread_has_value(void);
void *sni_thread_value(void);
void sni_thread_set_value(void *);
/* The calling thread's own text, empty at first, of SNI_THREAD_TEXT bytes: gone when it ends.
 * NULL: no memory. */
enum { SNI_THREAD_TEXT = 2048 };
char *sni_thread_text(void);
void sni_thread_yield(void);             /* others that can run go first */

/* How many times fork has made this process out of another one since the first call of the second,
 * which begins to count: what was made at another count was made by a parent, and has no threads
 * here. */
unsigned sni_process_forks(void);
unsigned sni_process_watch_forks(void);
/* Both are called where the process ends, by exit or by the return of main, or where the library is
 * unloaded; and in the child of a fork.  Once.  0: there is no room for that. */
int sni_process_at_end(void (*at_end)(void), void (*in_child)(void));

#endif
