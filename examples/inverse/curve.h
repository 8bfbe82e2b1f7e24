/* The course of the search: a table, and a picture of the loss. */
#ifndef INVERSE_CURVE_H
#define INVERSE_CURVE_H

#include <stddef.h>

#include "search.h"

/* Both return 0, or -1 with a line in message. */
int curve_write_table(const char *path, const found *row, int count, char *message,
                      size_t bytes);
/* By rounds, on a logarithmic axis. */
int curve_write_picture(const char *path, const found *row, int count, char *message,
                        size_t bytes);

#endif
