# snode-info: what is in a tree's file
bin_PROGRAMS += snode-info
snode_info_SOURCES = \
  runtime/info/info.h runtime/info/layout.c runtime/info/main.c runtime/info/picture.c \
  runtime/info/shape.c runtime/info/show.c
snode_info_LDADD = libsnode_io.la libsnode.la
dist_man_MANS += docs/snode-info.1
