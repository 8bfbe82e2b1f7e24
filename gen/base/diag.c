/* Diagnostics: collected rows of diag.def, written as text or as JSON.
 *
 * Needs the source to show a line; guarantees that any bytes in it come out
 * printable and short, that notes follow what they belong to or are left out
 * with it, and that nothing is written after the limit of errors.
 */
#include "gen/base/base.h"

#include <stdlib.h>
#include <string.h>

typedef enum DiagClass { CLASS_ERROR, CLASS_WARNING, CLASS_PERF, CLASS_NOTE } DiagClass;

typedef struct DiagRow {
  DiagClass class;
  const char *name;                     /* of a warning: after -W */
  const char *format;
} DiagRow;

static const DiagRow rows[DIAG_COUNT] = {
#define DIAG(id, class, name, format) {CLASS_##class, name, format},
#include "gen/base/diag.def"
#undef DIAG
};

enum { DEFAULT_ERROR_LIMIT = 20, SHOWN_BYTES = 100, SHOWN_BEFORE = 60 };

typedef struct Shown {
  const Source *source;
  const char **lines;                   /* where each line begins */
  int line_count;
} Shown;

typedef struct Said {                   /* of a copy */
  DiagId id;
  Loc loc;
} Said;

struct Diag {
  const DiagOptions *options;
  FILE *out;
  Shown *sources;                /* by file */
  int source_count;
  int errors;
  bool limit_reached;
  bool is_muted, had_muted_errors;
  bool was_shown;                       /* what a note would belong to */
  const DiagCopy *copy;
  Said *said;
  int said_count;
  Arena *arena;
};

/* ---- options ---- */

void diag_defaults(DiagOptions *options)
{
  *options = (DiagOptions){.error_limit = DEFAULT_ERROR_LIMIT};
  for (int id = 0; id < DIAG_COUNT; id++)
    options->enabled[id] = rows[id].class != CLASS_PERF;
}

/* Does -W<name> mean this row? */
static bool is_meant(const DiagRow *row, const char *name)
{
  if (row->class == CLASS_WARNING)
    return strcmp(name, "all") == 0 || strcmp(name, "extra") == 0 ||
           strcmp(name, row->name) == 0;
  return row->class == CLASS_PERF &&
         (strcmp(name, "perf") == 0 || strcmp(name, row->name) == 0);
}

void diag_warning_names(const char *names[DIAG_COUNT + 1])
{
  int count = 0;

  for (int id = 0; id < DIAG_COUNT; id++)
    if (*rows[id].name)
      names[count++] = rows[id].name;
  names[count] = NULL;
}

bool diag_set_warning(DiagOptions *options, const char *name, bool on)
{
  /* classes exist even while they have no row */
  bool is_known = strcmp(name, "all") == 0 || strcmp(name, "extra") == 0 ||
                  strcmp(name, "perf") == 0;
  for (int id = 0; id < DIAG_COUNT; id++) {
    if (!is_meant(&rows[id], name))
      continue;
    options->enabled[id] = on;
    is_known = true;
  }
  return is_known;
}

/* ---- the collector ---- */

Diag *diag_create(Arena *arena, const DiagOptions *options, FILE *out)
{
  Diag *d = NEW(arena, Diag);
  d->arena = arena;
  d->options = options;
  d->out = out;
  return d;
}

void diag_source(Diag *d, const Source *source)
{
  while (d->source_count <= source->file)
    vec_push(d->arena, d->sources, d->source_count, (Shown){0});
  d->sources[source->file] = (Shown){.source = source};
}

/* NULL: nothing is known of the place but its numbers. */
static Shown *shown_at(Diag *d, Loc loc)
{
  return loc.line > 0 && loc.file < d->source_count ? &d->sources[loc.file] : NULL;
}

static const char *path_of(Diag *d, Loc loc)
{
  const Shown *shown = shown_at(d, loc);
  return shown ? shown->source->path : "-";
}

bool loc_is_before(Loc a, Loc b)
{
  if (a.file != b.file)
    return a.file < b.file;
  return a.line < b.line || (a.line == b.line && a.column < b.column);
}

bool loc_is_same(Loc a, Loc b) { return !loc_is_before(a, b) && !loc_is_before(b, a); }

int diag_error_count(const Diag *d) { return d->errors; }

void diag_mute(Diag *d)
{
  d->is_muted = true;
  d->had_muted_errors = false;
}

bool diag_unmute(Diag *d)
{
  d->is_muted = false;
  return d->had_muted_errors;
}

bool diag_limit_reached(const Diag *d) { return d->limit_reached; }

const DiagCopy *diag_copy(Diag *d, const DiagCopy *copy)
{
  const DiagCopy *before = d->copy;
  d->copy = copy;
  return before;
}

/* Lines are indexed at the first message only: most compiles have none. */
static void index_lines(Diag *d, Shown *s)
{
  const char *text = s->source->text, *end = text + s->source->length;
  vec_push(d->arena, s->lines, s->line_count, text + utf8_mark(text, end));
  for (const char *p = text; p < end; p++)
    if (*p == '\n')
      vec_push(d->arena, s->lines, s->line_count, p + 1);
}

/* ---- printable bytes ---- */

/* Appends the bytes with controls and broken UTF-8 as '?', tabs as blanks. */
static void add_printable(Text *out, const char *p, const char *end)
{
  while (p < end) {
    int length = utf8_length(p, end);
    if (*p == '\t')
      text_add(out, " ");
    else if (length == 0 || (unsigned char)*p < 0x20 || *p == 0x7f)
      text_add(out, "?");
    else
      text_add_part(out, p, (size_t)length);
    p += length ? length : 1;
  }
}

/* ---- one message ---- */

/* Back to the first byte of the character at p. */
static const char *character_start(const char *begin, const char *p)
{
  while (p > begin && ((unsigned char)*p & 0xc0) == 0x80)
    p--;
  return p;
}

/* The source line, or the part of a long one around the column, and a caret. */
static void add_source_line(Diag *d, Text *out, Loc loc)
{
  Shown *shown = shown_at(d, loc);
  if (!shown || !shown->source->text)
    return;
  if (!shown->lines)
    index_lines(d, shown);
  if (loc.line > shown->line_count)
    return;
  const char *begin = shown->lines[loc.line - 1];
  const char *end = loc.line < shown->line_count ? shown->lines[loc.line] - 1
                                                 : shown->source->text + shown->source->length;
  if (end > begin && end[-1] == '\r')
    end--;
  const char *at = begin + (loc.column - 1);
  if (at > end)
    at = end;
  if (at - begin > SHOWN_BEFORE)
    begin = character_start(begin, at - SHOWN_BEFORE);
  if (end - begin > SHOWN_BYTES)
    end = character_start(begin, begin + SHOWN_BYTES);
  text_add(out, "  ");
  add_printable(out, begin, end);
  text_add(out, "\n  ");
  Text before = {0};
  add_printable(&before, begin, at);
  for (size_t i = 0; i < before.length; i++)
    if (((unsigned char)before.data[i] & 0xc0) != 0x80)
      text_add(out, " ");
  text_free(&before);
  text_add(out, "^\n");
}

static const char *severity_name(DiagClass class, bool is_error)
{
  return class == CLASS_NOTE ? "note" : is_error ? "error" : "warning";
}

static void write_text(Diag *d, const char *severity, const char *option, Loc loc,
                       const char *message)
{
  Text out = {0};
  bool color = d->options->color;
  const char *hue = severity[0] == 'e' ? "\033[1;31m"
                    : severity[0] == 'w' ? "\033[1;35m" : "\033[1;36m";
  if (loc.line > 0)
    text_format(&out, "%s:%d:%d: ", path_of(d, loc), loc.line, loc.column);
  else
    text_add(&out, "snodegen: ");
  text_format(&out, "%s%s:%s ", color ? hue : "", severity, color ? "\033[0m" : "");
  add_printable(&out, message, message + strlen(message));
  text_format(&out, "%s\n", option);
  add_source_line(d, &out, loc);
  fwrite(out.data, 1, out.length, d->out);
  text_free(&out);
}

/* One object a line; "path" and the place are left out where there is none. */
static void write_json(Diag *d, const char *severity, const char *option, Loc loc,
                       const char *message)
{
  Text out = {0};
  text_format(&out, "{\"severity\": \"%s\"", severity);
  if (loc.line > 0) {
    text_add(&out, ", \"path\": ");
    text_add_json(&out, path_of(d, loc));
    text_format(&out, ", \"line\": %d, \"column\": %d", loc.line, loc.column);
  }
  text_add(&out, ", \"text\": ");
  text_add_json(&out, message);
  if (option[0])
    text_format(&out, ", \"option\": \"%.*s\"", (int)strlen(option) - 3, option + 2);
  text_add(&out, "}\n");
  fwrite(out.data, 1, out.length, d->out);
  text_free(&out);
}

/* Whether the row is to be shown; counts it when it is an error. */
static bool admit(Diag *d, DiagId id, bool *is_error)
{
  const DiagOptions *options = d->options;
  DiagClass class = rows[id].class;
  if (d->limit_reached)
    return false;
  if (class == CLASS_NOTE)
    return d->was_shown && !options->quiet;
  *is_error = class == CLASS_ERROR;
  if (class != CLASS_ERROR) {
    if (!options->enabled[id] || options->no_warnings)
      return false;
    *is_error = options->werror;
    if (options->quiet && !*is_error)
      return false;
  }
  return true;
}

static void show(Diag *d, DiagId id, bool is_error, Loc loc, const char *message)
{
  const DiagRow *row = &rows[id];
  char option[64] = "";
  if (row->class == CLASS_WARNING || row->class == CLASS_PERF)
    snprintf(option, sizeof option, " [-W%s%s]", is_error ? "error=" : "", row->name);
  const char *severity = severity_name(row->class, is_error);
  if (d->options->json)
    write_json(d, severity, option, loc, message);
  else
    write_text(d, severity, option, loc, message);
}

/* Of a copy: whether another one has had the message.  From now on it has. */
static bool was_said(Diag *d, DiagId id, Loc loc)
{
  for (int i = 0; i < d->said_count; i++) {
    const Said *said = &d->said[i];
    if (said->id == id && loc_is_same(said->loc, loc))
      return true;
  }
  vec_push(d->arena, d->said, d->said_count, ((Said){id, loc}));
  return false;
}

static void say_copies(Diag *d)
{
  for (const DiagCopy *copy = d->copy; copy && copy->name; copy = copy->outer)
    diag(d, DIAG_IN_COPY, copy->named, copy->name);
}

void diag(Diag *d, DiagId id, Loc loc, ...)
{
  bool is_error = false;
  if (d->is_muted) {
    d->had_muted_errors = d->had_muted_errors || rows[id].class == CLASS_ERROR;
    return;
  }
  if (!admit(d, id, &is_error)) {
    if (rows[id].class != CLASS_NOTE)
      d->was_shown = false;
    return;
  }
  bool is_note = rows[id].class == CLASS_NOTE;
  if (!is_note)
    d->was_shown = !d->copy || !was_said(d, id, loc);
  if (!d->was_shown)
    return;
  int limit = d->options->error_limit;
  if (is_error && limit > 0 && d->errors >= limit) {
    show(d, DIAG_TOO_MANY_ERRORS, true, (Loc){0}, rows[DIAG_TOO_MANY_ERRORS].format);
    d->errors++;
    d->limit_reached = true;
    return;
  }
  d->errors += is_error;
  Text message = {0};
  va_list arguments;
  va_start(arguments, loc);
  text_vformat(&message, rows[id].format, arguments);
  va_end(arguments);
  show(d, id, is_error, loc, message.data);
  text_free(&message);
  if (!is_note)
    say_copies(d);
}
