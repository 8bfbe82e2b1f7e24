/* From text to a loaded object: snodegen and the compiler, in a folder of their own, and the cache.
 *
 * The cache holds two files for an entry: KEY.so, and KEY.key with everything that went into it,
 * which is compared as a whole, so that no two texts are ever taken for each other.  KEY.key comes
 * last and goes first: an object without it counts for nothing.  A copy of KEY.so is loaded: two
 * codes of one text have variables of their own, and dlopen, which takes a file that it has loaded
 * for the same object whatever is in it by now, sees none twice.
 */
#include "runtime/host/base/fnv.h"
#include "runtime/host/exec/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/version.h>

#include "runtime/host/base/file.h"
#include "runtime/host/base/process.h"
#include "runtime/host/base/text.h"
#include "runtime/host/exec/engine.h"

enum { PATH = SNI_PATH_BYTES, SAID = 700, SAID_LINES = 10 };

typedef struct object {
  const sni_builder *builder;
  const char *text, *program, *prefix;
  char folder[PATH];             /* where it is made */
  char version[SAID];            /* of a program: what `snodegen --version` says */
  char *key;                     /* all that goes into it */
  size_t key_bytes;
  char base[PATH];               /* in the cache, without its ending */
} object;

/* ---- options and environment ---- */

static const char *given(const char *option, const char *variable)
{
  const char *value = option ? option : getenv(variable);

  return value && value[0] ? value : NULL;
}

static int too_many(const sni_builder *builder)
{
  return sni_engine_fail(builder->engine, SN_EINVAL, "compile: more than %d flags, or %d bytes of "
                         "them", SNI_FLAGS, SNI_FLAG_TEXT);
}

#define BLANKS " \t\n"

static int flags_of_environment(sni_builder *builder)
{
  const char *flags = getenv("SNODE_CFLAGS");
  char *at = builder->flag_text;

  if (!flags)
    return SN_OK;
  if (strlen(flags) >= sizeof builder->flag_text)
    return too_many(builder);
  strcpy(at, flags);
  for (at += strspn(at, BLANKS); *at; at += strspn(at, BLANKS)) {
    const size_t length = strcspn(at, BLANKS);
    if (builder->flag_count == SNI_FLAGS)
      return too_many(builder);
    builder->flags[builder->flag_count++] = at;
    at += length;
    if (*at)
      *at++ = 0;
  }
  return SN_OK;
}

/* Those that say what the program means or how it is checked; others would write other files. */
static int is_option(const char *option)
{
  static const char *const values[] = { "-D", "-O", "--bounds=" };

  for (size_t k = 0; k < sizeof values / sizeof *values; k++)
    if (strncmp(option, values[k], strlen(values[k])) == 0 && option[strlen(values[k])])
      return 1;
  return strcmp(option, "--trace") == 0 || strcmp(option, "--most-local") == 0;
}

static int take_options(sni_builder *builder, const sn_compiler *compiler)
{
  const int count = compiler->options ? compiler->option_count : 0;

  if (count < 0 || count > SNI_FLAGS)
    return sni_engine_fail(builder->engine, SN_EINVAL, "compile: more than %d options of snodegen",
                           SNI_FLAGS);
  for (int k = 0; k < count; k++)
    if (!compiler->options[k] || !is_option(compiler->options[k]))
      return sni_engine_fail(builder->engine, SN_EINVAL, "compile: '%s' is no option that a "
                             "program is compiled with: -DNAME=VALUE, -O0 to -O3, --bounds=MODE, "
                             "--trace, --most-local",
                             compiler->options[k] ? compiler->options[k] : "NULL");
  builder->options = compiler->options;
  builder->option_count = count;
  return SN_OK;
}

int sni_builder_prepare(sni_builder *builder, sn_engine *engine, const sn_compiler *compiler,
                        int needs_snodegen)
{
  builder->engine = engine;
  builder->cc = given(compiler->cc, "SNODE_CC");
  builder->snodegen = given(compiler->snodegen, "SNODE_SNODEGEN");
  builder->cache = given(compiler->cache, "SNODE_CACHE");
  builder->device = compiler->device ? compiler->device : "";
  if (!builder->cc)
    return sni_engine_fail(engine, SN_ENOTSUP, "compile: no compiler is configured: name one in "
                           "the options or in SNODE_CC");
  if (needs_snodegen && !builder->snodegen)
    return sni_engine_fail(engine, SN_ENOTSUP, "compile: no snodegen is configured for a .sn "
                           "program: name it in the options or in SNODE_SNODEGEN");
  SN_TRY(take_options(builder, compiler));
  if (!compiler->flags)
    return flags_of_environment(builder);
  if (compiler->flag_count < 0 || compiler->flag_count > SNI_FLAGS)
    return too_many(builder);
  for (int k = 0; k < compiler->flag_count; k++)
    if (!compiler->flags[k])
      return sni_engine_fail(engine, SN_EINVAL, "compile: flag %d is NULL, of %d", k,
                             compiler->flag_count);
  builder->flag_count = compiler->flag_count;
  memcpy(builder->flags, compiler->flags,
         (size_t)compiler->flag_count * sizeof *compiler->flags);
  return SN_OK;
}

/* ---- files ---- */

static int cannot(const object *o, const char *path)
{
  return sni_engine_fail(o->builder->engine, SN_EIO, "compile: %s: %s", path, strerror(errno));
}

/* 0: the name is too long. */
static int join(char *path, const char *first, const char *second, const char *third)
{
  return snprintf(path, PATH, "%s%s%s", first, second, third) < PATH;
}

static int write_whole(const object *o, const char *path, const char *text, size_t bytes)
{
  sni_aside aside;

  errno = sni_aside_open(&aside, path);
  if (errno)
    return cannot(o, path);
  errno = sni_aside_write(&aside, text, bytes);
  if (errno) {
    const int reason = errno;
    sni_aside_drop(&aside);
    errno = reason;
    return cannot(o, path);
  }
  errno = sni_aside_commit(&aside);
  return errno ? cannot(o, path) : SN_OK;
}

/* what: the caller's, or a folder made for it; the reason must have room behind it. */
static int too_long(const object *o, const char *what)
{
  const size_t length = strlen(what), shown = length > 60 ? sni_text_cut(what, 60) : length;

  return sni_engine_fail(o->builder->engine, SN_EIO, "compile: %.*s%s: a path with it would have "
                         "more than %d bytes", (int)shown, what, shown < length ? "..." : "",
                         PATH - 1);
}

/* Into the folder. */
static int write_source(const object *o, const char *name, const char *ending, const char *text)
{
  char path[PATH], file[PATH];

  if (!join(file, "/", name, ending) || !join(path, o->folder, file, ""))
    return too_long(o, name);
  return write_whole(o, path, text, strlen(text));
}

/* ---- running a program ---- */

/* The first lines of what it said; as much as an error's text has room for. */
static void read_said(const char *path, char *said)
{
  FILE *file = sni_file_read(path);
  size_t length = file ? fread(said, 1, SAID - 1, file) : 0;
  int lines = 0;

  if (file)
    (void)fclose(file);
  said[length] = 0;
  for (size_t k = 0; k < length; k++)
    if (said[k] == '\n' && ++lines == SAID_LINES)
      length = k;
  while (length && said[length - 1] == '\n')
    length--;
  said[length] = 0;
}

/* makes: a file, which is there when all went well, and is not when it did not: what counts where
 * the program's status is lost. */
static int run(const object *o, const char *const *command, const char *makes)
{
  sn_engine *engine = o->builder->engine;
  char log[PATH], said[SAID];
  int status = 0, code;

  if (!join(log, o->folder, "/said", ""))
    return too_long(o, o->folder);
  code = sni_process_run(command, log, &status);
  if (code)
    return sni_engine_fail(engine, SN_EIO, "compile: %s could not be run: %s", command[0],
                           strerror(code));
  if (status == SNI_LOST)
    status = sni_file_is_there(makes) ? 0 : 1;
  if (status == 0)
    return SN_OK;
  read_said(log, said);
  if (status == SNI_SIGNALED)
    return sni_engine_fail(engine, SN_EIO, "compile: %s was killed by a signal\n%s", command[0],
                           said);
  return sni_engine_fail(engine, SN_EINVAL, "compile: %s says\n%s", command[0], said);
}

static int run_snodegen(const object *o)
{
  char source[PATH], folder[PATH], made[PATH];
  const char *command[SNI_COMMAND] = { o->builder->snodegen, "-q", "--routines", folder };
  int count = 4;

  if (!join(source, o->folder, "/", o->prefix) || strlen(source) + 4 > sizeof source ||
      !join(folder, "--output-dir=", o->folder, ""))
    return too_long(o, o->prefix);
  strcpy(made, source);
  strcat(source, ".sn");
  strcat(made, ".c");
  for (int k = 0; k < o->builder->option_count; k++)
    command[count++] = o->builder->options[k];
  command[count++] = source;
  command[count] = NULL;
  SN_TRY(write_source(o, o->prefix, ".sn", o->program));
  return run(o, command, made);
}

/* The texts' file has a name that no program can have.  What the object has itself is what its
 * texts mean, whatever the program that loads it has of the same name. */
static int run_compiler(const object *o)
{
  const sni_builder *builder = o->builder;
  const char *command[SNI_COMMAND];
  char source[PATH], program[PATH], include[PATH], made[PATH];
  int count = 0;

  if (!join(source, o->folder, "/all-entries.c", "") || !join(made, o->folder, "/made.so", "") ||
      !join(include, "-I", o->folder, "") || !join(program, o->folder, "/", o->prefix) ||
      strlen(program) + 3 > sizeof program)
    return too_long(o, o->prefix);
  strcat(program, ".c");
  SN_TRY(write_source(o, "all-entries", ".c", o->text));
  command[count++] = builder->cc;
  command[count++] = "-shared";
  command[count++] = "-fPIC";
#ifndef __APPLE__                /* whose linker does so anyway */
  command[count++] = "-Wl,-Bsymbolic";
#endif
  command[count++] = include;
  for (int k = 0; k < builder->flag_count; k++)
    command[count++] = builder->flags[k];
  command[count++] = "-o";
  command[count++] = made;
  command[count++] = source;
  if (o->program)
    command[count++] = program;
  command[count] = NULL;
  return run(o, command, made);
}

static int make(const object *o)
{
  if (o->program)
    SN_TRY(run_snodegen(o));
  return run_compiler(o);
}

/* ---- the cache ---- */

/* Adds a part to the key; without one yet only its bytes are counted.  The length before it keeps
 * a text that looks like other parts from being taken for them. */
static void add_part(object *o, size_t *at, const char *name, const char *text)
{
  char *to = o->key ? o->key + *at : NULL;

  *at += (size_t)snprintf(to, o->key ? o->key_bytes - *at : 0, "%s %zu %s\n", name, strlen(text),
                          text);
}

/* Another release makes other C of the same text. */
static int ask_version(object *o)
{
  const char *command[] = { o->builder->snodegen, "--version", NULL };
  char log[PATH];
  int status, code = 0, is_named;

  errno = sni_folder_create(o->builder->cache, o->folder, sizeof o->folder);
  if (errno)
    return cannot(o, o->builder->cache);
  is_named = join(log, o->folder, "/said", "");
  if (is_named)
    code = sni_process_run(command, log, &status);
  if (is_named && !code)
    read_said(log, o->version);
  sni_folder_remove(o->folder);
  if (!is_named)
    return too_long(o, o->folder);
  return code ? sni_engine_fail(o->builder->engine, SN_EIO, "compile: %s could not be run: %s",
                                command[0], strerror(code)) : SN_OK;
}

/* Everything that the object depends on.  The bytes. */
static size_t add_parts(object *o)
{
  const sni_builder *builder = o->builder;
  char abi[48];
  size_t at = 0;

  snprintf(abi, sizeof abi, "%s abi %d, symbolic", SNODE_VERSION, SNODE_ABI);
  add_part(o, &at, "snode", abi);
  add_part(o, &at, "cc", builder->cc);
  add_part(o, &at, "device", builder->device);
  for (int k = 0; k < builder->flag_count; k++)
    add_part(o, &at, "flag", builder->flags[k]);
  for (int k = 0; k < builder->option_count; k++)
    add_part(o, &at, "option", builder->options[k]);
  add_part(o, &at, "snodegen", o->version);
  add_part(o, &at, "prefix", o->prefix);
  add_part(o, &at, "program", o->program ? o->program : "");
  add_part(o, &at, "text", o->text);
  return at;
}

static int write_key(object *o)
{
  o->key_bytes = add_parts(o) + 1;
  o->key = sni_engine_new(o->builder->engine, o->key_bytes, 1);
  if (!o->key)
    return sni_engine_fail(o->builder->engine, SN_ENOMEM, "compile: no memory for its key");
  (void)add_parts(o);
  return SN_OK;
}

/* A hash of the key names the files; the key itself decides whether they are the right ones. */
static int place_in_cache(object *o)
{
  char name[32];

  if (o->program)
    SN_TRY(ask_version(o));
  SN_TRY(write_key(o));
  snprintf(name, sizeof name, "%016llx", (unsigned long long)sni_fnv(o->key));
  if (strlen(o->builder->cache) + sizeof name + 8 > sizeof o->base)
    return too_long(o, o->builder->cache);
  (void)join(o->base, o->builder->cache, "/", name);
  return SN_OK;
}

static void cached(const object *o, const char *ending, char *path)
{
  (void)snprintf(path, PATH, "%.*s%s", PATH - 8, o->base, ending);
}

static int is_cached(const object *o)
{
  const size_t length = strlen(o->key);
  char path[PATH], *there;
  FILE *file;
  int is_same = 0;

  cached(o, ".key", path);
  file = sni_file_read(path);
  if (!file)
    return 0;
  there = sni_engine_new(o->builder->engine, length + 1, 1);
  if (there) {
    is_same = fread(there, 1, length + 1, file) == length && memcmp(there, o->key, length) == 0;
    sni_engine_delete(o->builder->engine, there, length + 1, 1);
  }
  (void)fclose(file);
  return is_same;
}

static void forget(const object *o)
{
  char path[PATH];

  cached(o, ".key", path);
  (void)remove(path);
}

static int publish(const object *o, const char *made)
{
  char path[PATH];

  forget(o);
  cached(o, ".so", path);
  if (rename(made, path))
    return cannot(o, path);
  cached(o, ".key", path);
  return write_whole(o, path, o->key, strlen(o->key));
}

/* ---- loading ---- */

static int open_library(const object *o, const char *path, void **library)
{
  char why[SAID];

  *library = sni_library_open(path, o->program != NULL, why, sizeof why);
  if (!*library)
    return sni_engine_fail(o->builder->engine, SN_EINVAL, "compile: the object cannot be loaded: "
                           "%s", why);
  return SN_OK;
}

/* What the cache has, when it can be loaded.  A cache that this process may only read has no room
 * for the copy. */
static int load_cached(object *o, void **library)
{
  char kept[PATH], copy[PATH], why[SAID];

  if (!is_cached(o) || (sni_folder_create(o->builder->cache, o->folder, sizeof o->folder) &&
                        sni_folder_create(NULL, o->folder, sizeof o->folder)))
    return 0;
  cached(o, ".so", kept);
  if (join(copy, o->folder, "/made.so", "") && sni_file_copy(kept, copy) == 0)
    *library = sni_library_open(copy, o->program != NULL, why, sizeof why);
  sni_folder_remove(o->folder);
  if (!*library)
    forget(o);
  return *library != NULL;
}

static int make_and_load(object *o, void **library)
{
  char made[PATH];
  int code;

  errno = sni_folder_create(o->builder->cache, o->folder, sizeof o->folder);
  if (errno)
    return cannot(o, sni_folder_above(o->builder->cache));
  code = make(o);
  if (code == SN_OK && !join(made, o->folder, "/made.so", ""))
    code = SN_EIO;
  if (code == SN_OK)
    code = open_library(o, made, library);
  if (code == SN_OK && o->builder->cache)
    code = publish(o, made);
  if (code != SN_OK && *library) {
    sni_library_close(*library);
    *library = NULL;
  }
  sni_folder_remove(o->folder);
  return code;
}

int sni_object_load(const sni_builder *builder, const char *text, const char *program,
                    const char *prefix, void **library)
{
  object o;
  int code = SN_OK;

  memset(&o, 0, sizeof o);
  o.builder = builder;
  o.text = text;
  o.program = program;
  o.prefix = prefix;
  *library = NULL;
  if (builder->cache)
    code = place_in_cache(&o);
  if (code == SN_OK && !(o.key && load_cached(&o, library)))
    code = make_and_load(&o, library);
  sni_engine_delete(builder->engine, o.key, o.key ? o.key_bytes : 0, 1);
  return code;
}
