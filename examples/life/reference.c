/* Life on a dense board, a byte a cell. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

typedef struct board {
  int64_t rows, columns, row0, column0;  /* the cell at 0, 0 is (row0, column0) */
  uint8_t *now, *next;
} board;

/* Nothing moves faster than one cell a generation; one more all around stays dead. */
static int open_board(board *b, const pattern *p, int64_t generations)
{
  int64_t lo[2] = { 0, 0 }, hi[2] = { 1, 1 };
  size_t cells;

  for (int64_t k = 0; k < p->cells; k++)
    for (int a = 0; a < 2; a++) {
      const int64_t x = p->at[2 * k + a];
      if (x < lo[a]) lo[a] = x;
      if (x + 1 > hi[a]) hi[a] = x + 1;
    }
  b->row0 = lo[0] - generations - 1;
  b->column0 = lo[1] - generations - 1;
  b->rows = hi[0] + generations + 1 - b->row0;
  b->columns = hi[1] + generations + 1 - b->column0;
  cells = (size_t)(b->rows * b->columns);
  b->now = calloc(cells, 1);
  b->next = calloc(cells, 1);
  if (!b->now || !b->next) return -1;
  for (int64_t k = 0; k < p->cells; k++)
    b->now[(p->at[2 * k] - b->row0) * b->columns + p->at[2 * k + 1] - b->column0] = 1;
  return 0;
}

static void step(board *b)
{
  uint8_t *made = b->next;

  for (int64_t i = 1; i < b->rows - 1; i++)
    for (int64_t j = 1; j < b->columns - 1; j++) {
      const uint8_t *at = b->now + i * b->columns + j;
      const int64_t w = b->columns;
      const int n = at[-w - 1] + at[-w] + at[-w + 1] + at[-1] + at[1] + at[w - 1] + at[w] +
                    at[w + 1];
      made[i * w + j] = n == 3 || (n == 2 && *at);
    }
  b->next = b->now;
  b->now = made;
}

static int collect(const board *b, pattern *out)
{
  const int64_t cells = b->rows * b->columns;
  int64_t count = 0;

  for (int64_t k = 0; k < cells; k++) count += b->now[k];
  out->at = malloc((size_t)(count + 1) * 2 * sizeof *out->at);
  if (!out->at) return -1;
  for (int64_t k = 0; k < cells; k++)
    if (b->now[k]) {
      out->at[2 * out->cells] = b->row0 + k / b->columns;
      out->at[2 * out->cells + 1] = b->column0 + k % b->columns;
      out->cells++;
    }
  return 0;
}

int reference_run(const pattern *p, int64_t generations, pattern *out)
{
  board b;
  int failed;

  memset(&b, 0, sizeof b);
  memset(out, 0, sizeof *out);
  failed = open_board(&b, p, generations);
  for (int64_t g = 0; !failed && g < generations; g++) step(&b);
  if (!failed) failed = collect(&b, out);
  free(b.now);
  free(b.next);
  return failed;
}
