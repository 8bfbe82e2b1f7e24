// The grids of a file, by OpenVDB's own reader, as t/io/read_grids.py takes them.
#include <iostream>

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

template <class T> void put(const T &value) { std::cout << +value; }
template <class T> void put(const openvdb::math::Vec3<T> &v)
{
  std::cout << v[0] << ' ' << v[1] << ' ' << v[2];
}

template <class Grid> bool show(const openvdb::GridBase::Ptr &base)
{
  const auto grid = openvdb::gridPtrCast<Grid>(base);
  if (!base->isType<Grid>()) return false;
  std::cout << "background ";
  put(grid->background());
  std::cout << "\noff ";
  put(grid->tree().getValue(openvdb::Coord(6, 9, 300)));
  std::cout << "\n";
  for (auto on = grid->cbeginValueOn(); on; ++on)
    for (auto at = on.getBoundingBox().begin(); at; ++at) {
      std::cout << (*at)[0] << ' ' << (*at)[1] << ' ' << (*at)[2] << ' ';
      put(*on);
      std::cout << "\n";
    }
  return true;
}

int main(int, char **argv)
{
  openvdb::initialize();
  openvdb::io::File file(argv[1]);
  file.open();
  std::cout.precision(17);
  const openvdb::GridPtrVecPtr grids = file.getGrids();
  for (const openvdb::GridBase::Ptr &g : *grids) {
    const openvdb::Vec3d centre = g->indexToWorld(openvdb::Coord(0, 0, 0));
    const openvdb::Vec3d size = g->voxelSize();
    std::cout << "grid " << g->getName() << ' ' << g->valueType() << "\ncentre " << centre[0] << ' '
              << centre[1] << ' ' << centre[2] << "\nspacing " << size[0] << ' ' << size[1] << ' '
              << size[2] << "\n";
    for (const char *name : {"tree", "units", "length_units"})
      if ((*g)[name]) std::cout << name << ' ' << (*g)[name]->str() << "\n";
    if (!(show<openvdb::BoolGrid>(g) || show<openvdb::Int32Grid>(g) ||
          show<openvdb::Int64Grid>(g) || show<openvdb::FloatGrid>(g) ||
          show<openvdb::DoubleGrid>(g) ||
          show<openvdb::Vec3SGrid>(g) || show<openvdb::Vec3DGrid>(g)))
      return 1;
  }
  return 0;
}
