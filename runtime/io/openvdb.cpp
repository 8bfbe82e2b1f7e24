// OpenVDB files: each field a grid, through OpenVDB's own library.
#include "runtime/io/grids.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>

namespace {

using openvdb::StringMetadata;

// Archive writes to any stream; File, its own, does not tell of a disk that is full.
struct Archive : openvdb::io::Archive {
  void put(std::ostream &to, const openvdb::GridCPtrVec &grids) const
  {
    write(to, grids, true, openvdb::MetaMap());
  }
};

bool take(const uint8_t *values, int64_t k, bool) { return values[k] != 0; }
template <class T> T take(const T *values, int64_t k, T) { return values[k]; }
template <class T> openvdb::math::Vec3<T> take(const T *values, int64_t k, openvdb::math::Vec3<T>)
{
  return openvdb::math::Vec3<T>(values + 3 * k);
}

// Stored: what the values are in memory, or an element of it.
template <class Grid, class Stored> openvdb::GridBase::Ptr fill(const sni_grid &from)
{
  using Value = typename Grid::ValueType;
  const Stored *values = static_cast<const Stored *>(from.values);
  const Stored *background = static_cast<const Stored *>(from.background);
  const typename Grid::Ptr grid = Grid::create(take(background, 0, Value()));
  auto accessor = grid->getAccessor();

  for (int64_t k = 0; k < from.count; k++)
    accessor.setValueOn(openvdb::Coord(from.at[3 * k], from.at[3 * k + 1], from.at[3 * k + 2]),
                        take(values, k, Value()));
  return grid;
}

openvdb::GridBase::Ptr make(const sni_grid &from)
{
  switch (from.kind) {
  case SNI_GRID_BOOL:   return fill<openvdb::BoolGrid, uint8_t>(from);
  case SNI_GRID_INT32:  return fill<openvdb::Int32Grid, int32_t>(from);
  case SNI_GRID_INT64:  return fill<openvdb::Int64Grid, int64_t>(from);
  case SNI_GRID_FLOAT:  return fill<openvdb::FloatGrid, float>(from);
  case SNI_GRID_DOUBLE: return fill<openvdb::DoubleGrid, double>(from);
  case SNI_GRID_VEC3F:  return fill<openvdb::Vec3SGrid, float>(from);
  default:              return fill<openvdb::Vec3DGrid, double>(from);
  }
}

openvdb::math::Transform::Ptr transform(const sni_grids &s)
{
  openvdb::Mat4R m = openvdb::Mat4R::identity();

  for (int k = 0; k < 3; k++) {
    m[k][k] = s.spacing[k];
    m[3][k] = s.centre[k];
  }
  return openvdb::math::Transform::createLinearTransform(m);
}

void put_file(const sni_grids &s, const char *path)
{
  openvdb::GridCPtrVec grids;
  std::ofstream to;
  Archive archive;

  openvdb::initialize();
  for (int k = 0; k < s.count; k++) {
    const openvdb::GridBase::Ptr grid = make(s.grid[k]);
    grid->setName(s.grid[k].name);
    grid->setTransform(transform(s));
    grid->insertMeta("tree", StringMetadata(s.tree));
    if (s.grid[k].unit[0])
      grid->insertMeta("units", StringMetadata(s.grid[k].unit));
    if (s.length_unit[0])
      grid->insertMeta("length_units", StringMetadata(s.length_unit));
    grids.push_back(grid);
  }
  if (!s.compress)
    archive.setCompression(openvdb::io::COMPRESS_NONE);
  errno = 0;
  to.open(path, std::ios::binary | std::ios::trunc);
  if (to)
    archive.put(to, grids);
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
    std::snprintf(why, room, "%s", e.what());
  } catch (...) {
    std::snprintf(why, room, "OpenVDB failed without a text");
  }
  return 1;
}

}

int sn_io_write_vdb(sn_tree *tree, const char *fields, const sn_io_options *options,
                    const char *path)
{
  return sni_io_write_grids(tree, fields, options, path, write);
}
