/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/module.h: what generated code calls.
 *
 * Every function foo_* of a generated header is a line or a few over these.  A
 * program written by hand needs none of them; a binding for another language
 * uses the tables (sn_module) and sn_kernel_call.
 *
 * Errors: SN_OK or a code of snode/error.h, with the text in the context.
 * Threads: as the context's: one at a time.
 */
#ifndef SNODE_MODULE_H
#define SNODE_MODULE_H

#include <snode/context.h>
#include <snode/device/abi.h>
#include <snode/tree.h>
#include <snode/version.h>

SN_BEGIN_DECLS

/* ---- trees ----
 * params: the tree's extents, param_count of them.  SN_EINVAL: an extent below
 * 1, more than 2^62 cells.  The first call binds an unbound context to backend. */
SN_API SN_NODISCARD int sn_tree_create(sn_context *, const sn_module *, const sn_tree_info *,
                                       const int64_t *params, const sn_tree_options *,
                                       sn_tree **out);
/* NULL is fine.  Refused, with a text in the context, while another thread is inside that. */
SN_API void sn_tree_destroy(sn_tree *);
/* Of a tree of any type: the table that calls on it take, whose rows have the names of its fields
 * and SNodes.  NULL: NULL.  For libraries and bindings that know no generated header. */
SN_API const sn_tree_info *sn_tree_type(const sn_tree *);
/* Notes an error of such a library in the tree's context, where the first one since the last clear
 * stays, and returns its code; NULL: only that. */
SN_API int sn_tree_fail(sn_tree *, int code, const char *text);
/* Every generated file calls it (foo_bind): its symbol carries the ABI's number, so
 * that code made for another libsnode fails to link, with a name that says why. */
#define sn_module_bind SN_ABI_NAME(sn_module_bind_abi_)
SN_API SN_NODISCARD int sn_module_bind(const sn_module *, sn_context *);

/* ---- fields; info says which tree type the call was generated for:
 * NULL or another type is SN_EINVAL.  Indices in the field's order; bool values
 * are int here and a byte in arrays. ---- */
SN_API SN_NODISCARD int sn_field_get(sn_tree *, const sn_tree_info *, int field,
                                     const int64_t *index, void *out);
SN_API SN_NODISCARD int sn_field_set(sn_tree *, const sn_tree_info *, int field,
                                     const int64_t *index, const void *value);
SN_API SN_NODISCARD int sn_field_read(sn_tree *, const sn_tree_info *, int field, const sn_box *,
                                      sn_span dst, const int64_t *stride);
SN_API SN_NODISCARD int sn_field_write(sn_tree *, const sn_tree_info *, int field, const sn_box *,
                                       sn_span src, const int64_t *stride);
SN_API SN_NODISCARD int sn_field_read_active(sn_tree *, const sn_tree_info *, int field,
                                             int64_t *index, void *value, int64_t cap, int64_t *n);
SN_API SN_NODISCARD int sn_field_write_active(sn_tree *, const sn_tree_info *, int field,
                                              const int64_t *index, const void *value, int64_t n);
/* Of the cells that are active; none is activated: in an empty tree it does nothing. */
SN_API SN_NODISCARD int sn_field_fill(sn_tree *, const sn_tree_info *, int field,
                                      const void *value);
SN_API SN_NODISCARD int sn_field_count(sn_tree *, const sn_tree_info *, int field, int64_t *n);
SN_API SN_NODISCARD int sn_field_shape(sn_tree *, const sn_tree_info *, int field, int64_t *lo,
                                       int64_t *hi);

/* The same of a field of vectors or matrices: `elements` fields from `field` on, one for
 * each element.  A value is all of them, side by side; strides count values. */
SN_API SN_NODISCARD int sn_vector_get(sn_tree *, const sn_tree_info *, int field, int elements,
                                      const int64_t *index, void *out);
SN_API SN_NODISCARD int sn_vector_set(sn_tree *, const sn_tree_info *, int field, int elements,
                                      const int64_t *index, const void *value);
SN_API SN_NODISCARD int sn_vector_read(sn_tree *, const sn_tree_info *, int field, int elements,
                                       const sn_box *, sn_span dst, const int64_t *stride);
SN_API SN_NODISCARD int sn_vector_write(sn_tree *, const sn_tree_info *, int field, int elements,
                                        const sn_box *, sn_span src, const int64_t *stride);
SN_API SN_NODISCARD int sn_vector_read_active(sn_tree *, const sn_tree_info *, int field,
                                              int elements, int64_t *index, void *value,
                                              int64_t cap, int64_t *n);
SN_API SN_NODISCARD int sn_vector_write_active(sn_tree *, const sn_tree_info *, int field,
                                               int elements, const int64_t *index,
                                               const void *value, int64_t n);
SN_API SN_NODISCARD int sn_vector_fill(sn_tree *, const sn_tree_info *, int field, int elements,
                                       const void *value);

/* The same of a field of structs: a value is what C has as that struct, of `bytes`, in which
 * each element lies as in a cell; a bool is a byte there. */
SN_API SN_NODISCARD int sn_struct_get(sn_tree *, const sn_tree_info *, int field, int elements,
                                      const int64_t *index, void *out);
SN_API SN_NODISCARD int sn_struct_set(sn_tree *, const sn_tree_info *, int field, int elements,
                                      const int64_t *index, const void *value);
SN_API SN_NODISCARD int sn_struct_read(sn_tree *, const sn_tree_info *, int field, int elements,
                                       size_t bytes, const sn_box *, sn_span dst,
                                       const int64_t *stride);
SN_API SN_NODISCARD int sn_struct_write(sn_tree *, const sn_tree_info *, int field, int elements,
                                        size_t bytes, const sn_box *, sn_span src,
                                        const int64_t *stride);
SN_API SN_NODISCARD int sn_struct_read_active(sn_tree *, const sn_tree_info *, int field,
                                              int elements, size_t bytes, int64_t *index,
                                              void *value, int64_t cap, int64_t *n);
SN_API SN_NODISCARD int sn_struct_write_active(sn_tree *, const sn_tree_info *, int field,
                                               int elements, size_t bytes, const int64_t *index,
                                               const void *value, int64_t n);
SN_API SN_NODISCARD int sn_struct_fill(sn_tree *, const sn_tree_info *, int field, int elements,
                                       const void *value);

/* ---- SNodes; indices in axis order, without offsets.  sn_snode_deactivate of a dynamic
 * SNode empties a container, whose index it takes: the own axis left out.  SN_EINVAL:
 * deactivating what is dense, the capacity of a hash or of what is below one. ---- */
SN_API SN_NODISCARD int sn_snode_activate(sn_tree *, const sn_tree_info *, int snode,
                                          const int64_t *index);
SN_API SN_NODISCARD int sn_snode_deactivate(sn_tree *, const sn_tree_info *, int snode,
                                            const int64_t *index);
SN_API SN_NODISCARD int sn_snode_is_active(sn_tree *, const sn_tree_info *, int snode,
                                           const int64_t *index, int *out);
SN_API SN_NODISCARD int sn_snode_deactivate_all(sn_tree *, const sn_tree_info *, int snode);
SN_API SN_NODISCARD int sn_snode_count(sn_tree *, const sn_tree_info *, int snode, int64_t *n);
SN_API SN_NODISCARD int sn_snode_capacity(sn_tree *, const sn_tree_info *, int snode, int64_t *n);
/* Cells of a dynamic SNode's container; index: its container's, the own axis left out. */
SN_API SN_NODISCARD int sn_snode_length(sn_tree *, const sn_tree_info *, int snode,
                                        const int64_t *index, int64_t *n);
SN_API SN_NODISCARD int sn_tree_deactivate_all(sn_tree *, const sn_tree_info *);
/* dst becomes what src is: the same activity, the same values.  Both of the type, with the
 * same extents (else SN_EINVAL); in any contexts, on any units.  After an error dst
 * holds a part. */
SN_API SN_NODISCARD int sn_tree_copy(sn_tree *dst, sn_tree *src, const sn_tree_info *);
/* Checkpoint: the file is whole or absent (written aside, then renamed).  SN_EIO. */
SN_API SN_NODISCARD int sn_tree_save(sn_tree *, const sn_tree_info *, const char *path);
/* The tree becomes what the file holds.  Fields that the file lacks get their default,
 * fields that only the file has are skipped; both are listed in the context's message, and
 * the call is SN_OK.  SN_EIO: damaged, cut off or foreign, and SN_EINVAL: other SNodes or
 * extents: found before the tree is changed. */
SN_API SN_NODISCARD int sn_tree_load(sn_tree *, const sn_tree_info *, const char *path);
SN_API SN_NODISCARD int sn_tree_memory(sn_tree *, const sn_tree_info *, sn_memory_info *rows,
                                       int cap, int *n);

/* ---- kernel calls: the sequencer ----
 * A generated kernel is a call of sn_kernel_call, which begins a call, lets the kernel's steps
 * hand over its arrays and its tasks in order, and ends it.  After an error the steps
 * do nothing and the call returns the code.
 *
 *   static void smooth_steps(sn_call *call)
 *   {
 *     smooth_params *p = sn_call_params(call);
 *
 *     sn_call_array(call, &p->src, 1, (const int64_t[]){ p->n }, sizeof(float), SND_ARRAY_IN);
 *     sn_call_list(call, 0, GRID_NODE);
 *     sn_call_task(call, 0);
 *     sn_call_gc(call, 0, GRID_TILE);
 *   }
 *
 *   return sn_kernel_call(&smooth_info, NULL, SN_TREES(grid), SN_ARGUMENTS(smooth_params, src, n),
 *                         out);
 */

/* An array parameter as it stands in the parameters, before the steps. */
#define SN_HOST_ARRAY(pointer) ((sn_addr)(uintptr_t)(pointer))
#define SN_TREES(...) ((void *const[]){ __VA_ARGS__ })
/* What a kernel is called with, as its parameter struct. */
#define SN_ARGUMENTS(type, ...) (&(type){ __VA_ARGS__ })
/* Where a kernel that gives the tangent of its result too puts both. */
#define SN_RESULTS(out, out_dual) ((void *[]){ out, out_dual })

/* trees: slot_count of them, each checked (NULL, foreign type, another context:
 * SN_EINVAL).  context: only for a kernel without trees.  params: the kernel's parameter struct, in
 * host memory, with the host addresses of its arrays.  result: where it has one, of its type; where
 * it has a tangent, SN_RESULTS of two such pointers (NULL, one of them too: SN_EINVAL). */
SN_API SN_NODISCARD int sn_kernel_call(const sn_kernel_info *, sn_context *, void *const *trees,
                                       void *params, void *result);
SN_API void *sn_call_params(const sn_call *);
/* An array parameter of `extents` extents; bytes: of a value.  *in_params, its address on the
 * host, becomes that in the unit (the same on the host).  NULL where there are values, an extent
 * below 0, more values than there can be: SN_EINVAL, kept for the call. */
SN_API void sn_call_array(sn_call *, sn_addr *in_params, int extents, const int64_t *extent,
                          size_t bytes, snd_array_mode);
/* Brings the list of the SNode's containers up to date: regenerates it and those
 * above it only where a version they stand on has changed. */
SN_API void sn_call_list(sn_call *, int slot, int snode);
/* Runs a task of the kernel, with headroom before it and versions and status after. */
SN_API void sn_call_task(sn_call *, int task);
SN_API void sn_call_deactivate_all(sn_call *, int slot, int snode);    /* 0: the whole tree */
/* Collects what was taken out of the SNode and below it; after a task that failed too. */
SN_API void sn_call_gc(sn_call *, int slot, int snode);
/* What the host decides by: the kernel-level bool at the offset in the kernel's variables,
 * as the tasks so far have left it; and whether no step has failed.  0 after an error, so
 * that what loops by them ends. */
SN_API int sn_call_test(const sn_call *, size_t offset);
SN_API int sn_call_stands(const sn_call *);

/* ---- kernels by name ---- */
SN_API const sn_kernel_info *sn_module_find_kernel(const sn_module *, const char *name);

/* ---- members of the tables of a generated file ---- */

/* The rows of another table and how many: SN_TABLE(task, step_tasks) is .task_count and .tasks. */
#define SN_TABLE(row, table) \
  .row##_count = sizeof(table) / sizeof *(table), .row##s = table
/* A kernel's names, of themselves and behind the prefix of the file's. */
#define SN_NAMES(prefix, kernel) .name = #kernel, .c_name = #prefix "_" #kernel

/* ---- the functions of a generated header that differ in names and types alone ----
 * name: what their names begin with; type: the tree's; info: its sn_tree_info; id: the field's
 * or the SNode's.  The header has their prototypes, and says what they do. */

/* A kernel's call, and the one that submits it to a queue (snode/submit.h): what both hand over of
 * the kernel, as sn_kernel_call takes it, and behind that the parameters of the call. */
#define SN_KERNEL_CALLS(name, info, context, trees, params, result, ...) \
  int name(__VA_ARGS__) { return sn_kernel_call(&info, context, trees, params, result); } \
  int name##_submit(sn_queue *sn_queue_, __VA_ARGS__, sn_event **sn_done_) \
  { return sn_kernel_submit(sn_queue_, &info, context, trees, params, result, sn_done_); }

#define SN_TREE_CALLS(name, type, info) \
  void name##_destroy(type *tree) { sn_tree_destroy((sn_tree *)tree); } \
  int name##_deactivate_all(type *tree) \
  { return sn_tree_deactivate_all((sn_tree *)tree, &info); } \
  int name##_copy(type *dst, type *src) \
  { return sn_tree_copy((sn_tree *)dst, (sn_tree *)src, &info); } \
  int name##_save(type *tree, const char *path) \
  { return sn_tree_save((sn_tree *)tree, &info, path); } \
  int name##_load(type *tree, const char *path) \
  { return sn_tree_load((sn_tree *)tree, &info, path); } \
  int name##_memory(type *tree, sn_memory_info *rows, int cap, int *n) \
  { return sn_tree_memory((sn_tree *)tree, &info, rows, cap, n); }

#define SN_SIZE_CALLS(name, type, info, id) \
  int name##_count(type *tree, int64_t *n) \
  { return sn_field_count((sn_tree *)tree, &info, id, n); } \
  int name##_shape(type *tree, int64_t *lo, int64_t *hi) \
  { return sn_field_shape((sn_tree *)tree, &info, id, lo, hi); }

#define SN_FIELD_CALLS(name, type, info, id, value_type) \
  int name##_read(type *tree, const sn_box *box, sn_span dst, const int64_t *stride) \
  { return sn_field_read((sn_tree *)tree, &info, id, box, dst, stride); } \
  int name##_write(type *tree, const sn_box *box, sn_span src, const int64_t *stride) \
  { return sn_field_write((sn_tree *)tree, &info, id, box, src, stride); } \
  int name##_fill(type *tree, value_type value) \
  { return sn_field_fill((sn_tree *)tree, &info, id, &value); } \
  SN_SIZE_CALLS(name, type, info, id)

#define SN_FIELD_LIST_CALLS(name, type, info, id, value_type) \
  int name##_read_active(type *tree, int64_t *index, value_type *value, int64_t cap, int64_t *n) \
  { return sn_field_read_active((sn_tree *)tree, &info, id, index, value, cap, n); } \
  int name##_write_active(type *tree, const int64_t *index, const value_type *value, int64_t n) \
  { return sn_field_write_active((sn_tree *)tree, &info, id, index, value, n); }

#define SN_VECTOR_CALLS(name, type, info, id, elements, value_type) \
  int name##_read(type *tree, const sn_box *box, sn_span dst, const int64_t *stride) \
  { return sn_vector_read((sn_tree *)tree, &info, id, elements, box, dst, stride); } \
  int name##_write(type *tree, const sn_box *box, sn_span src, const int64_t *stride) \
  { return sn_vector_write((sn_tree *)tree, &info, id, elements, box, src, stride); } \
  int name##_fill(type *tree, const value_type value[elements]) \
  { return sn_vector_fill((sn_tree *)tree, &info, id, elements, value); } \
  SN_SIZE_CALLS(name, type, info, id)

#define SN_VECTOR_LIST_CALLS(name, type, info, id, elements, value_type) \
  int name##_read_active(type *tree, int64_t *index, value_type *value, int64_t cap, int64_t *n) \
  { return sn_vector_read_active((sn_tree *)tree, &info, id, elements, index, value, cap, n); } \
  int name##_write_active(type *tree, const int64_t *index, const value_type *value, int64_t n) \
  { return sn_vector_write_active((sn_tree *)tree, &info, id, elements, index, value, n); }

#define SN_STRUCT_CALLS(name, type, info, id, elements, value_type) \
  int name##_read(type *tree, const sn_box *box, sn_span dst, const int64_t *stride) \
  { return sn_struct_read((sn_tree *)tree, &info, id, elements, sizeof(value_type), box, dst, \
                          stride); } \
  int name##_write(type *tree, const sn_box *box, sn_span src, const int64_t *stride) \
  { return sn_struct_write((sn_tree *)tree, &info, id, elements, sizeof(value_type), box, src, \
                           stride); } \
  int name##_fill(type *tree, const value_type *value) \
  { return sn_struct_fill((sn_tree *)tree, &info, id, elements, value); } \
  SN_SIZE_CALLS(name, type, info, id)

#define SN_STRUCT_LIST_CALLS(name, type, info, id, elements, value_type) \
  int name##_read_active(type *tree, int64_t *index, value_type *value, int64_t cap, int64_t *n) \
  { return sn_struct_read_active((sn_tree *)tree, &info, id, elements, sizeof(value_type), index, \
                                 value, cap, n); } \
  int name##_write_active(type *tree, const int64_t *index, const value_type *value, int64_t n) \
  { return sn_struct_write_active((sn_tree *)tree, &info, id, elements, sizeof(value_type), \
                                  index, value, n); }

#define SN_SNODE_CALLS(name, type, info, id) \
  int name##_count(type *tree, int64_t *n) \
  { return sn_snode_count((sn_tree *)tree, &info, id, n); } \
  int name##_capacity(type *tree, int64_t *n) \
  { return sn_snode_capacity((sn_tree *)tree, &info, id, n); }

#define SN_SPARSE_SNODE_CALLS(name, type, info, id) \
  int name##_deactivate_all(type *tree) \
  { return sn_snode_deactivate_all((sn_tree *)tree, &info, id); }

SN_END_DECLS

#endif
