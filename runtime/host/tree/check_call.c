/* The call of an adjoint under --check=grad: its tasks, as ever, then the comparison, behind which
 * every field is what it was.
 */
#include "runtime/host/tree/check_grad.h"
#include "runtime/host/tree/draws.h"

#include <string.h>

/* ---- what is not checked ---- */

/* Once for each kernel, through the log; without memory for noting that, again. */
static void tell_unchecked(const sni_grad_check *c, const char *reason)
{
  sn_context *context = c->context;
  const sn_kernel_info **told = context->unchecked;

  for (size_t k = 0; k < context->unchecked_count; k++)
    if (told[k] == c->adjoint)
      return;
  if (sni_grow(&context->accounts, &context->unchecked, &context->unchecked_capacity,
               context->unchecked_count + 1, sizeof *told)) {
    told = context->unchecked;
    told[context->unchecked_count++] = c->adjoint;
  }
  sni_log(context, "%s is not checked (--check=grad): %s", c->adjoint->c_name, reason);
}

/* Whether the kernel may activate cells (SND_MAY_ACCUMULATE), deactivate them (SND_MAY_WRITE). */
static int may(const sn_kernel_info *kernel, uint32_t use)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++)
    if (kernel->permissions[k].field == SND_USED_TOPOLOGY && kernel->permissions[k].use & use)
      return 1;
  return 0;
}

static int writes_arrays(const sn_kernel_info *kernel)
{
  for (uint32_t k = 0; k < kernel->param_count; k++)
    if (kernel->params[k].array & SND_ARRAY_OUT)
      return 1;
  return 0;
}

static int is_borrowed(const sni_grad_check *c)
{
  for (uint32_t k = 0; k < c->adjoint->slot_count; k++)
    if (c->trees[k]->is_borrowed)
      return 1;
  return 0;
}

/* Why the kernel cannot be run again without a trace; NULL: it can. */
static const char *why_unchecked(const sni_grad_check *c)
{
  if (may(c->primal, SND_MAY_WRITE))
    return "its kernel may deactivate cells";
  if (c->adjoint->check->appends)
    return "its kernel appends";
  if (sni_draws(c->primal))
    return "its kernel draws random numbers";
  if (writes_arrays(c->primal))
    return "its kernel writes an array";
  if (is_borrowed(c))
    return "it runs as a routine, on arrays that others have too";
  return NULL;
}

/* ---- the call ---- */

static int run_plain(const sni_grad_check *c, void *params)
{
  return sni_kernel_run(c->context, c->adjoint, c->trees, params, NULL, NULL);
}

/* Behind the adjoint's tasks. */
static int compare(sni_grad_check *c)
{
  const char *reason = NULL;
  int code = sni_check_hold_after(c), back;

  if (code != SN_OK)
    return code;
  code = sni_check_hold(c, &reason);
  if (code == SN_OK && !reason)
    code = sni_check_compare(c, &reason);
  if (c->is_lost)
    reason = "where its kernel is run again it activates cells, which stay";
  back = sni_check_restore(c);
  if (code == SN_OK && reason)
    tell_unchecked(c, reason);
  return code != SN_OK ? code : back;
}

static int run_checked(sni_grad_check *c, void *params)
{
  const char *reason = NULL;

  SN_TRY(sni_check_begin(c, &reason));
  if (reason)
    tell_unchecked(c, reason);
  else
    SN_TRY(sni_check_hold_before(c));
  SN_TRY(run_plain(c, params));
  return reason ? SN_OK : compare(c);
}

static int check(sni_grad_check *c, void *params)
{
  const size_t bytes = (size_t)c->adjoint->params_bytes + 1;
  const char *reason = why_unchecked(c);
  void *copy;
  int code;

  if (reason) {
    tell_unchecked(c, reason);
    return run_plain(c, params);
  }
  copy = sni_new(&c->context->accounts, 1, bytes);
  if (!copy)
    return sni_fail(c->context, SN_ENOMEM, "%s: no memory for --check=grad", c->adjoint->c_name);
  if (bytes > 1)
    memcpy(copy, params, bytes - 1);
  c->params = copy;
  c->may_activate = may(c->primal, SND_MAY_ACCUMULATE);
  code = run_checked(c, params);
  sni_check_end(c);
  sni_delete(&c->context->accounts, copy, 1, bytes);
  return code;
}

int sni_checked_run(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
                    void *params, void *result, struct sni_noted *note)
{
  sni_grad_check c = { .context = context, .adjoint = kernel, .trees = trees };

  if (!kernel->check)
    return sni_kernel_run(context, kernel, trees, params, result, note);
  c.primal = kernel->check->primal;
  return check(&c, params);
}
