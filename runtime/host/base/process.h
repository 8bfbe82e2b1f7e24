/* The rest of the door to the operating system (platform.h): programs that are run, libraries
 * that are loaded, folders.
 */
#ifndef SNI_BASE_PROCESS_H
#define SNI_BASE_PROCESS_H

#include <stddef.h>

/* Runs a program, found as a shell would find it but without one, and waits; what it says on both
 * outputs goes to the file, it reads nothing.  0, and *status what it came to (0: well; below 0: a
 * signal); or errno: it could not be run. */
int sni_process_run(const char *const *arguments, const char *output, int *status);

/* NULL, with the reason in text.  stays: it is never unloaded, for threads may run in it. */
void *sni_library_open(const char *path, int stays, char *text, size_t bytes);
void *sni_library_find(void *library, const char *symbol);     /* NULL: it has none */
void sni_library_close(void *library);

/* A new folder of its own in `in` (NULL: where temporary files go), to path.  0, or errno. */
int sni_folder_create(const char *in, char *path, size_t bytes);
/* With the files in it.  It holds no folders. */
void sni_folder_remove(const char *path);

/* ---- a file descriptor of the process, through a pipe ---- */

typedef struct sni_redirect {
  int number;                    /* the descriptor */
  int before;                    /* where it led */
  int pipe;                      /* the end that is read */
} sni_redirect;

/* 0, or errno. */
int sni_redirect_begin(sni_redirect *, int number);
/* Waits for something to read; 0: it leads where it led, and all was read. */
size_t sni_redirect_read(sni_redirect *, char *to, size_t bytes);
/* To where it led. */
void sni_redirect_write(sni_redirect *, const char *from, size_t bytes);
/* It leads where it led; what is in the pipe can still be read. */
void sni_redirect_end(sni_redirect *);
void sni_redirect_close(sni_redirect *);

#endif
