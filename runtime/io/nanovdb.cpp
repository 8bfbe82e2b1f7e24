// NanoVDB files: each field a grid, by NanoVDB's own headers, which need nothing else.
#include "runtime/io/grids.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanovdb/util/GridBuilder.h>
#include <nanovdb/util/IO.h>

namespace {

using Handle = nanovdb::GridHandle<nanovdb::HostBuffer>;

int32_t take(const uint8_t *values, int64_t k, int32_t) { return values[k]; }
template <class T> T take(const T *values, int64_t k, T) { return values[k]; }
template <class T> nanovdb::Vec3<T> take(const T *values, int64_t k, nanovdb::Vec3<T>)
{
  return nanovdb::Vec3<T>(values[3 * k], values[3 * k + 1], values[3 * k + 2]);
}

// Indices to the centres of cells, and back.
nanovdb::Map map_of(const sni_grids &s)
{
  double there[3][3] = { { 0 } }, back[3][3] = { { 0 } };
  nanovdb::Map map;

  for (int k = 0; k < 3; k++) {
    there[k][k] = s.spacing[k];
    back[k][k] = 1 / s.spacing[k];
  }
  map.set(there, back, s.centre, 1.0);
  return map;
}

// Stored: what the values are in memory, or an element of it.
template <class Value, class Stored> Handle fill(const sni_grids &s, const sni_grid &from)
{
  const Stored *values = static_cast<const Stored *>(from.values);
  const Stored *background = static_cast<const Stored *>(from.background);
  nanovdb::GridBuilder<Value> grid(take(background, 0, Value()));
  auto accessor = grid.getAccessor();

  for (int64_t k = 0; k < from.count; k++)
    accessor.setValue(nanovdb::Coord(from.at[3 * k], from.at[3 * k + 1], from.at[3 * k + 2]),
                      take(values, k, Value()));
  return grid.getHandle(map_of(s), std::string(from.name));
}

// NanoVDB 32.4 builds no grids of bool: they are 0 and 1.
Handle make(const sni_grids &s, const sni_grid &from)
{
  switch (from.kind) {
  case SNI_GRID_BOOL:   return fill<int32_t, uint8_t>(s, from);
  case SNI_GRID_INT32:  return fill<int32_t, int32_t>(s, from);
  case SNI_GRID_INT64:  return fill<int64_t, int64_t>(s, from);
  case SNI_GRID_FLOAT:  return fill<float, float>(s, from);
  case SNI_GRID_DOUBLE: return fill<double, double>(s, from);
  case SNI_GRID_VEC3F:  return fill<nanovdb::Vec3f, float>(s, from);
  default:              return fill<nanovdb::Vec3d, double>(s, from);
  }
}

void put_file(const sni_grids &s, const char *path)
{
  nanovdb::io::Codec codec = nanovdb::io::Codec::NONE;
  std::vector<Handle> grids;
  std::ofstream to;

#ifdef NANOVDB_USE_ZIP
  if (s.compress)
    codec = nanovdb::io::Codec::ZIP;
#endif
  for (int k = 0; k < s.count; k++)
    grids.push_back(make(s, s.grid[k]));
  errno = 0;
  to.open(path, std::ios::binary | std::ios::trunc);
  if (to)
    nanovdb::io::writeGrids(to, grids, codec);
  to.close();
  if (!to)
    throw std::runtime_error(errno ? std::strerror(errno) : "the file is not whole");
}

int write(const sni_grids *s, const char *path, char *why, size_t room)
{
  try {
    put_file(*s, path);
    return 0;
  } catch (const std::exception &e) {
    std::snprintf(why, room, "%s", errno ? std::strerror(errno) : e.what());
  } catch (...) {
    std::snprintf(why, room, "NanoVDB failed without a text");
  }
  return 1;
}

}

int sn_io_write_nvdb(sn_tree *tree, const char *fields, const sn_io_options *options,
                     const char *path)
{
  return sni_io_write_grids(tree, fields, options, path, write);
}
