/* Five units for tests: home and four more, devices of the image as far as it has them, memories
 * for the rest.  Their memory, which bodies reach by copies and change by regions that run there.
 *
 * device: as sn_span has it: 0 host memory, d + 1 device d.
 */
#ifndef T_EXEC_UNITS_H
#define T_EXEC_UNITS_H

#include <snode/task.h>

enum { UNITS = 5 };

/* The image's: four at most, 0 where there is none. */
int units_devices(void);
const sn_backend *units_backend(void);
/* An engine of five units, with what else the options say.  SN_EDEVICE: an image, and no device. */
int units_engine(sn_engine_options, sn_engine **out);

int units_get(int device, void *to, const void *from, size_t bytes);
int units_put(int device, void *to, const void *from, size_t bytes);
/* v = factor v + more for each: on a device a region there. */
int units_change(int device, int64_t *values, int64_t count, int64_t factor, int64_t more);
int units_alloc(int device, size_t bytes, void **out);
void units_free(int device, void *memory);

/* One element of a buffer of 64-bit integers; -1: it could not be fetched. */
int64_t buffer_value(sn_run *, sn_buffer *, int64_t element);
int buffer_set(sn_run *, sn_buffer *, int64_t element, int64_t value);
/* Every element of it, as units_change. */
int buffer_change(sn_run *, sn_buffer *, int64_t factor, int64_t more);

#endif
