# libsnode's bridge: where trees and tasks meet
libsnode_la_SOURCES += \
  runtime/host/bridge/attachment.c runtime/host/bridge/attachment.h \
  runtime/host/bridge/exclusion.c runtime/host/bridge/exclusion.h \
  runtime/host/bridge/kernel.c \
  runtime/host/bridge/program.c runtime/host/bridge/program_node.c runtime/host/bridge/program.h

snodeinclude_HEADERS += include/snode/program.h include/snode/submit.h
