/* What the checked program and the IR both say of loops and of arrays from C. */
#ifndef SNODEGEN_MODEL_LOOP_H
#define SNODEGEN_MODEL_LOOP_H

/* How the iterations of a parallel loop go to threads. */
typedef enum Schedule { SCHEDULE_ANY, SCHEDULE_STATIC, SCHEDULE_DYNAMIC, SCHEDULES } Schedule;
extern const char *const schedule_name[SCHEDULES];   /* "" of any */

/* What a kernel does with an array that it is given. */
typedef enum ArrayMode { ARRAY_IN, ARRAY_OUT, ARRAY_INOUT, ARRAY_MODES } ArrayMode;
extern const char *const array_mode_name[ARRAY_MODES];

#endif
