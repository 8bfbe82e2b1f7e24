/* Generated files in the hands of a C compiler, as processes of their own.
 *
 * FUZZ_TCC, FUZZ_GCC: commands, empty where there are none; FUZZ_INCLUDE: include/.
 */
#include "t/fuzz/compiled.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_BYTES = 256 };

static char folder[PATH_BYTES];

static const char *path_of(char *path, const char *name)
{
  snprintf(path, PATH_BYTES, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void)
{
  static const char *const names[] = { "fuzz.c", "fuzz.h", "fuzz.o", "said" };
  char path[PATH_BYTES];

  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    (void)unlink(path_of(path, names[k]));
  (void)rmdir(folder);
}

/* In memory, where the system has such a place. */
static void make_folder(void)
{
  const char *above = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

  if (folder[0])
    return;
  snprintf(folder, sizeof folder, "%s/snode-fuzz-built-%ld", above, (long)getpid());
  if (mkdir(folder, 0700) && errno != EEXIST)
    finding("%s: %s", folder, strerror(errno));
  atexit(remove_folder);
}

static void write_file(const char *name, const Text *text)
{
  char path[PATH_BYTES];
  FILE *file = fopen(path_of(path, name), "wb");

  if (!file || fwrite(text->data, 1, text->length, file) != text->length || fclose(file) != 0)
    finding("%s: %s", path, strerror(errno));
}

/* ---- the compiler ---- */

static int run(char *const *argv)
{
  posix_spawn_file_actions_t actions;
  char said[PATH_BYTES];
  pid_t child;
  int status = 0, code;

  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, path_of(said, "said"),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  code = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code)
    finding("%s: %s", argv[0], strerror(code));
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      finding("%s: %s", argv[0], strerror(errno));
  return status;
}

static void tell(const char *compiler)
{
  char path[PATH_BYTES], text[2000];
  FILE *file = fopen(path_of(path, "said"), "rb");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;

  text[length] = '\0';
  if (file)
    fclose(file);
  finding("%s refuses the generated file\n%s", compiler, text);
}

static void build(const Compiled *c, char *const *argv)
{
  make_folder();
  write_file("fuzz.c", &c->all.c);
  write_file("fuzz.h", &c->all.header);
  if (run(argv) != 0)
    tell(argv[0]);
}

void check_builds(const Compiled *c, Builder builder)
{
  static char source[PATH_BYTES], object[PATH_BYTES];
  static char include[] = "-I" FUZZ_INCLUDE, tcc[] = FUZZ_TCC, gcc[] = FUZZ_GCC;
  char *small[] = { tcc, include, (char[]){ "-DSN_SERIAL" }, (char[]){ "-c" }, source,
                    (char[]){ "-o" }, object, NULL };
  char *strict[] = { gcc, include, (char[]){ "-std=c11" }, (char[]){ "-fopenmp" },
                     (char[]){ "-Wall" }, (char[]){ "-Wextra" }, (char[]){ "-Wconversion" },
                     (char[]){ "-pedantic" }, (char[]){ "-Werror" },
                     (char[]){ "-Wno-tautological-compare" }, (char[]){ "-fsyntax-only" },
                     source, NULL };
  char *const *argv = builder == BUILD_SMALL ? small : strict;

  make_folder();
  (void)path_of(source, "fuzz.c");
  (void)path_of(object, "fuzz.o");     /* no device: tcc removes what it writes to first */
  if (argv[0][0] && c->all.c.length && c->all.header.length)
    build(c, argv);
}
