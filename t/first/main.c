/* main.c: mistakes of the first hour, one for each argument, and what is said of each */
#include "first.h"
#include <stdio.h>
#include <string.h>

static sn_context *context;
static first_plane *plane;

static int loads(const char *path) { return first_plane_load(plane, path); }

static int outside(const char *path)
{
  (void)path;
  return first_u_set(plane, 64, 0, 1);
}

static int inactive(const char *path)
{
  double value;
  (void)path;
  return first_near(plane, 3, &value);
}

static int destroys(const char *path)
{
  (void)path;
  return sn_context_destroy(context);
}

static int no_tree(const char *path)
{
  (void)path;
  return first_step(NULL);
}

static int of_a_gpu(const char *path)
{
  sn_config *config;
  sn_context *other;
  first_plane *there;
  int code;

  (void)path;
  if (sn_config_create(&config) || sn_config_set(config, "device", "gpu:77")) return SN_OK;
  if (sn_context_create(config, &other)) return SN_OK;
  sn_config_destroy(config);
  code = first_plane_create(other, NULL, &there);
  printf("%s\n", sn_context_error(other));
  if (sn_context_destroy(other)) puts("the other context lives");
  return code;
}

static int options(const char *path)
{
  sn_config *config;
  int code;

  if (sn_config_create(&config)) return SN_OK;
  code = sn_config_set(config, path, "2");
  printf("%s\n", sn_config_error(config));
  sn_config_destroy(config);
  return code;
}

int main(int argc, char **argv)
{
  static const struct { const char *name; int (*of)(const char *path); } mistakes[] = {
    { "load", loads }, { "outside", outside }, { "inactive", inactive }, { "destroy", destroys },
    { "null", no_tree }, { "gpu", of_a_gpu }, { "option", options },
  };
  int code = SN_OK;

  if (argc < 2 || sn_context_create(NULL, &context)) return 1;
  if (first_plane_create(context, NULL, &plane)) {
    printf("%s\n", sn_context_error(context));
    return 1;
  }
  if (strcmp(argv[1], "save") == 0) code = first_plane_save(plane, argv[2]);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
    if (strcmp(argv[1], mistakes[k].name) == 0) code = mistakes[k].of(argc > 2 ? argv[2] : NULL);
  printf("%s: %s\n", sn_strerror(code), sn_context_error(context));
  return code != SN_OK;
}
