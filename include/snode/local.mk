snodeincludedir = $(includedir)/snode
snodeinclude_HEADERS = \
  include/snode/context.h \
  include/snode/declare.h \
  include/snode/error.h \
  include/snode/errors.def \
  include/snode/interpreter.h \
  include/snode/module.h \
  include/snode/profile.h \
  include/snode/snode.h \
  include/snode/tree.h \
  include/snode/version.h
