/* A part of the interface to the operating system (platform.h): programs that are run, libraries
 * that are loaded, folders.
 */
#ifndef SNI_BASE_PROCESS_H
#define SNI_BASE_PROCESS_H

#include <stddef.h>

/* Runs a program, found as a shell would find it but without one, and waits; what it says on both
 * outputs goes to the file, it reads nothing; it takes every signal, whatever the calling thread
 * does.  0, and *status what it came to: 0: well; SNI_SIGNALED: a signal; SNI_LOST: it has ended,
 * and nobody can tell how, since this process ignores SIGCHLD or another thread of it has waited
 * for it; or errno: it could not be run. */
enum { SNI_SIGNALED = -1, SNI_LOST = -2 };
int sni_process_run(const char *const *arguments, const char *output, int *status);

/* NULL, with the reason in text.  stays: it is never unloaded, for threads may run in it. */
void *sni_library_open(const char *path, int stays, char *text, size_t bytes);
/* NULL: it has none of its own. */
void *sni_library_find(void *library, const char *symbol);
void sni_library_close(void *library);

/* `in`; NULL: where temporary files go. */
const char *sni_folder_above(const char *in);
/* A new folder of its own there, to path, which this process has not had before.  0, or errno. */
int sni_folder_create(const char *in, char *path, size_t bytes);
/* With the files in it.  It holds no folders. */
void sni_folder_remove(const char *path);

/* Whether there is such a file. */
int sni_file_is_there(const char *path);
/* To a file that is not there.  0, or errno. */
int sni_file_copy(const char *from, const char *to);

/* ---- stdout, through a pipe ---- */

typedef struct sni_redirect {
  int before;                    /* where its descriptor led */
  int from, to;                  /* the pipe: the end that is read; one of those that are written */
} sni_redirect;

/* What stdout holds goes where it led before.  0, or errno. */
int sni_redirect_begin(sni_redirect *);
/* Waits for something to read: of what this process and those that it starts write to stdout, and
 * of marks, in the order in which it was written. */
size_t sni_redirect_read(sni_redirect *, char *to, size_t bytes);
/* To where it led.  What nobody reads there is lost. */
void sni_redirect_write(sni_redirect *, const char *from, size_t bytes);
/* Behind all that was printed to stdout so far, in whole prints, whatever became of its descriptor
 * meanwhile.  0: some of what was printed did not get there. */
int sni_redirect_mark(sni_redirect *, const char *text);
/* It leads where it led, unless the program has led it somewhere else meanwhile; what is in the
 * pipe can still be read. */
void sni_redirect_end(sni_redirect *);
void sni_redirect_close(sni_redirect *);

#endif
