/* The limits of a process's memory: Linux's control groups, and setrlimit's.
 *
 * /proc/self/cgroup names the process's groups, a line each:
 *
 *   0::/user/job                    version 2; its limit: /sys/fs/cgroup/user/job/memory.max
 *   4:memory,cpu:/user/job          version 1; /sys/fs/cgroup/memory/user/job/memory.limit_in_bytes
 *
 * Each group around it has a limit of its own.  A container often sees its group as the topmost
 * one, where the line still has the path outside: what is not there is left out.
 */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1            /* RLIMIT_AS under strict C */
#endif
#include "runtime/host/base/allowed.h"
#include "runtime/host/base/numbers.h"
#include "runtime/host/base/platform.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TEXT_BYTES = 4096 };      /* of a path, of a line: longer ones are left out */

/* The number in the file; UINT64_MAX: no such file, or "max". */
static uint64_t limit_in(const char *path)
{
  FILE *file = fopen(path, "re");
  char text[64] = "";
  uint64_t limit = UINT64_MAX;

  if (!file)
    return limit;
  if (fgets(text, sizeof text, file) && isdigit((unsigned char)*text)) {
    errno = 0;
    limit = strtoull(text, NULL, 10);
    if (errno)
      limit = UINT64_MAX;
  }
  (void)fclose(file);
  return limit;
}

/* The least limit of the group and of those around it; `group` begins with / and is cut. */
static uint64_t limit_on_path(const char *root, const char *mount, char *group, const char *name)
{
  uint64_t limit = UINT64_MAX;
  char path[TEXT_BYTES], *slash;

  for (;;) {
    const int length = snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group, name);
    if (length > 0 && (size_t)length < sizeof path)
      limit = sni_least(limit, limit_in(path));
    slash = strrchr(group, '/');
    if (!slash)
      return limit;
    *slash = '\0';
  }
}

static int has_memory(const char *controllers)
{
  static const char word[] = "memory";
  const size_t length = sizeof word - 1;
  const char *at = controllers;

  while ((at = strstr(at, word))) {
    const int begins = at == controllers || at[-1] == ',';
    at += length;
    if (begins && (*at == ',' || *at == '\0'))
      return 1;
  }
  return 0;
}

/* A line: its number, its controllers, its path. */
static uint64_t limit_of_line(const char *root, char *line)
{
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;

  if (!group || group[1] != '/')
    return UINT64_MAX;
  *group++ = '\0';
  controllers++;
  group[strcspn(group, "\n")] = '\0';
  if (*controllers == '\0')
    return limit_on_path(root, "/sys/fs/cgroup", group, "memory.max");
  return has_memory(controllers)
           ? limit_on_path(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
           : UINT64_MAX;
}

uint64_t sni_control_group_memory(const char *root)
{
  char text[TEXT_BYTES];
  uint64_t limit = UINT64_MAX;
  FILE *file;
  const int length = snprintf(text, sizeof text, "%s/proc/self/cgroup", root);

  if (length < 0 || (size_t)length >= sizeof text)
    return limit;
  file = fopen(text, "re");
  if (!file)
    return limit;
  while (fgets(text, sizeof text, file))
    if (strchr(text, '\n'))
      limit = sni_least(limit, limit_of_line(root, text));
  (void)fclose(file);
  return limit;
}

static uint64_t limit_of_resource(int resource)
{
  struct rlimit limit;

  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return (uint64_t)limit.rlim_cur;
}

uint64_t sni_memory_allowed(void)
{
  uint64_t bytes = sni_least(sni_physical_memory(), sni_control_group_memory(""));

#ifdef RLIMIT_AS
  bytes = sni_least(bytes, limit_of_resource(RLIMIT_AS));
#endif
  return sni_least(bytes, limit_of_resource(RLIMIT_DATA));
}
