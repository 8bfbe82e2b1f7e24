/* Text that is put together, however long it gets, and handed to a function of the user's: under a
 * lock the one, without it the other.
 */
#ifndef SNI_EXEC_PAGE_H
#define SNI_EXEC_PAGE_H

#include "runtime/host/exec/engine.h"

typedef struct sni_page {
  sn_engine *engine;
  char *text;                    /* NULL: nothing was put there */
  size_t length, room;
  int is_cut;                    /* memory ran out: what was put afterwards is lost */
} sni_page;

void sni_page_begin(sni_page *, sn_engine *);
void sni_page_put(sni_page *, const char *text, size_t length);
/* As printf; at most SNI_PAGE_LINE bytes, the rest is cut. */
enum { SNI_PAGE_LINE = 1024 };
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void sni_page_print(sni_page *, const char *format, ...);
void sni_page_end(sni_page *);
/* Hands it over, a line at a time with its end, and ends it.  SN_ENOMEM, with a text, and nothing
 * was handed over: it was cut; what: "the graph". */
int sni_page_write(sni_page *, const char *what, sn_text_fn write, void *user);

#endif
