/* Contexts: creation, exclusive use, binding to a unit. */
#include "runtime/host/base/context.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/version.h>

#include "runtime/host/base/allowed.h"
#include "runtime/host/base/at_end.h"
#include "runtime/host/base/file.h"

int sni_is_inherited(const sn_context *context)
{
  return context->forks != sni_process_forks();
}

static int check_inherited(sn_context *context)
{
  const int is_engines = context->hooks || context->array_set;

  if (!is_engines && context->memory.device == SNI_HOST)
    return SN_OK;
  return sni_fail(context, SN_ESTATE, "the context is %s, and the parent's of this process, which "
                  "fork has made: it cannot be used here",
                  is_engines ? "an engine's" : "a device's");
}

int sni_enter_for(sn_context *context, const char *what)
{
  if (!context)
    return SN_EINVAL;
  if (sni_is_inherited(context))
    SN_TRY(check_inherited(context));
  if (context->hooks)
    return context->hooks->enter(context, what);
  /* Acquire: sees what the thread before left behind in the context. */
  if (atomic_exchange_explicit(&context->busy, 1, memory_order_acquire))
    return sni_fail_busy(context, what);
  return SN_OK;
}

int sni_enter(sn_context *context)
{
  return sni_enter_for(context, NULL);
}

int sni_enter_also(sn_context *held, sn_context *other)
{
  if (held->hooks && held->hooks == other->hooks)
    return held->hooks->enter_also(held, other);
  return sni_enter(other);
}

void sni_leave(sn_context *context)
{
  if (context->hooks) {
    context->hooks->leave(context);
    return;
  }
  /* Release: pairs with the exchange in sni_enter. */
  atomic_store_explicit(&context->busy, 0, memory_order_release);
}

int sn_context_create(const sn_config *config, sn_context **out)
{
  sni_accounts accounts;
  sn_context *context;

  if (!out)
    return SN_EINVAL;
  sni_accounts_init(&accounts);
  context = sni_new(&accounts, 1, sizeof *context);
  if (!context)
    return SN_ENOMEM;
  context->accounts = accounts;
  context->forks = sni_process_watch_forks();
  sni_options_init(&context->options);
  if (config) {
    context->options = config->options;
    context->log = config->log;
    context->print = config->print;
  }
  context->environment_code =
    sni_options_environment(&context->options, context->environment_text,
                            sizeof context->environment_text);
  context->memory.accounts = &context->accounts;
  context->memory.device = SNI_HOST;
  sni_mutex_create(&context->print_lock);
  sni_mutex_create(&context->memory_lock);
  sni_trace_create(&context->launches, *context->options.trace != '\0');
  context->trace_held = -1;
  sni_profile_create(&context->profile);
  atomic_init(&context->busy, 0);
  sni_report_begin(context);
  *out = context;
  return SN_OK;
}

/* ---- the trace ---- */

/* Before anything runs: a file that cannot be written is told of at once. */
static int begin_trace(sn_context *context)
{
  const char *path = context->options.trace;
  int failed;

  if (!context->launches.is_on || context->trace_held >= 0 || context->trace_is_shared)
    return SN_OK;
  failed = sni_report_trace(context);
  if (!failed && !context->trace_is_shared)
    failed = sni_file_hold(path, &context->trace_held);
  if (failed == EWOULDBLOCK)
    return sni_fail(context, SN_EBUSY, "%s is the trace of another context: each one needs a file "
                    "of its own (option trace, SNODE_TRACE)", path);
  return failed ? sni_fail(context, SN_EIO, "the trace cannot be written: %s: %s", path,
                           strerror(failed))
                : SN_OK;
}

static const char *unit_name(void *context, int index)
{
  (void)index;
  return ((sn_context *)context)->memory.device == SNI_HOST ? "host" : "device";
}

/* Told once: the next attempt goes without it. */
static int write_trace(sn_context *context)
{
  int failed;

  if (context->said_untraced || sni_is_inherited(context))
    return SN_OK;
  if (context->trace_is_shared)
    failed = sni_report_end_trace(context);
  else if (context->trace_held >= 0)
    failed = sni_trace_write(&context->launches, context->options.trace, unit_name, context, 1);
  else
    return SN_OK;
  context->said_untraced = failed != 0;
  return failed ? sni_fail(context, SN_EIO, "sn_context_destroy: the trace is not written: %s: %s; "
                           "a second call goes without it", context->options.trace,
                           strerror(failed))
                : SN_OK;
}

static void end_trace(sn_context *context)
{
  if (context->trace_held >= 0)
    sni_file_let_go(context->trace_held);
  sni_trace_destroy(&context->launches);
}

static int check_empty(sn_context *context)
{
  if (context->trees)
    return sni_fail(context, SN_ESTATE, "sn_context_destroy: %llu of its trees live: destroy "
                    "them first", (unsigned long long)context->trees);
  if (context->tapes)
    return sni_fail(context, SN_ESTATE, "sn_context_destroy: a tape of it lives: "
                    "sn_tape_destroy comes first");
  return SN_OK;
}

int sn_context_destroy(sn_context *context)
{
  sni_accounts accounts;
  int code;

  if (!context)
    return SN_OK;
  SN_TRY(sni_enter(context));
  code = check_empty(context);
  if (code != SN_OK) {
    sni_leave(context);
    return code;
  }
  code = write_trace(context);
  if (code != SN_OK) {
    sni_leave(context);
    return code;
  }
  if (context->array_set) {
    code = context->destroy_array_set(context);
    if (code != SN_OK) {
      sni_leave(context);
      return code;
    }
  }
  if (context->hooks) {
    code = context->hooks->release(context);
    if (code != SN_OK) {
      sni_leave(context);
      return code;
    }
  }
  if (context->call)
    context->free_call(context->call);
  if (context->pool)
    context->free_pool(context);
  sni_report_end(context);
  sni_profile_destroy(&context->profile, &context->accounts);
  sni_statistics_free(&context->statistics, &context->accounts);
  sni_delete(&context->accounts, context->text, context->text_capacity, 1);
  sni_delete(&context->accounts, context->unchecked, context->unchecked_capacity, sizeof(void *));
  end_trace(context);
  sni_mutex_destroy(&context->memory_lock);
  sni_mutex_destroy(&context->print_lock);
  accounts = context->accounts;
  sni_delete(&accounts, context, 1, sizeof *context);
  assert(accounts.blocks == 0 && accounts.bytes == 0);
  return SN_OK;
}

/* ---- binding ---- */

static int check_backend(sn_context *context, const sn_backend *backend)
{
  char text[SNI_TEXT_BYTES];
  int code;

  if (!backend)
    return sni_fail(context, SN_EINVAL, "no backend (NULL)");
  code = sni_check_backend(backend, text, sizeof text);
  return code == SN_OK ? SN_OK : sni_fail(context, code, "%s", text);
}

/* Whether a region on the device runs there.  The count first: a device number
 * that does not exist would abort inside the OpenMP runtime. */
static int has_device(const sn_backend *backend, int64_t device)
{
  return device < backend->devices() && backend->probe((int)device) != 0;
}

/* libomptarget counts devices as before then, and runs nothing on them. */
static int is_offload_disabled(void)
{
  const char *offload = getenv("OMP_TARGET_OFFLOAD");

  return offload && (strcmp(offload, "DISABLED") == 0 || strcmp(offload, "disabled") == 0);
}

static int require_device(sn_context *context, const sn_backend *backend, int64_t device)
{
  const int count = backend->devices();
  char others[64] = "";

  if (has_device(backend, device))
    return SN_OK;
  if (device < count && is_offload_disabled())
    return sni_fail(context, SN_EDEVICE, "gpu:%d is not used: OMP_TARGET_OFFLOAD is disabled; "
                    "unset it, or let the option device (SNODE_DEVICE) be host or auto",
                    (int)device);
  if (device < count)
    return sni_fail(context, SN_EDEVICE, "gpu:%d is there, but does not run the code of backend "
                    "%s; snodegen --print-targets says what files can be compiled for",
                    (int)device, backend->name);
  if (count > 1)
    snprintf(others, sizeof others, "gpu:0 to gpu:%d, ", count - 1);
  return sni_fail(context, SN_EDEVICE, "gpu:%d is absent: backend %s has %d device%s%s; the option "
                  "device (SNODE_DEVICE) can be %shost or auto", (int)device, backend->name, count,
                  count == 1 ? "" : "s",
                  count ? "" : " (no driver, or none that the program has code for)",
                  count == 1 ? "gpu:0, " : others);
}

/* The limit of a context where the options say none: all that its unit has, and on the host what of
 * that this process may have. */
static uint64_t memory_limit(const sn_context *context)
{
  const int64_t asked = context->options.value[OPTION_memory_limit];

  return asked ? (uint64_t)asked : context->memory.size;
}

/* Of an option that can do nothing here. */
static void tell_flush(sn_context *context)
{
  const sni_memory *memory = &context->memory;

  if (!context->options.value[OPTION_flush_denormals])
    return;
  if (memory->device != SNI_HOST)
    sni_log(context, "flush_denormals does nothing: a device computes as it was compiled to");
  else if (!memory->backend->can_flush)
    sni_log(context, "flush_denormals does nothing: compile the generated file with gcc or clang, "
            "for x86_64 or AArch64");
}

static int bind_first(sn_context *context, const sn_backend *backend)
{
  const int64_t asked = context->options.value[OPTION_device];
  int device = SNI_HOST;
  snd_device_info info;

  if (asked >= 0) {
    SN_TRY(require_device(context, backend, asked));
    device = (int)asked;
  } else if (asked == SNI_DEVICE_AUTO && has_device(backend, 0)) {
    device = 0;
  }
  SN_TRY(begin_trace(context));
  context->memory.backend = backend;
  context->memory.device = device;
  context->memory.size = sni_memory_allowed();
  if (device != SNI_HOST) {
    memset(&info, 0, sizeof info);
    context->memory.is_processor = backend->probe(device) == SND_RAN_PROCESSOR;
    context->memory.size = backend->info(device, &info) == SN_OK ? info.memory_bytes : 0;
  }
  sni_budget_init(&context->budget, memory_limit(context), NULL);
  sni_log(context, "bound to %s of backend %s", device == SNI_HOST ? "the host" : info.name,
          backend->name);
  tell_flush(context);
  return SN_OK;
}

static int bind_again(sn_context *context, const sn_backend *backend)
{
  const sni_memory *memory = &context->memory;

  if (memory->device != SNI_HOST)
    SN_TRY(require_device(context, backend, memory->device));
  if (backend->runtime_id && memory->backend->runtime_id &&
      backend->runtime_id != memory->backend->runtime_id && !context->said_other_runtime) {
    context->said_other_runtime = 1;
    sni_log(context, "a module was built against another OpenMP runtime than the first one: "
            "each has its own pool of threads");
  }
  return SN_OK;
}

int sni_bind(sn_context *context, const sn_backend *backend)
{
  if (backend && backend == context->memory.backend)
    return SN_OK;
  SN_TRY(check_backend(context, backend));
  if (context->environment_code != SN_OK)
    return sni_fail(context, context->environment_code, "%s", context->environment_text);
  return context->memory.backend ? bind_again(context, backend) : bind_first(context, backend);
}

int sn_context_bind(sn_context *context, const sn_backend *backend)
{
  int code;

  SN_TRY(sni_enter(context));
  code = sni_bind(context, backend);
  sni_leave(context);
  return code;
}
