#!/bin/sh
# libsnode_io: what it writes is read back, by VTK's own reader and by NumPy where they are installed,
# and by a script of this test's own (t/io/read.py) in any case; the values are those that were set.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
[ -n "$TEST_GCC" ] || skip_all "no gcc"
python=
for p in "$PYTHON" /usr/bin/python3 python3; do
  [ -n "$p" ] && [ -z "$python" ] && "$p" -c 'import zlib, json' 2>/dev/null && python=$p
done
[ -n "$python" ] || skip_all "no python3 that reads the files"
for p in /usr/bin/python3 python3; do
  "$p" -c 'import numpy, vtkmodules.vtkIOXML' 2>/dev/null && python=$p
done
cd "$work" || exit 1
compile_flags="-I$work"
c=host-gcc
ok "the module is generated" "$snodegen" -w -q --output-dir=. "$SN_SRCDIR/t/io/shapes.sn"
ok "the module" compile $c shapes.c shapes.o &&
  ok "the program" compile_driver $c "$SN_SRCDIR/t/io/write.c" write.o &&
  ok "is linked" link $c write write.o shapes.o "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $IO_LIBS
./write >out 2>&1
is "the program ends well" "$? $(cat out)" "0 "
is "nothing partial is left" "$(ls *.partial 2>/dev/null)" ""
reads() {
  "$python" "$SN_SRCDIR/t/io/read.py" "$1" >read.out 2>&1
  is "$2" "$(tail -n 3 read.out)" "$3"
}
for what in vti vtu active box two hash bits pvd npy npy_vector npy_half npy_active png png_slice; do
  reads $what "read back: $what" "equal"
done
if "$python" -c 'import numpy' 2>/dev/null; then
  reads numpy "NumPy reads the arrays" "equal"
else
  skip "NumPy reads the arrays" "no numpy (Debian: python3-numpy)"
fi
if "$python" -c 'import vtkmodules.vtkIOXML' 2>/dev/null; then
  reads vtk "VTK reads image data, unstructured grids and the picture" "equal"
else
  skip "VTK reads the files" "no VTK (Debian: python3-vtk9)"
fi
done_testing
