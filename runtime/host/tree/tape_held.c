/* What a tape holds: its notes, how many bytes, and why it cannot be reversed. */
#include "runtime/host/base/text.h"
#include "runtime/host/tree/tape.h"

/* ---- a note: the struct, then trees, parameters, the adjoint of the result ---- */

static size_t rounded(size_t bytes)
{
  return (bytes + 7) / 8 * 8;
}

sn_tree **sni_noted_trees(sni_noted *note)
{
  return (sn_tree **)(void *)((char *)note + rounded(sizeof *note));
}

void *sni_noted_params(sni_noted *note)
{
  return (char *)sni_noted_trees(note) + rounded(note->kernel->slot_count * sizeof(sn_tree *));
}

void *sni_noted_adjoint(sni_noted *note)
{
  return (char *)sni_noted_params(note) + rounded((size_t)note->kernel->params_bytes);
}

size_t sni_adjoint_bytes(const sn_kernel_info *kernel)
{
  return kernel->gradient->adjoint_count
             ? kernel->result_count * sni_type_bytes((sn_type)kernel->result) : 0;
}

size_t sni_noted_bytes(const sn_kernel_info *kernel)
{
  return rounded(sizeof(sni_noted)) + rounded(kernel->slot_count * sizeof(sn_tree *)) +
         rounded((size_t)kernel->params_bytes) + sni_adjoint_bytes(kernel);
}

void sni_noted_free(sni_noted *note, sni_accounts *accounts)
{
  while (note->arrays) {
    sni_noted_array *next = note->arrays->next;
    sni_delete(accounts, note->arrays, 1, sizeof *note->arrays + note->arrays->bytes);
    note->arrays = next;
  }
  sni_delete(accounts, note, 1, note->bytes);
}

/* ---- the tape ---- */

void sni_tape_spoil(sn_tape *tape, const char *format, ...)
{
  va_list arguments;

  if (*tape->spoiled)
    return;
  va_start(arguments, format);
  (void)sni_text_vformat(tape->spoiled, sizeof tape->spoiled, format, arguments);
  va_end(arguments);
}

uint64_t sni_tape_versions(const sn_tree *tree)
{
  uint64_t sum = 0;

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    sum += tree->counters[k].version;
  return sum;
}

void sni_tape_holds(sn_tape *tape, uint64_t bytes)
{
  tape->held_bytes += bytes;
  if ((int64_t)tape->held_bytes > tape->statistics.most_bytes)
    tape->statistics.most_bytes = (int64_t)tape->held_bytes;
}

void sni_tape_gives(sn_tape *tape, uint64_t bytes)
{
  tape->held_bytes -= bytes;
}

/* ---- its trees ---- */

sni_tape_tree *sni_tape_find(const sn_tape *tape, const sn_tree *tree)
{
  for (size_t k = 0; k < tape->tree_count; k++)
    if (tape->trees[k].tree == tree)
      return &tape->trees[k];
  return NULL;
}

void sni_tape_tree_free(sni_tape_tree *t, sni_accounts *accounts)
{
  sni_delete(accounts, t->fields, t->field_count, 1);
  sni_delete(accounts, t->chosen, t->field_count, 1);
  sni_delete(accounts, t->needed, (size_t)t->field_count * SN_MAX_AXES, sizeof *t->needed);
}

uint8_t sni_tape_use(const snd_permission *row, sn_tree *const *trees)
{
  uint8_t use = 0;

  if (row->slot < 0 || row->field < 0 ||
      (uint32_t)row->field >= sni_lasting_fields(trees[row->slot]))
    return 0;
  if (row->use & (SND_MAY_READ | SND_MAY_ACCUMULATE | SND_MAY_MERGE))
    use |= SNI_TAPE_READS;
  if (row->use & (SND_MAY_WRITE | SND_MAY_ACCUMULATE))
    use |= SNI_TAPE_WRITES;
  return use;
}
