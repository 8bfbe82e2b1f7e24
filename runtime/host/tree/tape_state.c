/* Taking values of fields out of a tree, and putting them back. */
#include "runtime/host/tree/range.h"
#include "runtime/host/tree/tape_state.h"

#include <string.h>

/* ---- walks ---- */

static int open_call(const sni_walker *w, sn_call **call)
{
  sn_tree *tree = w->tree;

  return sni_call_open(tree->context, tree->module, NULL, tree->info->c_name, &tree, 1, NULL, 0,
                       call);
}

int sni_walker_open(sni_walker *w)
{
  sn_call *call;
  int code;

  if (w->is_open)
    return SN_OK;
  SN_TRY(open_call(w, &call));
  code = sni_side_open(&w->side, call, 0);
  if (code != SN_OK)
    sni_side_close(&w->side);
  w->is_open = code == SN_OK;
  (void)sni_call_close(call);
  return code;
}

void sni_walker_close(sni_walker *w)
{
  if (w->is_open)
    sni_side_close(&w->side);
  w->is_open = 0;
}

int sni_walk(sni_walker *w, const sni_sink *sink)
{
  sn_call *call;

  SN_TRY(open_call(w, &call));
  w->side.call = call;
  w->side.bytes = 0;
  (void)sni_export(&w->side, sink);
  sni_transfer_note(&w->side, sink->is_put ? "restore" : "hold");
  return sni_call_close(call);
}

/* ---- taking ---- */

typedef struct taker {
  sn_tree *tree;
  sni_part *part;
  uint64_t bytes;
} taker;

static int take_values(void *self, int32_t field, uint64_t first, uint64_t count, void *values)
{
  taker *t = self;
  const size_t bytes = (size_t)count * sni_type_bytes(t->tree->info->fields[field].type);
  sni_piece *piece = sni_new(&t->tree->context->accounts, 1, sizeof *piece + bytes);

  (void)first;
  if (!piece)
    return sni_fail(t->tree->context, SN_ENOMEM, "%s: no memory for a checkpoint of %.*s",
                    t->tree->info->c_name, SNI_FIELD_NAME(&t->tree->info->fields[field]));
  piece->bytes = bytes;
  memcpy(piece + 1, values, bytes);
  if (t->part->last)
    t->part->last->next = piece;
  else
    t->part->first = piece;
  t->part->last = piece;
  t->bytes += bytes;
  return SN_OK;
}

static void free_part(sni_part *part, sni_accounts *accounts)
{
  sni_piece *piece = part->first;

  while (piece) {
    sni_piece *next = piece->next;
    sni_delete(accounts, piece, 1, sizeof *piece + piece->bytes);
    piece = next;
  }
  sni_delete(accounts, part, 1, sizeof *part + part->field_count);
}

int sni_state_take(sni_state *state, sni_walker *w, uint32_t walker, const uint8_t *chosen)
{
  sn_tree *tree = w->tree;
  sni_accounts *accounts = &tree->context->accounts;
  const uint32_t fields = tree->info->field_count;
  taker t = { .tree = tree };
  int code;

  SN_TRY(sni_walker_open(w));
  t.part = sni_new(accounts, 1, sizeof *t.part + fields);
  if (!t.part)
    return sni_fail(tree->context, SN_ENOMEM, "%s: no memory for a checkpoint",
                    tree->info->c_name);
  t.part->walker = walker;
  t.part->field_count = fields;
  memcpy(t.part->chosen, chosen, fields);
  code = sni_walk(w, &(sni_sink){ .self = &t, .values = take_values, .fields = t.part->chosen });
  if (code != SN_OK) {
    free_part(t.part, accounts);
    return code;
  }
  t.part->next = state->first;
  state->first = t.part;
  state->bytes += t.bytes;
  return SN_OK;
}

void sni_state_free(sni_state *state, sni_accounts *accounts)
{
  while (state->first) {
    sni_part *next = state->first->next;
    free_part(state->first, accounts);
    state->first = next;
  }
  state->bytes = 0;
}

/* ---- putting back ---- */

typedef struct putter {
  sn_tree *tree;
  const sni_piece *next;
} putter;

/* The walk is the one that took them. */
static int put_values(void *self, int32_t field, uint64_t first, uint64_t count, void *values)
{
  putter *p = self;
  const size_t bytes = (size_t)count * sni_type_bytes(p->tree->info->fields[field].type);

  (void)first;
  if (!p->next || p->next->bytes != bytes)
    return sni_fail(p->tree->context, SN_EBUG, "%s: a checkpoint has other values of %.*s than "
                    "the tree", p->tree->info->c_name,
                    SNI_FIELD_NAME(&p->tree->info->fields[field]));
  memcpy(values, p->next + 1, bytes);
  p->next = p->next->next;
  return SN_OK;
}

int sni_state_put(const sni_state *state, sni_walker *walkers)
{
  for (const sni_part *part = state->first; part; part = part->next) {
    sni_walker *w = &walkers[part->walker];
    putter p = { w->tree, part->first };
    SN_TRY(sni_walk(w, &(sni_sink){ .self = &p, .values = put_values, .fields = part->chosen,
                                    .is_put = 1 }));
  }
  return SN_OK;
}
