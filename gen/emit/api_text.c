/* Parameters of the generated functions as C spells them. */
#include "gen/emit/api.h"

#include <string.h>

void api_add(Emit *e, ApiCall *call, ApiParam param)
{
  vec_push(e->arena, call->params, call->param_count, param);
}

/* A matrix's elements are called "A.1_2", a vector's "v.x" or "v.5". */
void api_set_shape(ApiParam *p, int elements, const char *last)
{
  int row, column;

  p->elements = elements;
  p->rows = elements;
  p->columns = 0;
  if (sscanf(strchr(last, '.') + 1, "%d_%d", &row, &column) == 2) {
    p->rows = row + 1;
    p->columns = column + 1;
  }
}

static const char *pointer_text(Emit *e, const ApiParam *p, const char *type)
{
  return format(e->arena, "%s *%s", type, p->name);
}

static const char *value_text(Emit *e, const ApiParam *p)
{
  const char *given = p->way == API_IN ? "const " : "";

  if (p->kind == API_VALUE && p->elements > 0)
    return format(e->arena, "%s%s %s[%d]", given, p->c_type, p->name, p->elements);
  return format(e->arena, "%s%s *%s", given, p->c_type, p->name);
}

const char *api_param_text(Emit *e, const ApiParam *p)
{
  switch (p->kind) {
  case API_CONTEXT:  return pointer_text(e, p, "sn_context");
  case API_OPTIONS:  return pointer_text(e, p, "const sn_tree_options");
  case API_TREE:     return pointer_text(e, p, p->c_type);
  case API_NEW_TREE: return format(e->arena, "%s **%s", p->c_type, p->name);
  case API_TEXT:     return pointer_text(e, p, "const char");
  case API_BOX:      return pointer_text(e, p, "const sn_box");
  case API_SPAN:     return format(e->arena, "sn_span %s", p->name);
  case API_MEMORY:   return pointer_text(e, p, "sn_memory_info");
  case API_QUEUE:    return pointer_text(e, p, "sn_queue");
  case API_EVENT:    return format(e->arena, "sn_event **%s", p->name);
  case API_SCALAR:   return format(e->arena, "%s %s", p->c_type, p->name);
  default:           return value_text(e, p);
  }
}

const char *api_params_text(Emit *e, const ApiCall *call)
{
  const char *list = "";

  for (int k = 0; k < call->param_count; k++)
    list = format(e->arena, "%s%s%s", list, k ? ", " : "", api_param_text(e, &call->params[k]));
  return call->param_count ? list : "void";
}

const char *api_result_text(const ApiCall *call)
{
  static const char nodiscard[] = "SN_NODISCARD ";
  const size_t length = strlen(nodiscard);

  return strncmp(call->result, nodiscard, length) ? call->result : call->result + length;
}
