/* From text to an object that is loaded, by programs and a cache (object.c); which text,
 * compile.c says.
 */
#ifndef SNI_EXEC_OBJECT_H
#define SNI_EXEC_OBJECT_H

#include <snode/compile.h>

/* A compiler's command: five words, its flags, four more, and the NULL that ends it. */
enum { SNI_FLAGS = 64, SNI_FLAG_TEXT = 4096, SNI_COMMAND = SNI_FLAGS + 10 };

/* What a compiler's options and the environment come to. */
typedef struct sni_builder {
  sn_engine *engine;
  const char *cc, *snodegen, *cache, *device;
  const char *flags[SNI_FLAGS];
  int flag_count;
  const char *const *options;    /* snodegen's: the caller's */
  int option_count;
  char flag_text[SNI_FLAG_TEXT]; /* the environment's, cut at blanks */
} sni_builder;

int sni_is_identifier(const char *);            /* of C */

/* SN_ENOTSUP: nothing is configured; SN_EINVAL. */
int sni_builder_prepare(sni_builder *, sn_engine *, const sn_compiler *, int needs_snodegen);

/* The object of the text, from the cache or made, as a library that is loaded and nobody else's.
 * program: NULL, or what snodegen makes a file of, with the prefix. */
int sni_object_load(const sni_builder *, const char *text, const char *program, const char *prefix,
                    void **library);

#endif
