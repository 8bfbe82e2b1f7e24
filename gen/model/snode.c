/* The words of SNode kinds, axes and borders. */
#include "gen/model/snode.h"

#include <string.h>

const SNodeKindInfo snode_kind[SNODE_KINDS] = {
#define KIND(word, name, cells) { #word, #name, KIND_##cells },
#include "gen/model/kinds.def"
#undef KIND
};

int snode_kind_by_word(const char *word)
{
  for (int kind = 0; kind < SNODE_KINDS; kind++)
    if (strcmp(snode_kind[kind].word, word) == 0)
      return kind;
  return -1;
}

const char *const axis_name[MAX_AXES] = {
  "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"
};

int axis_by_name(const char *name)
{
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (strcmp(axis_name[axis], name) == 0)
      return axis;
  return -1;
}

const char *const border_name[BORDERS] = {
  [BORDER_NONE] = "none", [BORDER_DEFAULT] = "default", [BORDER_CLAMP] = "clamp",
  [BORDER_WRAP] = "wrap"
};
