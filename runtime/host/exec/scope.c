/* The hazards of a parent's children: by block, from empty. */
#include "runtime/host/exec/task.h"

#include <string.h>

typedef struct entry {
  sni_tensor_block *block;       /* NULL: free */
  sni_hazard *hazard;            /* on its own: hazards do not move */
} entry;

struct sni_scope {
  size_t count, capacity;        /* a power of two */
  entry *at;
};

static size_t place_of(const struct sni_scope *scope, const sni_tensor_block *block)
{
  size_t k = ((uintptr_t)block >> 4) * (size_t)0x9e3779b1u & (scope->capacity - 1);

  while (scope->at[k].block && scope->at[k].block != block)
    k = (k + 1) & (scope->capacity - 1);
  return k;
}

/* For one more, at most half full; 0: no memory. */
static int make_room(sn_engine *engine, struct sni_scope *scope)
{
  const size_t capacity = scope->capacity ? 2 * scope->capacity : 8;
  struct sni_scope grown = { scope->count, capacity, NULL };

  if (2 * (scope->count + 1) <= scope->capacity)
    return 1;
  grown.at = sni_pool_take(engine, capacity * sizeof *grown.at);
  if (!grown.at)
    return 0;
  memset(grown.at, 0, capacity * sizeof *grown.at);
  for (size_t k = 0; k < scope->capacity; k++)
    if (scope->at[k].block)
      grown.at[place_of(&grown, scope->at[k].block)] = scope->at[k];
  if (scope->at)
    sni_pool_give(engine, scope->at, scope->capacity * sizeof *scope->at);
  *scope = grown;
  return 1;
}

sni_hazard *sni_scope_find(const sni_task *parent, const sni_tensor_block *block)
{
  const struct sni_scope *scope = parent->scope;

  return scope && scope->capacity ? scope->at[place_of(scope, block)].hazard : NULL;
}

/* NULL: no memory. */
static struct sni_scope *scope_of(sni_task *parent)
{
  if (!parent->scope) {
    parent->scope = sni_pool_take(parent->engine, sizeof *parent->scope);
    if (parent->scope)
      memset(parent->scope, 0, sizeof *parent->scope);
  }
  return parent->scope;
}

static sni_hazard *add(sni_task *parent, sni_tensor_block *block)
{
  struct sni_scope *scope = scope_of(parent);
  sni_hazard *hazard;
  entry *free_one;

  if (!scope || !make_room(parent->engine, scope))
    return NULL;
  hazard = sni_pool_take(parent->engine, sizeof *hazard);
  if (!hazard)
    return NULL;
  memset(hazard, 0, sizeof *hazard);
  free_one = &scope->at[place_of(scope, block)];
  free_one->block = block;
  free_one->hazard = hazard;
  scope->count++;
  return hazard;
}

sni_hazard *sni_scope_hazard(sni_task *parent, sni_tensor_block *block)
{
  sni_hazard *hazard = sni_scope_find(parent, block);

  return hazard ? hazard : add(parent, block);
}

void sni_scope_destroy(sni_task *parent)
{
  struct sni_scope *scope = parent->scope;

  if (!scope)
    return;
  for (size_t k = 0; k < scope->capacity; k++)
    if (scope->at[k].block)
      sni_pool_give(parent->engine, scope->at[k].hazard, sizeof *scope->at[k].hazard);
  if (scope->at)
    sni_pool_give(parent->engine, scope->at, scope->capacity * sizeof *scope->at);
  sni_pool_give(parent->engine, scope, sizeof *scope);
  parent->scope = NULL;
}
