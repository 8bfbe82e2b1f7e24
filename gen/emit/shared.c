/* What kernels have alike: equal tables and steps stand once in the file, under the name that the
 * first kernel gave them.
 */
#include "gen/emit/writer.h"

#include <string.h>

const char *write_shared(Emit *e, const char *before, const char *wanted, const char *after)
{
  const char *text = intern_format(e->arena, "%s %s", before, after);
  char *name = map_get(&e->shared, text);

  if (name)
    return name;
  name = (char *)(uintptr_t)names_take(&e->names, wanted);
  map_put(&e->shared, text, name);
  if (strchr(after, '\n'))
    text_format(e->out, "%s%s%s", before, name, after);
  else
    write_line(e, "%s%s%s", before, name, after);
  write_line(e, "%s", "");
  return name;
}

const char *write_table(Emit *e, const char *type, const char *wanted, const char *rows)
{
  return write_shared(e, format(e->arena, "static const %s ", type), wanted,
                      format(e->arena, "[] = {\n%s};\n", rows));
}
