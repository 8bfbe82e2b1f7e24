/* A wave on a sparse line, stepped by a kernel of levels.sn and, on an array, by C++; blocks are
 * activated around the pulse and taken out behind it.  levels.hpp is what --emit=hpp makes.
 *
 *   levels [steps]
 */
#include "levels.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

static constexpr int LENGTH = levels::LENGTH;

static std::vector<double> pulse(double at)
{
  std::vector<double> values(LENGTH);
  for (int i = 0; i < LENGTH; i++)
    values[i] = std::exp(-(i - at) * (i - at) / 50);
  return values;
}

static std::vector<double> steps_of_cpp(std::vector<double> now, std::vector<double> before, int steps)
{
  for (int k = 0; k < steps; k++) {
    for (int i = 1; i < LENGTH - 1; i++)
      before[i] = 2 * now[i] - before[i] + 1 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    std::swap(now, before);
  }
  return now;
}

/* Blocks from 100 cells before the pulse to 100 behind it are there, and no others. */
static void follow(levels::line &line, int at)
{
  for (int block = 0; block < LENGTH / 16; block++) {
    const bool is_near = std::abs(16 * block + 8 - at) < 100;
    if (is_near && !line.part_is_active(block))
      line.part_activate(block);
    if (!is_near && line.part_is_active(block))
      line.part_deactivate(block);
  }
}

static bool run(int steps)
{
  snode::context context;
  levels::line line(context);
  const auto now = pulse(300), before = pulse(299);
  std::vector<double> sparse(LENGTH);
  double off = 0;

  follow(line, 300);
  const std::int64_t lo = 200, cells = 200;      /* a box of the field, out of the array's middle */
  line.now_write(snode::view<const double, 1>(now.data() + lo, { cells }), { lo });
  line.before_write(snode::view<const double, 1>(before.data() + lo, { cells }), { lo });
  for (int k = 0; k < steps; k++) {
    levels::step(line, 1.0);
    if (k % 8 == 7)
      follow(line, 300 + k + 1);
  }
  line.now_read(snode::view<double, 1>(sparse.data(), { LENGTH }), { 0 });
  const auto dense = steps_of_cpp(now, before, steps);
  for (int i = 0; i < LENGTH; i++)
    off = std::max(off, std::fabs(sparse[i] - dense[i]));
  std::printf("%d steps: the pulse is at %d, in %d of %d blocks: %s\n", steps,
              static_cast<int>(std::max_element(sparse.begin(), sparse.end()) - sparse.begin()),
              static_cast<int>(line.part_count()), static_cast<int>(line.part_capacity()),
              off < 1e-9 ? "as on an array" : "WRONG");
  return off < 1e-9;
}

int main(int argc, char **argv)
{
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : 3000) ? 0 : 1;
  } catch (const snode::error &error) {
    std::fprintf(stderr, "levels: %s\n", error.what());
    return 1;
  }
}
