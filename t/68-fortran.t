#!/bin/sh
# snodegen --emit=f90: the module of t/bind/corners.sn in Fortran 2008, call by call; modules of many
# programs compile; the codes of snode.f90 are those of snode/errors.def; examples/fortran gives what
# a dense array gives.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$FC" ] || skip_all "no gfortran"
one_backend=yes
fortran="$FC -std=f2008 -Wall -Wextra -Wno-maybe-uninitialized -Werror"
cd "$work" || exit 1

sed -n 's/^SN_ERROR(\(SN_[A-Z]*\), *\([0-9]*\),.*/\1 = \2/p' "$SN_SRCDIR/include/snode/errors.def" >codes
grep -o 'SN_[A-Z]* = [0-9]*' "$SN_SRCDIR/include/snode/snode.f90" >told
same "the codes" told codes
ok "snode.f90 compiles" $fortran -O1 -c "$SN_SRCDIR/include/snode/snode.f90" -o snode.o

# ---- the program ----

ok "the module is written" generate . "$SN_SRCDIR/t/bind/corners.sn" -q -w --emit=c,h,f90
is "no line is beyond 132 columns" "$(awk 'length($0) > 132 { print FNR }' corners.f90)" ""
ok "and compiles" $fortran -O1 -c corners.f90 -o corners_f.o
for c in host-gcc serial-gcc; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: the C file" compile $c corners.c corners.o
  ok "$c: the program" $FC -std=f2008 $SANITIZER_CFLAGS -o program \
    "$SN_SRCDIR/t/bind/corners_test.f90" corners_f.o snode.o corners.o $(backend_of $c) $(ldflags_of $c)
  run_as $c threads=2 ./program >said 2>&1
  is "$c: call by call" "$(cat said)" \
"corners_grid: index (100, 2) of u is outside the extents -4 .. 7 x 2 .. 9
corners.sn:26: corners_wrong: assertion failed: i is 5
all is well"
  run_as $c threads=2 ./program stop >said 2>&1
  is "$c: without ierr the program ends" "$?" 1
  contains "$c: with the text" said "corners_grid: index (100, 2) of u is outside the extents"
done

# ---- other programs ----

wrong=
for name in arrays extents half vectors modes lists axes; do
  [ -f "$SN_SRCDIR/t/run/$name.sn" ] || continue
  "$snodegen" -q -w --emit=f90 "$SN_SRCDIR/t/run/$name.sn" >said 2>&1 &&
    $fortran -fsyntax-only "$name.f90" >>said 2>&1 || { wrong="$wrong $name"; diag "$(head -n 5 said)"; }
done
is "modules of other programs compile" "$wrong" ""
cat >names.sn <<'END'
const u32 high = 4000000000;
const i32 least = -2147483648;
const f64 none = 0.0 / 0.0;
const f32 most = -1.0f / 0.0f;
struct pair { i32 this_, end; bool int_; }
field i32 end, size, x_;
field pair both;
tree merge { pointer present[i: 4] { place end, size, x_, both; } }
kernel i32 names(i32 dt, i32 DT, pair merge, i32 ierr) { size[0] = dt; return dt + DT + merge.end; }
END
ok "a program of such words" "$snodegen" -q -w --emit=f90 names.sn
ok "words of Fortran, and names that differ in case" $fortran -fsyntax-only names.f90

# modules: not called as the one that they use, and begun with a letter
for name in snode _x; do
  echo 'struct s { i32 n; } field s u; tree t { dense c[i: 4] { place u; } } kernel i32 k(s by, t a) { return by.n; }' >$name.sn
  ok "the module of $name.sn" sh -c "'$snodegen' -q -w --prefix=$name --emit=f90 -o file$name $name.sn &&
    $fortran -fsyntax-only file$name.f90"
done

# a module whose kernels take trees and structs of another one
echo 'struct mark { i32 n; } field mark m; tree plate { dense cell[i: 4] { place m; } }' >lower.sn
echo 'import "lower.sn"; kernel i32 top(plate p, mark by) { return p.m[0].n + by.n; }' >upper.sn
for name in lower upper; do
  ok "$name.sn, of two modules" sh -c "'$snodegen' -q -w --emit=f90 $name.sn && $fortran -c $name.f90"
done

# ---- the example ----

ok "examples/fortran is written" generate . "$SN_SRCDIR/examples/fortran/deposit.sn" -q --emit=c,h,f90
if ! why=$(available host-gcc); then
  skip "examples/fortran" "$why"
else
  ok "its C file" compile host-gcc deposit.c deposit_c.o
  ok "its module" $fortran -O2 -c deposit.f90 -o deposit.o
  ok "the program" $fortran -O2 $SANITIZER_CFLAGS -o deposit "$SN_SRCDIR/examples/fortran/main.f90" \
    deposit.o snode.o deposit_c.o $(backend_of host-gcc) $(ldflags_of host-gcc)
  fails "as on a dense array" 0 ./deposit
  contains "it says so" out "as on a dense array"
fi
done_testing
