# libsnode's base and the public headers
libsnode_la_SOURCES += \
  runtime/host/base/accounts.c runtime/host/base/accounts.h \
  runtime/host/base/allowed.c runtime/host/base/allowed.h \
  runtime/host/base/at_end.c runtime/host/base/at_end.h \
  runtime/host/base/budget.c runtime/host/base/budget.h \
  runtime/host/base/config.c \
  runtime/host/base/context.c runtime/host/base/context.h \
  runtime/host/base/crc.c runtime/host/base/crc.h \
  runtime/host/base/errors.c \
  runtime/host/base/file.c runtime/host/base/file.h \
  runtime/host/base/fnv.h \
  runtime/host/base/json.c runtime/host/base/json.h \
  runtime/host/base/log.c \
  runtime/host/base/memory.c runtime/host/base/memory.h \
  runtime/host/base/numbers.h \
  runtime/host/base/options.c runtime/host/base/options.def runtime/host/base/options.h \
  runtime/host/base/platform.c runtime/host/base/platform.h \
  runtime/host/base/process.c runtime/host/base/process.h \
  runtime/host/base/profile.c runtime/host/base/profile.def runtime/host/base/profile.h \
  runtime/host/base/profile_table.c runtime/host/base/profile_text.c \
  runtime/host/base/progress.c \
  runtime/host/base/sized.c runtime/host/base/sized.h \
  runtime/host/base/statistics.c runtime/host/base/statistics.def runtime/host/base/statistics.h \
  runtime/host/base/text.c runtime/host/base/text.h \
  runtime/host/base/trace.c runtime/host/base/trace.h \
  runtime/host/base/type.c runtime/host/base/type.h \
  runtime/host/base/version.c

snodeinclude_HEADERS += \
  include/snode/context.h \
  include/snode/declare.h \
  include/snode/error.h \
  include/snode/errors.def \
  include/snode/loops.h \
  include/snode/module.h \
  include/snode/profile.h \
  include/snode/snode.f90 \
  include/snode/snode.h \
  include/snode/snode.hpp \
  include/snode/tree.h \
  include/snode/types.h \
  include/snode/version.h
dist_man_MANS += docs/snode.3
