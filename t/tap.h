/* The Test Anything Protocol for tests in C: one header, no library.
 *
 *   int main(void)
 *   {
 *     plan(2);                        (or done_testing() at the end)
 *     ok(x != NULL, "it is there");
 *     is_int(count, 3, "three cells");
 *     return done_testing();
 *   }
 *
 * Each check prints one line, flushed, and gives back whether it held, so that
 * a test can stop what makes no sense after a failure.  One file per program:
 * the counters are static.  A program that is compiled with TAP_STOP, the name of a
 * function, calls that at the first check that does not hold, and it ends the program.
 */
#ifndef SNODE_TEST_TAP_H
#define SNODE_TEST_TAP_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
# define TAP_UNUSED __attribute__((unused))
# define TAP_FORMAT(n) __attribute__((unused, format(printf, n, n + 1)))
#else
# define TAP_UNUSED
# define TAP_FORMAT(n)
#endif

#ifdef TAP_STOP
void TAP_STOP(void);
#endif

static int tap_done, tap_failed, tap_planned = -1;

TAP_UNUSED static void plan(int tests)
{
  tap_planned = tests;
  printf("1..%d\n", tests);
  fflush(stdout);
}

TAP_FORMAT(1) static void diag(const char *format, ...)
{
  va_list args;

  fputs("# ", stdout);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  fflush(stdout);
}

static int tap_report(int held, const char *file, int line,
                      const char *format, va_list args)
{
  tap_done++;
  printf("%sok %d - ", held ? "" : "not ", tap_done);
  vprintf(format, args);
  putchar('\n');
  if (!held) {
    tap_failed++;
    printf("#   at %s:%d\n", file, line);
  }
  fflush(stdout);
#ifdef TAP_STOP
  if (!held) TAP_STOP();
#endif
  return held;
}

TAP_FORMAT(4) static int tap_ok(int held, const char *file, int line,
                                const char *format, ...)
{
  va_list args;

  va_start(args, format);
  tap_report(held, file, line, format, args);
  va_end(args);
  return held;
}

TAP_FORMAT(5) static int tap_is_int(int64_t got, int64_t expected, const char *file,
                                    int line, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  if (!tap_report(got == expected, file, line, format, args))
    printf("#   got %" PRId64 ", expected %" PRId64 "\n", got, expected);
  va_end(args);
  return got == expected;
}

TAP_FORMAT(5) static int tap_is_double(double got, double expected, const char *file,
                                       int line, const char *format, ...)
{
  /* equal means equal: the same number, or both not a number */
  int held = (isnan(got) && isnan(expected)) || (got >= expected && got <= expected);
  va_list args;

  va_start(args, format);
  if (!tap_report(held, file, line, format, args))
    printf("#   got %.17g, expected %.17g\n", got, expected);
  va_end(args);
  return held;
}

TAP_FORMAT(5) static int tap_is_str(const char *got, const char *expected, const char *file,
                                    int line, const char *format, ...)
{
  int held = got && expected ? strcmp(got, expected) == 0 : got == expected;
  va_list args;

  va_start(args, format);
  if (!tap_report(held, file, line, format, args))
    printf("#   got \"%s\"\n#   expected \"%s\"\n", got ? got : "(NULL)",
           expected ? expected : "(NULL)");
  va_end(args);
  return held;
}

/* How much a test does: little with SN_SMALL in the environment, much with SN_LONG. */
TAP_UNUSED static int tap_size(int little, int usual, int much)
{
  const char *small = getenv("SN_SMALL"), *large = getenv("SN_LONG");

  return small && *small ? little : large && *large ? much : usual;
}

#define ok(condition, ...) tap_ok(!!(condition), __FILE__, __LINE__, __VA_ARGS__)
#define is_int(got, expected, ...) \
  tap_is_int((int64_t)(got), (int64_t)(expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_double(got, expected, ...) \
  tap_is_double((got), (expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, expected, ...) \
  tap_is_str((got), (expected), __FILE__, __LINE__, __VA_ARGS__)

/* n checks that cannot be made here, and why. */
TAP_UNUSED static void skip(int n, const char *why)
{
  while (n-- > 0) printf("ok %d # SKIP %s\n", ++tap_done, why);
  fflush(stdout);
}

TAP_UNUSED static void skip_all(const char *why)
{
  printf("1..0 # SKIP %s\n", why);
  exit(0);
}

/* Nothing after this makes sense. */
TAP_UNUSED static void bail(const char *why)
{
  printf("Bail out! %s\n", why);
#ifdef TAP_STOP
  TAP_STOP();
#endif
  exit(1);
}

/* The exit status of the test: 0 when all checks held and all were made. */
TAP_UNUSED static int done_testing(void)
{
  if (tap_planned < 0) plan(tap_done);
  if (tap_failed) diag("%d of %d failed", tap_failed, tap_done);
  if (tap_done != tap_planned) diag("%d planned, %d made", tap_planned, tap_done);
  return tap_failed || tap_done != tap_planned;
}

#endif
