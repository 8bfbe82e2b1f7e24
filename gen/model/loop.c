/* The words of schedules and array modes. */
#include "gen/model/loop.h"

const char *const schedule_name[SCHEDULES] = {
  [SCHEDULE_ANY] = "", [SCHEDULE_STATIC] = "static", [SCHEDULE_DYNAMIC] = "dynamic"
};

const char *const array_mode_name[ARRAY_MODES] = {
  [ARRAY_IN] = "in", [ARRAY_OUT] = "out", [ARRAY_INOUT] = "inout"
};
