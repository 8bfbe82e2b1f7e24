/* Noting the calls of kernels, and refusing what could not be reversed. */
#include "runtime/host/tree/draws.h"
#include "runtime/host/tree/range.h"
#include "runtime/host/tree/tape.h"

#include <string.h>

/* ---- making a note ---- */

static size_t bytes_of(const sni_noted *note)
{
  size_t bytes = note->bytes;

  for (const sni_noted_array *a = note->arrays; a; a = a->next)
    bytes += sizeof *a + a->bytes;
  return bytes;
}

static sni_noted *new_note(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
                          const void *params)
{
  const size_t bytes = sni_noted_bytes(kernel);
  sni_noted *note = sni_new(&context->accounts, 1, bytes);

  if (!note)
    return NULL;
  note->kernel = kernel;
  note->bytes = bytes;
  note->draws = *sni_draws_count(context, kernel, trees);
  for (uint32_t k = 0; k < kernel->slot_count; k++)
    sni_noted_trees(note)[k] = trees[k];
  if (kernel->params_bytes)
    memcpy(sni_noted_params(note), params, (size_t)kernel->params_bytes);
  return note;
}

/* ---- the trees of a tape ---- */

/* Room for one more, in both arrays. */
static int make_room(sn_tape *tape)
{
  sni_accounts *accounts = &tape->context->accounts;
  void *trees = tape->trees, *walkers = tape->walkers;
  const size_t need = tape->tree_count + 1;
  const int made = sni_grow(accounts, &trees, &tape->tree_capacity, need, sizeof *tape->trees);
  const int also = made && sni_grow(accounts, &walkers, &tape->walker_capacity, need,
                                    sizeof *tape->walkers);

  tape->trees = trees;
  tape->walkers = walkers;
  return also;
}

/* NULL: there is no memory. */
static sni_tape_tree *find_or_add(sn_tape *tape, sn_tree *tree)
{
  sni_accounts *accounts = &tape->context->accounts;
  const uint32_t fields = tree->info->field_count;
  sni_tape_tree *t = sni_tape_find(tape, tree);

  if (t || !make_room(tape))
    return t;
  t = &tape->trees[tape->tree_count];
  *t = (sni_tape_tree){ .tree = tree, .field_count = fields };
  t->fields = sni_new(accounts, fields, 1);
  t->chosen = sni_new(accounts, fields, 1);
  t->needed = sni_new(accounts, (size_t)fields * SN_MAX_AXES, sizeof *t->needed);
  if (!t->fields || !t->chosen || !t->needed) {
    sni_tape_tree_free(t, accounts);
    return NULL;
  }
  sni_tape_need_none(t);
  tape->walkers[tape->tree_count++] = (sni_walker){ .tree = tree };
  return t;
}

static int add_trees(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  for (uint32_t k = 0; k < kernel->slot_count; k++)
    if (!find_or_add(tape, trees[k]))
      return sni_fail(tape->context, SN_ENOMEM, "%s: no memory for noting it on the tape",
                      kernel->c_name);
  return SN_OK;
}

/* Where the activity of a tree that noted calls use has changed, the tape is spoiled. */
static void check_versions(sn_tape *tape, const char *who)
{
  for (size_t k = 0; k < tape->tree_count; k++) {
    const sni_tape_tree *t = &tape->trees[k];
    if (t->tree && t->is_noted && t->versions != sni_tape_versions(t->tree))
      sni_tape_spoil(tape, "%s has activated or deactivated cells of a %s that noted kernels use: "
                     "activate them before sn_tape_begin", who, t->tree->info->c_name);
  }
}

/* ---- what a kernel may do to fields: its permissions ---- */

static uint8_t *field_of(const sn_tape *tape, const snd_permission *row, sn_tree *const *trees)
{
  sni_tape_tree *t = sni_tape_find(tape, trees[row->slot]);

  return t ? &t->fields[row->field] : NULL;
}

/* The first row of what the kernel may do (`use`) to a field of which `uses` is said; NULL. */
static const snd_permission *find_row(const sn_tape *tape, const sn_kernel_info *kernel,
                                      sn_tree *const *trees, uint8_t use, uint8_t uses)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++) {
    const snd_permission *row = &kernel->permissions[k];
    const uint8_t *field = sni_tape_use(row, trees) & use ? field_of(tape, row, trees) : NULL;
    if (field && *field & uses)
      return row;
  }
  return NULL;
}

static const snd_field_info *info_of(const snd_permission *row, sn_tree *const *trees)
{
  return &trees[row->slot]->info->fields[row->field];
}

/* As what the kernel does to fields (`use`) is counted; as: 0: as what it is. */
static void mark(const sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees,
                 uint8_t use, uint8_t as)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++) {
    const snd_permission *row = &kernel->permissions[k];
    if (sni_tape_use(row, trees) & use)
      *field_of(tape, row, trees) |= as ? as : sni_tape_use(row, trees);
  }
}

/* ---- kernels without an adjoint ---- */

static int pass_foreign(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  const snd_permission *row = find_row(tape, kernel, trees, SNI_TAPE_WRITES, SNI_TAPE_USES);

  if (row)
    return sni_fail(tape->context, SN_ESTATE, "%s: it has no gradient, and writes %.*s, which a "
                    "kernel before it on the tape uses: declare it `with grad`, or call it before "
                    "sn_tape_begin", kernel->c_name, SNI_FIELD_NAME(info_of(row, trees)));
  SN_TRY(add_trees(tape, kernel, trees));
  mark(tape, kernel, trees, SNI_TAPE_WRITES, SNI_TAPE_FOREIGN);
  return SN_OK;
}

/* ---- kernels with one ---- */

static int are_adjoints(const sn_kernel_info *kernel)
{
  const sn_kernel_info *gradient = kernel->gradient;

  for (uint32_t k = 0; k < gradient->adjoint_count; k++) {
    const snd_adjoint_result *a = &gradient->adjoints[k];
    const uint64_t bytes = sni_type_bytes(a->type);
    if (a->adjoint + bytes > gradient->params_bytes ||
        a->offset + bytes > sni_adjoint_bytes(kernel))
      return 0;
  }
  return 1;
}

static int check_tables(sn_context *context, const sn_kernel_info *kernel)
{
  const sn_kernel_info *gradient = kernel->gradient;

  if (gradient->slot_count != kernel->slot_count || gradient->params_bytes < kernel->params_bytes ||
      !are_adjoints(kernel))
    return sni_fail(context, SN_EABI, "%s: the tables of its gradient %s are not those of an "
                    "adjoint: run snodegen again", kernel->c_name, gradient->c_name);
  if (sni_draws(gradient))
    return sni_fail(context, SN_ESTATE, "%s: its gradient draws random numbers, which would be "
                    "others than its own: a tape cannot reverse it", kernel->c_name);
  for (uint32_t k = 0; k < kernel->param_count; k++)
    if (kernel->params[k].array & SND_ARRAY_OUT)
      return sni_fail(context, SN_ESTATE, "%s: it writes the array %s, which would be written "
                      "again where a tape runs it again", kernel->c_name, kernel->params[k].name);
  return SN_OK;
}

/* The first row of an adjoint that the kernel uses, and its own adjoint changes; NULL. */
static const snd_permission *own_adjoint(const sn_kernel_info *kernel, sn_tree *const *trees)
{
  const sn_kernel_info *gradient = kernel->gradient;

  for (uint32_t k = 0; k < kernel->permission_count; k++)
    for (uint32_t g = 0; g < gradient->permission_count; g++) {
      const snd_permission *row = &kernel->permissions[k], *changed = &gradient->permissions[g];
      if (row->slot == changed->slot && row->field == changed->field &&
          sni_tape_use(row, trees) && sni_tape_use(changed, trees) & SNI_TAPE_WRITES)
        return row;
    }
  return NULL;
}

/* What a noted kernel makes of adjoints is not in its own adjoint, and what it sets them to would
 * be set again where it runs again. */
static int check_adjoints(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  const snd_permission *row = own_adjoint(kernel, trees);

  if (!row)
    row = find_row(tape, kernel, trees, SNI_TAPE_USES, SNI_TAPE_CHANGES);
  if (row)
    return sni_fail(tape->context, SN_ESTATE, "%s: it uses %.*s, which sn_tape_backward changes "
                    "(deactivate_all sets the adjoints in a tree too): call it before "
                    "sn_tape_begin, or after sn_tape_backward",
                    kernel->c_name, SNI_FIELD_NAME(info_of(row, trees)));
  row = find_row(tape, kernel->gradient, trees, SNI_TAPE_WRITES, SNI_TAPE_USES);
  if (row)
    return sni_fail(tape->context, SN_ESTATE, "%s: its adjoint changes %.*s, which a kernel before "
                    "it on the tape uses: call that one before sn_tape_begin", kernel->c_name,
                    SNI_FIELD_NAME(info_of(row, trees)));
  return SN_OK;
}

static int check_fields(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees,
                        const void *params)
{
  const snd_permission *row = find_row(tape, kernel, trees, SNI_TAPE_USES, SNI_TAPE_FOREIGN);

  if (row)
    return sni_fail(tape->context, SN_ESTATE, "%s: it uses %.*s, which a kernel without a gradient "
                    "has written since sn_tape_begin: the derivative would pass by it",
                    kernel->c_name, SNI_FIELD_NAME(info_of(row, trees)));
  row = tape->places ? NULL : sni_tape_overwrites(tape, kernel, trees, params);
  if (row)
    return sni_fail(tape->context, SN_ESTATE, "%s: it overwrites %.*s, which the adjoint of a "
                    "kernel before it on the tape may need, and the tape has no places for "
                    "checkpoints",
                    kernel->c_name, SNI_FIELD_NAME(info_of(row, trees)));
  return SN_OK;
}

/* Into the first checkpoint: what the kernel may write and none before it has. */
static int hold_first(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  for (size_t w = 0; w < tape->tree_count; w++) {
    sni_tape_tree *t = &tape->trees[w];
    const uint64_t before = tape->base.bytes;
    int any = 0;
    memset(t->chosen, 0, t->field_count);
    for (uint32_t k = 0; k < kernel->permission_count; k++) {
      const snd_permission *row = &kernel->permissions[k];
      if (sni_tape_use(row, trees) & SNI_TAPE_WRITES && trees[row->slot] == t->tree &&
          !(t->fields[row->field] & SNI_TAPE_WRITES))
        any = t->chosen[row->field] = 1;
    }
    if (!any)
      continue;
    SN_TRY(sni_state_take(&tape->base, &tape->walkers[w], (uint32_t)w, t->chosen));
    for (uint32_t f = 0; f < t->field_count; f++)
      t->fields[f] |= t->chosen[f] ? SNI_TAPE_WRITES : 0;
    sni_tape_holds(tape, tape->base.bytes - before);
  }
  return SN_OK;
}

static void note_trees(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  for (uint32_t k = 0; k < kernel->slot_count; k++) {
    sni_tape_tree *t = sni_tape_find(tape, trees[k]);
    if (!t->is_noted)
      t->versions = sni_tape_versions(t->tree);
    t->is_noted = 1;
  }
}

/* In this order: after each step that fails the tape holds nothing that is not true. */
static int begin_note(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees,
                      const void *params, sni_noted **out)
{
  sn_context *context = tape->context;
  void *notes = tape->notes;
  int has_room;

  SN_TRY(check_tables(context, kernel));
  SN_TRY(check_fields(tape, kernel, trees, params));
  SN_TRY(check_adjoints(tape, kernel, trees));
  SN_TRY(add_trees(tape, kernel, trees));
  has_room = sni_grow(&context->accounts, &notes, &tape->capacity, tape->count + 1,
                      sizeof(sni_noted *));
  tape->notes = notes;
  note_trees(tape, kernel, trees);
  if (tape->places)
    SN_TRY(hold_first(tape, kernel, trees));
  *out = has_room ? new_note(context, kernel, trees, params) : NULL;
  if (!*out)
    return sni_fail(context, SN_ENOMEM, "%s: no memory for noting it on the tape", kernel->c_name);
  return SN_OK;
}

/* ---- before and after a call ---- */

static sn_tape *recording(const sn_context *context)
{
  sn_tape *tape = context->tapes;

  while (tape && tape->phase != SNI_TAPE_RECORDING)
    tape = tape->next;
  return tape;
}

/* A tape that has ended needs its fields as they are. */
static void spoil_ended(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees)
{
  for (sn_tape *tape = context->tapes; tape; tape = tape->next) {
    const snd_permission *row = tape->phase == SNI_TAPE_ENDED
      ? find_row(tape, kernel, trees, SNI_TAPE_WRITES, SNI_TAPE_USES) : NULL;
    if (row)
      sni_tape_spoil(tape, "%s has been called since sn_tape_end, and writes %.*s",
                     kernel->c_name, SNI_FIELD_NAME(info_of(row, trees)));
  }
}

int sni_tape_before(sn_context *context, const sn_kernel_info *kernel, sn_tree *const *trees,
                    const void *params, sni_noted **note)
{
  sn_tape *tape = recording(context);

  *note = NULL;
  spoil_ended(context, kernel, trees);
  if (!tape || *tape->spoiled)
    return SN_OK;
  check_versions(tape, "a call on a tree, or a kernel,");
  if (*tape->spoiled)
    return sni_fail(context, SN_ESTATE, "%s: the tape cannot be reversed: %s", kernel->c_name,
                    tape->spoiled);
  if (!kernel->gradient)
    return pass_foreign(tape, kernel, trees);
  SN_TRY(sni_check_apart(context, kernel->gradient, trees));
  return begin_note(tape, kernel, trees, params, note);
}

int sni_tape_array(sn_call *call, sni_noted *note, const sn_addr *at, const void *host,
                   size_t bytes)
{
  sni_noted_array *array = sni_new(&call->context->accounts, 1, sizeof *array + bytes);
  sn_addr copy;

  if (!array)
    return SN_ENOMEM;
  copy = sni_address(array + 1);
  if (bytes)
    memcpy(array + 1, host, bytes);
  array->bytes = bytes;
  array->next = note->arrays;
  note->arrays = array;
  memcpy((char *)sni_noted_params(note) + ((const char *)at - (const char *)call->params), &copy,
         sizeof copy);
  return SN_OK;
}

/* A call that failed before a task of it ran has changed nothing. */
static void drop(sn_tape *tape, sni_noted *note)
{
  if (tape->context->call && tape->context->call->has_run)
    sni_tape_spoil(tape, "%s has failed", note->kernel->c_name);
  sni_noted_free(note, &tape->context->accounts);
}

/* What is said of fields from here on, the call included. */
static void keep(sn_tape *tape, sni_noted *note)
{
  const size_t bytes = bytes_of(note);
  const sn_kernel_info *kernel = note->kernel;
  sn_tree **trees = sni_noted_trees(note);
  const void *params = sni_noted_params(note);

  tape->is_overwritten = tape->is_overwritten ||
                         sni_tape_overwrites(tape, kernel, trees, params) != NULL;
  mark(tape, kernel, trees, SNI_TAPE_USES, 0);
  mark(tape, kernel->gradient, trees, SNI_TAPE_WRITES, SNI_TAPE_CHANGES);
  sni_tape_need(tape, kernel, trees, params);
  tape->notes[tape->count++] = note;
  tape->statistics.note_bytes += (int64_t)bytes;
  sni_tape_holds(tape, bytes);
}

int sni_tape_after(sn_context *context, const sn_kernel_info *kernel, sni_noted *note, int code)
{
  sn_tape *tape = recording(context);

  if (note && code == SN_OK)
    keep(tape, note);
  else if (note)
    drop(tape, note);
  if (!tape || *tape->spoiled)
    return code;
  check_versions(tape, kernel->c_name);
  if (*tape->spoiled && code == SN_OK)
    return sni_fail(context, SN_ESTATE, "the tape cannot be reversed: %s", tape->spoiled);
  return code;
}

/* ---- the host's access ---- */

static int uses(const sni_tape_tree *t, int field)
{
  for (uint32_t k = 0; k < t->field_count; k++)
    if ((field < 0 || (uint32_t)field == k) && t->fields[k] & SNI_TAPE_USES)
      return 1;
  return 0;
}

int sni_tape_write(sn_tree *tree, int field, const char *what)
{
  sn_context *context = tree->context;
  const char *name = field < 0 ? "what it holds" : tree->info->fields[field].name;

  for (sn_tape *tape = context->tapes; tape; tape = tape->next) {
    const sni_tape_tree *t = sni_tape_find(tape, tree);
    if (!t || !uses(t, field))
      continue;
    if (tape->phase == SNI_TAPE_RECORDING)
      return sni_fail(context, SN_ESTATE, "%s_%s: kernels that a tape has noted use %.*s: write "
                      "it before sn_tape_begin, or after sn_tape_backward", tree->info->c_name,
                      what, (int)strcspn(name, "."), name);
    sni_tape_spoil(tape, "%.*s of a %s has been written since sn_tape_end",
                   (int)strcspn(name, "."), name, tree->info->c_name);
  }
  return SN_OK;
}
