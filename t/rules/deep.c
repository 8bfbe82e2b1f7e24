/* The driver of deep.sn.in: rule 4 of "Activity inside a task". What was below a cell
 * taken out is gone, its memory is accounted for, and whoever takes the cell again
 * finds nothing. */
#include "deep.h"
#include "t/tap.h"

enum { N = DEEP_N, TURNS = 2000 };

static sn_context *ctx;

/* What meets may meet otherwise in another round: one thread needs few. */
static int rounds(void)
{
  return tap_size(3, 12, 12);
}

#define DO(call) do_call((call), #call)
static void do_call(int code, const char *text)
{
  if (code == SN_OK) return;
  diag("%s: %s: %s", text, sn_strerror(code), sn_context_error(ctx));
  printf("Bail out! a call failed\n");
  exit(1);
}

static sn_memory_info row_of(deep_t *t, const char *name)
{
  sn_memory_info rows[8], none = { 0 };
  int n;

  DO(deep_t_memory(t, rows, 8, &n));
  for (int k = 0; k < n && k < 8; k++)
    if (strcmp(rows[k].name, name) == 0) return rows[k];
  return none;
}

/* What is taken and what is free is all there is; so many cells of low are active. */
static int is_conserved(deep_t *t, const char *name, int64_t active)
{
  const sn_memory_info row = row_of(t, name);

  if (row.recycled == 0 && row.active + row.free == row.ever_allocated && row.active == active)
    return 1;
  diag("%s: active %" PRId64 " (of %" PRId64 ") free %" PRId64 " recycled %" PRId64
       " ever %" PRId64,
       name, row.active, active, row.free, row.recycled, row.ever_allocated);
  return 0;
}

static int64_t left(deep_t *t)
{
  int64_t n = -1;
  DO(deep_left(t, N, &n));
  return n;
}

static int64_t wrong(deep_t *t, int tag)
{
  int64_t n = -1;
  DO(deep_wrong(t, N, tag, &n));
  return n;
}

static void alone(deep_t *t)
{
  int64_t remain = 0, bad = 0;
  int conserved = 1;

  for (int round = 0; round < rounds(); round++) {
    DO(deep_plant(t, N, 100 + round));
    bad += wrong(t, 100 + round);
    DO(deep_drop(t, N));
    remain += left(t);
    conserved &= is_conserved(t, "low", 0) & is_conserved(t, "list", 0);
    DO(deep_wake(t, N));
    remain += left(t);
    if (round % 2) DO(deep_top_deactivate_all(t));
  }
  is_int(bad, 0, "rule 4: what is written below is there");
  is_int(remain, 0, "rule 4: what was below is gone when the cell is taken again");
  ok(conserved, "rule 4: the memory of what was below is free");
  is_int(row_of(t, "low").ever_allocated, 4 * N, "rule 4: and is used again");
}

static void meeting(deep_t *t, deep_notes *notes)
{
  int64_t remain = 0, bad = 0, cells, n;
  int conserved = 1;

  for (int round = 0; round < rounds(); round++) {
    DO(deep_began_fill(notes, 0));
    DO(deep_gone_fill(notes, 0));
    DO(deep_plant(t, N, 7));
    DO(deep_meet(t, notes, N, TURNS));
    DO(deep_low_cells(t, N, &cells));
    DO(deep_low_count(t, &n));
    bad += n != cells;
    conserved &= is_conserved(t, "low", cells);
    DO(deep_drop(t, N));
    conserved &= is_conserved(t, "low", 0);
    DO(deep_wake(t, N));
    remain += left(t);
    DO(deep_plant(t, N, round));
    bad += wrong(t, round);
    DO(deep_t_deactivate_all(t));
    conserved &= is_conserved(t, "low", 0);
  }
  is_int(remain, 0, "rule 4: what others activated below meanwhile is gone too");
  ok(conserved, "rule 4: its memory is free, each cell once");
  is_int(bad, 0, "rule 4: no two cells share memory afterwards");
}

int main(void)
{
  deep_t *t;
  deep_notes *notes;

  if (sn_context_create(NULL, &ctx) != SN_OK) return 1;
  DO(deep_t_create(ctx, NULL, &t));
  DO(deep_notes_create(ctx, NULL, &notes));
  alone(t);
  meeting(t, notes);
  deep_t_destroy(t);
  deep_notes_destroy(notes);
  ok(sn_context_destroy(ctx) == SN_OK, "all is given back");
  return done_testing();
}
