/* Files, a part of the interface to the operating system (platform.h): they appear whole or not
 * at all, and files that are read more than once.
 */
#ifndef SNI_BASE_FILE_H
#define SNI_BASE_FILE_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

enum {
  SNI_PATH_BYTES = 4096,         /* with the 0 behind it: what the system takes */
  SNI_NAME_BYTES = 256           /* of a file in its folder */
};

/* A file that appears whole or not at all: it is written beside its place, under a name that
 * nobody has, and takes its place when all has reached the disk.
 *
 *   links         are followed and stay; one that leads to nothing yet gets its file
 *   permissions   of a file that was there are the new file's, its group and owner too where
 *                 this process may give them away; else those that the umask leaves
 *   no file       (a pipe, a device) is written where it is; a pipe that nobody reads any more is
 *                 an error, and no signal
 *
 * A process that is killed leaves NAME.partial-PROCESS-NUMBER behind, and the file as it was. */
typedef struct sni_aside {
  FILE *file;
  int folder;                    /* that the file stands in; -1: it is written where it is */
  char name[SNI_NAME_BYTES];     /* in that folder, in the end */
  char partial[SNI_NAME_BYTES];  /* until then */
  int has_mode;                  /* of a file that was there: */
  unsigned mode, owner, group;
} sni_aside;

/* All of these: 0, or errno.  What could not be opened holds nothing. */
int sni_aside_open(sni_aside *, const char *path);
/* The standard error of the process.  EBADF: it is closed. */
int sni_aside_open_messages(sni_aside *);
int sni_file_has_messages(void);         /* whether it is open */
int sni_aside_write(sni_aside *, const void *bytes, size_t count);
int sni_aside_commit(sni_aside *);       /* closes it in any case; removes it on an error */
void sni_aside_drop(sni_aside *);        /* closes and removes it */

/* Keeps the file for one writer among all that ask so, of this process and of others, until it lets
 * go; a file that is not there is made, one that is there stays as it is.  0, or errno:
 * EWOULDBLOCK: another one has it. */
int sni_file_hold(const char *path, int *held);
void sni_file_let_go(int held);

/* To be read from the start, twice.  NULL with errno; ESPIPE: it can be read once only (a pipe, a
 * terminal), and nothing of it has been read. */
FILE *sni_file_read(const char *path);

#endif
