#!/bin/sh
# libsnode_io: what it writes is read back, by VTK's own reader and by NumPy where they are installed,
# and by a script of this test's own (t/io/read.py) in any case; the values are those that were set.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/io/setup.sh"
python=$(python_with zlib,json)
[ -n "$python" ] || skip_all "no python3 that reads the files"
io_program write "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $IO_LIBS
./write >out 2>&1
is "the program ends well" "$? $(cat out)" "0 "
same "without names a file has the fields with the indices of the first one" mixed.vtu named.vtu
is "nothing partial is left" "$(ls *.partial 2>/dev/null)" ""
for what in vti vtu active box two hash bits pvd npy npy_vector npy_half npy_active; do
  reads read.py $what "read back: $what"
done
case $IO_LIBS in
  *-lpng*)
    reads read.py png "read back: a picture"
    reads read.py png_slice "read back: a slice" ;;
  *) skip "pictures" "no libpng (Debian: libpng-dev)" ;;
esac
python=$(python_with numpy)
if [ -n "$python" ]; then
  reads read.py numpy "NumPy reads the arrays"
else
  skip "NumPy reads the arrays" "no numpy (Debian: python3-numpy)"
fi
python=$(python_with vtkmodules.vtkIOXML)
if [ -n "$python" ]; then
  reads read.py vtk "VTK reads image data, unstructured grids and the picture"
else
  skip "VTK reads the files" "no VTK (Debian: python3-vtk9)"
fi
done_testing
