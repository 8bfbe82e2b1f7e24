/* The arena of a compile, and its interned strings.
 *
 * Memory comes in blocks that are freed together.  Strings are kept in an
 * open-addressed table of the arena, so that equal names are equal pointers.
 */
#include "gen/base/base.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16, ALIGNMENT = 16, FIRST_STRINGS = 256 };

typedef struct Block {
  struct Block *next;
  char *data;
} Block;

struct Arena {
  Block *blocks;
  char *at, *end;           /* what is left of the newest shared block */
  const char **strings;     /* a power of two of slots, NULL where empty */
  size_t string_slots, string_count;
};

static void *zeroed(size_t bytes)
{
  void *memory = calloc(1, bytes);
  if (!memory)
    out_of_memory();
  return memory;
}

Arena *arena_create(void)
{
  Arena *arena = zeroed(sizeof *arena);
  arena->string_slots = FIRST_STRINGS;
  arena->strings = zeroed(arena->string_slots * sizeof *arena->strings);
  return arena;
}

void arena_destroy(Arena *arena)
{
  if (!arena)
    return;
  for (Block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
    free(block->data);
    free(block);
  }
  free(arena->strings);
  free(arena);
}

/* A block of at least `bytes`; calloc aligns it to 16 on every target. */
static char *add_block(Arena *arena, size_t bytes)
{
  Block *block = zeroed(sizeof *block);
  block->data = zeroed(bytes);
  block->next = arena->blocks;
  arena->blocks = block;
  return block->data;
}

void *arena_alloc(Arena *arena, size_t bytes)
{
  if (bytes > SIZE_MAX - ALIGNMENT)
    out_of_memory();
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (bytes > BLOCK_BYTES / 4)       /* large ones do not waste a shared block */
    return add_block(arena, bytes);
  if ((size_t)(arena->end - arena->at) < bytes) {
    arena->at = add_block(arena, BLOCK_BYTES);
    arena->end = arena->at + BLOCK_BYTES;
  }
  void *memory = arena->at;
  arena->at += bytes;
  return memory;
}

void *vec_grow(Arena *arena, void *array, int count, size_t item_bytes)
{
  bool is_full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
  if (!is_full)
    return array;
  size_t capacity = count == 0 ? 4 : 2 * (size_t)count;
  void *grown = arena_alloc(arena, capacity * item_bytes);
  if (count > 0)
    memcpy(grown, array, (size_t)count * item_bytes);
  return grown;
}

/* FNV-1a. */
static size_t hash_text(const char *text, size_t length)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  return (size_t)(hash ^ (hash >> 32));
}

/* The slot that holds the text, or the empty one where it belongs. */
static const char **find_slot(const Arena *arena, const char *text,
                              size_t length)
{
  size_t mask = arena->string_slots - 1;
  for (size_t i = hash_text(text, length) & mask;; i = (i + 1) & mask) {
    const char *held = arena->strings[i];
    if (!held || (strncmp(held, text, length) == 0 && held[length] == '\0'))
      return &arena->strings[i];
  }
}

static void grow_strings(Arena *arena)
{
  const char **old = arena->strings;
  size_t old_slots = arena->string_slots;
  arena->string_slots *= 2;
  arena->strings = zeroed(arena->string_slots * sizeof *arena->strings);
  for (size_t i = 0; i < old_slots; i++)
    if (old[i])
      *find_slot(arena, old[i], strlen(old[i])) = old[i];
  free(old);
}

const char *intern(Arena *arena, const char *text, size_t length)
{
  const char **slot = find_slot(arena, text, length);
  if (*slot)
    return *slot;
  if (2 * ++arena->string_count > arena->string_slots) {
    grow_strings(arena);
    slot = find_slot(arena, text, length);
  }
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  *slot = copy;
  return copy;
}

const char *intern_format(Arena *arena, const char *format, ...)
{
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&text, format, arguments);
  va_end(arguments);
  const char *result = intern(arena, text.data, text.length);
  text_free(&text);
  return result;
}
