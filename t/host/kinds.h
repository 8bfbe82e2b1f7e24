/* A module with every kind of SNode, by hand as module.h is.
 *
 *   tree zoo(n) {
 *     bitmasked spot[i: n, j: 5] {
 *       place m = 2.5;
 *       pointer deep[k: 4] { place d = -1.0; }
 *       dynamic trail[l: 1000] chunk 16 { place t = 9; }
 *     }
 *     pointer tile[i: 6, j: 4] {
 *       bitmasked cell[i: 3, j: 5] { place c (j, i) = 1.5 offset (-10, 4); }
 *       bitmasked alive[k: 70];
 *       dynamic list[l: 1 << 22] { place x = 0.5, y; }
 *     }
 *     hash far[i, j] {
 *       dense node[i: 4, j: 4] { place f = 3.0 offset (100, 0); }
 *       pointer sub[k: 2] { place s; }
 *     }
 *     dynamic log[q: 40] { place g = 4; }
 *   }
 */
#ifndef SNODE_TEST_KINDS_H
#define SNODE_TEST_KINDS_H

#include <snode/snode.h>
#include <snode/module.h>
#include <snode/device/runtime.h>

enum { ZOO_ROOT, ZOO_SPOT, ZOO_DEEP, ZOO_TRAIL, ZOO_TILE, ZOO_CELL, ZOO_ALIVE, ZOO_LIST, ZOO_FAR,
       ZOO_NODE, ZOO_SUB, ZOO_LOG, ZOO_SNODES };
enum { ZOO_M, ZOO_D, ZOO_T, ZOO_C, ZOO_X, ZOO_Y, ZOO_F, ZOO_S, ZOO_G, ZOO_FIELDS };

typedef struct zoo_deep { double d; uint32_t id; } zoo_deep;
typedef struct zoo_trail { int32_t t; } zoo_trail;
typedef struct zoo_spot { float m; uint64_t deep[4]; uint64_t trail; } zoo_spot;
typedef struct zoo_cell { float c; } zoo_cell;
typedef struct zoo_cells { zoo_cell cell[15]; uint64_t mask[1], out[1]; } zoo_cells;
typedef struct zoo_alives { uint64_t mask[2], out[2]; } zoo_alives;
typedef struct zoo_list { float x; int32_t y; } zoo_list;
typedef struct zoo_tile { zoo_cells cells; zoo_alives alive; uint64_t list; uint32_t id; } zoo_tile;
typedef struct zoo_node { double f; } zoo_node;
typedef struct zoo_sub { int64_t s; uint32_t id; } zoo_sub;
typedef struct zoo_far { zoo_node node[16]; uint64_t sub[2]; uint32_t id; } zoo_far;
typedef struct zoo_log { uint8_t g; } zoo_log;

static int64_t zoo_spot_extent_i(const int64_t *params) { return params[0]; }

static const sn_axis_info zoo_spot_axes[] = { { 0, 0, zoo_spot_extent_i }, { 1, 5, NULL } };
static const sn_axis_info zoo_deep_axes[] = { { 2, 4, NULL } };
static const sn_axis_info zoo_trail_axes[] = { { 3, 1000, NULL } };
static const sn_axis_info zoo_tile_axes[] = { { 0, 6, NULL }, { 1, 4, NULL } };
static const sn_axis_info zoo_cell_axes[] = { { 0, 3, NULL }, { 1, 5, NULL } };
static const sn_axis_info zoo_alive_axes[] = { { 2, 70, NULL } };
static const sn_axis_info zoo_list_axes[] = { { 3, 1 << 22, NULL } };
static const sn_axis_info zoo_far_axes[] = { { 0, 1, NULL }, { 1, 1, NULL } };
static const sn_axis_info zoo_node_axes[] = { { 0, 4, NULL }, { 1, 4, NULL } };
static const sn_axis_info zoo_sub_axes[] = { { 2, 2, NULL } };
static const sn_axis_info zoo_log_axes[] = { { 8, 40, NULL } };

static const sn_snode_info zoo_snodes[] = {
  { "root", "S0root", SN_SNODE_ROOT, -1, 0, 0, 0, 0, NULL, 0 },
  { "spot", "S1bitmasked", SN_SNODE_BITMASKED, ZOO_ROOT, sizeof(zoo_spot), 0, 0, 2,
    zoo_spot_axes, 0 },
  { "deep", "S2pointer", SN_SNODE_POINTER, ZOO_SPOT, sizeof(zoo_deep), offsetof(zoo_spot, deep),
    offsetof(zoo_deep, id), 1, zoo_deep_axes, 0 },
  { "trail", "S3dynamic", SN_SNODE_DYNAMIC, ZOO_SPOT, sizeof(zoo_trail),
    offsetof(zoo_spot, trail), 0, 1, zoo_trail_axes, 16 },
  { "tile", "S4pointer", SN_SNODE_POINTER, ZOO_ROOT, sizeof(zoo_tile), 0, offsetof(zoo_tile, id),
    2, zoo_tile_axes, 0 },
  { "cell", "S5bitmasked", SN_SNODE_BITMASKED, ZOO_TILE, sizeof(zoo_cell),
    offsetof(zoo_tile, cells), 0, 2, zoo_cell_axes, 0 },
  { "alive", "S6bitmasked", SN_SNODE_BITMASKED, ZOO_TILE, 0, offsetof(zoo_tile, alive), 0, 1,
    zoo_alive_axes, 0 },
  { "list", "S7dynamic", SN_SNODE_DYNAMIC, ZOO_TILE, sizeof(zoo_list), offsetof(zoo_tile, list), 0,
    1, zoo_list_axes, 0 },
  { "far", "S8hash", SN_SNODE_HASH, ZOO_ROOT, sizeof(zoo_far), 0, offsetof(zoo_far, id), 2,
    zoo_far_axes, 0 },
  { "node", "S9dense", SN_SNODE_DENSE, ZOO_FAR, sizeof(zoo_node), offsetof(zoo_far, node), 0, 2,
    zoo_node_axes, 0 },
  { "sub", "S10pointer", SN_SNODE_POINTER, ZOO_FAR, sizeof(zoo_sub), offsetof(zoo_far, sub),
    offsetof(zoo_sub, id), 1, zoo_sub_axes, 0 },
  { "log", "S11dynamic", SN_SNODE_DYNAMIC, ZOO_ROOT, sizeof(zoo_log), 0, 0, 1, zoo_log_axes, 0 },
};

static const sn_field_info zoo_fields[] = {
  { "m", SN_TYPE_F32, ZOO_SPOT, offsetof(zoo_spot, m), 0x40200000, 2, { 0, 1 }, { 0 } },
  { "d", SN_TYPE_F64, ZOO_DEEP, offsetof(zoo_deep, d), UINT64_C(0xbff0000000000000), 3,
    { 0, 1, 2 }, { 0 } },
  { "t", SN_TYPE_I32, ZOO_TRAIL, offsetof(zoo_trail, t), 9, 3, { 0, 1, 3 }, { 0 } },
  { "c", SN_TYPE_F32, ZOO_CELL, offsetof(zoo_cell, c), 0x3fc00000, 2, { 1, 0 }, { -10, 4 } },
  { "x", SN_TYPE_F32, ZOO_LIST, offsetof(zoo_list, x), 0x3f000000, 3, { 0, 1, 3 }, { 0 } },
  { "y", SN_TYPE_I32, ZOO_LIST, offsetof(zoo_list, y), 0, 3, { 0, 1, 3 }, { 0 } },
  { "f", SN_TYPE_F64, ZOO_NODE, offsetof(zoo_node, f), UINT64_C(0x4008000000000000), 2, { 0, 1 },
    { 100, 0 } },
  { "s", SN_TYPE_I64, ZOO_SUB, offsetof(zoo_sub, s), 0, 3, { 0, 1, 2 }, { 0 } },
  { "g", SN_TYPE_U8, ZOO_LOG, offsetof(zoo_log, g), 4, 1, { 8 }, { 0 } },
};

static const char *const zoo_params[] = { "n" };

static const sn_tree_info zoo_info = {
  "zoo", "kinds_zoo", 3, 0, ZOO_SNODES, ZOO_FIELDS, 1, zoo_snodes, zoo_fields, zoo_params
};

static const sn_tree_info *const kinds_trees[] = { &zoo_info };

SND_INLINE int new_zoo(sn_context *context, const sn_module *module, int64_t n,
                       const sn_tree_options *options, sn_tree **out)
{
  return sn_tree_create(context, module, &zoo_info, &n, options, out);
}

#endif
