/* Assignments between labeled tensors, block by block: lhs(labels) = factor * rhs(labels).
 *
 * Each block of lhs is a task of its own: a temporary buffer of it, a read access to the block of
 * rhs that has the same tiles, and the permission to put or add.
 */
#include "runtime/host/exec/task.h"

#include <string.h>

/* ---- labels ---- */

int sn_label(const sn_slice *slice, const char *labels, sn_labeled *out)
{
  const sn_tensor *tensor;

  if (!slice || !slice->tensor || !labels || !out)
    return SN_EINVAL;
  tensor = slice->tensor;
  SN_TRY(sni_slice_check(tensor->engine, slice, "labels"));
  if (strlen(labels) != (size_t)tensor->dimensions)
    return sni_engine_fail(tensor->engine, SN_EINVAL, "%s(\"%s\"): it has %d dimensions",
                           tensor->name, labels, tensor->dimensions);
  for (const char *c = labels; *c; c++)
    if (strchr(c + 1, *c))
      return sni_engine_fail(tensor->engine, SN_EINVAL, "%s(\"%s\"): '%c' is there twice",
                             tensor->name, labels, *c);
  out->slice = *slice;
  memset(out->label, 0, sizeof out->label);
  strcpy(out->label, labels);
  return SN_OK;
}

/* ---- one block ---- */

typedef struct assignment {
  sn_tensor *lhs, *rhs;
  int64_t to, from;              /* blocks */
  double factor;
  int add;
  int of[SN_MAX_DIMENSIONS];     /* rhs' dimension for each of lhs' */
} assignment;

/* Along lhs' dimensions in their order; stride: of rhs' elements, for each of them. */
static void permute(const assignment *a, unsigned char *to, const unsigned char *from,
                    const int64_t *dims, const int64_t *stride)
{
  const size_t width = a->lhs->element_bytes;
  int64_t at[SN_MAX_DIMENSIONS] = { 0 }, offset = 0;
  int d = 0;

  for (; d >= 0; to += width) {
    sni_element_scale(a->lhs->type, to, from + (size_t)offset * width, a->factor);
    for (d = a->lhs->dimensions - 1; d >= 0; d--) {
      offset += stride[d];
      if (++at[d] < dims[d])
        break;
      offset -= dims[d] * stride[d];
      at[d] = 0;
    }
  }
}

static int assign_block(sn_run *run, void *user)
{
  const assignment *a = user;
  int64_t dims[SN_MAX_DIMENSIONS], theirs[SN_MAX_DIMENSIONS], stride[SN_MAX_DIMENSIONS];
  sn_buffer *to, *from;

  SN_TRY(sn_buffer_tmp(run, a->lhs, a->to, NULL, &to));
  SN_TRY(sn_buffer_read(run, a->rhs, a->from, &from));
  (void)sn_buffer_dims(to, dims);
  (void)sn_buffer_dims(from, theirs);
  for (int d = 0; d < a->lhs->dimensions; d++) {
    stride[d] = 1;
    for (int k = a->of[d] + 1; k < a->rhs->dimensions; k++)
      stride[d] *= theirs[k];
  }
  permute(a, sn_buffer_data(to), sn_buffer_data(from), dims, stride);
  SN_TRY(sn_buffer_release(from));
  return a->add ? sn_buffer_release_add(to) : sn_buffer_release_put(to);
}

/* ---- all of them ---- */

static int refuse(const sn_labeled *lhs, const sn_labeled *rhs, const char *why)
{
  return sni_engine_fail(lhs->slice.tensor->engine, SN_EINVAL, "%s(\"%s\") = %s(\"%s\"): %s",
                         lhs->slice.tensor->name, lhs->label, rhs->slice.tensor->name, rhs->label,
                         why);
}

/* Both have the same tiles along each label. */
static int check_tiles(const sn_labeled *lhs, const sn_labeled *rhs, const int *of)
{
  for (int d = 0; d < lhs->slice.tensor->dimensions; d++) {
    const sn_space *a = lhs->slice.tensor->spaces[d], *b = rhs->slice.tensor->spaces[of[d]];
    const int64_t count = lhs->slice.hi[d] - lhs->slice.lo[d];
    if (rhs->slice.hi[of[d]] - rhs->slice.lo[of[d]] != count)
      return refuse(lhs, rhs, "the slices have other numbers of tiles");
    for (int64_t k = 0; k < count; k++)
      if (sn_space_tile_length(a, lhs->slice.lo[d] + k) !=
          sn_space_tile_length(b, rhs->slice.lo[of[d]] + k))
        return refuse(lhs, rhs, "the tiles have other lengths");
  }
  return SN_OK;
}

/* Whether the slices share a block of one tensor. */
static int overlap(const sn_slice *a, const sn_slice *b)
{
  if (a->tensor != b->tensor)
    return 0;
  for (int d = 0; d < a->tensor->dimensions; d++)
    if (a->hi[d] <= b->lo[d] || b->hi[d] <= a->lo[d])
      return 0;
  return 1;
}

static int match(const sn_labeled *lhs, const sn_labeled *rhs, int *of)
{
  const sn_tensor *a = lhs->slice.tensor, *b = rhs->slice.tensor;

  if (a->engine != b->engine || a->type != b->type)
    return refuse(lhs, rhs, "they are of two engines or types");
  if (a->dimensions != b->dimensions)
    return refuse(lhs, rhs, "they have other labels");
  for (int d = 0; d < a->dimensions; d++) {
    const char *found = strchr(rhs->label, lhs->label[d]);
    if (!found)
      return refuse(lhs, rhs, "they have other labels");
    of[d] = (int)(found - rhs->label);
  }
  if (overlap(&lhs->slice, &rhs->slice))
    return refuse(lhs, rhs, "a block is read and written");
  return check_tiles(lhs, rhs, of);
}

typedef struct submission {
  const sn_labeled *lhs, *rhs;
  assignment assignment;
  int code;
} submission;

static int64_t block_of_rhs(const submission *s, int64_t block)
{
  const sn_tensor *lhs = s->lhs->slice.tensor;
  int64_t tile[SN_MAX_DIMENSIONS] = { 0 };

  for (int d = lhs->dimensions - 1; d >= 0; d--) {
    const int theirs = s->assignment.of[d];
    tile[theirs] = block % lhs->tiles[d] - s->lhs->slice.lo[d] + s->rhs->slice.lo[theirs];
    block /= lhs->tiles[d];
  }
  return sn_tensor_block(s->rhs->slice.tensor, tile);
}

static void submit_block(sni_tensor_block *block, void *user)
{
  submission *s = user;
  assignment *a = &s->assignment;
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  sn_use uses[3];

  if (s->code != SN_OK || !block->home)
    return;
  a->to = block->number;
  a->from = block_of_rhs(s, block->number);
  uses[0] = sn_use_block(SN_ACCESS_TEMP_BUFFER, a->lhs, a->to);
  uses[1] = sn_use_block(a->add ? SN_PERMISSION_ACCUMULATE : SN_PERMISSION_WRITE, a->lhs, a->to);
  uses[2] = sn_use_block(SN_ACCESS_READ_BUFFER, a->rhs, a->from);
  spec.name = a->add ? "add" : "assign";
  spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = assign_block;
  spec.user = a;
  spec.user_bytes = sizeof *a;
  spec.uses = uses;
  spec.use_count = 3;
  s->code = sn_task_submit(a->lhs->engine, &spec, NULL);
}

int sn_assign(const sn_labeled *lhs, double factor, const sn_labeled *rhs, int add)
{
  submission s;

  if (!lhs || !rhs || !lhs->slice.tensor || !rhs->slice.tensor)
    return SN_EINVAL;
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(lhs->slice.tensor)));
  memset(&s, 0, sizeof s);
  s.lhs = lhs;
  s.rhs = rhs;
  s.assignment.lhs = lhs->slice.tensor;
  s.assignment.rhs = rhs->slice.tensor;
  s.assignment.factor = factor;
  s.assignment.add = add != 0;
  SN_TRY(match(lhs, rhs, s.assignment.of));
  sni_slice_visit(&lhs->slice, submit_block, &s);
  return s.code;
}
