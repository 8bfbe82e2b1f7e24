/* The profile and the statistics as a context's calls show them: a table, or JSON. */
#include <stdio.h>
#include <string.h>

#include <snode/profile.h>

#include "runtime/host/base/context.h"
#include "runtime/host/base/json.h"

/* ---- the text that a context returns: grows as it is written ---- */

typedef struct writer {
  sn_context *context;
  size_t length;
  int failed;
} writer;

static void put(writer *w, const char *text)
{
  sn_context *context = w->context;
  const size_t more = strlen(text) + 1;
  void *grown = context->text;

  if (w->failed || !sni_grow(&context->accounts, &grown, &context->text_capacity,
                             w->length + more, 1)) {
    w->failed = 1;
    return;
  }
  context->text = grown;
  memcpy(context->text + w->length, text, more);
  w->length += more - 1;
}

static void put_piece(void *w, const char *text)
{
  put(w, text);
}

static void put_member(sni_json *json, const char *name, double value)
{
  sni_json_key(json, name);
  sni_json_number(json, value);
}

static void put_row(sni_json *json, const sni_profile_row *row)
{
  sni_json_open(json, '{');
  sni_json_key(json, "kind");
  sni_json_string(json, sni_profile_kind_name(row->kind));
  sni_json_key(json, "name");
  sni_json_string(json, row->name);
  if (row->line)
    put_member(json, "line", row->line);
  if (row->node) {
    sni_json_key(json, "node");
    sni_json_string(json, row->node);
  }
  put_member(json, "calls", (double)row->spent.calls);
  put_member(json, "seconds", row->spent.seconds);
  put_member(json, "bytes", row->spent.bytes);
  put_member(json, "own_seconds", row->spent.own_seconds);
  if (row->spent.cell_seconds > 0) {
    put_member(json, "cells", row->spent.cells);
    put_member(json, "cell_seconds", row->spent.cell_seconds);
  }
  sni_json_close(json, '}');
}

static void put_json(writer *w)
{
  const sni_profile *profile = &w->context->profile;
  sni_json json;
  const char *key;
  double value;

  sni_json_begin(&json, put_piece, w);
  sni_json_open(&json, '{');
  sni_json_key(&json, "rows");
  sni_json_open(&json, '[');
  for (size_t k = 0; k < profile->count; k++)
    put_row(&json, &profile->rows[k]);
  sni_json_close(&json, ']');
  sni_json_key(&json, "statistics");
  sni_json_open(&json, '{');
  for (size_t k = 0; (key = sni_statistic_row(&w->context->statistics, k, &value)) != NULL; k++)
    put_member(&json, key, value);
  sni_json_close(&json, '}');
  sni_json_close(&json, '}');
}

static void put_table(writer *w)
{
  sni_profile_table(&w->context->profile, put_piece, w);
}

static void put_statistics(writer *w)
{
  char line[128];
  const char *key;
  double value;

  for (size_t k = 0; (key = sni_statistic_row(&w->context->statistics, k, &value)) != NULL; k++) {
    snprintf(line, sizeof line, "%-24s %.17g\n", key, value);
    put(w, line);
  }
}

/* Writes by `write` into the context's text, which stays until its next call. */
static int compose(sn_context *context, void (*write)(writer *))
{
  writer w = { context, 0, 0 };

  write(&w);
  return w.failed ? sni_fail(context, SN_ENOMEM, "no memory for the profile's text") : SN_OK;
}

static int require_profile(sn_context *context)
{
  if (context->options.value[OPTION_profile] || context->profile.count > 0)
    return SN_OK;
  return sni_fail(context, SN_ESTATE, "there is no profile: set option profile (SNODE_PROFILE=1), "
                                      "or call a module that snodegen --profile wrote");
}

/* Inside the context: a print function that calls the context is told SN_EBUSY. */
static int print_composed(sn_context *context, void (*write)(writer *))
{
  SN_TRY(compose(context, write));
  sni_print(context, context->text);
  return SN_OK;
}

int sn_profile_print(sn_context *context)
{
  int code;

  SN_TRY(sni_enter(context));
  code = require_profile(context);
  if (code == SN_OK)
    code = print_composed(context, put_table);
  sni_leave(context);
  return code;
}

int sn_profile_json(sn_context *context, const char **out)
{
  int code;

  SN_TRY(sni_enter(context));
  code = out ? require_profile(context) : sni_fail(context, SN_EINVAL, "sn_profile_json: NULL");
  if (code == SN_OK)
    code = compose(context, put_json);
  if (code == SN_OK)
    *out = context->text;
  sni_leave(context);
  return code;
}

/* ---- statistics ---- */

static int check_key(sn_context *context, const char *key)
{
  if (key && *key && strlen(key) < SNI_KEY_BYTES)
    return SN_OK;
  return sni_fail(context, SN_EINVAL, "a statistic's key has 1 to %d characters",
                  SNI_KEY_BYTES - 1);
}

int sn_stat_add(sn_context *context, const char *key, double value)
{
  double *sum;
  int code;

  SN_TRY(sni_enter(context));
  code = check_key(context, key);
  if (code == SN_OK) {
    sum = sni_statistic_make(&context->statistics, &context->accounts, key);
    if (sum)
      *sum += value;
    else
      code = sni_fail(context, SN_ENOMEM, "no memory for statistic %s", key);
  }
  sni_leave(context);
  return code;
}

int sn_stat_get(sn_context *context, const char *key, double *out)
{
  const double *sum;
  int code;

  SN_TRY(sni_enter(context));
  code = out ? check_key(context, key) : sni_fail(context, SN_EINVAL, "sn_stat_get: NULL");
  if (code == SN_OK) {
    sum = sni_statistic_find(&context->statistics, key);
    *out = sum ? *sum : 0.0;
  }
  sni_leave(context);
  return code;
}

int sn_stat_print(sn_context *context)
{
  int code;

  SN_TRY(sni_enter(context));
  code = print_composed(context, put_statistics);
  sni_leave(context);
  return code;
}
