#define _POSIX_C_SOURCE 200809L        /* uselocale */

#include "gen/interpret/reading.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* How many readings stay when no call has them; most programs have fewer modules. */
enum { KEPT = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Reading *kept[KEPT];            /* under the lock; the newest first, NULL behind the last */

static void destroy(Reading *r)
{
  if (!r)
    return;
  arena_destroy(r->arena);
  free(r->text);
  free(r);
}

/* ---- the text ---- */

static char *join(const char *const *pieces)
{
  size_t length = 0, at = 0;
  char *text;

  for (int k = 0; pieces[k]; k++)
    length += strlen(pieces[k]);
  text = malloc(length + 1);
  if (!text)
    return NULL;
  for (int k = 0; pieces[k]; k++) {
    size_t piece = strlen(pieces[k]);
    memcpy(text + at, pieces[k], piece);
    at += piece;
  }
  text[at] = '\0';
  return text;
}

/* The text itself is compared: an address may have been another library's before. */
static bool is_text(const char *text, const char *const *pieces)
{
  for (int k = 0; pieces[k]; k++) {
    const size_t piece = strlen(pieces[k]);
    if (strncmp(text, pieces[k], piece) != 0)
      return false;
    text += piece;
  }
  return *text == '\0';
}

/* ---- what is kept ---- */

static Reading *take_out(int at)
{
  Reading *const r = kept[at];

  memmove(&kept[at], &kept[at + 1], (size_t)(KEPT - 1 - at) * sizeof kept[0]);
  kept[KEPT - 1] = NULL;
  return r;
}

Reading *reading_take(const sn_interpreter_program *program)
{
  Reading *r = NULL;

  pthread_mutex_lock(&lock);
  for (int k = 0; k < KEPT && kept[k] && !r; k++)
    if (is_text(kept[k]->text, program->text))
      r = take_out(k);
  pthread_mutex_unlock(&lock);
  if (r)
    return r;
  r = calloc(1, sizeof *r);
  if (r && !(r->text = join(program->text))) {
    free(r);
    r = NULL;
  }
  return r;
}

void reading_give_back(Reading *r)
{
  Reading *oldest = r;

  if (r->module) {
    pthread_mutex_lock(&lock);
    oldest = kept[KEPT - 1];
    memmove(&kept[1], &kept[0], (KEPT - 1) * sizeof kept[0]);
    kept[0] = r;
    pthread_mutex_unlock(&lock);
  }
  destroy(oldest);
}

/* ---- reading ---- */

/* Numbers have a point, whatever the process calls one. */
static IrModule *read_text(const Reading *r)
{
  Source source = { .path = "", .text = r->text, .length = strlen(r->text) };
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t old = c ? uselocale(c) : (locale_t)0;
  IrModule *m = ir_read(r->arena, NULL, &source);

  if (c) {
    uselocale(old);
    freelocale(c);
  }
  return m && !ir_verify(m, 1) ? m : NULL;
}

static void count_operands(Reading *r, const IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->operand_count > r->most_operands)
      r->most_operands = s->operand_count;
}

static void number_all(Reading *r, IrModule *m)
{
  for (int k = 0; k < m->function_count; k++) {
    ir_number(m->functions[k]);
    count_operands(r, m->functions[k]);
    r->function_values += m->functions[k]->number_count + m->functions[k]->variable_count;
  }
  for (int k = 0; k < m->kernel_count; k++) {
    ir_number(m->kernels[k]);
    count_operands(r, m->kernels[k]);
  }
}

IrModule *reading_module(Reading *r)
{
  if (!r->module) {
    IrModule *m;
    r->arena = arena_create();
    m = read_text(r);
    if (m)
      number_all(r, m);
    r->module = m;
  }
  return r->module;
}
