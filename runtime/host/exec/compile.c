/* Compiling: the texts of a batch become one, its object is loaded, its functions are found. */
#include "runtime/host/base/process.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
  sn_engine *engine;
  const sn_entry *entries;
  int count;
  const sn_source *source;
  uint8_t *is_chosen;            /* by entry */
  char *text;
  size_t text_bytes;
} batch;

int sni_is_identifier(const char *name)
{
  if (!isalpha((unsigned char)*name) && *name != '_')
    return 0;
  while (isalnum((unsigned char)*name) || *name == '_')
    name++;
  return *name == 0;
}

static int check(const batch *b)
{
  const sn_source *source = b->source;

  for (int k = 0; k < b->count; k++) {
    const char *name = b->entries[k].name;
    if (!name || !sni_is_identifier(name))
      return sni_engine_fail(b->engine, SN_EINVAL, "compile: entry %d is named '%s', which is no "
                             "name of a function", k, name ? name : "");
    if (b->entries[k].run || !source->texts[k])
      return sni_engine_fail(b->engine, SN_EINVAL, "compile: entry '%s' %s", name,
                             b->entries[k].run ? "has a function already" : "has no text");
  }
  if (source->program && (!source->program_name || !sni_is_identifier(source->program_name)))
    return sni_engine_fail(b->engine, SN_EINVAL, "compile: the program's name must be an "
                           "identifier: its functions begin with it");
  return SN_OK;
}

/* One text, with the entries' names where the compiler names lines. */
static int join_texts(batch *b)
{
  size_t at = 0;

  for (int k = 0; k < b->count; k++) {
    b->is_chosen[k] = !b->source->occupancy ||
                      b->source->occupancy(b->source->user, b->entries[k].name);
    b->text_bytes += strlen(b->source->texts[k]) + strlen(b->entries[k].name) + 32;
  }
  b->text_bytes++;
  b->text = sni_engine_new(b->engine, b->text_bytes, 1);
  if (!b->text)
    return sni_engine_fail(b->engine, SN_ENOMEM, "compile: no memory for the text");
  for (int k = 0; k < b->count; k++)
    if (b->is_chosen[k])
      at += (size_t)snprintf(b->text + at, b->text_bytes - at, "#line 1 \"%s\"\n%s\n",
                             b->entries[k].name, b->source->texts[k]);
  return SN_OK;
}

static int find_functions(const batch *b, void *library, sn_code *code)
{
  for (int k = 0; k < b->count; k++) {
    void *function = b->is_chosen[k] ? sni_library_find(library, b->entries[k].name) : NULL;
    if (b->is_chosen[k] && !function)
      return sni_engine_fail(b->engine, SN_EINVAL,
                             "compile: entry '%s': its text defines no function of that name",
                             b->entries[k].name);
    memcpy(&code->entries[k].run, &function, sizeof function);
  }
  return SN_OK;
}

static int build(batch *b, const sni_builder *builder, sn_code **out)
{
  const char *prefix = b->source->program ? b->source->program_name : "";
  void *library;
  sn_code *code;
  int result;

  SN_TRY(join_texts(b));
  SN_TRY(sni_code_create(b->engine, b->entries, b->count, &code));
  result = sni_object_load(builder, b->text, b->source->program, prefix, &library);
  code->library = library;
  if (result == SN_OK)
    result = find_functions(b, library, code);
  if (result == SN_OK)
    *out = code;
  else
    (void)!sn_code_destroy(code);
  return result;
}

static int compile(batch *b, const sn_compiler *compiler, sn_code **out)
{
  sni_builder builder;
  int result;

  SN_TRY(check(b));
  memset(&builder, 0, sizeof builder);
  SN_TRY(sni_builder_prepare(&builder, b->engine, compiler, b->source->program != NULL));
  b->is_chosen = sni_engine_new(b->engine, (size_t)b->count, 1);
  if (!b->is_chosen)
    return sni_engine_fail(b->engine, SN_ENOMEM, "compile: no memory for a batch");
  result = build(b, &builder, out);
  sni_engine_delete(b->engine, b->text, b->text ? b->text_bytes : 0, 1);
  sni_engine_delete(b->engine, b->is_chosen, (size_t)b->count, 1);
  return result;
}

int sn_code_compile(sn_engine *engine, const sn_entry *entries, int count,
                    const sn_source *source, const sn_compiler *compiler, sn_code **out)
{
  static const sn_compiler standard = SN_COMPILER_INIT;
  static const sn_source no_source = SN_SOURCE_INIT;
  sn_compiler own_compiler;
  sn_source own_source;
  sni_entries taken;
  batch b = { engine, NULL, count, NULL, NULL, NULL, 0 };
  const sn_compiler *c;
  int result;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  c = sni_engine_sized(engine, "what compiles", compiler, &own_compiler, &standard,
                       sizeof own_compiler);
  b.source = sni_engine_sized(engine, "a source", source, &own_source, &no_source,
                              sizeof own_source);
  if (!b.source || !b.source->texts || !c || !out)
    return SN_EINVAL;
  SN_TRY(sni_entries_take(&taken, engine, entries, count));
  b.entries = taken.entries;
  result = compile(&b, c, out);
  sni_entries_drop(&taken);
  return result;
}
