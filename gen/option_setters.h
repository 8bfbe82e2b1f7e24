/* What options do with their values, for the table of options.c. */
#ifndef SNODEGEN_OPTION_SETTERS_H
#define SNODEGEN_OPTION_SETTERS_H

#include "gen/options.h"

typedef struct Setting {
  Arena *arena;
  Options *options;
} Setting;

/* A setter for each row of options.def that is no FLAG: NULL, or what is wrong with the value.
 * The value is NULL where an OPTIONAL one is not given. */
#define DECLARE_FLAG(id)
#define DECLARE_VALUE(id) const char *option_set_##id(Setting *, const char *value);
#define DECLARE_OPTIONAL(id) DECLARE_VALUE(id)
#define DECLARE_JOINED(id) DECLARE_VALUE(id)
#define OPTION(id, spelling, argument, group, value, help) DECLARE_##argument(id)
#include "gen/options.def"
#undef OPTION
#undef DECLARE_FLAG
#undef DECLARE_VALUE
#undef DECLARE_OPTIONAL
#undef DECLARE_JOINED

/* Whether diagnostics are coloured unless --color says so. */
bool option_terminal_has_color(void);

#endif
