# libsnode_io: files for others to look at, over libsnode's public calls alone
lib_LTLIBRARIES += libsnode_io.la
libsnode_io_la_SOURCES = \
  runtime/io/deflate.c runtime/io/fields.c runtime/io/io.h runtime/io/npy.c runtime/io/output.c \
  runtime/io/png.c runtime/io/pvd.c runtime/io/vti.c runtime/io/vtk.c runtime/io/vtk.h \
  runtime/io/vtu.c
libsnode_io_la_CFLAGS = $(AM_CFLAGS) $(SN_VISIBILITY_CFLAGS)
libsnode_io_la_LDFLAGS = $(SN_SANITIZER_CFLAGS) -no-undefined -version-info $(SN_LIBTOOL_VERSION)
libsnode_io_la_LIBADD = libsnode.la $(IO_LIBS)

snodeinclude_HEADERS += include/snode/io.h
pkgconfig_DATA += snode-io.pc
