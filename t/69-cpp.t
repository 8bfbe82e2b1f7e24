#!/bin/sh
# snodegen --emit=hpp: the header of t/bind/corners.sn in C++17, call by call, with exceptions and with
# codes; headers of many programs compile without a warning; examples/cpp gives what an array gives.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$CXX" ] || skip_all "no C++ compiler"
why=$(available host-gcc) || skip_all "$why"
one_backend=yes
cpp="$CXX -std=c++17 -Wall -Wextra -Wshadow -pedantic -Werror $SANITIZER_CFLAGS $include -I$work"
cd "$work" || exit 1

ok "the header is written" generate . "$SN_SRCDIR/t/bind/corners.sn" -q -w --emit=c,h,hpp
is "no line is beyond 100 columns" "$(awk 'length($0) > 100 { print FNR }' corners.hpp)" ""
ok "the C file" compile host-gcc corners.c corners.o
for way in "" "-DSNODE_NO_EXCEPTIONS -fno-exceptions"; do
  name=${way:-with exceptions}
  ok "$name: the program" $cpp -O1 $way -o program "$SN_SRCDIR/t/bind/corners_test.cc" corners.o \
    $(backend_of host-gcc) $(ldflags_of host-gcc)
  run_as host-gcc threads=2 ./program >said 2>&1
  is "$name: call by call" "$(cat said)" \
"corners_grid: index (100, 2) of u is outside the extents -4 .. 7 x 2 .. 9
corners.sn:26: corners_wrong: assertion failed: i is 5
corners_grid: extent 0 of tile is below 1
all is well"
done

# ---- other programs ----

cat >class.sn <<'END'
const i32 new = 3;
struct virtual_ { i32 delete_; }
field i32 template;
tree public { pointer operator[i: 4] { place template; } }
kernel i32 namespace(i32 a, virtual_ b) { template[0] = a; return a + b.delete_; }
END
wrong=
for f in arrays axes extents half lists modes random shared shared_more imports structs tangent vectors; do
  [ ! -f "$SN_SRCDIR/t/run/$f.sn" ] || cp "$SN_SRCDIR/t/run/$f.sn" .
done
for f in arrays axes class extents half lists modes random shared shared_more imports structs tangent vectors; do
  [ -f "$f.sn" ] && "$snodegen" -q -w --emit=h,hpp "$f.sn" >said 2>&1 || wrong="$wrong $f"
done
for f in arrays axes class extents half lists modes random shared shared_more imports structs tangent vectors; do
  echo "#include \"$f.hpp\"" >only.cc
  $cpp -fsyntax-only only.cc >said 2>&1 || { wrong="$wrong $f"; diag "$(head -n 5 said)"; }
done
# names of the class itself, of its base, and of namespaces
for name in c_ context_ copy create deactivate_all get load memory options save snode std swap; do
  cat >own.sn <<END
struct $name { i32 n; }
field $name m;
tree grid { pointer part[i: 4] { place m; } }
kernel i32 of($name by) { return by.n; }
END
  echo "field f32 u; tree $name { pointer part[i: 4] { place u; } } kernel void to($name a) { a.u[0] = 1; }" >tree.sn
  for f in own tree; do
    echo "#include \"$f.hpp\"" >only.cc
    { "$snodegen" -q -w --emit=h,hpp $f.sn && $cpp -fsyntax-only only.cc; } >said 2>&1 ||
      { wrong="$wrong $f:$name"; diag "$(head -n 5 said)"; }
  done
done
is "headers of other programs compile" "$wrong" ""

# ---- the example ----

ok "examples/cpp is written" generate . "$SN_SRCDIR/examples/cpp/levels.sn" -q --emit=c,h,hpp
ok "its C file" compile host-gcc levels.c levels.o
ok "the program" $cpp -O2 -o levels "$SN_SRCDIR/examples/cpp/main.cc" levels.o \
  $(backend_of host-gcc) $(ldflags_of host-gcc)
fails "as on an array" 0 ./levels
contains "it says so" out "3000 steps: the pulse is at 3300, in "
fails "what fails is told" 1 env SNODE_THREADS=many ./levels
contains "with its text" out "levels: SNODE_THREADS=many"
done_testing
