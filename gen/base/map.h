/* A map from addresses to addresses: what a stage knows of an object that it did not make. */
#ifndef SNODEGEN_BASE_MAP_H
#define SNODEGEN_BASE_MAP_H

#include "gen/base/base.h"

typedef struct Map {
  Arena *arena;
  const void **keys;
  void **values;
  int count, capacity;
} Map;
void map_init(Map *, Arena *);
void *map_get(const Map *, const void *key);          /* NULL: absent */
void map_put(Map *, const void *key, void *value);

#endif
