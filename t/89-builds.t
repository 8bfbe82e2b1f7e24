#!/bin/sh
# examples/builds: one program in make, CMake, Meson and Autotools, against an installed prefix that
# was moved; each builds anew when what is imported changes.
. "${SN_SRCDIR:-.}/t/lib.sh"
make=${MAKE:-make}
unset MAKEFLAGS MFLAGS MAKELEVEL
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the library has sanitizers, the programs have none"
[ -n "$TEST_GCC" ] || skip_all "no gcc"

ok "make install" installed_in "$work/stage"
prefix=$(sed -n -e 's/^prefix=//p' "$SN_BUILDDIR/snode.pc")
mv "$work/stage" "$work/moved"
root=$work/moved$prefix
# what is looked at are the builds: make check-long alone has the program optimized in each of them
printf '#!/bin/sh\nexec %s "$@" %s\n' "$TEST_GCC" "$([ -n "$SN_LONG" ] || echo -O0)" >"$work/compiler"
chmod +x "$work/compiler"
export CC="$work/compiler" LD_LIBRARY_PATH="$root/lib" SNODE_DEVICE=host

# fresh NAME: a copy of the example
fresh() {
  cp -r "$SN_SRCDIR/examples/builds" "$work/$1" && chmod -R u+w "$work/$1" && cd "$work/$1"
}

# builds NAME PROGRAM COMMAND...: twice, with another file imported the second time
builds() {
  builds_name=$1 builds_program=$2
  shift 2
  ok "$builds_name: builds" "$@"
  is "$builds_name: runs" "$("$builds_program" 100 2>&1)" "after 100 steps: 36"
  sleep 1                               # make knows times, not contents
  sed -i 's/64/32/' size.sn
  ok "$builds_name: builds anew" "$@"
  is "$builds_name: what it imports is a dependency" "$("$builds_program" 100 2>&1)" "after 100 steps: 4"
}

fresh make && builds make ./ring $make SNODEGEN="$root/bin/snodegen"

if command -v cmake >/dev/null && cmake --version | grep -qE ' (3\.[2-9][0-9]|[4-9])'; then
  for generator in "Unix Makefiles" Ninja; do
    if [ "$generator" = Ninja ] && ! command -v ninja >/dev/null; then skip "cmake: Ninja" "no ninja"; continue; fi
    fresh "cmake $generator"
    ok "cmake: configures for $generator" cmake -S . -B "the out" -G "$generator" \
      -DCMAKE_PREFIX_PATH="$root" -DCMAKE_BUILD_TYPE=Release
    builds "cmake: $generator" "the out/ring" cmake --build "the out"
  done
  sed -i 's/find_package(snode 0.1/find_package(snode 7.1/' CMakeLists.txt
  cmake -S . -B other -DCMAKE_PREFIX_PATH="$root" >said 2>&1
  is "cmake: another release is refused" "$?" 1
  sed -i -e 's/snode 7.1/snode 0.1/' -e 's/LANGUAGES C)/LANGUAGES NONE)/' CMakeLists.txt
  cmake -S . -B other -DCMAKE_PREFIX_PATH="$root" >said 2>&1
  is "cmake: a project without C is refused" "$?" 1
  contains "and told why" said "snode_add_library(ring_kernels): what it makes is C"

  # static libraries alone, in a folder with a blank
  mkdir -p "$work/in st" && cp -r "$root/bin" "$root/include" "$root/lib" "$work/in st" &&
    rm -f "$work/in st/lib/"*.so*
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(ring LANGUAGES C)
find_package(snode REQUIRED)
snode_add_library(ring_kernels ring.sn)
add_executable(ring main.c)
target_link_libraries(ring PRIVATE ring_kernels snode::io)
END
  sed -i -e 's|#include "ring.h"|&\n#include <snode/io.h>|' \
    -e 's|return sn_context_destroy|if (argc > 2 \&\& sn_io_write_png((sn_tree *)ring, "", NULL, 0, 1, "")) return 1;\n  &|' main.c
  ok "cmake: static libraries" sh -c "cmake -S . -B static -DCMAKE_PREFIX_PATH='$work/in st' && cmake --build static"
  is "cmake: static libraries: runs" "$(env -u LD_LIBRARY_PATH static/ring 100 2>&1)" "after 100 steps: 4"
else
  skip "cmake" "no cmake of 3.20 or later"
fi

if command -v meson >/dev/null; then
  fresh meson
  ok "meson: configures" env PATH="$root/bin:$PATH" meson setup out
  builds meson out/ring meson compile -C out
else
  skip "meson" "no meson"
fi

if command -v autoreconf >/dev/null; then
  fresh autotools
  # as the page has it
  sed -n -e '/^    cp -r autotools/,/^$/s|/where/snode/is|'"$root|gp" README.md >said.sh
  ok "autotools: what README.md says" sh -e said.sh
  builds autotools ./ring $make -s
  ./configure -q --with-snode="$work" >said 2>&1
  is "autotools: without snodegen configure ends" "$?" 1
  contains "and says what to do" said "snodegen was not found: give --with-snode=PREFIX"
else
  skip "autotools" "no autoreconf"
fi
done_testing
