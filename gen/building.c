/* How generated files are compiled and linked on this machine: what
 * --print-cflags, --print-libs, --print-targets print and --cc runs.
 *
 * Headers and libraries are looked for beside the command first (in a build, or an
 * installed tree, which may be moved), then where configure was told to put them.
 */
#define _XOPEN_SOURCE 700
#include "gen/building.h"
#include "gen/files.h"
#include "gen/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Given by the makefile; the defaults serve a compile by hand. */
#ifndef SN_INCLUDEDIR
#define SN_INCLUDEDIR "/usr/local/include"
#define SN_LIBDIR "/usr/local/lib"
#define SN_OPENMP_CC "cc"
#define SN_OFFLOAD_CC ""
#define SN_OFFLOAD_KIND "none"
#define SN_OFFLOAD_LDFLAGS ""
#define SN_ACC_CC ""
#endif

/* ---- where headers and libraries are ---- */

/* The folder that holds the command, or the one above it; NULL: it is not known. */
static const char *own_folder(Arena *arena, int levels_above)
{
  char *path = realpath("/proc/self/exe", NULL);
  const char *folder = NULL;

  for (int level = 0; path && level <= levels_above; level++) {
    char *last = strrchr(path, '/');
    if (last)
      *last = '\0';
  }
  if (path && *path)
    folder = intern(arena, path, strlen(path));
  free(path);
  return folder;
}

static const char *existing(Arena *arena, const char *folder, const char *name)
{
  const char *path = folder ? intern_format(arena, "%s/%s", folder, name) : NULL;

  return path && access(path, R_OK) == 0 ? path : NULL;
}

static const char *beside(Arena *arena, const char *folder, const char *probe,
                          const char *configured)
{
  const char *prefix = own_folder(arena, 1);

  if (!existing(arena, prefix, probe))
    return configured;
  return intern_format(arena, "%s/%s", prefix, folder);
}

/* The libraries of a build that is not installed, or NULL. */
static const char *built_libraries(Arena *arena)
{
  const char *folder = existing(arena, own_folder(arena, 0), ".libs");

  return existing(arena, folder, "libsnode.so") || existing(arena, folder, "libsnode.a") ? folder
                                                                                         : NULL;
}

/* And its headers, which stand in the source: its pkg-config file, "srcdir=PATH", says where. */
static const char *built_include(Arena *arena)
{
  const char *told = existing(arena, own_folder(arena, 0), "snode-uninstalled.pc");
  FILE *in = told && built_libraries(arena) ? fopen(told, "r") : NULL;
  const char *folder = NULL;
  char line[4096];

  while (in && !folder && fgets(line, sizeof line, in))
    if (strncmp(line, "srcdir=", 7) == 0)
      folder = intern_format(arena, "%.*s/include", (int)strcspn(line + 7, "\n"), line + 7);
  if (in)
    fclose(in);
  return existing(arena, folder, "snode/snode.h") ? folder : NULL;
}

static const char *include_folder(Arena *arena)
{
  const char *folder = built_include(arena);

  return folder ? folder : beside(arena, "include", "include/snode/snode.h", SN_INCLUDEDIR);
}

static const char *library_folder(Arena *arena)
{
  const char *folder = built_libraries(arena);

  if (!folder)
    folder = beside(arena, "lib", "lib/libsnode.so", NULL);
  return folder ? folder : beside(arena, "lib", "lib/libsnode.a", SN_LIBDIR);
}

/* ---- what the file is compiled for ---- */

typedef struct Build {
  const char *name, *architecture, *flags;
  bool has_device;
  const char *needs;
} Build;

static const Build builds[] = {
#define BUILD(name, architecture, flags, has_device, needs) \
  { #name, architecture, flags, has_device, needs },
#include "gen/builds.def"
#undef BUILD
};
enum { BUILDS = sizeof builds / sizeof *builds };

static bool is_word(const char *text)
{
  return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_:+-") == strlen(text);
}

/* The word behind "nvptx:", "" where the build has none; NULL: what is said is not of the build. */
static const char *architecture_of(const Build *b, const char *said)
{
  const size_t length = strlen(b->name), begin = strlen(b->architecture);

  if (strncmp(said, b->name, length) != 0)
    return NULL;
  said += length;
  if (!begin)
    return *said ? NULL : said;
  if (*said != ':' || strncmp(said + 1, b->architecture, begin) != 0 || !is_word(said + 1 + begin))
    return NULL;
  return said + 1;
}

static const Build *find_build(const char *said)
{
  for (int k = 0; k < BUILDS; k++)
    if (architecture_of(&builds[k], said))
      return &builds[k];
  return NULL;
}

/* "nvptx:sm_NN" */
static const char *spelled(Arena *arena, const Build *b)
{
  return *b->architecture ? intern_format(arena, "%s:%sNN", b->name, b->architecture) : b->name;
}

const char *check_build(Arena *arena, const char *said)
{
  const char *all = "";

  if (find_build(said))
    return NULL;
  for (int k = 0; k < BUILDS; k++)
    all = intern_format(arena, "%s%s%s", all, k ? ", " : "", spelled(arena, &builds[k]));
  return intern_format(arena, "it takes %s", all);
}

static const char *what_for(const Options *o)
{
  if (o->cflags_for)
    return o->cflags_for;
  return o->target == EMIT_OMP ? "host" : o->target == EMIT_ACC ? "acc" : "serial";
}

/* ---- flags ---- */

/* Adds a folder as shells, make and CMake read it: what is no letter of a plain path is quoted. */
static void add_folder(Text *out, const char *folder)
{
  static const char special[] = " \t\"'\\$`&|;<>()*?[]#~";

  for (; *folder; folder++) {
    if (strchr(special, *folder))
      text_add_char(out, '\\');
    text_add_char(out, *folder);
  }
}

/* A minimum begins at a NaN, so --fast-math keeps what is not finite. */
void write_cflags(Arena *arena, const Options *o, Text *out)
{
  const Build *b = find_build(what_for(o));

  text_add(out, "-I");
  add_folder(out, include_folder(arena));
  text_format(out, " %s%s -ffp-contract=%s%s", b->flags,
              architecture_of(b, what_for(o)), o->contract ? "fast" : "off",
              o->fast_math ? " -ffast-math -fno-finite-math-only" : "");
}

static bool has_device(const Options *o)
{
  return find_build(what_for(o))->has_device;
}

/* With the folder for the loader too: a prefix of one's own, or /usr/local before
 * ldconfig, is not searched. */
void write_libs(Arena *arena, const Options *o, Text *out)
{
  const char *folder = library_folder(arena);

  text_add(out, "-L");
  add_folder(out, folder);
  text_add(out, " -Wl,-rpath,");
  add_folder(out, folder);
  text_format(out, "%s -lsnode -lm", o->target == EMIT_INTERPRETER ? " -lsnode_interpreter" : "");
  if (has_device(o) && *SN_OFFLOAD_LDFLAGS)
    text_add(out, " " SN_OFFLOAD_LDFLAGS);
}

/* The compiler that configure has found for it, or "". */
static const char *found_for(const Build *b)
{
  if (strcmp(b->name, "host") == 0)
    return SN_OPENMP_CC;
  if (strcmp(b->name, "acc") == 0)
    return SN_ACC_CC;
  return strcmp(b->name, SN_OFFLOAD_KIND) == 0 ? SN_OFFLOAD_CC : "";
}

void write_targets(Arena *arena, Text *out)
{
  text_add(out, "--target=omp          host threads, devices, -DSN_SERIAL\n"
                "--target=acc          devices by OpenACC, and one thread of the host\n"
                "--target=serial       no pragma at all: any C11 compiler\n"
                "--target=interpreter  the calls run the IR\n");
  for (int k = 0; k < BUILDS; k++)
    text_format(out, "--print-cflags=%-14s %s\n", spelled(arena, &builds[k]),
                *found_for(&builds[k]) ? found_for(&builds[k]) : builds[k].needs);
}

/* ---- --cc ---- */

/* The words of a line of flags; behind a backslash a character is one of the word. */
static void add_words(Arena *arena, char ***argv, int *argc, const char *words)
{
  for (;;) {
    char *word;
    size_t length = 0;

    words += strspn(words, " \t\n");
    if (!*words)
      return;
    word = NEW_ARRAY(arena, char, strlen(words) + 1);
    for (; *words && !strchr(" \t\n", *words); words++) {
      if (*words == '\\' && words[1])
        words++;
      word[length++] = *words;
    }
    vec_push(arena, *argv, *argc, word);
  }
}

static const char *compiler(const Options *o)
{
  const char *cc = getenv("CC");

  if (cc && *cc)
    return cc;
  if (strcmp(what_for(o), "acc") == 0 && *SN_ACC_CC != '\0')
    return SN_ACC_CC;
  if (has_device(o) && *SN_OFFLOAD_CC != '\0')
    return SN_OFFLOAD_CC;
  return *SN_OPENMP_CC != '\0' ? SN_OPENMP_CC : "cc";
}

/* Whether the compiler's words say how much it optimises. */
static bool says_level(const char *words)
{
  for (const char *at = words; (at = strstr(at, "-O")) != NULL; at++)
    if (at == words || strchr(" \t\n", at[-1]))
      return true;
  return false;
}

/* heat.so; where there is a Python module heat.py, libheat.so, since Python would take heat.so
 * for a module before heat.py. */
static const char *shared_library(Arena *arena, const Options *o, const char *base)
{
  const char *slash = strrchr(base, '/'), *name = slash ? slash + 1 : base;
  const bool is_module = (o->emit & (unsigned)EMIT_BINDING << BINDING_py) != 0;

  return intern_format(arena, "%.*s%s%s.so", (int)(name - base), base, is_module ? "lib" : "",
                       name);
}

/* What it makes of which files. */
typedef struct Making {
  const char *kind;           /* "-fPIC -shared", "" */
  const char *out;
  const char *const *sources; int source_count;
} Making;

/* The compiler with its flags.  Its exit status; -1, with errno, where it cannot be run. */
static int compile_by(Arena *arena, const Options *o, const char *cc, const Making *m)
{
  Text flags = { 0 };
  char **argv = NULL;
  int argc = 0;

  add_words(arena, &argv, &argc, cc);
  write_cflags(arena, o, &flags);
  text_format(&flags, "%s %s -o", says_level(cc) ? "" : " -O2", m->kind);
  add_words(arena, &argv, &argc, flags.data);
  text_free(&flags);
  /* execvp wants char *, and changes nothing */
  vec_push(arena, argv, argc, (char *)(uintptr_t)m->out);
  for (int k = 0; k < m->source_count; k++)
    vec_push(arena, argv, argc, (char *)(uintptr_t)m->sources[k]);
  flags = (Text){ 0 };
  write_libs(arena, o, &flags);
  add_words(arena, &argv, &argc, flags.data);
  text_free(&flags);
  vec_push(arena, argv, argc, NULL);
  for (int k = 0; o->verbose && argv[k]; k++)
    fprintf(stderr, "%s%s%s", k ? " " : "", argv[k], argv[k + 1] ? "" : "\n");
  return process_run(argv);
}

/* The exit status of the command. */
static int compiled(const char *cc, int status)
{
  if (status == 0)
    return 0;
  if (status < 0)
    complain("%s: %s: set CC to a C compiler", cc, strerror(errno));
  else
    complain("%s failed on the generated file", cc);
  return EXIT_FILE;
}

int run_compiler(Arena *arena, const Options *o, const char *base)
{
  const char *source = intern_format(arena, "%s.c", base);
  const Making shared = { "-fPIC -shared", shared_library(arena, o, base), &source, 1 };
  const int status = compiled(compiler(o), compile_by(arena, o, compiler(o), &shared));

  if (status != 0 && !existing(arena, library_folder(arena), "libsnode.so"))
    complain("%s holds no libsnode.so, and libsnode.a fits into %s only where libsnode was "
             "configured --with-pic", library_folder(arena), shared.out);
  return status;
}

/* Any compiler that is there, for one thread. */
static int compile_by_any(Arena *arena, const Options *o, const Making *m)
{
  static const char *const names[] = { "cc", "c99", "gcc", "clang", "tcc", NULL };
  const int why = errno;
  Options own = *o;
  int status = -1;

  if (o->target == EMIT_OMP)
    own.cflags_for = "serial";
  for (int k = 0; names[k] && status < 0; k++) {
    status = compile_by(arena, &own, names[k], m);
    if (status >= 0 && !o->quiet)
      fprintf(stderr, "snodegen: %s is not there: compiled by %s%s\n", compiler(o), names[k],
              own.cflags_for == o->cflags_for ? "" : ", for one thread");
  }
  errno = why;
  return status;
}

int build_program(Arena *arena, const Options *o, const char *program,
                  const char *const *sources, int source_count)
{
  const Making whole = { "", program, sources, source_count };
  const char *cc = getenv("CC");
  const bool is_chosen = (cc && *cc) || o->cflags_for || o->target == EMIT_ACC;
  Options own = *o;
  int status;

  if (!is_chosen && o->target == EMIT_OMP && *SN_OPENMP_CC == '\0')
    own.cflags_for = "serial";
  status = compile_by(arena, &own, compiler(o), &whole);
  if (status < 0 && !is_chosen)
    status = compile_by_any(arena, o, &whole);
  return compiled(compiler(o), status);
}
