/* Memory modes: what is known about a node, refined step by step; mode.def is the table.
 *
 * Each step keeps its provenance, so that two that contradict each other can both be named.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/mode.h"

#include <string.h>

enum { SHARINGS = 2 };           /* those that can be set */

typedef enum action { KEEP, TAKE, NO, CONSTANT, ON_DEVICE, CHANGED, VIRTUAL, LOCAL } action;

typedef struct row {
  const char *text;
  uint8_t update[SN_MODE_HOSTED_VOLATILE];       /* by mode - 1 */
  uint8_t share[SHARINGS];
  uint8_t settled;
} row;

static const row rows[] = {
#define MODE(mode, text, ec, vi, nv, lo, dv, od, ma, hc, hn, hd, hv, per, across, settled) \
  [mode] = { text, { ec, vi, nv, lo, dv, od, ma, hc, hn, hd, hv }, { per, across }, settled },
#include "runtime/host/exec/mode.def"
#undef MODE
};

enum { MODES = sizeof rows / sizeof rows[0] };

static const char *const sharings[] = { "not said whether shared", "per queue", "across queues" };

const char *sn_mode_name(sn_mode mode)
{
  return (int)mode >= 0 && (int)mode < MODES ? rows[mode].text : "no mode";
}

const char *sn_sharing_name(sn_sharing sharing)
{
  return (int)sharing >= 0 && (int)sharing <= SHARINGS ? sharings[sharing] : "no sharing";
}

int sni_mode_is_hosted(sn_mode mode)
{
  return mode >= SN_MODE_HOSTED_CONSTANT;
}

int sni_mode_is_constant(sn_mode mode)
{
  return mode == SN_MODE_HOSTED_CONSTANT || mode == SN_MODE_HOSTED_VOLATILE;
}

/* ---- what is known ---- */

sn_mode sni_node_mode(const sn_node *node)
{
  return node->known ? node->known->mode : SN_MODE_UNSET;
}

sn_sharing sni_node_sharing(const sn_node *node)
{
  return node->known ? node->known->sharing : SN_SHARING_UNSET;
}

const char *sni_node_reason(const sn_node *node)
{
  return node->known ? node->known->provenance : "nobody";
}

static int learn(sn_node *node, sn_mode mode, sn_sharing sharing, const char *provenance)
{
  sni_known *step;

  if (node->known && mode == node->known->mode && sharing == node->known->sharing)
    return SN_OK;
  step = sni_engine_new(node->engine, 1, sizeof *step);
  if (!step)
    return sni_engine_fail(node->engine, SN_ENOMEM, "%s: no memory for its mode", node->name);
  step->before = node->known;
  step->mode = mode;
  step->sharing = sharing;
  (void)sni_text_copy(step->provenance, sizeof step->provenance, provenance);
  node->known = step;
  return SN_OK;
}

void sni_node_forget(sn_node *node, const sni_known *since)
{
  while (node->known != since) {
    sni_known *step = node->known;
    node->known = step->before;
    sni_engine_delete(node->engine, step, 1, sizeof *step);
  }
}

static sn_mode outcome(action what, sn_mode now, sn_mode wanted)
{
  switch (what) {
  case TAKE: return wanted;
  case CONSTANT: return SN_MODE_HOSTED_CONSTANT;
  case ON_DEVICE: return SN_MODE_ON_DEVICE;
  case CHANGED: return SN_MODE_HOSTED_CHANGED;
  case VIRTUAL: return SN_MODE_VIRTUAL;
  case LOCAL: return SN_MODE_LOCAL;
  case KEEP: case NO: break;
  }
  return now;
}

int sni_node_refine(sn_node *node, sn_mode wanted, const char *provenance)
{
  const sn_mode now = sni_node_mode(node);
  const action what = (action)rows[now].update[wanted - 1];

  if (what == NO)
    return sni_engine_fail(node->engine, SN_ESTATE,
                           "node '%s' is %s by '%s', and '%s' has it %s", node->name,
                           rows[now].text, sni_node_reason(node), provenance,
                           rows[wanted].text);
  return learn(node, outcome(what, now, wanted), sni_node_sharing(node), provenance);
}

int sni_node_share(sn_node *node, sn_sharing wanted, const char *provenance)
{
  const sn_mode now = sni_node_mode(node);
  const sn_sharing was = sni_node_sharing(node);
  const action what = wanted == SN_SHARING_UNSET ? NO : (action)rows[now].share[wanted - 1];
  sn_mode mode;

  if (was == wanted)
    return SN_OK;
  if (was != SN_SHARING_UNSET || what == NO)
    return sni_engine_fail(node->engine, SN_ESTATE,
                           "node '%s' is %s, %s by '%s', and '%s' has it %s", node->name,
                           rows[now].text, sharings[was], sni_node_reason(node), provenance,
                           sharings[wanted]);
  mode = outcome(what, now, now);
  /* Other modes have one array per unit whatever is said. */
  return learn(node, mode, mode == SN_MODE_ON_DEVICE || mode == SN_MODE_HOSTED_CHANGED
                             ? wanted : SN_SHARING_UNSET, provenance);
}

/* ---- the user's calls ---- */

static int is_text(const char *provenance)
{
  return provenance && provenance[0];
}

int sn_node_set_mode(sn_node *node, sn_mode mode, const char *provenance)
{
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  if (!is_text(provenance) || mode <= SN_MODE_UNSET || (int)mode >= MODES)
    return SN_EINVAL;
  sni_mutex_lock(&node->engine->linking);
  code = sni_node_refine(node, mode, provenance);
  sni_mutex_unlock(&node->engine->linking);
  return code;
}

int sn_node_set_sharing(sn_node *node, sn_sharing sharing, const char *provenance)
{
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  if (!is_text(provenance) || (int)sharing < 0 || (int)sharing > SHARINGS)
    return SN_EINVAL;
  sni_mutex_lock(&node->engine->linking);
  code = sni_node_share(node, sharing, provenance);
  sni_mutex_unlock(&node->engine->linking);
  return code;
}

int sn_node_settle(sn_node *node, const char *provenance)
{
  sn_mode now;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(node)));
  if (!is_text(provenance))
    return SN_EINVAL;
  sni_mutex_lock(&node->engine->linking);
  now = sni_node_mode(node);
  code = learn(node, outcome((action)rows[now].settled, now, now), sni_node_sharing(node),
               provenance);
  sni_mutex_unlock(&node->engine->linking);
  return code;
}

sn_mode sn_node_mode(sn_node *node)
{
  sn_mode mode = SN_MODE_UNSET;

  if (sni_engine_may_call(SNI_ENGINE_OR_NULL(node)) == SN_OK) {
    sni_mutex_lock(&node->engine->linking);
    mode = sni_node_mode(node);
    sni_mutex_unlock(&node->engine->linking);
  }
  return mode;
}

sn_sharing sn_node_sharing(sn_node *node)
{
  sn_sharing sharing = SN_SHARING_UNSET;

  if (sni_engine_may_call(SNI_ENGINE_OR_NULL(node)) == SN_OK) {
    sni_mutex_lock(&node->engine->linking);
    sharing = sni_node_sharing(node);
    sni_mutex_unlock(&node->engine->linking);
  }
  return sharing;
}
