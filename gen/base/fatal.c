/* The two ways in which snodegen itself ends early.
 *
 * A file of its own because they are the program's, not the stages': where the
 * stages run inside another process (libsnode_interpreter), that library has its
 * own two in place of these, and the call returns an error.
 */
#include "gen/base/base.h"

#include <stdlib.h>

_Noreturn void out_of_memory(void)
{
  fputs("snodegen: error: out of memory\n", stderr);
  exit(3);
}

_Noreturn void diag_internal(const char *file, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "snodegen: internal error at %s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  fputs("\nThis is a bug in snodegen, not in your program; please report it.\n", stderr);
  va_end(arguments);
  exit(70);
}
