#include "gen/base/map.h"

void map_init(Map *map, Arena *arena)
{
  *map = (Map){ .arena = arena };
}

static int slot_of(const void *const *keys, int capacity, const void *key)
{
  uintptr_t mask = (uintptr_t)capacity - 1;
  uintptr_t at = ((uintptr_t)key >> 4) * 0x9e3779b1u & mask;

  while (keys[at] && keys[at] != key)
    at = (at + 1) & mask;
  return (int)at;
}

static void grow(Map *map)
{
  int capacity = map->capacity ? 2 * map->capacity : 64;
  const void **keys = NEW_ARRAY(map->arena, const void *, capacity);
  void **values = NEW_ARRAY(map->arena, void *, capacity);

  for (int k = 0; k < map->capacity; k++)
    if (map->keys[k]) {
      int at = slot_of(keys, capacity, map->keys[k]);
      keys[at] = map->keys[k];
      values[at] = map->values[k];
    }
  map->keys = keys;
  map->values = values;
  map->capacity = capacity;
}

void *map_get(const Map *map, const void *key)
{
  int at;

  if (!map->capacity)
    return NULL;
  at = slot_of(map->keys, map->capacity, key);
  return map->keys[at] ? map->values[at] : NULL;
}

void map_put(Map *map, const void *key, void *value)
{
  int at;

  if (2 * map->count >= map->capacity)
    grow(map);
  at = slot_of(map->keys, map->capacity, key);
  if (!map->keys[at])
    map->count++;
  map->keys[at] = key;
  map->values[at] = value;
}
