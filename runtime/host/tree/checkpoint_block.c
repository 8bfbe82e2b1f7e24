/* Blocks of a tree's file: numbers in the file's order, lengths, checksums, and the
 * errors of the disk.
 */
#include "runtime/host/tree/checkpoint.h"

#include <errno.h>
#include <string.h>

/* ---- little-endian, by shifts ---- */

void sni_put(sni_cursor *cursor, uint64_t value, uint32_t bytes)
{
  for (uint32_t k = 0; k < bytes && cursor->at; k++)
    cursor->at[cursor->used + k] = (unsigned char)(value >> 8 * k);
  cursor->used += bytes;
}

void sni_put_text(sni_cursor *cursor, const char *text)
{
  const size_t length = strlen(text);

  sni_put(cursor, length, 4);
  if (cursor->at)
    memcpy(cursor->at + cursor->used, text, length);
  cursor->used += length;
}

uint64_t sni_take(sni_cursor *cursor, uint32_t bytes)
{
  uint64_t value = 0;

  if (cursor->bytes - cursor->used < bytes) {
    cursor->is_short = 1;
    cursor->used = cursor->bytes;
    return 0;
  }
  for (uint32_t k = 0; k < bytes; k++)
    value |= (uint64_t)cursor->at[cursor->used + k] << 8 * k;
  cursor->used += bytes;
  return value;
}

const char *sni_take_text(sni_cursor *cursor, size_t *length)
{
  const char *text;

  *length = (size_t)sni_take(cursor, 4);
  if (cursor->bytes - cursor->used < *length) {
    cursor->is_short = 1;
    *length = 0;
  }
  text = (const char *)cursor->at + cursor->used;
  cursor->used += *length;
  return text;
}

/* Compilers see that this is a plain load and store where the orders agree. */
#define REORDER(T, n) \
  for (size_t k = 0; k < count; k++, at += n) { \
    T value; \
    memcpy(&value, at, n); \
    for (int b = 0; b < n; b++) \
      at[b] = (unsigned char)(value >> 8 * b); \
  }

static int is_little_endian(void)
{
  const uint16_t one = 1;
  unsigned char first;

  memcpy(&first, &one, 1);
  return first == 1;
}

/* Swapping is its own inverse. */
void sni_reorder(void *elements, size_t count, uint32_t bytes)
{
  unsigned char *at = elements;

  if (bytes == 1 || is_little_endian())
    return;
  switch (bytes) {
  case 2: REORDER(uint16_t, 2) break;
  case 4: REORDER(uint32_t, 4) break;
  default: REORDER(uint64_t, 8) break;
  }
}

/* ---- writing ---- */

static int failed_to_write(sni_writer *writer, int reason)
{
  return sni_fail(writer->tree->context, SN_EIO, "%s: %s could not be written: %s",
                  writer->tree->info->c_name, writer->path, strerror(reason));
}

static int write_bytes(sni_writer *writer, const void *bytes, size_t count)
{
  const int reason = sni_aside_write(&writer->aside, bytes, count);

  return reason ? failed_to_write(writer, reason) : SN_OK;
}

int sni_write_open(sni_writer *writer, sn_tree *tree, const char *path)
{
  unsigned char bytes[SNI_PREAMBLE_BYTES] = SNI_MAGIC;
  sni_cursor cursor = { bytes, 8, sizeof bytes, 0 };
  int reason, code;

  memset(writer, 0, sizeof *writer);
  writer->tree = tree;
  writer->path = path;
  sni_crc_init(&writer->crc);
  reason = sni_aside_open(&writer->aside, path);
  if (reason)
    return failed_to_write(writer, reason);
  sni_put(&cursor, SNI_FORMAT, 4);
  sni_put(&cursor, sni_crc_add(&writer->crc, 0, bytes, cursor.used), 4);
  code = write_bytes(writer, bytes, sizeof bytes);
  if (code != SN_OK)
    sni_write_drop(writer);
  return code;
}

int sni_write_block(sni_writer *writer, uint32_t kind, const void *head, size_t head_bytes,
                    const void *body, size_t body_bytes)
{
  unsigned char bytes[SNI_BLOCK_HEAD_BYTES];
  sni_cursor cursor = { bytes, 0, sizeof bytes, 0 };
  uint32_t sum = sni_crc_add(&writer->crc, 0, head, head_bytes);

  sum = sni_crc_add(&writer->crc, sum, body, body_bytes);
  sni_put(&cursor, kind, 4);
  sni_put(&cursor, writer->blocks++, 4);
  sni_put(&cursor, head_bytes + body_bytes, 8);
  sni_put(&cursor, sum, 4);
  sni_put(&cursor, sni_crc_add(&writer->crc, 0, bytes, cursor.used), 4);
  SN_TRY(write_bytes(writer, bytes, sizeof bytes));
  SN_TRY(write_bytes(writer, head, head_bytes));
  return write_bytes(writer, body, body_bytes);
}

int sni_write_commit(sni_writer *writer)
{
  const int reason = sni_aside_commit(&writer->aside);

  return reason ? failed_to_write(writer, reason) : SN_OK;
}

void sni_write_drop(sni_writer *writer)
{
  sni_aside_drop(&writer->aside);
}

/* ---- reading ---- */

static int failed_to_read(sni_reader *reader, int reason)
{
  return sni_fail(reader->tree->context, SN_EIO, "%s: %s could not be read: %s",
                  reader->tree->info->c_name, reader->path, strerror(reason));
}

int sni_read_damaged(sni_reader *reader, const char *what)
{
  return sni_fail(reader->tree->context, SN_EIO, "%s: %s: block %llu is damaged: %s",
                  reader->tree->info->c_name, reader->path,
                  (unsigned long long)reader->current, what);
}

static int read_bytes(sni_reader *reader, void *bytes, size_t count)
{
  size_t got;

  errno = 0;
  got = fread(bytes, 1, count, reader->file);
  reader->offset += got;
  if (got == count)
    return SN_OK;
  if (ferror(reader->file))
    return failed_to_read(reader, errno);
  return sni_fail(reader->tree->context, SN_EIO, "%s: %s is cut off at byte %llu",
                  reader->tree->info->c_name, reader->path, (unsigned long long)reader->offset);
}

static int read_preamble(sni_reader *reader)
{
  sn_context *context = reader->tree->context;
  const char *name = reader->tree->info->c_name;
  unsigned char bytes[SNI_PREAMBLE_BYTES];
  sni_cursor cursor = { bytes, 8, sizeof bytes, 0 };
  uint32_t version, sum;

  SN_TRY(read_bytes(reader, bytes, 8));
  if (memcmp(bytes, SNI_MAGIC, 8) != 0)
    return sni_fail(context, SN_EIO, "%s: %s is no file of a tree, as _save writes them", name,
                    reader->path);
  SN_TRY(read_bytes(reader, bytes + 8, sizeof bytes - 8));
  version = (uint32_t)sni_take(&cursor, 4);
  sum = sni_crc_add(&reader->crc, 0, bytes, cursor.used);
  if (sum != sni_take(&cursor, 4))
    return sni_fail(context, SN_EIO, "%s: %s: its first %d bytes are damaged", name, reader->path,
                    SNI_PREAMBLE_BYTES);
  if (version != SNI_FORMAT)
    return sni_fail(context, SN_EIO, "%s: %s has version %u of the format, this libsnode reads %d",
                    name, reader->path, (unsigned)version, SNI_FORMAT);
  return SN_OK;
}

int sni_read_open(sni_reader *reader, sn_tree *tree, const char *path)
{
  memset(reader, 0, sizeof *reader);
  reader->tree = tree;
  reader->path = path;
  sni_crc_init(&reader->crc);
  reader->file = sni_file_read(path);
  if (reader->file)
    return SN_OK;
  if (errno == ESPIPE)
    return sni_fail(tree->context, SN_EIO, "%s: %s can be read only once, and a tree's file is "
                    "read twice: copy it into a file first", tree->info->c_name, path);
  return failed_to_read(reader, errno);
}

int sni_read_rewind(sni_reader *reader)
{
  if (reader->offset && fseek(reader->file, 0, SEEK_SET) != 0)
    return failed_to_read(reader, errno);
  reader->offset = reader->blocks = 0;
  return read_preamble(reader);
}

static int make_payload(sni_reader *reader, size_t bytes)
{
  sni_accounts *accounts = &reader->tree->context->accounts;
  void *payload = reader->payload;

  if (!sni_grow(accounts, &payload, &reader->capacity, bytes ? bytes : 1, 1))
    return sni_fail(reader->tree->context, SN_ENOMEM, "%s: %s: no memory for a block of %llu bytes",
                    reader->tree->info->c_name, reader->path, (unsigned long long)bytes);
  reader->payload = payload;
  reader->bytes = bytes;
  return SN_OK;
}

int sni_read_block(sni_reader *reader)
{
  unsigned char bytes[SNI_BLOCK_HEAD_BYTES];
  sni_cursor cursor = { bytes, 0, sizeof bytes, 0 };
  uint64_t number, length;
  uint32_t payload_sum, sum;

  reader->current = reader->blocks;
  SN_TRY(read_bytes(reader, bytes, sizeof bytes));
  reader->kind = (uint32_t)sni_take(&cursor, 4);
  number = sni_take(&cursor, 4);
  length = sni_take(&cursor, 8);
  payload_sum = (uint32_t)sni_take(&cursor, 4);
  sum = sni_crc_add(&reader->crc, 0, bytes, cursor.used);
  if (sum != sni_take(&cursor, 4))
    return sni_read_damaged(reader, "its head");
  if (number != (uint32_t)reader->blocks || length > SNI_BLOCK_MOST)
    return sni_read_damaged(reader, "it is out of place");
  SN_TRY(make_payload(reader, (size_t)length));
  SN_TRY(read_bytes(reader, reader->payload, (size_t)length));
  if (sni_crc_add(&reader->crc, 0, reader->payload, (size_t)length) != payload_sum)
    return sni_read_damaged(reader, "its contents");
  reader->blocks++;
  return SN_OK;
}

int sni_read_end(sni_reader *reader)
{
  if (fgetc(reader->file) == EOF && !ferror(reader->file))
    return SN_OK;
  return sni_fail(reader->tree->context, SN_EIO, "%s: %s goes on behind its end, at byte %llu",
                  reader->tree->info->c_name, reader->path, (unsigned long long)reader->offset);
}

void sni_read_close(sni_reader *reader)
{
  sni_delete(&reader->tree->context->accounts, reader->payload, reader->capacity, 1);
  if (reader->file)
    (void)fclose(reader->file);
}
