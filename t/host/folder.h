/* A folder of the test's own. */
#ifndef SNODE_TEST_FOLDER_H
#define SNODE_TEST_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "t/tap.h"

static char folder[256];

TAP_UNUSED static void make_folder(void)
{
  const char *place = getenv("TMPDIR");

  snprintf(folder, sizeof folder, "%s/snode-test-%ld", place && *place ? place : "/tmp",
           (long)getpid());
  if (mkdir(folder, 0700) != 0) bail("no folder");
}

/* A path in it; one of four at a time. */
TAP_UNUSED static const char *path_of(const char *name)
{
  static char paths[4][1024];
  static int next;
  char *path = paths[next++ % 4];

  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

TAP_UNUSED static int files_in_folder(void)
{
  DIR *entries = opendir(folder);
  int count = -2;                /* . and .. */

  if (entries == NULL) bail("no folder");
  while (readdir(entries) != NULL) count++;
  closedir(entries);
  return count;
}

#endif
