/* The functions of the language as one table. */
#include "gen/front/special.h"
#include "gen/front/ast.h"
#include "gen/front/factors.h"
#include "gen/front/shaped.h"
#include "gen/model/builtins.h"

#include <string.h>

const Special special_functions[] = {
#define BUILTIN(name, arguments, rule) {#name, SPECIAL_BUILTIN, BUILTIN_##name},
#include "gen/model/builtins.def"
#undef BUILTIN
#define SHAPED(name, arguments, takes, gives, of) {#name, SPECIAL_SHAPED, SHAPED_##name},
#include "gen/front/shaped.def"
#undef SHAPED
#define FACTOR(name, results, first, second, third) {#name, SPECIAL_FACTOR, FACTOR_##name},
#include "gen/front/factors.def"
#undef FACTOR
#define SPECIAL(name, kind, number) {#name, SPECIAL_##kind, number},
#include "gen/front/specials.def"
#undef SPECIAL
  {NULL, SPECIAL_RESCALE, 0}
};

const Special *special_by_name(const char *name)
{
  for (const Special *s = special_functions; s->name; s++)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}
