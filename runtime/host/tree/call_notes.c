/* What a call tells: its error, what it took. */
#include "runtime/host/base/text.h"
#include "runtime/host/tree/call.h"

void sni_call_fail(sn_call *call, int code, const char *format, ...)
{
  char text[SNI_TEXT_BYTES];
  va_list arguments;

  if (call->code != SN_OK)
    return;
  va_start(arguments, format);
  (void)sni_text_vformat(text, sizeof text, format, arguments);
  va_end(arguments);
  call->code = sni_fail(call->context, code, "%s: %s", call->name, text);
}

/* ---- what it takes ---- */

static void add_span(sn_context *context, const sni_profile_key *key, double began, double bytes)
{
  sni_trace *trace = &context->launches;
  char name[sizeof trace->spans->name];

  (void)sni_text_format(name, sizeof name, "%s%s%s", key->owner, key->part ? ": " : "",
                        key->part ? key->part : "");
  sni_trace_add(trace, name, sni_profile_kind_name(key->kind), 0, sni_trace_thread(trace),
                began - trace->zero, (uint64_t)bytes);
}

sni_timer sni_call_timer(const sn_call *call)
{
  const sni_timer timer = { call->is_timed ? sni_seconds() : 0, call->told };

  return timer;
}

static void spent(sn_call *call, const sni_profile_key *key, sni_timer timer, double bytes,
                  double cells)
{
  sn_context *context = call->context;
  const double seconds = call->is_timed ? sni_seconds() - timer.began : 0;
  const sni_spent row = { 1, seconds, seconds - (call->told - timer.told), bytes,
                          cells < 0 ? 0 : cells, cells < 0 ? 0 : seconds };

  if (!call->is_timed)
    return;
  call->told = timer.told + seconds;
  if (call->is_profiled)
    sni_profile_add(&context->profile, &context->accounts, key, &row);
  if (context->launches.is_on)
    add_span(context, key, timer.began, bytes);
}

void sni_call_spent(sn_call *call, sni_profile_key key, sni_timer timer, double bytes)
{
  spent(call, &key, timer, bytes, -1);
}

void sni_call_spent_on_cells(sn_call *call, sni_profile_key key, sni_timer timer, double cells)
{
  spent(call, &key, timer, 0, cells);
}
