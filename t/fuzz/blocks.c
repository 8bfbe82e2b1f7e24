/* libFuzzer's changes to files of trees: in the payload of a block, or of whole blocks; then all
 * numbers and sums are made right, so that what is changed is looked at.  One in eight is changed
 * as bytes, without that. */
#include "t/fuzz/fuzz.h"

#include <string.h>

enum { PREAMBLE = 16, HEAD = 24, BLOCKS = 64, ROOM = 1 << 16 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef struct Block {
  const uint8_t *head;           /* HEAD bytes, then the payload */
  size_t bytes;                  /* of the payload */
} Block;

typedef struct File {
  Block blocks[BLOCKS];
  int count;
} File;

static uint64_t take(const uint8_t *at, int bytes)
{
  uint64_t value = 0;

  while (bytes--)
    value = value << 8 | at[bytes];
  return value;
}

static void put(uint8_t *at, uint64_t value, int bytes)
{
  for (int k = 0; k < bytes; k++)
    at[k] = (uint8_t)(value >> 8 * k);
}

/* CRC-32 of docs/checkpoint.md, bit by bit. */
static uint32_t crc(const uint8_t *at, size_t bytes)
{
  uint32_t sum = ~UINT32_C(0);

  for (size_t k = 0; k < bytes; k++) {
    sum ^= at[k];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~sum;
}

/* ---- apart and together ---- */

static void cut(File *f, const uint8_t *data, size_t size)
{
  size_t at = PREAMBLE;

  f->count = 0;
  while (at + HEAD <= size && f->count < BLOCKS) {
    const uint64_t length = take(data + at + 8, 8);
    const size_t left = size - at - HEAD;
    Block *b = &f->blocks[f->count++];
    b->head = data + at;
    b->bytes = length < left ? (size_t)length : left;
    at += HEAD + b->bytes;
  }
}

static bool is_kind(const uint8_t *head, const char *kind)
{
  return memcmp(head, kind, 4) == 0;
}

/* What DONE says, of the blocks before it. */
static void set_counts(uint8_t *done, const uint8_t *file, int blocks)
{
  uint64_t cells = 0, values = 0;

  for (const uint8_t *at = file + PREAMBLE; at < done; at += HEAD + take(at + 8, 8)) {
    if (is_kind(at, "CELL") && take(at + 8, 8) >= 24)
      cells += take(at + HEAD + 8, 8);
    if (is_kind(at, "DATA") && take(at + 8, 8) >= 24)
      values += take(at + HEAD + 16, 8);
  }
  put(done + HEAD, (uint64_t)blocks, 8);
  put(done + HEAD + 8, cells, 8);
  put(done + HEAD + 16, values, 8);
}

static size_t join(const File *f, uint8_t *out, size_t most)
{
  static const uint8_t preamble[12] = { 0x89, 'S', 'N', 'T', '\r', '\n', 0x1a, '\n', 1 };
  size_t at = PREAMBLE;

  memcpy(out, preamble, sizeof preamble);
  put(out + 12, crc(out, 12), 4);
  for (int k = 0; k < f->count && at + HEAD + f->blocks[k].bytes <= most; k++) {
    uint8_t *head = out + at;
    const size_t bytes = f->blocks[k].bytes;
    memcpy(head, f->blocks[k].head, HEAD + bytes);
    put(head + 4, (uint64_t)k, 4);
    put(head + 8, bytes, 8);
    if (is_kind(head, "DONE") && bytes == 24)
      set_counts(head, out, k + 1);
    put(head + 16, crc(head + HEAD, bytes), 4);
    put(head + 20, crc(head, 20), 4);
    at += HEAD + bytes;
  }
  return at;
}

/* ---- changes ---- */

/* A copy of block k with its payload changed, in its place. */
static void change_payload(File *f, int k)
{
  static uint8_t changed[HEAD + ROOM];
  Block *b = &f->blocks[k];
  const size_t bytes = b->bytes < ROOM / 2 ? b->bytes : ROOM / 2;

  memcpy(changed, b->head, HEAD + bytes);
  b->head = changed;
  b->bytes = LLVMFuzzerMutate(changed + HEAD, bytes, ROOM);
}

static void change_order(File *f, int k, int other, unsigned how)
{
  const Block block = f->blocks[k];

  if (how == 0) {                        /* exchange */
    f->blocks[k] = f->blocks[other];
    f->blocks[other] = block;
  } else if (how == 1) {                 /* leave out */
    f->count--;
    memmove(&f->blocks[k], &f->blocks[k + 1], (size_t)(f->count - k) * sizeof block);
  } else if (f->count < BLOCKS) {        /* repeat */
    memmove(&f->blocks[k + 1], &f->blocks[k], (size_t)(f->count - k) * sizeof block);
    f->count++;
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  static uint8_t before[ROOM];
  unsigned chance = (unsigned)hash_of(&seed, sizeof seed);
  File f;
  int k;

  if (most < PREAMBLE)
    return LLVMFuzzerMutate(data, size, most);
  memcpy(before, data, size < ROOM ? size : ROOM);
  cut(&f, before, size < ROOM ? size : ROOM);
  if (f.count == 0 || chance % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  k = (int)(chance / 8 % (unsigned)f.count);
  if (chance / 8192 % 8 < 5)
    change_payload(&f, k);
  else
    change_order(&f, k, (int)(chance / 64 % (unsigned)f.count), chance / 65536 % 3);
  return join(&f, data, most);
}
