/* SPDX-License-Identifier: BSD-3-Clause */
/* How the interpreter of snode/interpreter.h reaches trees: its callbacks, over the
 * generic walk and the lists.
 *
 *   snd_interpreter_access   constant, in the file that includes this; where the files of a program
 *                            share a backend (backend.h), in the one that gives it
 *
 * Host units only; the interpreter runs one thread, and checks indices itself.
 */
#ifndef SNODE_DEVICE_INTERPRET_H
#define SNODE_DEVICE_INTERPRET_H

#include <snode/device/access.h>
#include <snode/device/claim.h>
#include <snode/device/factorize.h>
#include <snode/interpreter.h>

#if defined(SN_BACKEND_GIVEN) || defined(SN_BACKEND_TAKEN)
extern SND_OF_PROGRAM const sn_interpreter_access snd_interpreter_access;
# define SND_INTERPRETER_LINKAGE
#else
# define SND_INTERPRETER_LINKAGE static
#endif

#ifndef SN_BACKEND_TAKEN

/* A tree, a place in it and who asks. */
typedef struct snd_reach {
  const snd_tree_view *view;
  snd_launch *launch;
  snd_index index;
  int32_t slot, snode;
} snd_reach;

SND_FUNCTION snd_reach
snd_reach_field(const snd_args *args, int32_t slot, int32_t field, const int64_t *index)
{
  const snd_tree_view *view = SND_HOST_VIEW(args, slot);
  const snd_field_view *which = snd_field(view, field);
  const snd_reach reach = { view, SND_HOST_LAUNCH(args), snd_index_of_field(which, index), slot,
                            (int32_t)which->snode };
  return reach;
}

SND_FUNCTION snd_reach
snd_reach_snode(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_tree_view *view = SND_HOST_VIEW(args, slot);
  const snd_reach reach = { view, SND_HOST_LAUNCH(args),
                            snd_index_of_snode(&view->snode[snode], index), slot, snode };
  return reach;
}

SND_FUNCTION snd_cell snd_reach_cell(const snd_reach *reach, snd_mode mode)
{
  return snd_walk_cell(reach->view, reach->snode, &reach->index, mode, reach->launch, reach->slot);
}

/* The field in that cell; 0: there is none. */
SND_FUNCTION sn_addr
snd_reach_place(const snd_reach *reach, const snd_field_view *field, snd_mode mode)
{
  const snd_cell cell = snd_reach_cell(reach, mode);
  return cell.base == 0 ? 0 : snd_place(&reach->view->snode[reach->snode], field, cell);
}

SND_FUNCTION void
snd_interpreter_get(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                    void *value)
{
  const snd_reach reach = snd_reach_field(args, slot, field, index);
  const snd_field_view *which = snd_field(reach.view, field);

  snd_fill((sn_addr)(uintptr_t)value, snd_reach_place(&reach, which, SND_READ), which->bytes, 0,
           1);
}

SND_FUNCTION void
snd_interpreter_set(const snd_args *args, int32_t slot, int32_t field, const int64_t *index,
                    const void *value)
{
  const snd_reach reach = snd_reach_field(args, slot, field, index);
  const snd_field_view *which = snd_field(reach.view, field);
  const sn_addr place = snd_reach_place(&reach, which, SND_ACTIVATE);

  if (place != 0) snd_fill(place, (sn_addr)(uintptr_t)value, which->bytes, 0, 1);
}

SND_FUNCTION int
snd_interpreter_is_active(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  return snd_walk_is_active(reach.view, snode, &reach.index);
}

SND_FUNCTION void
snd_interpreter_activate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  (void)snd_reach_cell(&reach, SND_ACTIVATE);
}

/* The container of a dynamic SNode in the cell that index names; 0: there is none. */
SND_FUNCTION sn_addr
snd_reach_list(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index,
               snd_mode mode)
{
  const snd_tree_view *view = SND_HOST_VIEW(args, slot);
  const snd_index of_container = snd_index_of_container(&view->snode[snode], index);

  return snd_walk_container(view, snode, &of_container, mode, SND_HOST_LAUNCH(args), slot);
}

SND_FUNCTION void
snd_interpreter_deactivate(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const snd_reach reach = snd_reach_snode(args, slot, snode, index);
  sn_addr list;

  if (reach.view->snode[snode].kind != SND_SNODE_DYNAMIC) {
    snd_walk_deactivate(reach.view, snode, &reach.index);
    return;
  }
  list = snd_reach_list(args, slot, snode, index, SND_PEEK);
  if (list != 0) snd_dynamic_deactivate(reach.view, snode, list, 0);
}

SND_FUNCTION int64_t
snd_interpreter_append(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index,
                       int32_t site)
{
  const sn_addr list = snd_reach_list(args, slot, snode, index, SND_ACTIVATE);
  snd_dynamic_hint hint = SND_NO_HINT;

  return list == 0 ? -1 : snd_dynamic_append(SND_HOST_VIEW(args, slot), snode,
                                             SND_HOST_LAUNCH(args), slot, list, site, &hint);
}

SND_FUNCTION int64_t
snd_interpreter_length(const snd_args *args, int32_t slot, int32_t snode, const int64_t *index)
{
  const sn_addr list = snd_reach_list(args, slot, snode, index, SND_PEEK);

  return list == 0 ? 0 : snd_dynamic_length(&SND_HOST_VIEW(args, slot)->snode[snode], list);
}

SND_FUNCTION int64_t
snd_interpreter_total(const snd_args *args, int32_t slot, int32_t snode, int32_t axis)
{
  return SND_HOST_VIEW(args, slot)->snode[snode].total[axis];
}

SND_FUNCTION int64_t
snd_interpreter_list_length(const snd_args *args, int32_t slot, int32_t snode)
{
  return snd_list_length(SND_HOST_VIEW(args, slot), snode);
}

SND_FUNCTION void
snd_interpreter_list_entry(const snd_args *args, int32_t slot, int32_t snode, int64_t entry,
                           sn_interpreter_entry *out)
{
  const snd_snode_view *node = &SND_HOST_VIEW(args, slot)->snode[snode];
  const uint64_t *words;
  int32_t axes;

  out->first = 0;
  out->last = snd_capacity(node);
  out->mask = NULL;
  if (snode == 0) return;
  words = snd_list_entry(node, entry);
  axes = snd_popcount(SND_HOST_VIEW(args, slot)->snode[node->parent].path_axes);
  for (int32_t k = 0; k < axes; k++) out->coordinate[k] = (int64_t)words[1 + k];
  if (node->masks != 0)
    out->mask = SND_CONST_POINTER(uint64_t, node->masks) + entry * node->mask_words;
  if (node->kind == SND_SNODE_DYNAMIC) {
    out->first = (int64_t)words[1 + axes];
    out->last = (int64_t)words[2 + axes];
  }
}

SND_FUNCTION void
snd_interpreter_hash_key(const snd_args *args, int32_t slot, int32_t snode, int64_t cell,
                         int64_t *key)
{
  const snd_tree_view *view = SND_HOST_VIEW(args, slot);
  const int32_t axes = snd_popcount(view->snode[snode].own_axes);

  for (int32_t k = 0; k < axes; k++) key[k] = snd_hash_key(view, snode, cell, k);
}

/* One of them; the results that it has not are left as they are. */
#define SND_DEFINE_FACTOR(T, C, N) \
  SND_FUNCTION void snd_interpreter_factor_##N##_##T(sn_interpreter_factor which, \
                                                     const double *matrix, double *parts) \
  { \
    C a[N * N], f[N * (2 * N + 1)]; \
    for (int k = 0; k < N * N; k++) a[k] = (C)matrix[k]; \
    switch (which) { \
    case SN_INTERPRETER_SVD: snd_svd_##N##_##T(a, f, f + N * N, f + N * N + N); break; \
    case SN_INTERPRETER_POLAR: snd_polar_##N##_##T(a, f, f + N * N); break; \
    default: snd_sym_eig_##N##_##T(a, f, f + N); break; \
    } \
    for (int k = 0; k < (which == SN_INTERPRETER_SYM_EIG ? N * N + N \
                         : which == SN_INTERPRETER_POLAR ? 2 * N * N : 2 * N * N + N); k++) \
      parts[k] = (double)f[k]; \
  }
SND_DEFINE_FACTOR(f32, float, 2)
SND_DEFINE_FACTOR(f32, float, 3)
SND_DEFINE_FACTOR(f64, double, 2)
SND_DEFINE_FACTOR(f64, double, 3)
#undef SND_DEFINE_FACTOR

SND_FUNCTION void
snd_interpreter_factor(sn_interpreter_factor which, int n, int is_f32, const double *matrix,
                       double *parts)
{
  if (is_f32 && n == 2) snd_interpreter_factor_2_f32(which, matrix, parts);
  else if (is_f32) snd_interpreter_factor_3_f32(which, matrix, parts);
  else if (n == 2) snd_interpreter_factor_2_f64(which, matrix, parts);
  else snd_interpreter_factor_3_f64(which, matrix, parts);
}

SND_FUNCTION int
snd_interpreter_claim(const snd_args *args, int32_t site, int elements, int indices,
                      const int64_t *words)
{
  return snd_claim(SND_HOST_LAUNCH(args), site, elements, indices, words);
}

SND_INTERPRETER_LINKAGE const sn_interpreter_access snd_interpreter_access = {
  snd_interpreter_get,
  snd_interpreter_set,
  snd_interpreter_is_active,
  snd_interpreter_activate,
  snd_interpreter_deactivate,
  snd_interpreter_append,
  snd_interpreter_length,
  snd_interpreter_total,
  snd_interpreter_list_length,
  snd_interpreter_list_entry,
  snd_interpreter_hash_key,
  snd_interpreter_factor,
  snd_interpreter_claim
};

#endif
#endif
