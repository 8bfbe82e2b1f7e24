/* What tests of captures share: stdout, which leads into a file meanwhile. */
#include <stdio.h>
#include <unistd.h>

enum { OUTSIDE_BYTES = 1 << 16 };

typedef struct outside { int real; FILE *file; } outside;

static outside leave_stdout(void)
{
  outside o = { -1, tmpfile() };

  fflush(stdout);
  o.real = dup(1);
  if (!o.file || o.real < 0 || dup2(fileno(o.file), 1) < 0) bail("stdout cannot be led away");
  return o;
}

/* What was written there; it stands until the next call. */
static const char *come_back(outside *o)
{
  static char text[OUTSIDE_BYTES];

  fflush(stdout);
  clearerr(stdout);
  if (dup2(o->real, 1) < 0) _exit(1);
  close(o->real);
  rewind(o->file);
  text[fread(text, 1, sizeof text - 1, o->file)] = 0;
  fclose(o->file);
  return text;
}
