/* Messages of the language server protocol: headers, an empty line, as many bytes as they say. */
#ifndef SNODEGEN_LSP_FRAME_H
#define SNODEGEN_LSP_FRAME_H

#include "gen/base/base.h"

typedef enum FrameKind {
  FRAME_MESSAGE,
  FRAME_BAD,                   /* headers that do not say how long it is */
  FRAME_END                    /* of the input, also in the middle of a message */
} FrameKind;

/* *text, NUL-terminated at *length, in the arena. */
FrameKind frame_read(FILE *, Arena *, const char **text, size_t *length);
/* False: it could not be written. */
bool frame_write(FILE *, const Text *);

#endif
