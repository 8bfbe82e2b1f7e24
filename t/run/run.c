/* run NAME: runs one driver of t/run in a context configured by the environment. */
#include "run.h"

static const struct {
  const char *name;
  int (*run)(sn_context *);
} programs[] = {
#define ROW(name) { #name, run_##name },
  PROGRAMS(ROW)
#undef ROW
};

int main(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  int failed = 1;

  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
    sn_context *ctx = NULL;
    if (strcmp(programs[p].name, name) != 0)
      continue;
    if (sn_context_create(NULL, &ctx) != SN_OK) {
      fprintf(stderr, "run: no context\n");
      return 1;
    }
    failed = programs[p].run(ctx);
    if (failed)
      RUN_STOP();
    if (sn_context_destroy(ctx) != SN_OK) {
      printf("a tree was left alive\n");
      failed = 1;
    }
    return failed;
  }
  fprintf(stderr, "run: which program? ");
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
    fprintf(stderr, "%s ", programs[p].name);
  fprintf(stderr, "\n");
  return 2;
}
