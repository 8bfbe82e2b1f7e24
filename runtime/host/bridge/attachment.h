/* Contexts that are attached to a unit of an engine, and their trees as resources.
 *
 * A tree is one resource of the core, with a thing for each field, for the activity of each
 * SNode (its topology), for the list of each SNode's containers, and one for its random numbers.
 * A context is one too: its random numbers, what it prints, and one that all its kernels read, so
 * that they are counted.  The core knows resources and no SNodes, the sparse runtime calls
 * hooks and knows no tasks.
 *
 * All under the engine's lock.
 */
#ifndef SNI_BRIDGE_ATTACHMENT_H
#define SNI_BRIDGE_ATTACHMENT_H

#include <snode/submit.h>

#include "runtime/host/exec/task.h"
#include "runtime/host/tree/tree.h"

typedef struct sni_attached_tree {
  struct sni_attached_tree *next;
  sn_tree *tree;                 /* NULL: destroyed while unfinished tasks named it */
  const sn_tree_info *info;
  sn_tensor *resource;
  char **names;                  /* of its things: they lie behind, in one piece */
  size_t bytes;                  /* of that piece */
} sni_attached_tree;

typedef struct sni_attachment {
  struct sni_attachment *next;   /* of the engine's */
  sn_context *context;
  sn_unit *unit;
  sn_tensor *own;
  sni_attached_tree *trees;
  int is_taken;                  /* holder is inside the context */
  sni_thread holder;
} sni_attachment;

/* The things of a context's resource. */
enum { SNI_OWN_DRAWS, SNI_OWN_OUTPUT, SNI_OWN_KERNELS, SNI_OWN_COUNT };

/* The thing that a permission's row names, of the tree's resource. */
int64_t sni_thing_of(const sn_tree_info *, const snd_permission *);

/* Lock held.  NULL: it is on no unit of the engine; neither looks into the tree or context,
 * which may be gone. */
sni_attached_tree *sni_find_tree(const sn_engine *, const sn_tree *, sni_attachment **on);
sni_attachment *sni_find_context(const sn_engine *, const sn_context *);

#endif
