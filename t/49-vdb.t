#!/bin/sh
# libsnode_io_vdb and libsnode_io_nvdb: what they write is read back by OpenVDB's and NanoVDB's own
# readers; active voxels, values, background, transform and metadata are those that were set.  The
# program is C, and links the shared libraries as any other.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$OPENVDB_LIBS$BUILD_NVDB" ] || skip_all "neither OpenVDB nor NanoVDB (configure's summary says why)"
. "$SN_SRCDIR/t/io/setup.sh"
python=$(python_with subprocess)
[ -n "$python" ] || skip_all "no python3 that compares"
libs=$SN_BUILDDIR/.libs

# format END CALL READER'S-FLAGS READER'S-LIBRARIES STATIC-LIBRARIES
format() {
  format_linked="-L$libs -Wl,-rpath,$libs -lsnode_io_$1"
  [ -e "$libs/libsnode_io_$1.so" ] || format_linked="$libs/libsnode_io_$1.a $5 $CXX_LIBS"
  ok "$1: the program" $TEST_GCC -std=c11 -O1 $warnings -Werror $SANITIZER_CFLAGS $include $compile_flags \
    -DWRITE="$2" -DEND="\".$1\"" -c "$SN_SRCDIR/t/io/grids.c" -o grids.o &&
    ok "$1: is linked" link $c "write_$1" grids.o shapes.o $format_linked "$library"
  ok "$1: its reader" $CXX $CXX17_FLAGS -O0 -w $3 "$SN_SRCDIR/t/io/read_$1.cpp" -o "read_$1" $4
  "./write_$1" >out 2>&1
  is "$1: the program ends well" "$? $(cat out)" "0 "
  reads read_grids.py "$1" "$1: is read back"
  (trap '' XFSZ; ulimit -f 1 && "./write_$1" full) >out 2>&1
  is "$1: no room for the file is an error" "$? $(cat out)" "0 "
  is "$1: nothing partial is left" "$(ls *.partial full.* no.* 2>/dev/null)" ""
}

if [ -n "$BUILD_NVDB" ]; then
  format nvdb sn_io_write_nvdb "$NANOVDB_CFLAGS" "$IO_LIBS" "$IO_LIBS"
else
  skip "NanoVDB" "no NanoVDB (Debian: libnanovdb-dev)"
fi
if [ -n "$OPENVDB_LIBS" ]; then
  format vdb sn_io_write_vdb "$OPENVDB_CFLAGS" "$OPENVDB_LIBS" "$OPENVDB_LIBS"
else
  skip "OpenVDB" "no OpenVDB (Debian: libopenvdb-dev, libboost-dev)"
fi
done_testing
