# snode-info: what is in a tree's file
bin_PROGRAMS += snode-info
snode_info_SOURCES = \
  runtime/info/info.h runtime/info/layout.c runtime/info/main.c runtime/info/picture.c \
  runtime/info/shape.c runtime/info/show.c \
  runtime/host/base/crc.c runtime/host/base/crc.h
# the static libraries of this build: it runs where it lies and where its prefix was moved to
snode_info_LDFLAGS = $(SN_SANITIZER_CFLAGS) -static
snode_info_LDADD = libsnode_io.la
if BUILD_IO_HDF5
snode_info_LDADD += libsnode_io_hdf5.la
endif
if BUILD_IO_VDB
snode_info_LDADD += libsnode_io_vdb.la $(SN_CXX_LIBS)
endif
if BUILD_IO_NVDB
snode_info_LDADD += libsnode_io_nvdb.la $(SN_CXX_LIBS)
endif
snode_info_LDADD += libsnode.la
dist_man_MANS += docs/snode-info.1
