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
  sni_trace_add(trace, name, sni_profile_kind_name(key->kind), 0, 0, began - trace->zero,
                (uint64_t)bytes);
}

void sni_call_spent(sn_call *call, sni_profile_key key, double began, double bytes)
{
  sn_context *context = call->context;

  if (!call->is_timed)
    return;
  if (call->is_profiled)
    sni_profile_add(&context->profile, &context->accounts, key, sni_seconds() - began, bytes);
  if (context->launches.is_on)
    add_span(context, &key, began, bytes);
}
