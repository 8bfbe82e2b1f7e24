/* What kernels print: records (snode/device/abi.h) formatted by their sites. */
#include "runtime/host/base/text.h"
#include "runtime/host/tree/print.h"

#include <stdio.h>
#include <string.h>

typedef struct line {
  char text[SNI_LINE_BYTES];
  size_t length;
} line;

static size_t room(const line *out)
{
  return sizeof out->text - out->length;
}

static void advance(line *out, int written)
{
  if (written > 0)
    out->length += (size_t)written < room(out) ? (size_t)written : room(out) - 1;
}

static double as_double(uint64_t word)
{
  double value;

  memcpy(&value, &word, sizeof value);
  return value;
}

/* One conversion with its argument.  spec: "%-8.3" without length and letter. */
static void put_value(line *out, const char *spec, char letter, char type, uint64_t word)
{
  char format[48];
  char *at = out->text + out->length;

  if (strchr("feEgGaAF", letter)) {
    const double value = type == 'f' ? as_double(word)
                       : type == 'u' ? (double)word : (double)(int64_t)word;
    snprintf(format, sizeof format, "%s%c", spec, letter);
    advance(out, snprintf(at, room(out), format, value));
  } else if (letter == 'c') {
    snprintf(format, sizeof format, "%sc", spec);
    advance(out, snprintf(at, room(out), format, (int)word));
  } else {
    const long long value = type == 'f' ? (long long)as_double(word) : (long long)word;
    snprintf(format, sizeof format, "%sll%c", spec, letter);
    advance(out, snprintf(at, room(out), format, value));
  }
}

/* Copies "%-8.3" to spec and returns the letter's place, past length modifiers. */
static const char *read_spec(const char *at, char *spec, size_t bytes)
{
  size_t length = 0;

  spec[length++] = *at++;
  while (*at && strchr("-+ #0123456789.", *at)) {
    if (length + 1 < bytes)
      spec[length++] = *at;
    at++;
  }
  spec[length] = 0;
  while (*at && strchr("hlLqjzt", *at))
    at++;
  return at;
}

static void format_site(line *out, const snd_site *site, const uint64_t *words, uint64_t count)
{
  const char *types = site->types ? site->types : "";
  uint64_t used = 0;
  char spec[40];

  for (const char *at = site->text; *at; at++) {
    if (*at != '%' || at[1] == '%') {
      at += *at == '%';
      advance(out, snprintf(out->text + out->length, room(out), "%c", *at));
      continue;
    }
    at = read_spec(at, spec, sizeof spec);
    if (!*at || used >= count || !types[used])
      break;
    put_value(out, spec, *at, types[used], words[used]);
    used++;
  }
  out->length = sni_text_end(out->text, out->length);
}

static void print_record(sn_call *call, const uint64_t *record)
{
  const snd_site *site = &call->module->sites[record[1]];
  line out;

  if (record[1] >= call->module->site_count || !site->text)
    return;
  out.length = 0;
  format_site(&out, site, record + 2, record[0] - 2);
  if (site->kind == SND_SITE_TRACE)
    sni_print_trace(call->context, call->task->name, site->name ? site->name : "", out.text);
  else
    sni_print(call->context, out.text);
}

void sni_site_text(const snd_site *site, const uint64_t *words, uint64_t count,
                   char *text, size_t bytes)
{
  line out;

  out.length = 0;
  format_site(&out, site, words, count);
  (void)sni_text_copy(text, bytes, out.text);
}

void sni_print_host(void *call, const uint64_t *record)
{
  print_record(call, record);
}

int sni_prints(const sn_module *module)
{
  for (uint32_t k = 0; k < module->site_count; k++)
    if (module->sites[k].kind == SND_SITE_PRINT || module->sites[k].kind == SND_SITE_TRACE)
      return 1;
  return 0;
}

/* ---- a device's ring ---- */

/* A record that did not fit has left a length of 0, or nothing at all. */
static void print_records(sn_call *call, const uint64_t *words, uint64_t count)
{
  uint64_t at = 0;

  while (at + 2 <= count && words[at] >= 2 && words[at] <= count - at) {
    print_record(call, &words[at]);
    at += words[at];
  }
}

static void empty_ring(sn_call *call)
{
  snd_launch *launch = call->launch;

  launch->ring_used = 0;
  launch->lines_lost = 0;
  if (sni_memory_put(&call->context->memory, call->launch_block.address, launch,
                     sizeof *launch) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the launch record could not be written");
}

void sni_print_ring(sn_call *call)
{
  sn_context *context = call->context;
  const snd_launch *launch = call->launch;
  const uint64_t bytes = launch->ring_used < launch->ring_bytes ? launch->ring_used
                                                                : launch->ring_bytes;
  uint64_t *words = sni_new(&context->accounts, 1, bytes);
  int code = words ? sni_memory_get(&context->memory, words, launch->ring, bytes) : SN_ENOMEM;

  if (code == SN_OK)
    print_records(call, words, bytes / sizeof *words);
  else
    sni_call_fail(call, code, "what the device printed could not be read");
  if (launch->lines_lost) {
    sni_log(context, "%s: %llu lines of print did not fit into the device's ring of %llu bytes",
            call->name, (unsigned long long)launch->lines_lost,
            (unsigned long long)launch->ring_bytes);
    context->statistics.own[STATISTIC_lines_lost] += (double)launch->lines_lost;
  }
  sni_delete(&context->accounts, words, 1, bytes);
  empty_ring(call);
}
