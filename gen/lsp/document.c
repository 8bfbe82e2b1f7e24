/* The texts that the editor holds. */
#include "gen/lsp/place.h"
#include "gen/lsp/server.h"

#include <stdlib.h>
#include <string.h>

Document *document_find(const Server *s, const char *uri)
{
  for (Document *d = s->documents; d; d = d->next)
    if (strcmp(d->uri, uri) == 0)
      return d;
  return NULL;
}

Document *document_open(Server *s, const char *uri)
{
  Document *d = document_find(s, uri);

  if (d)
    return d;
  d = calloc(1, sizeof *d);
  if (!d)
    out_of_memory();
  d->arena = arena_create();
  d->uri = intern(d->arena, uri, strlen(uri));
  d->path = place_path(d->arena, uri);
  d->next = s->documents;
  s->documents = d;
  return d;
}

static const char *open_text(void *user, const char *path, size_t *length)
{
  const Server *s = user;

  for (const Document *d = s->documents; d; d = d->next)
    if (d->text && strcmp(d->path, path) == 0) {
      *length = d->length;
      return d->text;
    }
  return NULL;
}

static void analyse_document(Server *s, Document *d)
{
  const OpenTexts open = { open_text, s };
  Analysis *before = d->analysis;

  d->analysis = analyse(s->options, &open, d->path, d->text, d->length);
  d->text = d->analysis->source.text;
  analysis_free(before);
}

void document_set(Server *s, Document *d, const char *text, size_t length, int version)
{
  d->text = text;
  d->length = length;
  d->version = version;
  analyse_document(s, d);
}

void documents_renew(Server *s, const Document *changed)
{
  for (Document *d = s->documents; d; d = d->next)
    if (d != changed && d->analysis && d->analysis->program->source_count +
                                         d->analysis->program->lacks_import > 1) {
      analyse_document(s, d);
      publish(s, d);
    }
}

void document_close(Server *s, Document *d)
{
  Document **at = &s->documents;

  while (*at != d)
    at = &(*at)->next;
  *at = d->next;
  analysis_free(d->analysis);
  arena_destroy(d->arena);
  free(d);
}
