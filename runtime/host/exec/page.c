/* Pages: text in memory of the engine's. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/page.h"

#include <string.h>

enum { FIRST_ROOM = 4096 };

void sni_page_begin(sni_page *page, sn_engine *engine)
{
  memset(page, 0, sizeof *page);
  page->engine = engine;
}

static int make_room(sni_page *page, size_t more)
{
  const size_t need = page->length + more < FIRST_ROOM ? FIRST_ROOM : page->length + more;
  void *text = page->text;

  if (!sni_engine_grow(page->engine, &text, &page->room, need, 1))
    return 0;
  page->text = text;
  return 1;
}

void sni_page_put(sni_page *page, const char *text, size_t length)
{
  if (page->is_cut || !make_room(page, length + 1)) {
    page->is_cut = 1;
    return;
  }
  memcpy(page->text + page->length, text, length);
  page->length += length;
  page->text[page->length] = 0;
}

void sni_page_print(sni_page *page, const char *format, ...)
{
  char text[SNI_PAGE_LINE];
  va_list arguments;
  size_t length;

  va_start(arguments, format);
  length = sni_text_vformat(text, sizeof text, format, arguments);
  va_end(arguments);
  sni_page_put(page, text, length);
}

void sni_page_end(sni_page *page)
{
  if (page->text)
    sni_engine_delete(page->engine, page->text, page->room, 1);
  sni_page_begin(page, page->engine);
}

/* The line's end moves on with the text: what stood behind it is put back. */
static void write_lines(char *text, sn_text_fn write, void *user)
{
  while (*text) {
    const size_t length = strcspn(text, "\n");
    char *end = text + length + (text[length] == '\n');
    const char behind = *end;

    *end = 0;
    write(user, text);
    *end = behind;
    text = end;
  }
}

int sni_page_write(sni_page *page, const char *what, sn_text_fn write, void *user)
{
  const int is_cut = page->is_cut;

  if (!is_cut && page->text)
    write_lines(page->text, write, user);
  sni_page_end(page);
  return is_cut ? sni_engine_fail(page->engine, SN_ENOMEM, "no memory for the text of %s", what)
                : SN_OK;
}
