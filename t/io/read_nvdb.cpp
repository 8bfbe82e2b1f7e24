// The grids of a file, by NanoVDB's own reader, as t/io/read_grids.py takes them.
#include <iostream>

#include <nanovdb/util/IO.h>

template <class T> void put(const T &value) { std::cout << value; }
template <class T> void put(const nanovdb::Vec3<T> &v)
{
  std::cout << v[0] << ' ' << v[1] << ' ' << v[2];
}

// Every place of the leaves around the active cells is asked for.
template <class T> void show(const nanovdb::NanoGrid<T> *grid)
{
  const auto box = grid->tree().root().bbox();
  auto accessor = grid->getAccessor();
  std::cout << "background ";
  put(grid->tree().background());
  std::cout << "\noff ";
  put(accessor.getValue(nanovdb::Coord(6, 9, 300)));
  std::cout << "\n";
  if (grid->activeVoxelCount() == 0) return;
  for (auto at = box.begin(); at; ++at)
    if (accessor.isActive(*at)) {
      std::cout << (*at)[0] << ' ' << (*at)[1] << ' ' << (*at)[2] << ' ';
      put(accessor.getValue(*at));
      std::cout << "\n";
    }
}

int main(int, char **argv)
{
  const auto grids = nanovdb::io::readGrids(argv[1]);
  std::cout.precision(17);
  for (const auto &h : grids) {
    const auto *g = h.gridMetaData();
    const nanovdb::Vec3d centre = g->map().applyMap(nanovdb::Vec3d(0.0));
    std::cout << "grid " << g->shortGridName() << ' ' << nanovdb::toStr(g->gridType())
              << "\ncentre " << centre[0] << ' ' << centre[1] << ' ' << centre[2] << "\nspacing "
              << g->voxelSize()[0] << ' ' << g->voxelSize()[1] << ' ' << g->voxelSize()[2] << "\n";
    if (h.grid<float>()) show(h.grid<float>());
    else if (h.grid<double>()) show(h.grid<double>());
    else if (h.grid<int32_t>()) show(h.grid<int32_t>());
    else if (h.grid<int64_t>()) show(h.grid<int64_t>());
    else if (h.grid<nanovdb::Vec3f>()) show(h.grid<nanovdb::Vec3f>());
    else if (h.grid<nanovdb::Vec3d>()) show(h.grid<nanovdb::Vec3d>());
    else return 1;
  }
  return 0;
}
