/* Target: the texts that snode/compile.h takes, and those of the environment beside them.
 *
 * The input is a few calls of sn_code_compile, each with texts of its own or those of the call
 * before.  Programs are not run and libraries not loaded: the linker leads the calls that would do
 * so to the functions below (-Wl,--wrap), which check what they are given, do what the input
 * says, and make objects that hold all that they were made of.  So an object from the cache is
 * known: one that was made of something else than what is asked for is a finding.
 */
#include "t/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <snode/compile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/host/base/process.h"

enum { CALLS = 4, ENTRIES = 4, FLAGS = 6, TEXT = 5000, MADE = 1 << 16, PATH_BYTES = 1100 };

/* ---- the input ---- */

typedef struct Input {
  const uint8_t *at, *end;
} Input;

static unsigned take(Input *in)
{
  return in->at < in->end ? *in->at++ : 0;
}

/* Up to a zero.  A few of them are long. */
static void take_text(Input *in, char *to)
{
  const unsigned repeat = take(in);
  size_t length = 0, from;

  while (in->at < in->end && *in->at && length < TEXT - 1)
    to[length++] = (char)*in->at++;
  if (in->at < in->end)
    in->at++;
  for (from = 0; repeat >= 0xf0 && length && length < TEXT - 1; from++)
    to[length++] = to[from];
  to[length] = '\0';
}

/* ---- one call ---- */

typedef struct Call {
  char cc[TEXT], flags[FLAGS][TEXT], device[TEXT], snodegen[TEXT], program[TEXT], prefix[TEXT];
  char name[ENTRIES][TEXT], text[ENTRIES][TEXT], environment[TEXT];
  int flag_count;                /* below 0: those of the environment */
  int entries;
  unsigned left_out;             /* a bit for each entry */
  bool has_program;
  unsigned weather;              /* what goes wrong: WEATHER_* */
} Call;

enum { WEATHER_ABSENT = 1, WEATHER_FAILS = 2, WEATHER_SIGNAL = 4, WEATHER_SILENT = 8,
       WEATHER_UNLOADED = 16, WEATHER_UNFOUND = 32 };

/* Changes the parts that the input names. */
static void take_call(Input *in, Call *c)
{
  const unsigned what = take(in) | take(in) << 8;

  c->weather = take(in);
  if (what & 1) take_text(in, c->cc);
  if (what & 2) take_text(in, c->device);
  if (what & 4) take_text(in, c->snodegen);
  if (what & 8) take_text(in, c->program);
  if (what & 16) take_text(in, c->prefix);
  if (what & 32) take_text(in, c->environment);
  if (what & 64) {
    c->flag_count = (int)(take(in) % (FLAGS + 1)) - 1;
    for (int k = 0; k < c->flag_count; k++) take_text(in, c->flags[k]);
  }
  if (what & 128) {
    c->entries = 1 + (int)(take(in) % ENTRIES);
    c->left_out = take(in);
    for (int k = 0; k < c->entries; k++) {
      take_text(in, c->name[k]);
      take_text(in, c->text[k]);
    }
  }
  c->has_program = what >> 8 & 1;
}

static const Call *current;
static bool was_made;                  /* in this call */

/* ---- folders ---- */

static const char *folder(const char *name)
{
  static char path[2][PATH_BYTES];
  char *to = path[name[0] != '\0'];

  snprintf(to, PATH_BYTES, "%s/snode-fuzz-%ld%s", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
           (long)getpid(), name);
  return to;
}

/* Finds a thing of a name that should not be there. */
static void empty_folder(const char *path, const char *not_there)
{
  DIR *opened = opendir(path);
  const struct dirent *entry;

  while (opened && (entry = readdir(opened))) {
    if (not_there && strstr(entry->d_name, not_there))
      finding("'%s' is left behind", entry->d_name);
    if (!not_there)
      (void)unlinkat(dirfd(opened), entry->d_name, 0);
  }
  if (opened)
    closedir(opened);
}

/* ---- in place of the system ---- */

int __wrap_sni_process_run(const char *const *arguments, const char *output, int *status);
void *__wrap_sni_library_open(const char *path, int stays, char *text, size_t bytes);
void *__wrap_sni_library_find(void *library, const char *symbol);
void __wrap_sni_library_close(void *library);

typedef struct Made {
  char text[MADE];
  size_t length;
} Made;

static void add(Made *made, const char *text)
{
  const size_t length = strlen(text);

  if (made->length + length + 1 < MADE) {
    memcpy(made->text + made->length, text, length + 1);
    made->length += length + 1;
  }
}

static bool is_chosen(int entry)
{
  return !(current->left_out >> entry & 1);
}

/* The environment's flags are words between blanks, tabs and ends of lines. */
static void add_flags(Made *made)
{
  static const char *const blanks = " \t\n";
  char text[TEXT];

  if (current->flag_count >= 0) {
    for (int k = 0; k < current->flag_count; k++) add(made, current->flags[k]);
    return;
  }
  strcpy(text, current->environment);
  for (const char *word = strtok(text, blanks); word; word = strtok(NULL, blanks)) add(made, word);
}

/* All that the object of the call at hand depends on, the number of each list before it. */
static void describe(Made *made)
{
  static char name[TEXT];
  size_t begin, flags;

  made->length = 0;
  add(made, current->cc);
  add(made, current->device);
  begin = made->length;
  add_flags(made);
  flags = made->length - begin;
  snprintf(name, sizeof name, "%zu", flags);
  add(made, name);
  add(made, current->has_program ? current->prefix : "");
  add(made, current->has_program ? current->program : "");
  for (int k = 0; k < current->entries; k++)
    if (is_chosen(k)) {
      add(made, current->name[k]);
      add(made, current->text[k]);
    }
}

static void write_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");

  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    finding("%s cannot be written", path);
}

/* Of the words behind the folder that is included: the flags as they were given. */
static void check_flags(const char *const *arguments)
{
  static Made given, got;
  int k = 1;

  given.length = got.length = 0;
  add_flags(&given);
  while (strncmp(arguments[k++], "-I", 2)) continue;
  for (; strcmp(arguments[k], "-o") || !strstr(arguments[k + 1], "/made.so"); k++)
    add(&got, arguments[k]);
  if (given.length != got.length || memcmp(given.text, got.text, given.length) != 0)
    finding("the compiler is given other flags");
}

static const char *made_path(const char *const *arguments)
{
  int last = 0;

  while (arguments[last]) last++;
  for (int k = last - 1; k > 0; k--)
    if (strstr(arguments[k], "/made.so"))
      return arguments[k];
  return NULL;
}

int __wrap_sni_process_run(const char *const *arguments, const char *output, int *status)
{
  static Made made;
  const char *path = made_path(arguments);

  if (strcmp(arguments[0], path ? current->cc : current->snodegen) != 0)
    finding("'%s' is run", arguments[0]);
  if (path)
    check_flags(arguments);
  if (current->weather & WEATHER_ABSENT)
    return ENOENT;
  if (!(current->weather & WEATHER_SILENT))
    write_file(output, current->text[0], strlen(current->text[0]));
  *status = current->weather & WEATHER_FAILS ? 1 : current->weather & WEATHER_SIGNAL ? -1 : 0;
  if (path && *status == 0) {
    describe(&made);
    write_file(path, made.text, made.length);
    was_made = true;
  }
  return 0;
}

/* An object of something else is never loaded as this call's. */
void *__wrap_sni_library_open(const char *path, int stays, char *text, size_t bytes)
{
  static Made made, there;
  FILE *file = fopen(path, "rb");

  (void)stays;
  if (file) {
    there.length = fread(there.text, 1, MADE, file);
    fclose(file);
  }
  describe(&made);
  if (file && (there.length != made.length || memcmp(there.text, made.text, made.length) != 0))
    finding("the cache gives the object of something else");
  if (file && !(current->weather & WEATHER_UNLOADED))
    return &made;
  snprintf(text, bytes, "%s", current->text[0]);
  return NULL;
}

static int entry_function(const sn_arguments *a)
{
  (void)a;
  return SN_OK;
}

void *__wrap_sni_library_find(void *library, const char *symbol)
{
  int (*function)(const sn_arguments *) = entry_function;
  void *address;

  (void)library;
  for (int k = 0; k < current->entries; k++)
    if (strcmp(symbol, current->name[k]) == 0 && current->weather & WEATHER_UNFOUND)
      return NULL;
  memcpy(&address, &function, sizeof address);
  return address;
}

void __wrap_sni_library_close(void *library)
{
  (void)library;
}

/* ---- the call ---- */

static int occupancy(void *user, const char *entry)
{
  const Call *c = user;

  for (int k = 0; k < c->entries; k++)
    if (entry == c->name[k])
      return is_chosen(k);
  finding("an entry that was not given is asked about");
}

static int compile_once(sn_engine *engine, const Call *c)
{
  static const sn_entry standard = SN_ENTRY_INIT;
  sn_source source = SN_SOURCE_INIT;
  sn_compiler compiler = SN_COMPILER_INIT;
  sn_entry entries[ENTRIES];
  const char *texts[ENTRIES], *flags[FLAGS];
  sn_code *code = NULL;
  int result;

  for (int k = 0; k < c->entries; k++) {
    entries[k] = standard;
    entries[k].name = c->name[k];
    texts[k] = c->text[k];
  }
  for (int k = 0; k < c->flag_count; k++) flags[k] = c->flags[k];
  compiler.cc = c->cc;
  compiler.snodegen = c->snodegen;
  compiler.device = c->device;
  compiler.cache = folder("/cache");
  if (c->flag_count >= 0) compiler.flags = flags;
  compiler.flag_count = c->flag_count;
  source.texts = texts;
  source.program = c->has_program ? c->program : NULL;
  source.program_name = c->prefix;
  source.occupancy = occupancy;
  source.user = (void *)(uintptr_t)c;
  was_made = false;
  result = sn_code_compile(engine, entries, c->entries, &source, &compiler, &code);
  if (result == SN_OK && sn_code_entries(code) != c->entries)
    finding("code of other entries");
  if (sn_code_destroy(code))
    finding("code that cannot be destroyed");
  return result;
}

/* What went well once is there the second time. */
static void compile_twice(sn_engine *engine, const Call *c)
{
  int result;

  current = c;
  setenv("SNODE_CFLAGS", c->environment, 1);
  result = compile_once(engine, c);
  empty_folder(folder("/cache"), "partial");
  if (result == SN_OK) {
    if (compile_once(engine, c) != SN_OK)
      finding("what was compiled is not compiled again: %s", sn_engine_error(engine));
    if (was_made)
      finding("what is in the cache is made again");
  } else if (result != SN_EINVAL && result != SN_EIO && result != SN_ENOTSUP) {
    finding("a call gives %d: %s", result, sn_engine_error(engine));
  } else if (!sn_engine_error(engine)[0]) {
    finding("refused without a reason");
  }
  sn_engine_clear(engine);
}

void fuzz_one(const uint8_t *data, size_t size)
{
  static Call call;
  Input in = { data, data + size };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  memset(&call, 0, sizeof call);
  call.entries = 1;
  strcpy(call.cc, "cc");
  strcpy(call.name[0], "name");
  options.workers = 0;
  (void)mkdir(folder(""), 0700);
  (void)mkdir(folder("/cache"), 0700);
  setenv("TMPDIR", folder(""), 1);
  if (sn_engine_create(&options, &engine))
    finding("an engine cannot be created");
  for (int k = 0; k < CALLS && in.at < in.end; k++) {
    take_call(&in, &call);
    compile_twice(engine, &call);
  }
  if (sn_engine_destroy(engine))
    finding("the engine cannot be destroyed");
  empty_folder(folder("/cache"), NULL);
  (void)rmdir(folder("/cache"));
  (void)rmdir(folder(""));
}
