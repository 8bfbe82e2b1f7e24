/* The module's tables. */
#include "gen/ir/table.h"

#include <stddef.h>
#include <string.h>

const IrTable *ir_find_table(const IrModule *m, const char *name)
{
  for (int k = 0; k < m->table_count; k++)
    if (strcmp(m->tables[k]->name, name) == 0)
      return m->tables[k];
  return NULL;
}

Value ir_table_value(const IrTable *table, int64_t index)
{
  return index >= 0 && index < table->count ? table->values[index] : (Value){ .i = 0 };
}
