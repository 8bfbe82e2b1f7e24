#!/bin/sh
# libsnode_io_hdf5: what it writes is read back, by a program of this test's own (t/io/hdf5_read.c) and
# by h5py where it is installed; the values and the attributes are those that were set.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$HDF5_LIBS" ] || skip_all "no HDF5 (configure's summary says why)"
. "$SN_SRCDIR/t/io/setup.sh"
io_program hdf5 "$SN_BUILDDIR/.libs/libsnode_io_hdf5.a" "$library" $HDF5_LIBS
compile_flags="$compile_flags $HDF5_CFLAGS"
ok "the reader" compile_driver $c "$SN_SRCDIR/t/io/hdf5_read.c" hdf5_read.o &&
  ok "is linked" $TEST_GCC $SANITIZER_CFLAGS -o hdf5_read hdf5_read.o $HDF5_LIBS
./hdf5 >out 2>&1
is "the program ends well" "$? $(cat out)" "0 "
(trap '' XFSZ; ulimit -f 8 && ./hdf5 full) >out 2>&1
is "no room for the file: an error, and nothing is printed" "$? $(cat out)" "0 "
is "nothing partial is left" "$(ls *.partial full.h5 no.h5 2>/dev/null)" ""
python=$(python_with subprocess)
if [ -n "$python" ]; then
  reads read_hdf5.py program "read back by HDF5's own calls"
else
  skip "read back by HDF5's own calls" "no python3 that compares"
fi
python=$(python_with h5py)
if [ -n "$python" ]; then
  reads read_hdf5.py h5py "h5py reads values, types and attributes"
else
  skip "h5py reads values, types and attributes" "no h5py (Debian: python3-h5py)"
fi
done_testing
