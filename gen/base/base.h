/* What every stage of the compiler stands on: memory, strings, vectors,
 * sources and diagnostics.  Nothing here knows the language.
 */
#ifndef SNODEGEN_BASE_BASE_H
#define SNODEGEN_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- memory ----
 * One arena for a compile: everything is freed at once.  Out of memory is
 * reported and ends the process with status 3 (a compiler has nothing to save).
 */
typedef struct Arena Arena;
Arena *arena_create(void);
void arena_destroy(Arena *);
void *arena_alloc(Arena *, size_t bytes);             /* zeroed, 16-aligned */
#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

/* vec_push(arena, array, count, item): appends to a plain array whose length
 * is in count; capacity is implied (it grows at powers of two). */
#define vec_push(arena, array, count, item)                                   \
  ((array) = vec_grow((arena), (array), (count), sizeof *(array)),            \
   (array)[(count)++] = (item))
void *vec_grow(Arena *, void *array, int count, size_t item_bytes);

/* ---- strings ----
 * Interned: equal strings have equal addresses within one arena.
 */
const char *intern(Arena *, const char *text, size_t length);
const char *intern_format(Arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A growing text: what every writer writes to. */
typedef struct Text {
  char *data;             /* NUL-terminated once anything was written */
  size_t length, capacity;
} Text;
void text_format(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(Text *, const char *format, va_list);
void text_add(Text *, const char *s);
void text_add_char(Text *, char c);
void text_add_part(Text *, const char *s, size_t length);
void text_free(Text *);
/* As UTF-8: a byte that is none is taken for the character of Latin-1, as JSON's writer does it. */
void text_add_utf8(Text *, const char *p, const char *end);
void text_add_json(Text *, const char *s);            /* as a string of JSON */
/* Bytes of the well-formed UTF-8 sequence at p, or 0. */
int utf8_length(const char *p, const char *end);
/* Bytes of the byte order mark at p, with which some editors begin a file, or 0. */
int utf8_mark(const char *p, const char *end);

/* ---- sources and places ---- */
typedef struct Source {
  const char *path;       /* as the user gave it; "<stdin>" for "-" */
  const char *text;       /* NUL-terminated */
  size_t length;
  int file;               /* its number: 0 the named file, then what it imports */
  const char *stem;       /* of an imported file: what its header is called and its names
                             in C begin with; NULL: no identifier */
} Source;

typedef struct Loc {
  int line, column;       /* from 1; 0: no place */
  int file;               /* of the source */
} Loc;
/* Whether a comes before b: files in their order. */
bool loc_is_before(Loc a, Loc b);
bool loc_is_same(Loc a, Loc b);

/* ---- diagnostics ----
 * Every message is a row of base/diag.def: DIAG(ID, CLASS, FORMAT), CLASS one
 * of ERROR, WARNING(name), PERF(name), NOTE.  A message is printed as
 *   path:line:column: error: text [-Wname]
 * with the source line and a caret; notes follow their error.
 */
typedef enum DiagId {
#define DIAG(id, class, name, format) DIAG_##id,
#include "gen/base/diag.def"
#undef DIAG
  DIAG_COUNT
} DiagId;

typedef struct Diag Diag;
typedef struct DiagOptions {
  bool json, quiet, werror, no_warnings, color;
  int error_limit;                        /* 0: none */
  bool enabled[DIAG_COUNT];               /* of warnings; diag_defaults sets it */
} DiagOptions;

void diag_defaults(DiagOptions *);
/* -Wname, -Wno-name, -Wall, -Wextra, -Wperf ...; false when unknown. */
bool diag_set_warning(DiagOptions *, const char *name, bool on);
/* Of all warnings, and NULL behind them. */
void diag_warning_names(const char *names[DIAG_COUNT + 1]);
Diag *diag_create(Arena *, const DiagOptions *, FILE *out);
void diag_source(Diag *, const Source *);      /* whose lines are shown: one of each number */
void diag(Diag *, DiagId, Loc, ...);           /* an error, warning or note */
int diag_error_count(const Diag *);
/* Between diag_mute and diag_unmute nothing is shown or counted; the latter
 * says whether there were errors. */
void diag_mute(Diag *);
bool diag_unmute(Diag *);
bool diag_limit_reached(const Diag *);
/* A text that is checked more than once.  While one is set a message is shown once for
 * its row and its place, and a note says in which copy. */
typedef struct DiagCopy {
  const char *name;                       /* "sweep<x, y>"; NULL: the text as it stands */
  Loc named;
  const struct DiagCopy *outer;           /* what names it, where that is a copy */
} DiagCopy;
/* NULL: none. What was set before, to be put back. */
const DiagCopy *diag_copy(Diag *, const DiagCopy *);
/* "did you mean 'x'?" for the nearest of names (NULL-ended), when near enough. */
void diag_suggest(Diag *, Loc, const char *wrong, const char *const *names);
const char *nearest_name(const char *wrong, const char *const *names);  /* or NULL */
/* Memory has run out: says so and exits with status 3. */
_Noreturn void out_of_memory(void);
/* An error of snodegen's own: says so and exits with status 70. */
_Noreturn void diag_internal(const char *file, int line, const char *format, ...);
#define ICE(...) diag_internal(__FILE__, __LINE__, __VA_ARGS__)

#endif
