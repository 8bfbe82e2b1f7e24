/* Patterns: run-length encoded text, from a table or a file. */
#include "pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name, *rle; } built_in[] = {
  { "acorn", "bo5b$3bo3b$2o2b3o!" },                     /* lives for 5,206 generations */
  { "r-pentomino", "b2o$2o$bo!" },                       /* 1,103 */
  { "gun", "24bo11b$22bobo11b$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o14b$"
           "2o8bo3bob2o4bobo11b$10bo5bo7bo11b$11bo3bo20b$12b2o!" },   /* Gosper's */
  { "glider", "bo$2bo$3o!" },
  { "blinker", "3o!" }
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

const char *pattern_names(void)
{
  return "acorn, r-pentomino, gun, glider, blinker";
}

/* ---- run-length encoding: [count] and b (dead), o (alive), $ (end of row), ! (end) ---- */

static int push(pattern *p, int64_t *room, int64_t row, int64_t column)
{
  if (p->cells == *room) {
    int64_t *grown;
    *room = *room ? 2 * *room : 64;
    grown = realloc(p->at, (size_t)*room * 2 * sizeof *grown);
    if (!grown) return -1;
    p->at = grown;
  }
  p->at[2 * p->cells] = row;
  p->at[2 * p->cells + 1] = column;
  p->cells++;
  return 0;
}

/* 0; -1 no memory; -2 a letter that means nothing, at *position. */
static int decode(const char *text, pattern *p, size_t *position)
{
  enum { MOST = 1000000 };
  int64_t room = 0, row = 0, column = 0, count = 0;

  for (*position = 0; text[*position] && text[*position] != '!'; ++*position) {
    const char letter = text[*position];
    const int64_t times = count ? count : 1;
    if (strchr(" \t\r\n", letter)) continue;
    if (letter >= '0' && letter <= '9') {
      count = 10 * count + (letter - '0');
      if (count > MOST) return -2;
      continue;
    }
    count = 0;
    if (letter == '$') {
      row += times;
      column = 0;
    } else if (letter == 'o') {
      for (int64_t k = 0; k < times; k++)
        if (push(p, &room, row, column++)) return -1;
    } else if (letter == 'b') {
      column += times;
    } else {
      return -2;
    }
  }
  return 0;
}

/* ---- files ---- */

/* The whole file as text; NULL with a line in message. */
static char *slurp(const char *path, char *message, size_t bytes)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t used = 0, room = 0, got = 1;

  if (!file) {
    snprintf(message, bytes, "%s: neither a pattern (%s) nor a file that can be read", path,
             pattern_names());
    return NULL;
  }
  while (got > 0) {
    if (used + 1 >= room) {
      char *grown = realloc(text, room = room ? 2 * room : 4096);
      if (!grown) break;
      text = grown;
    }
    got = fread(text + used, 1, room - 1 - used, file);
    used += got;
  }
  if (ferror(file) || got > 0) {
    snprintf(message, bytes, "%s: cannot be read", path);
    free(text);
    text = NULL;
  } else {
    text[used] = 0;
  }
  fclose(file);
  return text;
}

/* Behind the comments (#...) and the header (x = ...). */
static const char *body_of(const char *text)
{
  while (*text == '#' || *text == 'x') {
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return text;
}

int pattern_read(const char *name, pattern *out, char *message, size_t bytes)
{
  const char *rle = NULL;
  char *text = NULL;
  size_t position;
  int failed;

  memset(out, 0, sizeof *out);
  for (int k = 0; k < BUILT_IN; k++)
    if (strcmp(name, built_in[k].name) == 0) rle = built_in[k].rle;
  if (!rle) {
    text = slurp(name, message, bytes);
    if (!text) return -1;
    rle = body_of(text);
  }
  failed = decode(rle, out, &position);
  if (failed == -1) snprintf(message, bytes, "%s: no memory for the pattern", name);
  if (failed == -2)
    snprintf(message, bytes, "%s: '%c' is none of b, o, $, ! nor a count up to a million", name,
             rle[position]);
  free(text);
  if (failed) pattern_free(out);
  return failed ? -1 : 0;
}

void pattern_free(pattern *p)
{
  free(p->at);
  memset(p, 0, sizeof *p);
}
