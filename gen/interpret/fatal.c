/* The library's own out_of_memory() and diag_internal(), in place of gen/base/fatal.c.
 *
 * The stages give up by calling a function that does not return; in a process that
 * is not snodegen's, the only way back is a jump to interpreter_guard.  Nothing
 * between there and here holds anything but memory of arenas, which its caller frees
 * (and at most one growing text, which is lost).
 */
#include "gen/interpret/fatal.h"
#include "gen/base/base.h"

#include <setjmp.h>
#include <snode/error.h>
#include <stdlib.h>

/* Where the innermost interpreter_guard of this thread waits. */
static _Thread_local jmp_buf *guard;

static _Noreturn void leave(int code)
{
  if (!guard)                          /* called outside of interpreter_guard: a bug */
    abort();
  longjmp(*guard, code);
}

_Noreturn void out_of_memory(void)
{
  leave(SN_ENOMEM);
}

_Noreturn void diag_internal(const char *file, int line, const char *format, ...)
{
  (void)file;
  (void)line;
  (void)format;
  leave(SN_EBUG);
}

int interpreter_guard(void (*body)(void *), void *user)
{
  jmp_buf here, *const outer = guard;
  int code;

  switch (setjmp(here)) {
  case 0:
    guard = &here;
    body(user);
    code = SN_OK;
    break;
  case SN_ENOMEM:
    code = SN_ENOMEM;
    break;
  default:
    code = SN_EBUG;
  }
  guard = outer;
  return code;
}
