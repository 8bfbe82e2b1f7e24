# libsnode's bridge: where trees and tasks meet
libsnode_la_SOURCES += \
  runtime/host/bridge/kernel.c \
  runtime/host/bridge/program.c runtime/host/bridge/program_node.c runtime/host/bridge/program.h \
  runtime/host/bridge/stand.c runtime/host/bridge/stand.h \
  runtime/host/bridge/turns.c

snodeinclude_HEADERS += include/snode/program.h include/snode/submit.h
