# libsnode_io: files for others to look at, over libsnode's public calls alone.  What needs a large
# library of its own is a library of its own: a program links what it calls, and no more.
noinst_LTLIBRARIES += libsnode_io_base.la
libsnode_io_base_la_SOURCES = runtime/io/fields.c runtime/io/io.h runtime/io/output.c
libsnode_io_base_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)

lib_LTLIBRARIES += libsnode_io.la
libsnode_io_la_SOURCES = \
  runtime/io/deflate.c runtime/io/npy.c runtime/io/png.c runtime/io/pvd.c runtime/io/vti.c \
  runtime/io/vtk.c runtime/io/vtk.h runtime/io/vtu.c
libsnode_io_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)
libsnode_io_la_LDFLAGS = $(SN_SANITIZER_CFLAGS) -no-undefined -version-info $(SN_LIBTOOL_VERSION)
libsnode_io_la_LIBADD = libsnode_io_base.la libsnode.la $(IO_LIBS)

snodeinclude_HEADERS += include/snode/io.h
pkgconfig_DATA += snode-io.pc

if BUILD_IO_HDF5
lib_LTLIBRARIES += libsnode_io_hdf5.la
pkgconfig_DATA += snode-io-hdf5.pc
endif
libsnode_io_hdf5_la_SOURCES = runtime/io/hdf5.c
libsnode_io_hdf5_la_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CFLAGS)
libsnode_io_hdf5_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)
libsnode_io_hdf5_la_LDFLAGS = $(SN_SANITIZER_CFLAGS) -no-undefined -version-info $(SN_LIBTOOL_VERSION)
libsnode_io_hdf5_la_LIBADD = libsnode_io_base.la libsnode.la $(HDF5_LIBS)

# C++17 inside, where configure finds a compiler of it and the library; grids.c is for both.
if BUILD_IO_VDB
lib_LTLIBRARIES += libsnode_io_vdb.la
pkgconfig_DATA += snode-io-vdb.pc
endif
libsnode_io_vdb_la_SOURCES = runtime/io/grids.c runtime/io/grids.h runtime/io/openvdb.cpp
libsnode_io_vdb_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENVDB_CFLAGS)
libsnode_io_vdb_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)
# no hidden symbols: OpenVDB's templates hold state that its library and this one share
libsnode_io_vdb_la_CXXFLAGS = $(SN_CXX17_FLAGS) $(SN_SANITIZER_CFLAGS)
libsnode_io_vdb_la_LDFLAGS = $(SN_SANITIZER_CFLAGS) -no-undefined -version-info $(SN_LIBTOOL_VERSION)
libsnode_io_vdb_la_LIBADD = libsnode_io_base.la libsnode.la $(OPENVDB_LIBS)

if BUILD_IO_NVDB
lib_LTLIBRARIES += libsnode_io_nvdb.la
pkgconfig_DATA += snode-io-nvdb.pc
endif
libsnode_io_nvdb_la_SOURCES = runtime/io/grids.c runtime/io/grids.h runtime/io/nanovdb.cpp
libsnode_io_nvdb_la_CPPFLAGS = $(AM_CPPFLAGS) $(NANOVDB_CFLAGS)
libsnode_io_nvdb_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)
libsnode_io_nvdb_la_CXXFLAGS = $(SN_CXX17_FLAGS) $(SN_SANITIZER_CFLAGS) $(SN_VISIBILITY_CFLAGS)
libsnode_io_nvdb_la_LDFLAGS = $(SN_SANITIZER_CFLAGS) -no-undefined -version-info $(SN_LIBTOOL_VERSION)
libsnode_io_nvdb_la_LIBADD = libsnode_io_base.la libsnode.la $(IO_LIBS)
