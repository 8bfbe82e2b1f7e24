/* What names mean: nested scopes over one table. */
#ifndef SNODEGEN_FRONT_SCOPE_H
#define SNODEGEN_FRONT_SCOPE_H

#include "gen/front/ast.h"

typedef enum SymbolKind {
  SYMBOL_UNKNOWN,              /* reported already: silent from then on */
  SYMBOL_CONSTANT, SYMBOL_STRUCT, SYMBOL_FIELD, SYMBOL_TREE, SYMBOL_SNODE, SYMBOL_FUNCTION,
  SYMBOL_VARIABLE, SYMBOL_GENERIC
} SymbolKind;

typedef struct Symbol Symbol;
struct Symbol {
  SymbolKind kind;
  const char *name;            /* interned */
  Loc loc;
  union {
    Constant *constant;
    const Type *structure;
    Field *field;
    Tree *tree;
    SNode *snode;
    Function *function;
    Variable *variable;
    Generic *generic;
  } is;
  bool is_redeclared;          /* UNKNOWN: declared more than once */
  bool is_argument;            /* a generic's parameter: what it means in a copy */
  bool is_ready;               /* CONSTANT: its value is known */
  const Value *fixed;          /* VARIABLE: a const local of constant value */
  int function_index;          /* FUNCTION: in the checker's list */
  int level;                   /* 0: of the program */
  Symbol *outer;               /* what the name meant outside */
  Symbol *next;                /* in its scope */
};

typedef struct Scope Scope;

Scope *scope_create(Arena *);
void scope_open(Scope *);
void scope_close(Scope *);
int scope_level(const Scope *);
/* The innermost meaning, or NULL. */
Symbol *scope_find(const Scope *, const char *name);
/* The program's own meaning, or that of a generic's parameter, whatever hides it; or NULL. */
Symbol *scope_find_global(const Scope *, const char *name);
/* Declares a name in the innermost scope; it may hide one further out. */
Symbol *scope_add(Scope *, SymbolKind, const char *name, Loc);
/* Declares a name at the level given, which is open. */
Symbol *scope_add_at(Scope *, int level, SymbolKind, const char *name, Loc);
/* All names in scope that the filter takes, NULL-ended. */
const char *const *scope_names(const Scope *, bool (*takes)(const Symbol *));
/* "a field", "a kernel" ... with its article. */
const char *symbol_kind_name(const Symbol *);

#endif
