/* Files of the command: read whole, written whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "gen/files.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- messages ---- */

void complain(const char *format, ...)
{
  va_list list;

  fputs("snodegen: error: ", stderr);
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
}

/* ---- reading ---- */

static bool read_stream(Arena *arena, FILE *in, Source *source)
{
  size_t length = 0, capacity = 1 << 16;
  char *data = arena_alloc(arena, capacity);

  for (;;) {
    length += fread(data + length, 1, capacity - length - 1, in);
    if (length + 1 < capacity)
      break;
    char *bigger = arena_alloc(arena, 2 * capacity);
    memcpy(bigger, data, length);
    data = bigger;
    capacity *= 2;
  }
  data[length] = '\0';
  source->text = data;
  source->length = length;
  return !ferror(in);
}

bool read_source(Arena *arena, const char *path, Source *source)
{
  bool is_stdin = strcmp(path, "-") == 0, good;
  FILE *in = is_stdin ? stdin : fopen(path, "rb");

  source->path = is_stdin ? "<stdin>" : path;
  good = in && read_stream(arena, in, source);
  if (!good)
    complain("%s: %s", source->path, strerror(errno));
  if (in && !is_stdin)
    fclose(in);
  return good;
}

/* ---- writing ---- */

static void discard(OutputFiles *o)
{
  for (int k = 0; k < o->count; k++)
    if (o->files[k].temporary)
      unlink(o->files[k].temporary);
  o->count = 0;
}

static bool write_whole(const char *path, const char *text, size_t length)
{
  FILE *out = fopen(path, "wb");
  bool good = out != NULL;

  if (out && length)
    good = fwrite(text, 1, length, out) == length;
  if (out && fclose(out) != 0)
    good = false;
  return good;
}

static bool is_special(const char *path)
{
  struct stat status;

  return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool fail(OutputFiles *o, const char *path)
{
  complain("%s: %s", path, strerror(errno));
  discard(o);
  return false;
}

bool output_add(OutputFiles *o, const char *path, const Text *text)
{
  OutputFile file = { path, NULL, NULL, text->length };

  if (is_special(path))
    file.text = intern(o->arena, text->data, text->length);
  else
    file.temporary = intern_format(o->arena, "%s.%ld.tmp", path, (long)getpid());
  vec_push(o->arena, o->files, o->count, file);
  return file.text || write_whole(file.temporary, text->data, text->length) || fail(o, path);
}

static bool publish(const OutputFile *file)
{
  return file->text || rename(file->temporary, file->path) == 0;
}

bool output_publish(OutputFiles *o)
{
  for (int k = 0; k < o->count; k++)
    if (!publish(&o->files[k]))
      return fail(o, o->files[k].path);
  for (int k = 0; k < o->count; k++) {
    const OutputFile *file = &o->files[k];
    if (file->text && !write_whole(file->path, file->text, file->length))
      return fail(o, file->path);
  }
  return true;
}

bool print_text(const Text *text)
{
  if (text->length)
    fwrite(text->data, 1, text->length, stdout);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return true;
  complain("standard output: %s", strerror(errno));
  return false;
}

/* ---- names ---- */

const char *without_ending(Arena *arena, const char *path, const char *ending)
{
  size_t length = strlen(path), cut = strlen(ending);

  if (length > cut && strcmp(path + length - cut, ending) == 0)
    return intern(arena, path, length - cut);
  return path;
}

const char *stem_of(Arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');

  if (strcmp(path, "-") == 0)
    return "stdin";
  return without_ending(arena, slash ? slash + 1 : path, ".sn");
}

bool is_identifier(const char *s)
{
  if (!*s || (*s >= '0' && *s <= '9'))
    return false;
  for (; *s; s++)
    if (!(*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
          (*s >= 'A' && *s <= 'Z')))
      return false;
  return true;
}

const char *joined_path(Arena *arena, const char *folder, const char *name)
{
  size_t length;

  if (!folder || *name == '/')
    return name;
  length = strlen(folder);
  return intern_format(arena, "%s%s%s", folder,
                       length && folder[length - 1] == '/' ? "" : "/", name);
}

static void write_quoted(Text *out, const char *name)
{
  for (; *name; name++) {
    if (*name == ' ' || *name == '#')
      text_add(out, "\\");
    if (*name == '$')
      text_add(out, "$");
    text_add_char(out, *name);
  }
}

const char *quoted_for_make(Arena *arena, const char *name)
{
  Text text = { 0 };
  const char *quoted;

  write_quoted(&text, name);
  quoted = intern(arena, text.data ? text.data : "", text.length);
  text_free(&text);
  return quoted;
}

void write_rule(Text *out, const char *targets, const char *const *outputs,
                const char *const *sources)
{
  int count = sources ? 0 : 1;         /* an empty rule is one output's */

  while (sources && outputs[count])
    count++;
  if (targets)
    text_add(out, targets);
  for (int k = 0; !targets && k < count; k++) {
    text_add(out, k ? " " : "");
    write_quoted(out, outputs[k]);
  }
  text_add(out, ":");
  for (int k = 0; sources && sources[k]; k++) {
    text_add(out, " ");
    write_quoted(out, sources[k]);
  }
  text_add(out, "\n");
}
