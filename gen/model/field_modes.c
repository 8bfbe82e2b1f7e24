/* The table of memory modes, column by column. */
#include "gen/model/field_modes.h"

const char *const field_mode_word[FIELD_MODES] = {
  "",
#define MODE(word, calls, meaning) #word,
#include "gen/model/field_modes.def"
#undef MODE
};

const char *const field_mode_meaning[FIELD_MODES] = {
  "",
#define MODE(word, calls, meaning) meaning,
#include "gen/model/field_modes.def"
#undef MODE
};

const ModeCalls field_mode_calls[FIELD_MODES] = {
  MODE_CALLS_ALL,
#define MODE(word, calls, meaning) MODE_CALLS_##calls,
#include "gen/model/field_modes.def"
#undef MODE
};
