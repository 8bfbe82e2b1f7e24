/* Nested scopes over one table of names.
 *
 * Each name has one slot, which holds its innermost meaning; closing a scope
 * puts the outer ones back.  So finding a name costs the same at any depth.
 */
#include "gen/front/scope.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

typedef struct Slot {
  const char *name;            /* NULL: empty */
  Symbol *symbol;              /* NULL: the name means nothing now */
} Slot;

struct Scope {
  Arena *arena;
  Slot *slots;                 /* a power of two */
  size_t slot_count, used;
  Symbol **open;               /* the symbols of each open scope */
  int open_count;
};

Scope *scope_create(Arena *arena)
{
  Scope *scope = NEW(arena, Scope);
  scope->arena = arena;
  scope->slot_count = FIRST_SLOTS;
  scope->slots = NEW_ARRAY(arena, Slot, scope->slot_count);
  scope_open(scope);
  return scope;
}

/* Names are interned: their addresses are their identity. */
static Slot *find_slot(const Scope *scope, const char *name)
{
  size_t mask = scope->slot_count - 1;
  uint64_t hash = (uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u;
  for (size_t i = (size_t)(hash >> 32) & mask;; i = (i + 1) & mask)
    if (!scope->slots[i].name || scope->slots[i].name == name)
      return &scope->slots[i];
}

static void grow(Scope *scope)
{
  Slot *old = scope->slots;
  size_t old_count = scope->slot_count;
  scope->slot_count *= 2;
  scope->slots = NEW_ARRAY(scope->arena, Slot, scope->slot_count);
  for (size_t i = 0; i < old_count; i++)
    if (old[i].name)
      *find_slot(scope, old[i].name) = old[i];
}

void scope_open(Scope *scope)
{
  int depth = scope->open_count;
  vec_push(scope->arena, scope->open, scope->open_count, NULL);
  scope->open[depth] = NULL;
}

void scope_close(Scope *scope)
{
  Symbol *symbol = scope->open[--scope->open_count];
  for (; symbol; symbol = symbol->next)
    find_slot(scope, symbol->name)->symbol = symbol->outer;
}

int scope_level(const Scope *scope) { return scope->open_count - 1; }

Symbol *scope_find(const Scope *scope, const char *name)
{
  return find_slot(scope, name)->symbol;
}

Symbol *scope_find_global(const Scope *scope, const char *name)
{
  Symbol *symbol = scope_find(scope, name);
  while (symbol && symbol->level > 0 && !symbol->is_argument)
    symbol = symbol->outer;
  return symbol;
}

Symbol *scope_add_at(Scope *scope, int level, SymbolKind kind, const char *name,
                     Loc loc)
{
  Slot *slot = find_slot(scope, name);
  if (!slot->name) {
    if (2 * ++scope->used > scope->slot_count) {
      grow(scope);
      slot = find_slot(scope, name);
    }
    slot->name = name;
  }
  Symbol *symbol = NEW(scope->arena, Symbol);
  symbol->kind = kind;
  symbol->name = name;
  symbol->loc = loc;
  symbol->level = level;
  Symbol **at = &slot->symbol;         /* behind what lies further in */
  while (*at && (*at)->level > level)
    at = &(*at)->outer;
  symbol->outer = *at;
  *at = symbol;
  symbol->next = scope->open[level];
  scope->open[level] = symbol;
  return symbol;
}

Symbol *scope_add(Scope *scope, SymbolKind kind, const char *name, Loc loc)
{
  return scope_add_at(scope, scope_level(scope), kind, name, loc);
}

const char *const *scope_names(const Scope *scope, bool (*takes)(const Symbol *))
{
  const char **names = NULL;
  int count = 0;
  for (size_t i = 0; i < scope->slot_count; i++)
    if (scope->slots[i].symbol && takes(scope->slots[i].symbol))
      vec_push(scope->arena, names, count, scope->slots[i].name);
  vec_push(scope->arena, names, count, NULL);
  return names;
}

const char *symbol_kind_name(const Symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_UNKNOWN: return "unknown";
  case SYMBOL_CONSTANT: return symbol->is.constant->is_param ? "a param" : "a const";
  case SYMBOL_STRUCT: return "a struct";
  case SYMBOL_FIELD: return "a field";
  case SYMBOL_TREE: return "a tree";
  case SYMBOL_SNODE: return "a node";
  case SYMBOL_FUNCTION: return symbol->is.function->is_kernel ? "a kernel" : "a func";
  case SYMBOL_GENERIC:
    return symbol->is.generic->function->is_kernel ? "a generic kernel" : "a generic func";
  case SYMBOL_VARIABLE: break;
  }
  switch (symbol->is.variable->kind) {
  case VARIABLE_LOCAL: return "a variable";
  case VARIABLE_PARAMETER: return "a parameter";
  case VARIABLE_LOOP: return "a loop variable";
  case VARIABLE_EXTENT: return "an extent";
  case VARIABLE_ARRAY: case VARIABLE_OWN_ARRAY: return "an array";
  case VARIABLE_TREE: return "a tree parameter";
  }
  return "a name";
}
