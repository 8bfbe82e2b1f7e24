/* The list of a series' files with their times. */
#include "runtime/io/io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"1.0\">\n"
                           "  <Collection>\n";
static const char tail[] = "  </Collection>\n</VTKFile>\n";
static const char entry[] = "    <DataSet timestep=\"";

/* The time of an entry; the machine's point may be a comma. */
static double time_of(const char *line)
{
  char text[64];
  size_t length = strcspn(line + sizeof entry - 1, "\"");
  const char point = '.';
  char probe[8];

  snprintf(probe, sizeof probe, "%.1f", 0.5);
  length = length < sizeof text ? length : sizeof text - 1;
  memcpy(text, line + sizeof entry - 1, length);
  text[length] = 0;
  for (char *c = text; *c; c++)
    if (*c == point)
      *c = probe[1];
  return strtod(text, NULL);
}

static void put_text(sni_output_file *out, const char *text)
{
  for (; *text; text++)
    switch (*text) {
    case '&': sni_io_print(out, "&amp;"); break;
    case '<': sni_io_print(out, "&lt;"); break;
    case '"': sni_io_print(out, "&quot;"); break;
    default:  sni_io_put(out, text, 1); break;
    }
}

/* Entries of the file that was there, of times before this one. */
static int keep_entries(sni_output_file *out, double time)
{
  FILE *file = fopen(out->path, "r");
  char line[SNI_IO_PATH + 128];
  int code = SN_OK, is_series = 0;

  if (!file)
    return errno == ENOENT ? SN_OK : SN_EIO;
  while (fgets(line, sizeof line, file)) {
    is_series |= strstr(line, "<VTKFile type=\"Collection\"") != NULL;
    if (strncmp(line, entry, sizeof entry - 1) == 0 && time_of(line) < time)
      sni_io_put(out, line, strlen(line));
  }
  if (ferror(file))
    code = SN_EIO;
  else if (!is_series)           /* it is another file: it stays */
    code = SN_EINVAL;
  fclose(file);
  return code;
}

int sn_io_append_pvd(const char *path, double time, const char *file)
{
  sni_output_file out;
  int code;

  if (!path || !file || strlen(file) >= SNI_IO_PATH)
    return SN_EINVAL;
  SN_TRY(sni_io_open(&out, NULL, path));
  sni_io_put(&out, head, sizeof head - 1);
  code = keep_entries(&out, time);
  sni_io_put(&out, entry, sizeof entry - 1);
  sni_io_print_number(&out, time);
  sni_io_print(&out, "\" part=\"0\" file=\"");
  put_text(&out, file);
  sni_io_print(&out, "\"/>\n");
  sni_io_put(&out, tail, sizeof tail - 1);
  return sni_io_close(&out, code);
}
