/* The rules of docs/language.md, "Activity inside a task", for what has no order: of each cell, was
 * it written or activated, and was it, or one above it, taken out.
 *
 *   neither             it is as it was
 *   written only        it is active, with one of the values written, else its own
 *   taken out only      it is inactive
 *   both                it is inactive, or active with its default or a value written
 */
#include "t/oracle/chaos.h"

#include <stdio.h>
#include <stdlib.h>

enum { TOUCHED = 1, GONE = 2 };

typedef struct event {
  int64_t value;
  int32_t next;                  /* of the same cell or container; -1: none */
} event;

struct chaos {
  uint8_t *mark[ORACLE_MOST];    /* by cell; of a dynamic SNode GONE by container */
  int32_t *first[ORACLE_MOST];   /* its events; of appends the container's, at its first cell */
  int64_t *appends[ORACLE_MOST]; /* by container; NULL: not dynamic */
  int64_t *reach[ORACLE_MOST];   /* by container: behind the last place written */
  event *events;
  int64_t count, room;
};

chaos *chaos_begin(void)
{
  chaos *c = oracle_array(1, sizeof *c);

  for (int s = 0; s < oracle_count; s++) {
    const oracle_node *n = &oracle_nodes[s];
    c->mark[s] = oracle_array(n->cells, 1);
    c->first[s] = oracle_array(n->cells, sizeof(int32_t));
    for (int64_t id = 0; id < n->cells; id++) c->first[s][id] = -1;
    if (n->kind == SND_SNODE_DYNAMIC) {
      c->appends[s] = oracle_array(n->cells / n->local, sizeof(int64_t));
      c->reach[s] = oracle_array(n->cells / n->local, sizeof(int64_t));
    }
  }
  return c;
}

void chaos_end(chaos *c)
{
  for (int s = 0; s < oracle_count; s++) {
    free(c->mark[s]);
    free(c->first[s]);
    free(c->appends[s]);
    free(c->reach[s]);
  }
  free(c->events);
  free(c);
}

/* ---- what happened ---- */

static int64_t mark_of(int s, int64_t id)
{
  return oracle_nodes[s].kind == SND_SNODE_DYNAMIC ? id / oracle_nodes[s].local : id;
}

void chaos_gone(chaos *c, int s, int64_t id)
{
  c->mark[s][mark_of(s, id)] |= GONE;
}

static void touch(chaos *c, int s, int64_t id)
{
  for (; s >= 0; s = oracle_nodes[s].parent) {
    if (oracle_nodes[s].kind != SND_SNODE_DYNAMIC) c->mark[s][id] |= TOUCHED;
    id /= oracle_nodes[s].local;
  }
}

static void note(chaos *c, int s, int64_t id, int64_t value)
{
  if (c->count == c->room) {
    c->room = c->room ? 2 * c->room : 1024;
    c->events = realloc(c->events, (size_t)c->room * sizeof *c->events);
    if (!c->events) exit(3);
  }
  c->events[c->count] = (event){ value, c->first[s][id] };
  c->first[s][id] = (int32_t)c->count++;
}

void chaos_written(chaos *c, int s, int64_t id, int64_t value)
{
  const oracle_node *n = &oracle_nodes[s];

  touch(c, s, id);
  if (n->bits) note(c, s, id, model_wrap(s, value));
  if (c->reach[s] && c->reach[s][id / n->local] <= id % n->local)
    c->reach[s][id / n->local] = id % n->local + 1;
}

void chaos_appended(chaos *c, int s, int64_t container, int64_t value)
{
  touch(c, s, container * oracle_nodes[s].local);
  note(c, s, container * oracle_nodes[s].local, model_wrap(s, value));
  c->appends[s][container]++;
}

/* ---- what came of it ---- */

static int wrong(int s, int64_t id, const char *what, int64_t got)
{
  printf("# chaos: %s, cell %lld: %s (%lld)\n", oracle_nodes[s].name, (long long)id, what,
         (long long)got);
  return 1;
}

/* What is taken out above is taken out here, and a dense cell is active as the one above it;
 * parents come before their children. */
static void spread(chaos *c)
{
  for (int s = 0; s < oracle_count; s++) {
    const oracle_node *n = &oracle_nodes[s];
    const int64_t count = n->kind == SND_SNODE_DYNAMIC ? n->cells / n->local : n->cells;
    const int64_t step = n->kind == SND_SNODE_DYNAMIC ? 1 : n->local;
    const int which = n->kind == SND_SNODE_DENSE ? GONE | TOUCHED : GONE;
    for (int64_t k = 0; n->parent >= 0 && k < count; k++)
      c->mark[s][k] |= c->mark[n->parent][k / step] & which;
  }
}

static int is_written(const chaos *c, int s, int64_t id, int64_t value)
{
  for (int32_t e = c->first[s][id]; e >= 0; e = c->events[e].next)
    if (c->events[e].value == value) return 1;
  return 0;
}

/* The value of an active cell, whose container or itself may be gone. */
static int check_value(const chaos *c, int s, int64_t id, int is_gone, int64_t before, int64_t now)
{
  const int64_t standard = oracle_nodes[s].standard;

  if (c->first[s][id] < 0)
    return now == (is_gone ? standard : before) ? 0 : wrong(s, id, "nobody wrote this", now);
  if (is_written(c, s, id, now) || (is_gone && now == standard)) return 0;
  return wrong(s, id, "none of the values written", now);
}

static int check_cell(const chaos *c, int s, int64_t id, const model *before, const model *now)
{
  const int is_gone = c->mark[s][id] & GONE, is_touched = c->mark[s][id] & TOUCHED;
  const int was = model_is_active(before, s, id), is = model_is_active(now, s, id);

  if (!is_gone && is != (was || is_touched))
    return wrong(s, id, "nobody took it out, and its activity is", is);
  if (is_gone && !is_touched && is)
    return wrong(s, id, "taken out, and active", is);
  if (!now->value[s]) return 0;
  if (!is) return now->value[s][id] == oracle_nodes[s].standard
                      ? 0 : wrong(s, id, "inactive, and reads as", now->value[s][id]);
  return check_value(c, s, id, is_gone, before->value[s][id], now->value[s][id]);
}

/* ---- lists ---- */

static int by_value(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

  return (x > y) - (x < y);
}

/* Each value at most as often as it was appended; with defaults between them where `holes`. */
static int check_appended(const chaos *c, int s, int64_t list, const int64_t *values, int64_t count,
                          int holes)
{
  const int64_t first = list * oracle_nodes[s].local, all = c->appends[s][list];
  int64_t *given = oracle_array(all, sizeof *given), *got = oracle_array(count, sizeof *got);
  int64_t at = 0, k = 0;
  int bad = 0;

  for (int32_t e = c->first[s][first]; e >= 0; e = c->events[e].next)
    given[at++] = c->events[e].value;
  for (int64_t i = 0; i < count; i++) got[i] = values[i];
  qsort(given, (size_t)all, sizeof *given, by_value);
  qsort(got, (size_t)count, sizeof *got, by_value);
  for (int64_t i = 0; i < count && !bad; i++) {
    while (k < all && given[k] < got[i]) k++;
    if (k < all && given[k] == got[i]) k++;
    else if (!holes || got[i] != oracle_nodes[s].standard)
      bad = wrong(s, first, "nobody appended this", got[i]);
  }
  free(given);
  free(got);
  return bad;
}

static int check_appends(const chaos *c, int s, int64_t list, const model *before, const model *now)
{
  const int64_t first = list * oracle_nodes[s].local, was = before->length[s][list];
  const int64_t length = now->length[s][list], added = c->appends[s][list];
  const int64_t *value = now->value[s] + first;

  if (c->mark[s][list] & GONE) {
    if (length > (added ? was + added : 0)) return wrong(s, first, "a list of the length", length);
    return check_appended(c, s, list, value, length, 1);
  }
  if (length != was + added) return wrong(s, first, "a list of the length", length);
  for (int64_t k = 0; k < was; k++)
    if (value[k] != before->value[s][first + k])
      return wrong(s, first + k, "it was there, and is now", value[k]);
  return check_appended(c, s, list, value + was, added, 0);
}

static int check_list(const chaos *c, int s, int64_t list, const model *before, const model *now)
{
  const oracle_node *n = &oracle_nodes[s];
  const int64_t first = list * n->local, was = before->length[s][list];
  const int64_t length = now->length[s][list], reach = c->reach[s][list];
  const int is_gone = c->mark[s][list] & GONE;
  int bad = 0;

  for (int64_t id = first + length; id < first + n->local; id++)
    if (now->value[s][id] != n->standard) return wrong(s, id, "behind the last", now->value[s][id]);
  if (c->appends[s][list]) return check_appends(c, s, list, before, now);
  if (is_gone ? length > reach : length != (was > reach ? was : reach))
    return wrong(s, first, "a list of the length", length);
  for (int64_t id = first; id < first + length && !bad; id++)
    bad = check_value(c, s, id, is_gone, before->value[s][id], now->value[s][id]);
  return bad;
}

/* Nothing is active below what is not. */
static int check_above(int s, int64_t id, const model *now)
{
  const oracle_node *n = &oracle_nodes[s];

  if (n->parent < 0 || !model_is_active(now, s, id) ||
      model_is_active(now, n->parent, id / n->local))
    return 0;
  return wrong(s, id, "active, and the cell above it is not", 1);
}

int chaos_check(chaos *c, const model *before, const model *now)
{
  int bad = 0;

  spread(c);
  for (int s = 0; s < oracle_count; s++) {
    const oracle_node *n = &oracle_nodes[s];
    for (int64_t id = 0; id < n->cells && !bad; id++) bad = check_above(s, id, now);
    if (n->kind == SND_SNODE_DYNAMIC)
      for (int64_t k = 0; k < n->cells / n->local && !bad; k++)
        bad = check_list(c, s, k, before, now);
    else
      for (int64_t id = 0; id < n->cells && !bad; id++) bad = check_cell(c, s, id, before, now);
  }
  return bad;
}

int chaos_take_lists(chaos *c, model *m, const model *now)
{
  int bad = 0;

  for (int s = 0; s < oracle_count && !bad; s++) {
    const oracle_node *n = &oracle_nodes[s];
    for (int64_t k = 0; c->appends[s] && k < n->cells / n->local && !bad; k++) {
      if (!c->appends[s][k]) continue;
      bad = check_appends(c, s, k, m, now);
      if (bad) break;
      for (int64_t id = m->length[s][k]; id < now->length[s][k]; id++)
        model_write(m, s, k * n->local + id, now->value[s][k * n->local + id]);
    }
  }
  return bad;
}
