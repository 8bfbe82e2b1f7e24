/* The loss by rounds, as comma-separated values and as a picture with axes. */
#include "curve.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

int curve_write_table(const char *path, const found *row, int count, char *message, size_t bytes)
{
  FILE *file = fopen(path, "w");
  int failed = !file;

  if (file) {
    fprintf(file, "round,loss,error,error_of_slices_seen,error_of_the_others\n");
    for (int k = 0; k < count; k++)
      fprintf(file, "%d,%.9g,%.6g,%.6g,%.6g\n", row[k].round, row[k].loss, row[k].off,
              row[k].off_seen, row[k].off_unseen);
    failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
  }
  if (failed) snprintf(message, bytes, "%s: %s", path, strerror(errno));
  return failed ? -1 : 0;
}

/* ---- the picture ---- */

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 20, BOTTOM = 40, DOT = 3 };

typedef struct chart {
  uint8_t *pixel;
  double rounds;                 /* along the axis */
  double low, high;              /* powers of 10 */
} chart;

static void put(chart *c, int x, int y, int red, int green, int blue)
{
  uint8_t *p = c->pixel + 3 * (y * WIDTH + x);

  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) return;
  p[0] = (uint8_t)red;
  p[1] = (uint8_t)green;
  p[2] = (uint8_t)blue;
}

/* The letters that the picture needs, 3 x 5: a row is an octal digit, the top one first. */
static int letter_of(char letter)
{
  static const struct { char letter; int rows; } letters[] = {
    { '0', 075557 }, { '1', 026227 }, { '2', 071747 }, { '3', 071717 }, { '4', 055711 },
    { '5', 074717 }, { '6', 074757 }, { '7', 071111 }, { '8', 075757 }, { '9', 075717 },
    { '-', 000700 }, { '+', 002720 }, { 'E', 074647 }, { 'L', 044447 }, { 'O', 075557 },
    { 'S', 074717 }, { 'R', 075655 }, { 'U', 055557 }, { 'N', 057775 }, { 'D', 065556 },
  };

  for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
    if (letters[k].letter == letter) return letters[k].rows;
  return 0;
}

static void write_text(chart *c, int x, int y, const char *text)
{
  for (; *text; text++, x += 8) {
    const int rows = letter_of(*text);
    for (int v = 0; v < 10; v++)
      for (int h = 0; h < 6; h++)
        if (rows >> (3 * (4 - v / 2) + 2 - h / 2) & 1) put(c, x + h, y + v, 40, 40, 40);
  }
}

static double x_of(const chart *c, double round)
{
  return LEFT + round / c->rounds * (WIDTH - LEFT - RIGHT);
}

static double y_of(const chart *c, double loss)
{
  return TOP + (c->high - log10(loss)) / (c->high - c->low) * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(chart *c)
{
  const int every = (int)fmax(1, ceil((c->high - c->low) / 10));
  double apart = 1;
  char text[32];

  for (int k = 0; c->rounds / apart > 10; k++) apart *= k % 3 == 1 ? 2.5 : 2;    /* 1 2 5 10 ... */
  for (double power = c->low; power <= c->high; power += every) {
    const int y = (int)lround(y_of(c, pow(10, power)));
    for (int x = LEFT; x <= WIDTH - RIGHT; x++) put(c, x, y, 215, 215, 215);
    snprintf(text, sizeof text, "1E%+d", (int)power);
    write_text(c, LEFT - 8 - 8 * (int)strlen(text), y - 5, text);
  }
  for (double round = 0; round <= c->rounds; round += apart) {
    const int x = (int)lround(x_of(c, round));
    for (int y = TOP; y <= HEIGHT - BOTTOM; y++) put(c, x, y, 215, 215, 215);
    snprintf(text, sizeof text, "%d", (int)round);
    write_text(c, x - 4 * (int)strlen(text), HEIGHT - BOTTOM + 10, text);
  }
  write_text(c, LEFT + 8, TOP + 8, "LOSS");
  write_text(c, WIDTH - RIGHT - 5 * 8 - 4, HEIGHT - BOTTOM - 18, "ROUND");
}

static void draw_dot(chart *c, double x, double y)
{
  for (int v = -DOT; v <= DOT; v++)
    for (int h = -DOT; h <= DOT; h++)
      if (h * h + v * v <= DOT * DOT) put(c, (int)lround(x) + h, (int)lround(y) + v, 200, 70, 20);
}

static void draw_line(chart *c, double x0, double y0, double x1, double y1)
{
  const int points = 1 + (int)fmax(fabs(x1 - x0), fabs(y1 - y0));

  for (int k = 0; k <= points; k++) {
    const int x = (int)lround(x0 + (x1 - x0) * k / points);
    const int y = (int)lround(y0 + (y1 - y0) * k / points);
    put(c, x, y, 200, 70, 20);
    put(c, x, y + 1, 200, 70, 20);
  }
}

static void draw(chart *c, const found *row, int count)
{
  memset(c->pixel, 255, 3 * WIDTH * HEIGHT);
  draw_axes(c);
  for (int k = 0; k < count; k++) {
    const double x = x_of(c, row[k].round), y = y_of(c, row[k].loss);
    draw_dot(c, x, y);
    if (k) draw_line(c, x_of(c, row[k - 1].round), y_of(c, row[k - 1].loss), x, y);
  }
}

int curve_write_picture(const char *path, const found *row, int count, char *message,
                        size_t bytes)
{
  chart c = { malloc(3 * WIDTH * HEIGHT), 1, 0, 0 };
  int failed, shown = 0;

  if (!c.pixel) {
    snprintf(message, bytes, "%s: no memory for the picture", path);
    return -1;
  }
  while (shown < count && row[shown].loss > 0) shown++;        /* 0 has no logarithm */
  for (int k = 0; k < shown; k++) {
    const double power = log10(row[k].loss);
    c.low = k ? fmin(c.low, floor(power)) : floor(power);
    c.high = k ? fmax(c.high, ceil(power)) : ceil(power);
  }
  if (c.high <= c.low) c.high = c.low + 1;
  if (count > 1) c.rounds = row[count - 1].round;
  draw(&c, row, shown);
  failed = picture_save(path, WIDTH, HEIGHT, c.pixel, message, bytes);
  free(c.pixel);
  return failed;
}
