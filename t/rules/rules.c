/* The driver of rules.sn.in, the same for every kind (KIND: its name): each numbered
 * rule of "Activity inside a task" is one check or a few, over many cells and rounds.
 *
 *   rules [RULE]     3 is 6, too
 */
#include "rules.h"
#include "t/tap.h"

enum { N = RULES_N, CELLS = 32 * N, TURNS = 3000 };

static sn_context *ctx;

/* What meets may meet otherwise in another round: one thread needs few. */
static int rounds(void)
{
  return tap_size(3, 12, 12);
}

/* A call that must succeed; what follows would make no sense. */
#define DO(call) do_call((call), #call)
static void do_call(int code, const char *text)
{
  if (code == SN_OK) return;
  diag("%s: %s: %s", text, sn_strerror(code), sn_context_error(ctx));
  printf("Bail out! a call failed\n");
  exit(1);
}

static int is(const char *kind) { return strcmp(KIND, kind) == 0; }
/* What a cell of the program is made of: a dynamic one of a body, a directory and a chunk. */
#define PIECES (is("dynamic") ? 3 : 1)
/* Cells come from a node manager. */
static int is_allocated(void) { return !is("bitmasked"); }

static sn_memory_info row_of(rules_t *t, const char *name)
{
  sn_memory_info rows[8], none = { 0 };
  int n;

  DO(rules_t_memory(t, rows, 8, &n));
  for (int k = 0; k < n && k < 8; k++)
    if (strcmp(rows[k].name, name) == 0) return rows[k];
  return none;
}

static int64_t wrong(rules_t *t, int first, int last, int tag)
{
  int64_t n = -1;
  DO(rules_wrong(t, first, last, tag, &n));
  return n;
}

static int64_t left(rules_t *t, int first, int last)
{
  int64_t n = -1;
  DO(rules_left(t, first, last, &n));
  return n;
}

static int64_t awake(rules_t *t, int first, int last)
{
  int64_t n = -1;
  DO(rules_awake(t, first, last, &n));
  return n;
}

static void clear_notes(rules_notes *notes)
{
  DO(rules_began_fill(notes, 0));
  DO(rules_gone_fill(notes, 0));
  DO(rules_seen_fill(notes, 0));
  DO(rules_seen_leaf_fill(notes, 0));
  DO(rules_later_set(notes, 0));
}

/* Every cell is accounted for once: a cell given back twice is two cells later. */
static int is_conserved(rules_t *t, int64_t active)
{
  const sn_memory_info row = row_of(t, "cell");

  if (!is_allocated()) return 1;
  active *= PIECES;
  if (row.recycled != 0 || row.active + row.free != row.ever_allocated || row.active != active) {
    diag("active %" PRId64 " (of %" PRId64 ") free %" PRId64 " recycled %" PRId64 " ever %" PRId64,
         row.active, active, row.free, row.recycled, row.ever_allocated);
    return 0;
  }
  return 1;
}

/* All cells, after they were taken out by several at once: whether each is one cell. */
static int64_t shared(rules_t *t, int tag, int *conserved)
{
  int64_t n;

  DO(rules_cell_deactivate_all(t));
  *conserved &= is_conserved(t, 0);
  DO(rules_fill(t, 0, 4 * N, tag));
  n = wrong(t, 0, 4 * N, tag);
  *conserved &= is_conserved(t, 4 * N);
  DO(rules_cell_deactivate_all(t));
  return n;
}

static void rule_1(rules_t *t, rules_notes *notes)
{
  int64_t remain = 0, both = 0, unpaired = 0, n;
  int conserved = 1;

  for (int round = 0; round < rounds(); round++) {
    DO(rules_fill(t, 0, N, round));
    DO(rules_storm(t, N, 64));
    remain += left(t, 0, N);
    DO(rules_fill(t, 0, N, round));
    clear_notes(notes);
    DO(rules_pairs(t, notes, N, TURNS));
    DO(rules_unpaired(t, N, &n));
    unpaired += n;
    both += shared(t, round, &conserved);
  }
  is_int(remain, 0, "rule 1: what all take out is out");
  is_int(unpaired, 0, "rule 1: who does not take the cell out leaves it alone");
  ok(conserved, "rule 1: each cell is given back once");
  is_int(both, 0, "rule 1: no two cells share memory afterwards");
}

static void rule_2(rules_t *t)
{
  int64_t bad = 0, bad_later = 0, n;

  for (int round = 0; round < 3; round++) {
    DO(rules_fill(t, 0, 2 * N, 1 + round));
    DO(rules_renew(t, N, &n));
    bad += n;
    DO(rules_unrenewed(t, N, &n));
    bad_later += n + wrong(t, N, 2 * N, 1 + round);
  }
  is_int(bad, 0, "rule 2: the iteration meets an inactive cell, then a fresh one");
  is_int(bad_later, 0, "rule 2: the fresh cell stays");
  DO(rules_cell_deactivate_all(t));
  is_int(left(t, 0, 2 * N), 0, "rule 2: everything can be taken out again");
}

static void rules_3_and_6(rules_t *t, rules_notes *notes)
{
  int64_t strays = 0, later = 0, n;

  for (int round = 0; round < rounds(); round++) {
    clear_notes(notes);
    DO(rules_fill(t, 0, N, 5000));
    for (int c = 0; c < N; c++) DO(rules_cell_deactivate(t, c));
    later += left(t, 0, N);
    DO(rules_late(t, notes, N, TURNS));
    DO(rules_strays(t, N, &n));
    strays += n;
    DO(rules_cell_deactivate_all(t));
    DO(rules_wake(t, 0, 4 * N));
    later += left(t, 0, 4 * N) - 4 * N;
    DO(rules_cell_deactivate_all(t));
    later += left(t, 0, 4 * N);
  }
  is_int(strays, 0, "rules 3, 6: what comes late is lost, and shows nowhere");
  is_int(later, 0, "rules 3, 6: what was written shows in no later cell");
}

static void rule_5(sn_context *context)
{
  rules_t *t;
  int64_t ever;

  DO(rules_t_create(context, NULL, &t));
  DO(rules_fill(t, 0, N, 1));
  DO(rules_shift(t, 0, N, N));
  ever = row_of(t, "cell").ever_allocated;
  is_int(ever, is_allocated() ? PIECES * 2 * N : 0,
         "rule 5: a task hands out nothing that it took out");
  DO(rules_shift(t, N, 2 * N, N));
  is_int(row_of(t, "cell").ever_allocated, ever, "rule 5: the next task does");
  ok(left(t, 0, 2 * N) == 0 && awake(t, 2 * N, 3 * N) == N, "rule 5: all have moved");
  rules_t_destroy(t);
}

/* Whether each place was seen as often as it should. */
static int64_t unseen(rules_notes *notes, int64_t (*times)(int64_t))
{
  static int32_t seen[4 * N][8];
  int64_t bad = 0;

  DO(rules_seen_read(notes, NULL, sn_span_host(seen, sizeof seen), NULL));
  for (int64_t c = 0; c < 4 * N; c++)
    for (int k = 0; k < 8; k++) bad += seen[c][k] != times(c);
  return bad;
}

static int64_t unseen_leaf(rules_notes *notes, int64_t (*times)(int64_t))
{
  static int32_t seen[4 * N];
  int64_t bad = 0;

  DO(rules_seen_leaf_read(notes, NULL, sn_span_host(seen, sizeof seen), NULL));
  for (int64_t c = 0; c < 4 * N; c++) bad += seen[c] != times(c);
  return bad;
}

/* Of rule 7: which third of the cells is left out, another one in each round. */
static int third;
static int64_t two_of_three(int64_t c) { return c < N && c % 3 != third; }
/* sow writes two of three; those between are cells of a dynamic node too. */
static int64_t sown(int64_t c)
{
  if (is("dynamic")) return c < ((N - 1) % 3 == third ? N - 1 : N);
  return two_of_three(c);
}

static void rule_7(rules_t *t, rules_leaves *leaves, rules_notes *notes)
{
  int64_t missed = 0, grown = 0, kept = 0, leaf = 0, n;

  for (int round = 0; round < rounds(); round++) {
    for (int grow = 0; grow < 2; grow++) {
      clear_notes(notes);
      DO(rules_fill(t, 0, N, 1));
      third = round % 3;
      for (int c = third; c < N; c += 3) DO(rules_cell_deactivate(t, c));
      DO(rules_sow(leaves, N, third));
      if (grow) {
        DO(rules_grow(t, notes, N));
        DO(rules_grow_leaf(leaves, notes, N));
        grown += unseen(notes, two_of_three) + unseen_leaf(notes, sown);
      } else {
        DO(rules_visits(t, notes, N, &n));
        kept += n;
        DO(rules_visits_leaf(leaves, notes, N, &n));
        kept += n;
        missed += unseen(notes, two_of_three);
        leaf += unseen_leaf(notes, sown);
      }
      DO(rules_cell_deactivate_all(t));
      DO(rules_leaf_deactivate_all(leaves));
    }
  }
  is_int(missed, 0, "rule 7: each active cell is visited once, though it is taken out");
  is_int(leaf, 0, "rule 7: the same where the cells hold the value themselves");
  is_int(grown, 0, "rule 7: what is activated meanwhile is not visited");
  is_int(kept, 0, "rule 7: a cell that was taken out reads as its default");
}

/* What went wrong at any of the limits of rule 8. */
typedef struct failures {
  int partial, silent, unnamed, spoilt, missing, later, unusable;
} failures;

static void after_flood(rules_t *t, rules_notes *notes, int code, failures *bad)
{
  static const int some = 3;
  int64_t spoilt, active;
  int32_t later = -1, began = 0, gone = 0, value;

  DO(rules_spoilt(t, CELLS, &spoilt));
  active = awake(t, 0, CELLS);
  DO(rules_later_get(notes, &later));
  for (int64_t c = 0; c < N; c++) {
    DO(rules_began_get(notes, c, &value));
    began += value;
    DO(rules_gone_get(notes, c, &value));
    gone += value;
  }
  bad->partial += code != SN_OK && active > 0;
  bad->spoilt += spoilt != 0;
  bad->missing += began != CELLS;
  bad->silent += code == SN_OK && active != CELLS;
  bad->later += code != SN_OK && (later != 0 || gone != 0);
  DO(rules_cell_deactivate_all(t));
  bad->unusable += left(t, 0, CELLS) != 0;
  if (active < some) return;
  /* no cell may have all that it wants */
  (void)(rules_flood(t, notes, some) == SN_OK);
  DO(rules_spoilt(t, some, &spoilt));
  bad->unusable += spoilt != 0 || awake(t, 0, some) != some;
}

/* More and more memory, until all cells have it: in small steps, since a dynamic SNode's chunks are
 * little beside the dense cells above it, which count too. */
static void rule_8(rules_notes *notes)
{
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  failures bad = { 0 };
  int code = SN_ENOMEM;

  for (uint64_t limit = 3 << 15; code != SN_OK && limit < 1 << 23; limit += limit / 32) {
    rules_t *t;
    const char *text;

    options.memory_limit = limit;
    code = rules_t_create(ctx, &options, &t);
    if (code == SN_ENOMEM) continue;
    DO(code);
    clear_notes(notes);
    code = rules_flood(t, notes, CELLS);
    text = sn_context_error(ctx);
    if (code != SN_OK) {
      diag("%" PRIu64 " bytes: %s", limit, text);
      bad.unnamed += (code != SN_ENOMEM && code != SN_ECAPACITY) || !strstr(text, "cell");
      sn_context_clear(ctx);
    }
    after_flood(t, notes, code, &bad);
    rules_t_destroy(t);
    sn_context_clear(ctx);
  }
  is_int(code, SN_OK, "rule 8: there is enough at last");
  ok(bad.partial > 0, "rule 8: some could be had, some not");
  is_int(bad.silent, 0, "rule 8: a call that could not have all cells fails");
  is_int(bad.unnamed, 0, "rule 8: the call says what ran out");
  is_int(bad.spoilt, 0, "rule 8: cells are written whole or not at all, the others are defaults");
  is_int(bad.missing, 0, "rule 8: everything else is written");
  is_int(bad.later, 0, "rule 8: the later tasks do not run");
  is_int(bad.unusable, 0, "rule 8: the tree can be emptied and used again");
}

/* Each rule has trees of its own: what one has spoilt another does not see. */
static void run(int rule)
{
  rules_t *t;
  rules_leaves *leaves;
  rules_notes *notes;

  DO(rules_t_create(ctx, NULL, &t));
  DO(rules_leaves_create(ctx, NULL, &leaves));
  DO(rules_notes_create(ctx, NULL, &notes));
  switch (rule) {
  case 1: rule_1(t, notes); break;
  case 2: rule_2(t); break;
  case 3: rules_3_and_6(t, notes); break;
  case 5: rule_5(ctx); break;
  case 7: rule_7(t, leaves, notes); break;
  case 8: if (is_allocated()) rule_8(notes); break;
  }
  rules_t_destroy(t);
  rules_leaves_destroy(leaves);
  rules_notes_destroy(notes);
}

int main(int argc, char **argv)
{
  const int only = argc > 1 ? atoi(argv[1]) : 0;

  if (sn_context_create(NULL, &ctx) != SN_OK) return 1;
  for (int rule = 1; rule <= 8; rule++)
    if (only == 0 || only == rule) run(rule);
  ok(sn_context_destroy(ctx) == SN_OK, "all is given back");
  return done_testing();
}
