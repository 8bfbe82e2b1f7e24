/* What the names of a text mean, and where. */
#ifndef SNODEGEN_LSP_NAME_H
#define SNODEGEN_LSP_NAME_H

#include "gen/front/special.h"
#include "gen/lsp/analysis.h"

typedef enum NameKind {
  NAME_CONSTANT, NAME_STRUCT, NAME_MEMBER, NAME_FIELD, NAME_TREE, NAME_SNODE, NAME_FUNCTION,
  NAME_VARIABLE, NAME_GENERIC, NAME_SPECIAL
} NameKind;

typedef struct Name {
  NameKind kind;
  const char *name;
  Loc loc;                     /* where it is declared; line 0: nowhere in a text */
  union {
    const Constant *constant;
    const StructDeclaration *structure;        /* MEMBER: whose it is */
    const Field *field;
    const Tree *tree;
    const SNode *snode;
    const Function *function;
    const Variable *variable;
    const GenericParameter *generic;           /* GENERIC */
    const Special *special;
  } is;
  const Member *member;
} Name;

typedef struct NameList {
  Name *names;
  int count;
} NameList;

/* Those of the program: of the file and of what it imports. */
NameList names_of_program(Analysis *);
/* Those that are declared in the function around a place and known there; the innermost last. */
NameList names_at(Analysis *, Loc);
/* What can stand behind the dot at token k. */
NameList names_behind_dot(Analysis *, int k);
/* What the name at token k means. */
bool name_at_token(Analysis *, int k, Name *out);

#endif
