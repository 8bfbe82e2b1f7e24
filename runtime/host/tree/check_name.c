/* The name of a cell whose adjoint is wrong. */
#include "runtime/host/base/text.h"
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/check_grad.h"

#include <string.h>

static int is_marked(const char *value, uint32_t bytes)
{
  for (uint32_t k = 0; k < bytes; k++)
    if (value[k])
      return 1;
  return 0;
}

/* Index and value of each active cell; the marked one's index, as text. */
static int find_marked(const sni_checked *f, int64_t *index, char *values, char *text, size_t bytes)
{
  const uint32_t axes = f->tree->info->fields[f->field].axis_count;
  int64_t count;

  SN_TRY(sni_field_read_active(f->tree, f->field, index, values, (int64_t)f->count, &count));
  for (int64_t k = 0; k < count && (uint64_t)k < f->count; k++)
    if (is_marked(values + (uint64_t)k * f->bytes, f->bytes)) {
      sni_index_text(index + (uint64_t)k * axes, axes, text, bytes);
      return SN_OK;
    }
  return SN_OK;
}

int sni_check_name(sni_grad_check *c, const sni_checked *f, uint64_t k, char *text)
{
  const snd_field_info *info = &f->tree->info->fields[f->field];
  sni_accounts *accounts = &c->context->accounts;
  const size_t whole = strcspn(info->name, ".");
  const size_t n = (size_t)f->count + 1, words = n * (info->axis_count + 1);
  char at[SNI_RANGE_BYTES] = "?";
  int64_t *index = sni_new(accounts, words, sizeof *index);
  char *values = sni_new(accounts, n, f->bytes);
  int code = index && values ? sni_check_mark(c, f, k) : SN_ENOMEM;

  if (code == SN_OK)
    code = find_marked(f, index, values, at, sizeof at);
  sni_delete(accounts, index, words, sizeof *index);
  sni_delete(accounts, values, n, f->bytes);
  (void)sni_text_format(text, SNI_CELL_NAME_BYTES, info->axis_count ? "%.*s[%s]%s" : "%.*s%.0s%s",
                        (int)whole, info->name, at, info->name + whole);
  return code;
}
