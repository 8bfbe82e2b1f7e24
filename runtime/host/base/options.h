/* The options: names, values and the text of values.  One table, options.def. */
#ifndef SNI_BASE_OPTIONS_H
#define SNI_BASE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/base/file.h"

/* Of a kernel: more than machines have processors; OpenMP ends the process where the system does
 * not give it the threads that it asks for. */
#define SNI_MOST_THREADS 1024

/* deterministic: what depends on the order of iterations runs in that order, or is refused. */
enum { SNI_ORDER_ANY, SNI_ORDER_KEEP, SNI_ORDER_REFUSE };

enum { SNI_DEVICE_HOST = -1, SNI_DEVICE_AUTO = -2 };    /* else the device's number */

typedef enum sni_option {
#define OPTION(name, kind, value, built) OPTION_##name,
#include "runtime/host/base/options.def"
#undef OPTION
  OPTION_COUNT
} sni_option;

typedef struct sni_options {
  int64_t value[OPTION_COUNT];
  char trace[SNI_PATH_BYTES];    /* empty: none; its value says whether it is one */
  char report[SNI_PATH_BYTES];   /* where the environment wants the profile at the end of the
                                    process: a file; "-": the standard error; empty: nowhere */
  uint8_t is_set[OPTION_COUNT];  /* by sn_config_set: wins over the environment */
} sni_options;

void sni_options_init(sni_options *);

/* SN_OK, or SN_EINVAL or SN_ENOTSUP with what is wrong in text. */
int sni_options_set(sni_options *, const char *name, const char *value, char *text, size_t bytes);
/* Takes what the environment says for options that are not set; stops at the
 * first bad value, as above.  An empty variable counts as absent. */
int sni_options_environment(sni_options *, char *text, size_t bytes);

#endif
