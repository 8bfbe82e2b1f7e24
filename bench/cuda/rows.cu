/* The rows written in CUDA as one program, by the lines of contender.h: cuda ROW CUDA SIZE REPEATS */
#include "cuda.h"

#include <vector>

int main(int argc, char **argv)
{
  std::vector<contender> all;

  for (contenders_of_file f :
       { stream_rows(), stencil_rows(), sparse_rows(), particle_rows(), bus_rows() })
    all.insert(all.end(), f.contenders, f.contenders + f.count);
  return contend(all.data(), (int)all.size(), argc, argv);
}
