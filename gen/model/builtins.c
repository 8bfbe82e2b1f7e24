/* builtins.def as tables. */
#include "gen/model/builtins.h"

#include <string.h>

const BuiltinInfo builtin_info[BUILTIN_COUNT] = {
#define BUILTIN(name, arguments, rule) {#name, arguments, BUILTIN_RULE_##rule},
#include "gen/model/builtins.def"
#undef BUILTIN
};

const char *const builtin_name[BUILTIN_COUNT] = {
#define BUILTIN(name, arguments, rule) #name,
#include "gen/model/builtins.def"
#undef BUILTIN
};

int builtin_by_name(const char *name)
{
  for (int i = 0; i < BUILTIN_COUNT; i++)
    if (strcmp(builtin_info[i].name, name) == 0)
      return i;
  return -1;
}
