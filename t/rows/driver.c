/* Calls the kernels of a program made by generate.pl, each twice on trees that are filled anew,
 * and prints a line for each call: what it left in the fields, as a number, and how many cells are
 * active.
 *
 *   run               all of them
 *   run KERNEL ROUND  the fields' values behind that call
 *
 * SN_ROWS_LIE=KERNEL: one bit of what it left is turned over, as if the compiler had erred.
 */
#include "p.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The trees and the parameters of a call. */
typedef struct World {
  p_t *a, *b;
  p_u *c;
  int32_t n, m;
  float p;
} World;

enum { ROUNDS = 2, MOST_BYTES = 3 * 8 * 4000 };

typedef enum Kind {
  KIND_bool, KIND_i8, KIND_u8, KIND_i16, KIND_u16, KIND_i32, KIND_u32, KIND_i64, KIND_u64,
  KIND_f32, KIND_f64
} Kind;

static const size_t size_of_kind[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

typedef int (*read_call)(p_t *, const sn_box *, sn_span, const int64_t *);
typedef int (*count_call)(p_t *, int64_t *);

typedef struct kernel_call {
  int number;
  int (*call)(const World *);
} kernel_call;

typedef struct field_table {
  const char *name;
  read_call read;
  Kind kind;
  int parts, cells, axes;
  sn_box box;
} field_table;

#define CALL(N) \
  static int call_##N(const World *w) { return p_k##N(w->a, w->b, w->c, w->n, w->m, w->p); }
#include "table.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* The bits of element k, but one NaN and one zero for all: which of them an operation gives is the
 * compiler's choice. */
static uint64_t bits_of(const void *values, Kind kind, int k)
{
  uint64_t bits = 0;

  if (kind == KIND_f32) {
    float f = ((const float *)values)[k];
    uint32_t word;
    if (f != f)
      return 0x7fc00000;
    f = f == 0 ? 0 : f;
    memcpy(&word, &f, sizeof word);
    return word;
  }
  if (kind == KIND_f64) {
    double f = ((const double *)values)[k];
    if (f != f)
      return UINT64_C(0x7ff8000000000000);
    f = f == 0 ? 0 : f;
    memcpy(&bits, &f, sizeof bits);
    return bits;
  }
  memcpy(&bits, (const char *)values + size_of_kind[kind] * (size_t)k, size_of_kind[kind]);
  return kind == KIND_bool ? bits != 0 : bits;
}

static int read_field(const World *w, const field_table *f, void *values)
{
  const size_t bytes = size_of_kind[f->kind] * (size_t)(f->parts * f->cells);

  return f->read(w->a, f->axes > 0 ? &f->box : NULL, sn_span_host(values, bytes), NULL);
}

/* The index of a cell, of those of the box. */
static void print_index(const field_table *f, int cell)
{
  int64_t at[SN_MAX_AXES];

  for (int k = f->axes - 1; k >= 0; k--) {
    const int64_t extent = f->box.hi[k] - f->box.lo[k];
    at[k] = f->box.lo[k] + cell % extent;
    cell = (int)(cell / extent);
  }
  printf("%s[", f->name);
  for (int k = 0; k < f->axes; k++)
    printf("%s%" PRId64, k > 0 ? ", " : "", at[k]);
  printf("]");
}

static void print_values(const field_table *f, const void *values, uint64_t lie)
{
  for (int k = 0; k < f->parts * f->cells; k++) {
    print_index(f, k / f->parts);
    if (f->parts > 1)
      printf(".%c", 'x' + k % f->parts);
    printf(" = %" PRIx64, bits_of(values, f->kind, k) ^ (k == 0 ? lie : 0));
    if (f->kind == KIND_f32)
      printf(" (%.9g)", (double)((const float *)values)[k]);
    if (f->kind == KIND_f64)
      printf(" (%.17g)", ((const double *)values)[k]);
    printf("\n");
  }
}

static int show(const World *w, uint64_t lie, bool prints_values)
{
  static union { char bytes[MOST_BYTES]; double align; } values;
  uint64_t sum = UINT64_C(14695981039346656037);

  for (int f = 0; f < COUNT(fields); f++, lie = 0) {
    SN_TRY(read_field(w, &fields[f], &values));
    if (prints_values)
      print_values(&fields[f], &values, lie);
    for (int k = 0; k < fields[f].parts * fields[f].cells; k++) {
      sum = (sum ^ bits_of(&values, fields[f].kind, k) ^ (k == 0 ? lie : 0)) *
            UINT64_C(1099511628211);
      sum ^= sum >> 29;
    }
  }
  printf("%016" PRIx64, sum);
  for (int c = 0; c < COUNT(counts); c++) {
    int64_t n;
    SN_TRY(counts[c](w->a, &n));
    printf(" %" PRId64, n);
  }
  printf("\n");
  return SN_OK;
}

static int call(World *w, p_t *filled, const kernel_call *k, int round, bool prints_values)
{
  const char *lie = getenv("SN_ROWS_LIE");
  int code;

  SN_TRY(p_t_copy(w->a, filled));
  w->n = round == 0 ? 1 + k->number % 3 : -2 + k->number % 3;
  w->m = round == 0 ? 5 : k->number % 8;
  w->p = round == 0 ? 0.75f : -3.0f;
  code = k->call(w);
  printf("k%d %d: code %d ", k->number, round, code);
  fflush(stdout);
  if (code != SN_OK) {
    printf("\n");
    return code;
  }
  if (prints_values)
    printf("\n");
  return show(w, lie && *lie && atoi(lie) == k->number, prints_values);
}

static int run(sn_context *ctx, int argc, char **argv)
{
  World w = { .a = NULL };
  p_t *filled[ROUNDS] = { NULL };

  SN_TRY(p_t_create(ctx, NULL, &w.a));
  SN_TRY(p_t_create(ctx, NULL, &w.b));
  SN_TRY(p_u_create(ctx, NULL, &w.c));
  SN_TRY(p_fill_t(w.b, 77));
  SN_TRY(p_fill_u(w.c, 78));
  for (int r = 0; r < ROUNDS; r++) {
    SN_TRY(p_t_create(ctx, NULL, &filled[r]));
    SN_TRY(p_fill_t(filled[r], 79 + (uint32_t)r));
  }
  for (int k = 0; k < COUNT(calls); k++)
    for (int r = 0; r < ROUNDS; r++)
      if (argc < 3 || (atoi(argv[1]) == calls[k].number && atoi(argv[2]) == r))
        SN_TRY(call(&w, filled[r], &calls[k], r, argc >= 3));
  for (int r = 0; r < ROUNDS; r++)
    p_t_destroy(filled[r]);
  p_t_destroy(w.a);
  p_t_destroy(w.b);
  p_u_destroy(w.c);
  return SN_OK;
}

int main(int argc, char **argv)
{
  sn_context *ctx;
  int code = sn_context_create(NULL, &ctx);

  if (code == SN_OK)
    code = run(ctx, argc, argv);
  if (code != SN_OK)
    printf("failed: code %d, %s\n", code, sn_context_error(ctx));
  return sn_context_destroy(ctx) != SN_OK || code != SN_OK;
}
