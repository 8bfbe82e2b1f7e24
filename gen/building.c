/* How generated files are compiled and linked on this machine: what
 * --print-cflags, --print-libs, --print-targets print and --cc runs.
 *
 * Headers and libraries are looked for beside the command first (an installed
 * tree may be moved), then where configure was told to put them.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen/building.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Given by the makefile; the defaults serve a compile by hand. */
#ifndef SN_INCLUDEDIR
#define SN_INCLUDEDIR "/usr/local/include"
#define SN_LIBDIR "/usr/local/lib"
#define SN_OPENMP_CC "cc"
#define SN_OFFLOAD_CC ""
#define SN_OFFLOAD_KIND "none"
#define SN_OFFLOAD_LDFLAGS ""
#endif

/* The folder above the one that holds the command, or NULL. */
static const char *own_prefix(Arena *arena)
{
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

  for (int level = 0; level < 2; level++) {
    while (length > 0 && path[length - 1] != '/')
      length--;
    length--;
  }
  return length > 0 ? intern(arena, path, (size_t)length) : NULL;
}

static const char *beside(Arena *arena, const char *folder, const char *probe,
                          const char *configured)
{
  const char *prefix = own_prefix(arena);

  if (prefix && access(intern_format(arena, "%s/%s", prefix, probe), R_OK) == 0)
    return intern_format(arena, "%s/%s", prefix, folder);
  return configured;
}

static const char *include_folder(Arena *arena)
{
  return beside(arena, "include", "include/snode/snode.h", SN_INCLUDEDIR);
}

static const char *library_folder(Arena *arena)
{
  const char *folder = beside(arena, "lib", "lib/libsnode.so", NULL);

  return folder ? folder : beside(arena, "lib", "lib/libsnode.a", SN_LIBDIR);
}

/* ---- flags ---- */

static const char *target_flags(Arena *arena, const Options *o)
{
  const char *what = o->cflags_for;

  if (!what)
    what = o->target == EMIT_OMP ? "host" : "serial";
  if (strcmp(what, "serial") == 0)
    return "-DSN_SERIAL";
  if (strcmp(what, "host") == 0)
    return "-fopenmp";
  if (strcmp(what, "x86") == 0)
    return "-DSN_OFFLOAD -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu";
  return intern_format(arena,
                       "-DSN_OFFLOAD -fopenmp --offload-arch=%s -foffload-lto",
                       what + strlen("nvptx:"));
}

void write_cflags(Arena *arena, const Options *o, Text *out)
{
  text_format(out, "-I%s %s -ffp-contract=%s%s", include_folder(arena),
              target_flags(arena, o), o->contract ? "fast" : "off",
              o->fast_math ? " -ffast-math" : "");
}

static bool is_offload(const Options *o)
{
  return o->cflags_for && (strcmp(o->cflags_for, "x86") == 0 ||
                           strncmp(o->cflags_for, "nvptx:", 6) == 0);
}

/* With the folder for the loader too: a prefix of one's own, or /usr/local before
 * ldconfig, is not searched. */
void write_libs(Arena *arena, const Options *o, Text *out)
{
  const char *folder = library_folder(arena);

  text_format(out, "-L%s -Wl,-rpath,%s%s -lsnode -lm", folder, folder,
              o->target == EMIT_INTERPRETER ? " -lsnode_interpreter" : "");
  if (is_offload(o) && *SN_OFFLOAD_LDFLAGS)
    text_add(out, " " SN_OFFLOAD_LDFLAGS);
}

void write_targets(Text *out)
{
  text_format(out,
      "--target=omp          host threads, devices, -DSN_SERIAL\n"
      "--target=serial       no pragma at all: any C11 compiler\n"
      "--target=interpreter  the calls run the IR\n"
      "--print-cflags=host   %s\n"
      "--print-cflags=serial any C11 compiler\n"
      "--print-cflags=x86    %s\n"
      "--print-cflags=nvptx:sm_NN  clang 19 with a CUDA toolkit\n",
      *SN_OPENMP_CC ? SN_OPENMP_CC : "no compiler with OpenMP was found",
      strcmp(SN_OFFLOAD_KIND, "x86") == 0 ? SN_OFFLOAD_CC
                                          : "not built in this configuration");
}

/* ---- --cc ---- */

static void add_words(Arena *arena, char ***argv, int *argc, const char *words)
{
  for (;;) {
    size_t length;
    words += strspn(words, " \t\n");
    length = strcspn(words, " \t\n");
    if (length == 0)
      return;
    /* execvp wants char *, and changes nothing */
    vec_push(arena, *argv, *argc,
             (char *)(uintptr_t)intern(arena, words, length));
    words += length;
  }
}

static const char *compiler(const Options *o)
{
  const char *cc = getenv("CC");

  if (cc && *cc)
    return cc;
  if (is_offload(o) && *SN_OFFLOAD_CC)
    return SN_OFFLOAD_CC;
  return *SN_OPENMP_CC ? SN_OPENMP_CC : "cc";
}

static int run(char **argv)
{
  int status;
  pid_t child = fork();

  if (child == 0) {
    execvp(argv[0], argv);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    complain("%s: %s", argv[0], strerror(errno));
    return EXIT_FILE;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    complain("%s could not be run: set CC", argv[0]);
  else
    complain("%s failed on the generated file", argv[0]);
  return EXIT_FILE;
}

int run_compiler(Arena *arena, const Options *o, const char *base)
{
  Text flags = { 0 };
  char **argv = NULL;
  int argc = 0;

  write_cflags(arena, o, &flags);
  add_words(arena, &argv, &argc, compiler(o));
  text_add(&flags, " -O2 -fPIC -shared -o");
  add_words(arena, &argv, &argc, flags.data);
  text_free(&flags);
  vec_push(arena, argv, argc,
           (char *)(uintptr_t)intern_format(arena, "%s.so", base));
  vec_push(arena, argv, argc,
           (char *)(uintptr_t)intern_format(arena, "%s.c", base));
  flags = (Text){ 0 };
  write_libs(arena, o, &flags);
  add_words(arena, &argv, &argc, flags.data);
  text_free(&flags);
  vec_push(arena, argv, argc, NULL);
  if (o->verbose) {
    for (int k = 0; argv[k]; k++)
      fprintf(stderr, "%s%s", k ? " " : "", argv[k]);
    fputc('\n', stderr);
  }
  return run(argv);
}
