/* The profile and the trace of the process. */
#include "runtime/host/base/at_end.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host/base/file.h"
#include "runtime/host/base/text.h"

static sni_mutex lock = SNI_MUTEX_INIT;

static struct {
  int is_watching;               /* the end of the process, and forks */
  int is_over;                   /* all is written */
  int has_messages;              /* the standard error was open when the first context was made */
  sn_context *alive;             /* each has the next */
  int contexts;                  /* ever */
  double began;                  /* when the first was made */
  sni_accounts accounts;
  char profile_path[SNI_PATH_BYTES];     /* empty: none is asked for; "-": the standard error */
  sni_profile profile;           /* of those that are gone */
  char trace_path[SNI_PATH_BYTES];       /* empty: none is asked for */
  int trace_held;
  int tracing;                   /* contexts that add to it */
  int is_unwritten;              /* the file is older than what is known */
  sni_trace trace;
} process;

/* ---- the profile ---- */

static void put(void *aside, const char *text)
{
  (void)sni_aside_write(aside, text, strlen(text));
}

/* Says on the standard error what could not be written: there is nobody to return it to. */
static void complain(const char *what, const char *path, int failed)
{
  char line[SNI_PATH_BYTES + 256];
  sni_aside aside;

  if (!process.has_messages || sni_aside_open_messages(&aside) != 0)
    return;
  (void)sni_text_format(line, sizeof line, "snode: the %s is not written: %s: %s\n", what, path,
                        strerror(failed));
  put(&aside, line);
  (void)sni_aside_commit(&aside);
}

static void write_profile(void)
{
  const int to_messages = strcmp(process.profile_path, "-") == 0;
  char head[160];
  sni_aside aside;
  int failed;

  if (!*process.profile_path || (to_messages && !process.has_messages))
    return;
  for (sn_context *c = process.alive; c; c = c->next_reported)
    sni_profile_merge(&process.profile, &process.accounts, &c->profile);
  failed = to_messages ? sni_aside_open_messages(&aside)
                       : sni_aside_open(&aside, process.profile_path);
  if (!failed) {
    snprintf(head, sizeof head, "snode profile: %d context%s, %.3f s since the first was made\n",
             process.contexts, process.contexts == 1 ? "" : "s", sni_seconds() - process.began);
    put(&aside, head);
    sni_profile_table(&process.profile, put, &aside);
    failed = sni_aside_commit(&aside);
  }
  if (failed && !to_messages)
    complain("profile", process.profile_path, failed);
}

/* ---- the trace ---- */

static const char *no_name(void *user, int index)
{
  (void)user;
  (void)index;
  return "";
}

static int write_trace(void)
{
  const int failed = sni_trace_write(&process.trace, process.trace_path, no_name, NULL, 0);

  process.is_unwritten = failed != 0;
  return failed;
}

static void take_trace(sn_context *context)
{
  sni_trace_take(&process.trace, &context->launches, context->report_number);
  process.is_unwritten = 1;
}

static void end_trace(void)
{
  int failed;

  if (!*process.trace_path)
    return;
  for (sn_context *c = process.alive; c; c = c->next_reported)
    if (c->trace_is_shared)
      take_trace(c);
  failed = process.is_unwritten ? write_trace() : 0;
  if (failed)
    complain("trace", process.trace_path, failed);
  sni_file_let_go(process.trace_held);
  sni_trace_destroy(&process.trace);
}

int sni_report_trace(sn_context *context)
{
  const char *path = context->options.trace;
  const int is_mine = context->is_reported && !context->options.is_set[OPTION_trace];
  char name[48];
  int failed = 0;

  sni_mutex_lock(&lock);
  if (is_mine && !process.is_over && !*process.trace_path) {
    failed = sni_file_hold(path, &process.trace_held);
    if (!failed) {
      sni_trace_create(&process.trace, 1);
      (void)sni_text_copy(process.trace_path, sizeof process.trace_path, path);
    }
  }
  if (is_mine && !failed && strcmp(process.trace_path, path) == 0) {
    context->trace_is_shared = 1;
    process.tracing++;
    (void)sni_text_format(name, sizeof name, "context %d", context->report_number);
    sni_trace_name_row(&process.trace, context->report_number, -1, name);
  }
  sni_mutex_unlock(&lock);
  return failed;
}

int sni_report_end_trace(sn_context *context)
{
  int failed = 0;

  sni_mutex_lock(&lock);
  if (!process.is_over) {
    take_trace(context);
    if (process.tracing == 1)
      failed = write_trace();
  }
  sni_mutex_unlock(&lock);
  return failed;
}

/* ---- the process ---- */

static void at_end(void)
{
  sni_mutex_lock(&lock);
  if (!process.is_over && process.contexts) {
    end_trace();
    write_profile();
    sni_profile_destroy(&process.profile, &process.accounts);
  }
  process.is_over = 1;
  process.alive = NULL;
  sni_mutex_unlock(&lock);
}

/* The lock may be one that a thread of the parent held, and what there is is the parent's. */
static void in_child(void)
{
  const int is_watching = process.is_watching;

  sni_mutex_create(&lock);
  if (*process.trace_path)
    sni_file_let_go(process.trace_held);
  memset(&process, 0, sizeof process);
  process.is_watching = is_watching;
}

/* Lock held. */
static void begin_process(void)
{
  if (!process.is_watching)
    process.is_over = !sni_process_at_end(at_end, in_child);
  process.is_watching = 1;
  process.has_messages = sni_file_has_messages();
  process.began = sni_seconds();
  sni_accounts_init(&process.accounts);
  sni_profile_create(&process.profile);
}

void sni_report_begin(sn_context *context)
{
  const int wants_trace = *context->options.trace && !context->options.is_set[OPTION_trace];

  if (!*context->options.report && !wants_trace)
    return;
  sni_mutex_lock(&lock);
  if (!process.contexts)
    begin_process();
  if (!process.is_over) {
    if (!*process.profile_path)
      (void)sni_text_copy(process.profile_path, sizeof process.profile_path,
                          context->options.report);
    context->is_reported = 1;
    context->report_number = ++process.contexts;
    context->next_reported = process.alive;
    process.alive = context;
  }
  sni_mutex_unlock(&lock);
}

void sni_report_end(sn_context *context)
{
  sn_context **at = &process.alive;

  if (!context->is_reported || context->forks != sni_process_forks())
    return;
  sni_mutex_lock(&lock);
  while (*at && *at != context)
    at = &(*at)->next_reported;
  if (*at) {
    *at = context->next_reported;
    sni_profile_merge(&process.profile, &process.accounts, &context->profile);
    process.tracing -= context->trace_is_shared;
  }
  sni_mutex_unlock(&lock);
}
