/* Files that appear whole, and errors. */
#include "runtime/io/io.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

int sni_io_fail(sn_tree *tree, int code, const char *format, ...)
{
  char text[1024];
  va_list arguments;

  if (!tree)
    return code;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return sn_tree_fail(tree, code, text);
}

static int cannot_write(const sni_output_file *out, int reason)
{
  return sni_io_fail(out->tree, SN_EIO, "%s could not be written: %s", out->path, strerror(reason));
}

int sni_io_open(sni_output_file *out, sn_tree *tree, const char *path)
{
  memset(out, 0, sizeof *out);
  out->tree = tree;
  out->path = path;
  if (!path)
    return sni_io_fail(tree, SN_EINVAL, "the path of a file is NULL");
  if (strlen(path) + sizeof ".partial" > sizeof out->partial)
    return cannot_write(out, ENAMETOOLONG);
  snprintf(out->partial, sizeof out->partial, "%s.partial", path);
  out->file = fopen(out->partial, "wb");
  return out->file ? SN_OK : cannot_write(out, errno);
}

int sni_io_open_by_name(sni_output_file *out, sn_tree *tree, const char *path)
{
  SN_TRY(sni_io_open(out, tree, path));
  if (fclose(out->file) != 0)
    out->failed = errno;
  out->file = NULL;
  return out->failed ? sni_io_close(out, SN_OK) : SN_OK;
}

void sni_io_put(sni_output_file *out, const void *bytes, size_t count)
{
  errno = 0;
  if (!out->failed && count && fwrite(bytes, 1, count, out->file) != count)
    out->failed = errno ? errno : EIO;
}

void sni_io_print(sni_output_file *out, const char *format, ...)
{
  char text[1024];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  sni_io_put(out, text, strlen(text));
}

void sni_io_print_number(sni_output_file *out, double value)
{
  char text[64];

  snprintf(text, sizeof text, "%.17g", value);
  for (char *c = text; *c; c++)
    if (*c == ',')
      *c = '.';
  sni_io_put(out, text, strlen(text));
}

int sni_io_close(sni_output_file *out, int code)
{
  errno = 0;
  if (out->file && fclose(out->file) != 0 && !out->failed)
    out->failed = errno ? errno : EIO;
  if (code == SN_OK && !out->failed && rename(out->partial, out->path) != 0)
    out->failed = errno;
  if (code == SN_OK && out->failed)
    code = cannot_write(out, out->failed);
  if (code != SN_OK)
    (void)remove(out->partial);
  return code;
}
