/* The C++ header of corners.sn, call by call, with and without exceptions; t/69-cpp.t runs it. */
#include "corners.hpp"

#include <cstdio>
#include <cstdlib>
#include <numeric>

#ifdef SNODE_NO_EXCEPTIONS
/* The value, where there is one. */
template <class T> static T take(snode::result<T> r)
{
  if (!r)
    std::exit((std::printf("code %d\n", r.code), 2));
  return std::move(r.value);
}
static void take(snode::result<void> r)
{
  if (!r)
    std::exit((std::printf("code %d\n", r.code), 2));
}
# define FAILS(call, wanted) CHECK((call).code == (wanted))
#else
template <class T> static T take(T value) { return value; }
# define take(...) (__VA_ARGS__)
# define FAILS(call, wanted) \
  do { \
    int code = SN_OK; \
    try { (void)(call); } catch (const snode::error &e) { code = e.code(); said = e.what(); } \
    CHECK(code == (wanted)); \
  } while (0)
#endif
#define CHECK(x) \
  do { if (!(x)) { std::printf("line %d: %s\n", __LINE__, #x); std::exit(2); } } while (0)

static std::string said;

static void cells(corners::grid &grid, corners::zero &zero)
{
  take(grid.u_set(-4, 2, 2.5));
  CHECK(take(grid.u_get(-4, 2)) == 2.5 && take(grid.u_get(0, 3)) == 0);
  CHECK(take(grid.b_get(1, 1)));
  take(grid.b_set(1, 1, false));
  CHECK(!take(grid.b_get(1, 1)) && take(grid.hh_get(0, 0)) == 0x3e00);
  take(grid.A_set(7, 1, { 1, 2, 3, 4, 5, 6 }));
  CHECK((take(grid.A_get(7, 1)) == std::array<float, 6>{ 1, 2, 3, 4, 5, 6 }));
  take(grid.q_set(0, 0, corners::mote{ { 1, 2, 3 }, 1, 7 }));
  CHECK(take(corners::give(grid, grid)).m == 7);
  take(zero.s_set(11));
  CHECK(take(zero.s_get()) == 11);
  const auto shape = take(grid.u_shape());
  CHECK(shape.lo[0] == -4 && shape.hi[1] == 10);
  take(grid.u_fill(4));
  CHECK(take(grid.u_get(-4, 2)) == 4 && take(grid.u_count()) == 32);
  CHECK(corners::BIG == INT64_MAX && corners::E == 0.5f && corners::YES);
}

static void boxes(corners::grid &grid)
{
  std::vector<double> values(12), wide(12 * 16, -1);
  std::iota(values.begin(), values.end(), 0.0);
  take(grid.u_write(snode::view<double, 2>(values.data(), { 3, 4 }), { 0, 2 }));
  CHECK(take(grid.u_get(2, 3)) == 9);
  snode::view<double, 2> every(wide.data(), { 12, 8 }, { 16, 2 });       /* every second column */
  take(grid.u_read(every, { -4, 2 }));
  CHECK(every(6, 1) == 9 && every(0, 0) == 4 && wide[1] == -1 && wide[6 * 16 + 2] == 9);
  snode::view<const double, 2> turned(values.data(), { 4, 3 }, { 1, 4 });
  take(grid.u_write(turned, { 0, 2 }));
  CHECK(take(grid.u_get(1, 4)) == values[2 * 4 + 1]);
  std::vector<std::array<float, 6>> matrices(64);
  take(grid.A_read(snode::view<std::array<float, 6>, 2>(matrices.data(), { 8, 8 }), { 0, 0 }));
  CHECK(matrices[7 * 8 + 1][5] == 6);
  std::array<corners::mote, 4> motes;
  take(grid.q_read(snode::view<corners::mote, 2>(motes.data(), { 2, 2 }), { 0, 0 }));
  CHECK(motes[0].m == 7);
  take(grid.u_read(snode::view<double, 2>(nullptr, { 0, 4 }), { 0, 2 }));
}

static void nodes(const snode::context &context, corners::grid &grid)
{
  auto parts = take(corners::parts::create(context));
  auto far = take(corners::far::create(context, snode::tree_options{ 100000000, 0 }));
  auto other = take(corners::grid::create(context, 3, 2));
  take(grid.tile_activate(2, 0));
  CHECK(take(grid.tile_is_active(2, 0)));
  take(grid.tile_deactivate(2, 0));
  CHECK(!take(grid.tile_is_active(2, 0)) && take(grid.tile_capacity()) == 6);
  take(corners::fill_parts(parts, 10));
  CHECK(take(parts.list_length(1)) == 3);
  auto active = take(parts.l_read_active());
  CHECK(active.index.size() == 10 && std::accumulate(active.value.begin(), active.value.end(), 0.f) == 45);
  take(parts.list_deactivate(0));
  take(parts.l_write_active({ { { 0, 0 }, { 0, 1 } }, { 40, 41 } }));
  CHECK(take(parts.list_length(0)) == 2 && take(parts.l_get(0, 1)) == 41);
  FAILS(parts.l_write_active({ { { 0, 0 } }, {} }), SN_EINVAL);
  take(far.c_set(-100, 5000, 200));
  CHECK(take(far.page_count()) == 1);
  take(far.deactivate_all());
  CHECK(take(far.page_count()) == 0);
  CHECK(std::string(take(grid.memory())[0].name) == "tile");
  take(other.copy(grid));
  take(other.save("corners.snode"));
  take(other.deactivate_all());
  take(other.load("corners.snode"));
  CHECK(take(other.tile_count()) > 0);
  corners::grid moved = std::move(other);
  CHECK(take(moved.tile_count()) > 0 && !other.get());
  other = std::move(moved);
  CHECK(take(other.tile_count()) > 0);
}

static void kernels(snode::context &context, corners::grid &grid, corners::zero &zero)
{
  CHECK(take(corners::truth(context)));
  const std::vector<double> three = { 1, 2, 3.5 };
  CHECK(take(corners::sum(context, three)) == 6.5);
  std::array<int32_t, 6> a = { 1, 2, 3, 4, 5, 6 }, b{};
  snode::view<int32_t, 2> from(a.data(), { 2, 3 }), to(b.data(), { 3, 2 });
  take(corners::transpose_into(context, from, to));
  CHECK(to(2, 0) == 3 && to(0, 1) == 4);
  FAILS(corners::transpose_into(context, from, from), SN_EINVAL);
#ifndef SNODE_NO_EXCEPTIONS
  CHECK(said == "corners_transpose_into: array b is not dense or not of the extents m x n");
#endif
  FAILS(corners::transpose_into(context, from, snode::view<int32_t, 2>(b.data(), { 3, 2 }, { 1, 3 })),
        SN_EINVAL);
  std::vector<float> src(24), vs(4);
  std::array<corners::mote, 2> ms{};
  CHECK((take(corners::step(grid, zero, 0.25, snode::view<const float, 3>(src.data(), { 2, 4, 3 }), ms,
                           true, { 1, 2, 3 }, ms[0], snode::view<float, 2>(vs.data(), { 2, 2 }), 0)) ==
         std::array<float, 2>{ 1, 2 }));
  CHECK(take(zero.s_get()) == 2 && take(grid.u_get(0, 3)) == 0.25);
}

static void failures(snode::context &context, corners::grid &grid)
{
#ifdef SNODE_NO_EXCEPTIONS
# define SAID() (said = context.message(), context.clear(), said)
#else
# define SAID() said
#endif
  FAILS(grid.u_get(100, 2), SN_EBOUNDS);
  std::printf("%s\n", SAID().c_str());
  FAILS(corners::wrong(grid, 5), SN_EASSERT);
  std::printf("%s\n", SAID().c_str());
  FAILS(corners::grid::create(context, 0, 2), SN_EINVAL);
  std::printf("%s\n", SAID().c_str());
  FAILS(snode::context::create({ { "threads", "many" } }), SN_EINVAL);
  CHECK(context.message().empty());
}

int main()
{
  auto context = take(snode::context::create({ { "threads", "2" }, { "device", "host" } }));
  auto grid = take(corners::grid::create(context, 3, 2));
  auto zero = take(corners::zero::create(context));
  cells(grid, zero);
  boxes(grid);
  nodes(context, grid);
  kernels(context, grid, zero);
  failures(context, grid);
  std::printf("all is well\n");
}
