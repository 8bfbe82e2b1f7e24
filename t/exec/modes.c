/* Memory modes: every cell of the table against what is written here by hand, provenances, and
 * what is said when two contradict each other.
 */
#include <snode/node.h>

#include "t/exec/course.h"

/* Modes by two letters, in the order of sn_mode; "--": refused. */
static const char *const letters[] = {
  "..", "EC", "VI", "NV", "LO", "DO", "OD", "MA", "HC", "HN", "HX", "HV"
};
enum { MODES = sizeof letters / sizeof letters[0] };

/* As messages have them. */
static const char *const names[] = {
  "of no mode", "effectively constant", "virtual", "never virtual", "local", "device only",
  "on device", "materialized", "hosted constant", "hosted nonconstant",
  "hosted, changed on devices", "hosted, volatile"
};

static const struct { sn_mode mode; const char *updates, *sharings, *settled; } expected[] = {
  /*                                 EC VI NV LO DO OD MA HC HN HX HV */
  { SN_MODE_UNSET,                  "EC VI NV LO DO OD MA HC HN HX HV", "OD OD", "VI" },
  { SN_MODE_EFFECTIVELY_CONSTANT,   "EC VI HC -- -- -- HC HC -- -- --", "-- --", "VI" },
  { SN_MODE_VIRTUAL,                "VI VI -- -- -- -- -- -- -- -- --", "-- --", "VI" },
  { SN_MODE_NEVER_VIRTUAL,          "HC -- NV LO DO OD MA HC HN HX HV", "-- --", "LO" },
  { SN_MODE_LOCAL,                  "-- -- LO LO LO -- -- -- -- -- --", "-- --", "LO" },
  { SN_MODE_DEVICE_ONLY,            "-- -- DO LO DO OD OD -- -- -- --", "OD OD", "LO" },
  { SN_MODE_ON_DEVICE,              "-- -- OD -- OD OD OD -- -- -- --", "OD OD", "OD" },
  { SN_MODE_MATERIALIZED,           "HC -- MA -- OD OD MA HC HN HX HV", "OD OD", "OD" },
  { SN_MODE_HOSTED_CONSTANT,        "HC -- HC -- -- -- HC HC -- -- --", "-- HC", "HC" },
  { SN_MODE_HOSTED_NONCONSTANT,     "-- -- HN -- -- -- HN -- HN HX HV", "HX HX", "HN" },
  { SN_MODE_HOSTED_CHANGED,         "-- -- HX -- -- -- HX -- HX HX --", "HX HX", "HX" },
  { SN_MODE_HOSTED_VOLATILE,        "-- -- HV -- -- -- HV -- HV -- HV", "-- HV", "HV" },
};

static sn_node *node_of(sn_engine *engine, sn_mode mode)
{
  sn_node_options options = SN_NODE_OPTIONS_INIT;
  sn_node *node = NULL;

  options.mode = mode;
  options.provenance = "its maker";
  if (sn_node_create(engine, "x", SN_TYPE_F32, 3, &options, &node) != SN_OK) bail("no node");
  return node;
}

/* What is said of two that contradict each other has both, each with who knows it. */
static int is_text_of(sn_engine *engine, int from, int to)
{
  char text[160];

  snprintf(text, sizeof text, "node 'x' is %s by 'its maker', and 'the test' has it %s",
           names[from], names[to]);
  if (strcmp(sn_engine_error(engine), text) == 0) return 1;
  diag("%s", sn_engine_error(engine));
  return 0;
}

/* The cell is what came; what is refused changes nothing. */
static int is_cell(sn_node *node, const char *cell, sn_mode before, int code)
{
  const int refused = strncmp(cell, "--", 2) == 0;

  if (refused)
    return code == SN_ESTATE && sn_node_mode(node) == before;
  return code == SN_OK && strncmp(cell, letters[sn_node_mode(node)], 2) == 0;
}

static void test_updates(sn_engine *engine)
{
  int wrong = 0, cells = 0;

  for (int from = 0; from < MODES; from++)
    for (int to = 1; to < MODES; to++, cells++) {
      sn_node *node = node_of(engine, (sn_mode)from);
      const char *cell = expected[from].updates + 3 * (to - 1);
      const int code = sn_node_set_mode(node, (sn_mode)to, "the test");
      if (!is_cell(node, cell, (sn_mode)from, code)) {
        wrong++;
        diag("%s, then %s: %d, %s, not %.2s", letters[from], letters[to], code,
             sn_mode_name(sn_node_mode(node)), cell);
      }
      wrong += code != SN_OK && !is_text_of(engine, from, to);
      wrong += expected[from].mode != (sn_mode)from;
      sn_engine_clear(engine);
      wrong += sn_node_destroy(node) != SN_OK;
    }
  is_int(cells, 132, "every update of every mode");
  is_int(wrong, 0, "as written");
}

static void test_sharings(sn_engine *engine)
{
  int wrong = 0;

  for (int from = 0; from < MODES; from++)
    for (int to = SN_SHARING_PER_QUEUE; to <= SN_SHARING_ACROSS_QUEUES; to++) {
      sn_node *node = node_of(engine, (sn_mode)from);
      const char *cell = expected[from].sharings + 3 * (to - 1);
      const int code = sn_node_set_sharing(node, (sn_sharing)to, "the test");
      const sn_mode mode = sn_node_mode(node);
      const int has_one = mode == SN_MODE_ON_DEVICE || mode == SN_MODE_HOSTED_CHANGED;
      wrong += !is_cell(node, cell, (sn_mode)from, code);
      wrong += code == SN_OK && has_one && sn_node_sharing(node) != (sn_sharing)to;
      if (code == SN_OK && has_one) {            /* set once, for ever */
        wrong += sn_node_set_sharing(node, (sn_sharing)to, "again") != SN_OK;
        wrong += sn_node_set_sharing(node, (sn_sharing)(3 - to), "another") != SN_ESTATE;
        wrong += sn_node_set_sharing(node, SN_SHARING_UNSET, "unset") != SN_ESTATE;
      }
      sn_engine_clear(engine);
      wrong += sn_node_destroy(node) != SN_OK;
    }
  is_int(wrong, 0, "every sharing of every mode");
}

static void test_settled(sn_engine *engine)
{
  int wrong = 0;

  for (int from = 0; from < MODES; from++) {
    sn_node *node = node_of(engine, (sn_mode)from);
    const int code = sn_node_settle(node, "the test");
    wrong += !is_cell(node, expected[from].settled, (sn_mode)from, code);
    wrong += sn_node_destroy(node) != SN_OK;
  }
  is_int(wrong, 0, "every mode, settled for the most local");
}

static void test_texts(sn_engine *engine)
{
  char text[8192] = "";
  sn_node *node = node_of(engine, SN_MODE_NEVER_VIRTUAL);

  is_int(sn_node_set_mode(node, SN_MODE_DEVICE_ONLY, "line 7"), SN_OK, "refined");
  is_int(sn_node_set_mode(node, SN_MODE_NEVER_VIRTUAL, "line 8"), SN_OK, "nothing new");
  is_int(sn_node_set_mode(node, SN_MODE_HOSTED_CONSTANT, "line 9"), SN_ESTATE, "refused");
  said(engine, "node 'x' is device only by 'line 7', and 'line 9' has it hosted constant");
  is_int(sn_node_set_sharing(node, SN_SHARING_PER_QUEUE, "line 10"), SN_OK, "shared");
  is_int(sn_node_set_sharing(node, SN_SHARING_ACROSS_QUEUES, "line 11"), SN_ESTATE, "refused");
  said(engine, "node 'x' is on device, per queue by 'line 10', and 'line 11' has it across queues");
  is_int(sn_node_explain(node, collect_text, text), SN_OK, "its steps");
  is_str(text, "x: never virtual by 'its maker'\nx: device only by 'line 7'\n"
               "x: on device, per queue by 'line 10'\n", "each with its provenance");
  is_int(sn_node_set_mode(node, SN_MODE_UNSET, "line 12"), SN_EINVAL, "back to nothing");
  is_int(sn_node_set_mode(node, (sn_mode)99, "line 12"), SN_EINVAL, "no mode");
  is_int(sn_node_set_mode(node, SN_MODE_LOCAL, NULL), SN_EINVAL, "by nobody");
  is_str(sn_mode_name((sn_mode)99), "no mode", "its name");
  is_int(sn_node_destroy(node), SN_OK, "gone");
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 0;
  engine = engine_by(&options);
  test_updates(engine);
  test_sharings(engine);
  test_settled(engine);
  test_texts(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "the engine is gone");
  return done_testing();
}
