/* Kernels as the entries of a code: their uses from their permissions, and a run of one, which
 * takes instances that stand over the arrays.
 */
#include "runtime/host/base/process.h"
#include "runtime/host/base/text.h"
#include "runtime/host/bridge/program.h"
#include "runtime/host/exec/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <snode/version.h>

/* ---- a run ---- */

static int check_indices(const sni_program_kernel *k, const int64_t *indices)
{
  const sn_kernel_info *kernel = k->entry->kernel;

  for (uint32_t i = 0; i < kernel->param_count; i++)
    if (!sni_type_holds(kernel->params[i].type, indices[i]))
      return sni_engine_fail(k->program->engine, SN_EBOUNDS,
                             "routine '%s': %lld is beyond the type of its parameter '%s'",
                             kernel->name, (long long)indices[i], kernel->params[i].name);
  return SN_OK;
}

/* An instance of the slot's tree whose cells are the arrays. */
static int make_instance(const sni_program_kernel *k, const sn_arguments *a, int32_t slot,
                         sni_placement *placements, sn_tree **out)
{
  int count = 0;

  for (int u = 0; u < k->use_count; u++)
    if (k->bindings[u].slot == slot) {
      placements[count].snode = k->bindings[u].container;
      placements[count++].address = (sn_addr)(uintptr_t)a->arrays[u];
    }
  return sni_tree_create_over(a->context, k->program->routines->module,
                              k->entry->kernel->slots[slot], placements, count, out);
}

/* The context's text becomes the engine's: the context is the routine's own. */
static int fail_run(const sni_program_kernel *k, sn_context *context, int code)
{
  code = sni_engine_fail(k->program->engine, code, "%s", sn_context_error(context));
  sni_forget_error(context);
  return code;
}

/* Lines of --trace are the run's own: its context is used by nobody else meanwhile. */
static int run_logged(const sni_program_kernel *k, const sn_arguments *a, sn_tree *const *trees)
{
  const sni_output before = a->context->trace, log = { a->log, a->log_to };
  int code;

  a->context->trace = log;
  code = k->entry->run(trees, a->indices);
  a->context->trace = before;
  return code;
}

static int run_kernel(const sn_arguments *a)
{
  const sni_program_kernel *k = a->user;
  sn_engine *engine = k->program->engine;
  const int32_t count = (int32_t)k->entry->kernel->slot_count;
  sn_tree *trees[SND_MAX_SLOTS];
  sni_placement *placements;
  int32_t made = 0;
  int code;

  SN_TRY(check_indices(k, a->indices));
  placements = sni_engine_new(engine, (size_t)k->use_count, sizeof *placements);
  if (!placements)
    return sni_engine_fail(engine, SN_ENOMEM, "routine '%s': no memory for a run",
                           k->entry->kernel->name);
  for (code = SN_OK; made < count && code == SN_OK; made += code == SN_OK)
    code = make_instance(k, a, made, placements, &trees[made]);
  if (code == SN_OK)
    code = run_logged(k, a, trees);
  while (made)
    sn_tree_destroy(trees[--made]);
  sni_engine_delete(engine, placements, (size_t)k->use_count, sizeof *placements);
  return code == SN_OK ? SN_OK : fail_run(k, a->context, code);
}

/* ---- what a kernel is as an entry ---- */

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static void refuse(sni_program_kernel *k, const char *format, ...)
{
  va_list arguments;

  if (k->why[0])
    return;
  va_start(arguments, format);
  (void)sni_text_vformat(k->why, sizeof k->why, format, arguments);
  va_end(arguments);
}

/* Until all its elements are known: what it writes of it may be a part. */
static sn_node_use_kind kind_of(uint32_t use)
{
  if (use & SND_MAY_MERGE)
    return SN_NODE_MERGE;
  return (use & ~(uint32_t)SND_MAY_OUTPUT) == SND_MAY_READ ? SN_NODE_READ : SN_NODE_READ_WRITE;
}

static int use_of(sni_program_kernel *k, const sni_field_node *f, const snd_permission *row)
{
  int u = 0;

  while (u < k->use_count &&
         (k->uses[u].node != f->node || k->bindings[u].slot != row->slot))
    u++;
  if (u < k->use_count)
    return u;
  k->uses[u].kind = kind_of(row->use);
  k->uses[u].node = f->node;
  k->bindings[u].slot = row->slot;
  k->bindings[u].container = f->container;
  return k->use_count++;
}

/* Of the elements of one field the most that is done to any.  It is written as a whole when all of
 * them are, and when it is local: its values are the call's own. */
static void add_use(sni_program_kernel *k, const sni_field_node *f, const snd_permission *row)
{
  const int u = use_of(k, f, row);

  if (k->uses[u].kind != kind_of(row->use))
    k->uses[u].kind = SN_NODE_READ_WRITE;
  k->bindings[u].outputs += (row->use & SND_MAY_OUTPUT) != 0;
  if (k->bindings[u].outputs == f->count || sn_node_mode(f->node) == SN_MODE_LOCAL)
    k->uses[u].kind = SN_NODE_WRITE;
}

static void take_row(sni_program_kernel *k, const snd_permission *row)
{
  const sn_tree_info *tree = row->slot >= 0 ? k->entry->kernel->slots[row->slot] : NULL;
  const sni_field_node *f;

  if (row->field == SND_USED_DRAWS)
    refuse(k, "it draws random numbers, which its trees would have to count");
  if (row->field == SND_USED_TOPOLOGY)
    refuse(k, "cells of tree '%.40s' can be inactive", tree->name);
  if (row->field < 0)
    return;
  f = sni_program_field(k->program, tree, row->field);
  if (f && f->node)
    add_use(k, f, row);
  else
    refuse(k, "its field '%.40s' is no node: %s", tree->fields[row->field].name,
           f ? f->why : "another program declares it");
}

static int is_merge_slot(const sn_kernel_info *kernel, uint32_t slot)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++)
    if (kernel->permissions[k].slot == (int32_t)slot &&
        kernel->permissions[k].use & SND_MAY_MERGE)
      return 1;
  return 0;
}

static void check_slots(sni_program_kernel *k)
{
  const sn_kernel_info *kernel = k->entry->kernel;

  if (!k->entry->run)
    refuse(k, "it has a result, a parameter that is no integer, or no tree");
  for (uint32_t s = 0; s < kernel->slot_count; s++)
    for (uint32_t t = 0; t < s; t++)
      if (kernel->slots[s] == kernel->slots[t] && !is_merge_slot(kernel, s))
        refuse(k, "it takes two instances of tree '%.40s'", kernel->slots[s]->name);
}

static int describe(sni_program_kernel *k)
{
  const sn_kernel_info *kernel = k->entry->kernel;
  sn_engine *engine = k->program->engine;

  k->room = (int)kernel->permission_count + 1;
  k->param_count = kernel->param_count;
  k->uses = sni_engine_new(engine, (size_t)k->room, sizeof *k->uses);
  k->bindings = sni_engine_new(engine, (size_t)k->room, sizeof *k->bindings);
  k->indices = sni_engine_new(engine, kernel->param_count + 1, sizeof *k->indices);
  if (!k->uses || !k->bindings || !k->indices)
    return sni_engine_fail(engine, SN_ENOMEM, "kernel '%s': no memory for an entry", kernel->name);
  check_slots(k);
  for (uint32_t r = 0; r < kernel->permission_count; r++)
    take_row(k, &kernel->permissions[r]);
  for (uint32_t i = 0; i < kernel->param_count; i++)
    k->indices[i].name = kernel->params[i].name;
  if (!k->use_count)
    refuse(k, "it touches no field");
  return SN_OK;
}

/* ---- the code ---- */

static sn_entry entry_of(sni_program_kernel *k)
{
  sn_entry entry = SN_ENTRY_INIT;

  entry.name = k->entry->kernel->name;
  if (k->why[0])
    return entry;
  entry.run = run_kernel;
  entry.user = k;
  entry.uses = k->uses;
  entry.use_count = k->use_count;
  entry.indices = k->indices;
  entry.index_count = (int)k->entry->kernel->param_count;
  return entry;
}

static int make_code(sn_program *p)
{
  const int count = p->routines->entry_count;
  sn_entry *entries = sni_engine_new(p->engine, (size_t)count, sizeof *entries);
  int code = SN_OK;

  p->kernels = sni_engine_new(p->engine, (size_t)count, sizeof *p->kernels);
  if (!entries || !p->kernels)
    code = sni_engine_fail(p->engine, SN_ENOMEM, "no memory for a program");
  for (int k = 0; k < count && code == SN_OK; k++) {
    p->kernels[k].program = p;
    p->kernels[k].entry = &p->routines->entries[k];
    code = describe(&p->kernels[k]);
    entries[k] = entry_of(&p->kernels[k]);
  }
  if (code == SN_OK)
    code = sni_code_create(p->engine, entries, count, &p->code);
  if (entries)
    sni_engine_delete(p->engine, entries, (size_t)count, sizeof *entries);
  return code;
}

/* ---- its life ---- */

static void free_kernel(sn_engine *engine, sni_program_kernel *k)
{
  if (k->uses)
    sni_engine_delete(engine, k->uses, (size_t)k->room, sizeof *k->uses);
  if (k->bindings)
    sni_engine_delete(engine, k->bindings, (size_t)k->room, sizeof *k->bindings);
  if (k->indices)
    sni_engine_delete(engine, k->indices, k->param_count + 1, sizeof *k->indices);
}

static void free_program(sn_program *p)
{
  const size_t kernels = (size_t)p->kernel_count;

  for (size_t k = 0; p->kernels && k < kernels; k++)
    free_kernel(p->engine, &p->kernels[k]);
  if (p->kernels)
    sni_engine_delete(p->engine, p->kernels, kernels, sizeof *p->kernels);
  if (p->fields)
    sni_engine_delete(p->engine, p->fields, (size_t)p->field_room + 1, sizeof *p->fields);
  sni_engine_delete(p->engine, p, 1, sizeof *p);
}

/* library: becomes the program's, after an error it is closed; NULL: none. */
static int create(sn_engine *engine, const sn_routines *routines, void *library, sn_program **out)
{
  sn_program *p = sni_engine_new(engine, 1, sizeof *p);
  int code;

  if (!p) {
    if (library)
      sni_library_close(library);
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for a program");
  }
  p->engine = engine;
  p->routines = routines;
  p->library = library;
  p->kernel_count = routines->entry_count;
  code = sni_program_make_nodes(p);
  if (code == SN_OK)
    code = make_code(p);
  if (code == SN_OK)
    *out = p;
  else
    (void)!sn_program_destroy(p);
  return code;
}

static int check_routines(sn_engine *engine, const sn_routines *r)
{
  if (!r || r->size != sizeof *r || !r->module || r->module->abi != SNODE_ABI ||
      r->module->bytes != sizeof *r->module)
    return sni_engine_fail(engine, SN_EABI, "these routines were generated for another libsnode");
  if (r->entry_count < 1)
    return sni_engine_fail(engine, SN_EINVAL, "program '%s' has no kernel", r->module->name);
  return SN_OK;
}

int sn_program_create(sn_engine *engine, const sn_routines *routines, sn_program **out)
{
  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!routines || !out)
    return SN_EINVAL;
  SN_TRY(check_routines(engine, routines));
  return create(engine, routines, NULL, out);
}

/* The table that the object brings. */
static const sn_routines *find_routines(void *library, const char *name)
{
  const sn_routines *(*routines)(void);
  char symbol[256];
  void *found;

  if (snprintf(symbol, sizeof symbol, "%s_routines", name) >= (int)sizeof symbol)
    return NULL;
  found = sni_library_find(library, symbol);
  memcpy(&routines, &found, sizeof routines);
  return found ? routines() : NULL;
}

int sn_program_compile(sn_engine *engine, const char *text, const char *name,
                       const sn_compiler *compiler, sn_program **out)
{
  static const sn_compiler standard = SN_COMPILER_INIT;
  sn_compiler own;
  const sn_compiler *c;
  const sn_routines *routines;
  sni_builder builder;
  void *library;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  c = sni_engine_sized(engine, "what compiles", compiler, &own, &standard, sizeof own);
  if (!text || !name || !c || !out)
    return SN_EINVAL;
  if (!sni_is_identifier(name))
    return sni_engine_fail(engine, SN_EINVAL, "compile: the program's name must be an identifier: "
                           "its functions begin with it");
  memset(&builder, 0, sizeof builder);
  SN_TRY(sni_builder_prepare(&builder, engine, c, 1));
  SN_TRY(sni_object_load(&builder, "#include <snode/program.h>\n", text, name, &library));
  routines = find_routines(library, name);
  code = check_routines(engine, routines);
  if (code == SN_OK)
    return create(engine, routines, library, out);
  sni_library_close(library);
  return code;
}

/* linking held. */
static int check_unused(const sn_program *p)
{
  if (p->code)
    SN_TRY(sni_code_check_unused(p->code));
  for (int k = 0; k < p->field_count; k++)
    if (p->fields[k].node)
      SN_TRY(sni_node_check_unused(p->fields[k].node,
                                   p->code ? sni_code_uses(p->code, p->fields[k].node) : 0));
  return SN_OK;
}

/* linking held. */
static void end_parts(const sn_program *p)
{
  if (p->code)
    sni_code_end(p->code);
  for (int k = 0; k < p->field_count; k++)
    if (p->fields[k].node)
      sni_node_end(p->fields[k].node);
}

/* All of it, or nothing. */
int sn_program_destroy(sn_program *p)
{
  int code;

  if (!p)
    return SN_OK;
  SN_TRY(sni_engine_may_call(p->engine));
  sni_mutex_lock(&p->engine->linking);
  code = check_unused(p);
  if (code == SN_OK)
    end_parts(p);
  sni_mutex_unlock(&p->engine->linking);
  if (code != SN_OK)
    return code;
  if (p->library)
    sni_library_close(p->library);
  free_program(p);
  return SN_OK;
}

/* ---- what it holds ---- */

sn_code *sn_program_code(sn_program *p)
{
  return p ? p->code : NULL;
}

int sn_program_link(sn_program *p, const char *kernel, sn_context *context,
                    const sn_link_options *options, sn_routine **out)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(p)));
  if (!kernel || !context || !out)
    return SN_EINVAL;
  for (int k = 0; k < p->kernel_count; k++) {
    if (strcmp(p->kernels[k].entry->kernel->name, kernel) != 0)
      continue;
    if (p->kernels[k].why[0])
      return sni_engine_fail(p->engine, SN_EINVAL, "kernel '%s' is no routine: %s", kernel,
                             p->kernels[k].why);
    return sn_code_link(p->code, k, context, options, out);
  }
  return sni_engine_fail(p->engine, SN_EINVAL, "program '%s' has no kernel '%s'",
                         p->routines->module->name, kernel);
}
