#!/bin/sh
# snodegen --emit=py: the module of t/bind/corners.sn by ctypes, call by call, with and without
# NumPy; examples/python gives what NumPy gives.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$PYTHON" ] || skip_all "no python3"
[ -e "$SN_BUILDDIR/.libs/libsnode.so" ] || skip_all "no shared library"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "a sanitizer has to be in the program first"
why=$(available host-gcc) || skip_all "$why"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# as_library NAME: what --cc does, with the library of the build folder; every day without optimization
as_library() {
  $TEST_GCC -std=c11 ${SN_LONG:+-O2} -fopenmp -ffp-contract=off -fPIC -shared $include -o "$work/lib$1.so" \
    "$work/$1.c" -L"$SN_BUILDDIR/.libs" -Wl,-rpath,"$SN_BUILDDIR/.libs" -lsnode -lm
}
has_numpy() { "$PYTHON" -c 'import numpy' 2>/dev/null; }

ok "the module is written" generate "$work" "$SN_SRCDIR/t/bind/corners.sn" -q -w --emit=c,h,py
ok "the shared library" as_library corners
cp "$SN_SRCDIR/t/bind/corners_test.py" "$work"
cd "$work" || exit 1
said() { "$PYTHON" "$@" >"$work/said" 2>&1; }
cat >values.expected <<'END'
SN_EBOUNDS: corners_grid: index (100, 2) of u is outside the extents -4 .. 7 x 2 .. 9
SN_EASSERT: corners.sn:26: corners_wrong: assertion failed: i is 5
SN_EINVAL: corners_grid: extent 0 of tile is below 1
SN_EINVAL: threads=many: 
a context is needed, which is not destroyed
an instance of corners_grid is needed, not
this instance of corners_grid is destroyed
corners_u takes 2 indices, not 1
2147483648 is no i32
2 values where there are 3
give it values by an index or by write()
END
begins_as() {
  is "$1" "$(unexpected "$2" said)" ""
}
if has_numpy; then
  ok "call by call" said corners_test.py
  { cat values.expected; cat <<'END'; } >expected
corners_l takes n rows of 2 indices, and n values
the box is (1, 1), the array (2, 2)
corners_u reads into a writable array of float64
a box has no steps
SN_EINVAL:
values of float64 do not go into uint8
b is (2, 2) where another extent of it is 3
b has the extents (m, n), and is given the shape (3, 2, 1)
b is a writable C-contiguous array of int32
b is a writable C-contiguous array of int32
a context is needed, which is not destroyed
all is well
END
  begins_as "and what fails says why" expected
else
  skip "call by call" "no NumPy"
fi
mkdir hidden && echo 'raise ImportError("hidden")' >hidden/numpy.py
ok "without NumPy" env PYTHONPATH="$work/hidden" "$PYTHON" corners_test.py bare
env PYTHONPATH="$work/hidden" "$PYTHON" corners_test.py bare >said 2>&1
{ cat values.expected; cat <<'END'; } >expected
arrays need NumPy; single values do not
a context is needed, which is not destroyed
all is well
END
begins_as "and what fails says why, without it" expected

# ---- what does not fit ----

mv libcorners.so away.so
fails "no shared library" 1 "$PYTHON" -c 'import corners'
contains "it says what makes one" out "snodegen --emit=c,h,py --cc makes libcorners.so beside this file"
echo 'field i32 x; tree t { dense a[i: 2] { place x; } }' >other.sn
"$snodegen" -q -w --emit=c,h -o corners --prefix=corners other.sn && as_library corners
fails "an older library" 1 "$PYTHON" -c 'import corners'
contains "it says what is to be done" out "lacks corners_step: compile the generated C file again"

# ---- names ----

cat >names.sn <<'END'
field i32 lambda, iter, _x;
struct list { i32 from; }
tree range { pointer in_[i: 4] { place lambda, iter, _x; } }
kernel i32 len(i32 def, list none, i32 self) { lambda[0] = 1; return def + none.from + self; }
END
"$snodegen" -q -w --emit=c,h,py names.sn && as_library names
ok "words of Python" "$PYTHON" -c '
import names
with names.Context() as c:
    r = names.range_(c)
    assert names.len_(r, def_=3, none=(4,), self_=5) == 12
    assert r.lambda_[0] == 1 and r.iter_[0] == 0
    r._x_[1] = 5
    assert r.in_.count() == 2
    assert names.list_(6).from_ == 6'

# ---- the README's lines ----

# block N: the n-th block of code, without its fences
block() {
  awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' \
    "$SN_SRCDIR/README.md"
}
block 1 >first.sn
block 4 >readme.py
if has_numpy; then
  ok "README: the library" sh -c "'$snodegen' -q --emit=c,h,py first.sn"
  as_library first
  "$PYTHON" readme.py >out 2>&1
  contains "README: from Python" out "1024.0 8 ["
else
  skip "README: from Python" "no NumPy"
fi

# ---- the example ----

if has_numpy; then
  cp "$SN_SRCDIR"/examples/python/diffus* .
  ok "examples/python is written" "$snodegen" -q --emit=c,h,py diffusion.sn
  ok "and built" as_library diffusion
  fails "as NumPy's own" 0 "$PYTHON" diffuse.py 100
  contains "with what it says" out "100 steps: heat 19463.865 of 19463.865, 110.5 cells far, in 472 of 4096 tiles"
  env SNODE_THREADS=many "$PYTHON" diffuse.py >out 2>&1
  contains "an error is told" out "diffuse.py: SN_EINVAL: SNODE_THREADS=many: "
else
  skip "examples/python" "no NumPy"
fi
done_testing
