/* Kernels as tasks: their permissions become uses of the resources of their trees. */
#include "runtime/host/bridge/attachment.h"

#include <string.h>

/* ---- a submission ---- */

enum { FEW = 64 };

typedef struct submission {
  sn_engine *engine;
  const sn_kernel_info *kernel;
  sni_attachment *attachment;
  sni_attached_tree *trees[SND_MAX_SLOTS];
  sn_use few[FEW], *uses;
  int count;
} submission;

/* Lock held: its trees as they stand, all in one context; or that context. */
static int find_attachment(submission *s, const sn_context *context, void *const *trees)
{
  const sn_kernel_info *kernel = s->kernel;

  if (!kernel->slot_count)
    s->attachment = sni_find_context(s->engine, context);
  for (uint32_t k = 0; k < kernel->slot_count; k++) {
    sni_attachment *on = NULL;
    s->trees[k] = sni_find_tree(s->engine, trees[k], &on);
    if (!s->trees[k])
      return sni_engine_fail(s->engine, SN_EINVAL, "%s: its %s is none of this engine: it is NULL "
                             "or destroyed, or its context is attached to no unit of the engine "
                             "(sn_context_attach)", kernel->c_name, kernel->slots[k]->c_name);
    if (s->attachment && s->attachment != on)
      return sni_engine_fail(s->engine, SN_EINVAL, "%s: its trees belong to different contexts",
                             kernel->c_name);
    s->attachment = on;
  }
  if (!s->attachment)
    return sni_engine_fail(s->engine, SN_EINVAL, "%s: its context is attached to no unit of this "
                           "engine (sn_context_attach)", kernel->c_name);
  return SN_OK;
}

static int check_unit(const submission *s, const sn_queue *queue)
{
  if (s->attachment->unit == queue->unit)
    return SN_OK;
  return sni_engine_fail(s->engine, SN_EINVAL, "%s: %s is a queue of %s, and what it works on "
                         "lives on %s", s->kernel->c_name, queue->name, queue->unit->name,
                         s->attachment->unit->name);
}

/* ---- uses ---- */

/* Two of them on one thing are write: the core merges them so. */
static void add_uses(submission *s, sn_tensor *resource, int64_t thing, uint32_t use)
{
  if (use & SND_MAY_WRITE || (use & SND_MAY_READ && use & SND_MAY_ACCUMULATE))
    s->uses[s->count++] = sn_use_block(SN_PERMISSION_WRITE, resource, thing);
  else if (use & SND_MAY_READ)
    s->uses[s->count++] = sn_use_block(SN_PERMISSION_READ, resource, thing);
  else
    s->uses[s->count++] = sn_use_block(SN_PERMISSION_ACCUMULATE, resource, thing);
}

static void add_row(submission *s, const snd_permission *row)
{
  if (row->slot >= 0)
    add_uses(s, s->trees[row->slot]->resource, sni_thing_of(s->trees[row->slot]->info, row),
             row->use);
  else
    add_uses(s, s->attachment->own, row->field == SND_USED_DRAWS ? SNI_OWN_DRAWS : SNI_OWN_OUTPUT,
             row->use);
}

static int collect_uses(submission *s)
{
  const sn_kernel_info *kernel = s->kernel;
  const size_t count = (size_t)kernel->permission_count + 1;

  s->uses = count <= FEW ? s->few : sni_engine_new(s->engine, count, sizeof *s->uses);
  if (!s->uses)
    return sni_engine_fail(s->engine, SN_ENOMEM, "%s: no memory for its permissions",
                           kernel->c_name);
  for (uint32_t k = 0; k < kernel->permission_count; k++)
    add_row(s, &kernel->permissions[k]);
  add_uses(s, s->attachment->own, SNI_OWN_KERNELS, SND_MAY_READ);
  return SN_OK;
}

static void drop_uses(submission *s)
{
  if (s->uses != s->few)
    sni_engine_delete(s->engine, s->uses, (size_t)s->kernel->permission_count + 1, sizeof *s->uses);
}

/* ---- what waits in the queue ---- */

/* The call, as the task keeps it: behind it the trees of the kernel, then its parameters, where
 * any type may stand. */
typedef struct kernel_call {
  const sn_kernel_info *kernel;
  sn_context *context;
  void *result[2];               /* its own and its tangent's, where there are both */
} kernel_call;

enum { FEW_WORDS = 64 };

static size_t params_offset(const sn_kernel_info *kernel)
{
  return (sizeof(kernel_call) + kernel->slot_count * sizeof(void *) + 7) / 8 * 8;
}

static size_t call_bytes(const sn_kernel_info *kernel)
{
  return params_offset(kernel) + (size_t)kernel->params_bytes;
}

static int run_call(sn_run *run, void *user)
{
  kernel_call *c = user;

  (void)run;
  return sn_kernel_call(c->kernel, c->context, (void **)(c + 1),
                        (char *)c + params_offset(c->kernel),
                        c->kernel->dual_offset ? (void *)c->result : c->result[0]);
}

static void write_call(kernel_call *c, const kernel_call *from, void *const *trees,
                       const void *params)
{
  const sn_kernel_info *kernel = from->kernel;

  *c = *from;
  if (kernel->slot_count)
    memcpy(c + 1, trees, kernel->slot_count * sizeof *trees);
  if (kernel->params_bytes)
    memcpy((char *)c + params_offset(kernel), params, (size_t)kernel->params_bytes);
}

/* ---- the calls ---- */

static int submit_task(submission *s, sn_queue *queue, kernel_call *c, sn_event **done)
{
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  int code;

  SN_TRY(collect_uses(s));
  spec.name = s->kernel->c_name;
  for (int kind = SN_UNIT_HOST; kind <= SN_UNIT_DEVICE; kind++)
    spec.body[kind] = run_call;
  spec.user = c;
  spec.user_bytes = call_bytes(s->kernel);
  spec.uses = s->uses;
  spec.use_count = s->count;
  spec.queue = queue;
  code = sn_task_submit(s->engine, &spec, done);
  drop_uses(s);
  return code;
}

static int submit(submission *s, sn_queue *queue, const kernel_call *from, void *const *trees,
                  const void *params, sn_event **done)
{
  const size_t bytes = call_bytes(s->kernel);
  uint64_t few[FEW_WORDS];
  kernel_call *c = bytes <= sizeof few ? (void *)few : sni_engine_new(s->engine, bytes, 1);
  int code;

  if (!c)
    return sni_engine_fail(s->engine, SN_ENOMEM, "%s: no memory for its parameters",
                           s->kernel->c_name);
  write_call(c, from, trees, params);
  code = submit_task(s, queue, c, done);
  if (bytes > sizeof few)
    sni_engine_delete(s->engine, c, bytes, 1);
  return code;
}

int sn_kernel_submit(sn_queue *queue, const sn_kernel_info *kernel, sn_context *context,
                     void *const *trees, const void *params, void *result, sn_event **done)
{
  kernel_call call = { kernel, context, { result, NULL } };
  submission s;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!kernel || (kernel->params_bytes && !params) || (kernel->slot_count && !trees))
    return SN_EINVAL;
  if (kernel->dual_offset && result)
    memcpy(call.result, result, sizeof call.result);
  s.engine = queue->engine;
  s.kernel = kernel;
  s.attachment = NULL;
  s.count = 0;
  sni_mutex_lock(&s.engine->lock);
  code = find_attachment(&s, context, trees);
  if (code == SN_OK)
    code = check_unit(&s, queue);
  sni_mutex_unlock(&s.engine->lock);
  return code == SN_OK ? submit(&s, queue, &call, trees, params, done) : code;
}

sn_use sn_tree_use(uint32_t kind, sn_tree *tree)
{
  sn_tensor *resource = NULL;

  if (tree && tree->context->attachment &&
      sni_engine_may_call(tree->context->attachment->unit->engine) == SN_OK) {
    sn_engine *engine = tree->context->attachment->unit->engine;
    sni_attachment *on;
    const sni_attached_tree *t;
    sni_mutex_lock(&engine->lock);
    t = sni_find_tree(engine, tree, &on);
    resource = t ? t->resource : NULL;
    sni_mutex_unlock(&engine->lock);
  }
  return sn_use_whole(kind, resource);
}
