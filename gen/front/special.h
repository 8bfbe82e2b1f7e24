/* Each function of the language itself, whichever table its row is in: what check_call.c asks
 * of a name, and what a misspelt name is compared with. */
#ifndef SNODEGEN_FRONT_SPECIAL_H
#define SNODEGEN_FRONT_SPECIAL_H

typedef enum SpecialKind {
  SPECIAL_BUILTIN,             /* number: Builtin */
  SPECIAL_SHAPED,              /* Shaped */
  SPECIAL_FACTOR,              /* Factor */
  SPECIAL_ATOMIC,              /* Op */
  SPECIAL_QUESTION,            /* ExprKind */
  SPECIAL_STATEMENT,           /* StmtKind */
  SPECIAL_RANDOM,              /* 1: normally distributed */
  SPECIAL_RESCALE
} SpecialKind;

typedef struct Special {
  const char *name;            /* NULL behind the last */
  SpecialKind kind;
  int number;
} Special;

extern const Special special_functions[];

/* NULL: there is none of that name. */
const Special *special_by_name(const char *name);

#endif
