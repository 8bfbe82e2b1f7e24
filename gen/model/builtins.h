/* The built-in functions, numbered: BUILTIN_sqrt ...; rows of builtins.def. */
#ifndef SNODEGEN_MODEL_BUILTINS_H
#define SNODEGEN_MODEL_BUILTINS_H

typedef enum BuiltinRule {
  BUILTIN_RULE_FLOAT, BUILTIN_RULE_NUMBER, BUILTIN_RULE_INTEGER,
  BUILTIN_RULE_SELECT, BUILTIN_RULE_BITCAST
} BuiltinRule;

typedef enum Builtin {
#define BUILTIN(name, arguments, rule) BUILTIN_##name,
#include "gen/model/builtins.def"
#undef BUILTIN
  BUILTIN_COUNT
} Builtin;

typedef struct BuiltinInfo {
  const char *name;
  int arguments;
  BuiltinRule rule;
} BuiltinInfo;

extern const BuiltinInfo builtin_info[BUILTIN_COUNT];

/* Names in the order of the enum. */
extern const char *const builtin_name[BUILTIN_COUNT];

/* -1 when name is no built-in. */
int builtin_by_name(const char *name);

#endif
