/* Memory modes of fields, known to the front and behind it: field_modes.def has the rows. */
#ifndef SNODEGEN_MODEL_FIELD_MODES_H
#define SNODEGEN_MODEL_FIELD_MODES_H

typedef enum FieldMode {
  FIELD_MODE_NONE,                       /* the program says nothing */
#define MODE(word, calls, meaning) FIELD_MODE_##word,
#include "gen/model/field_modes.def"
#undef MODE
  FIELD_MODES
} FieldMode;

typedef enum ModeCalls { MODE_CALLS_NONE, MODE_CALLS_DEVICE, MODE_CALLS_ALL } ModeCalls;

/* By mode; without one a field has all calls and no word: "". */
extern const char *const field_mode_word[FIELD_MODES];
extern const char *const field_mode_meaning[FIELD_MODES];
extern const ModeCalls field_mode_calls[FIELD_MODES];

#endif
