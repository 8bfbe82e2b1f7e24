# libsnode's execution core
libsnode_la_SOURCES += \
  runtime/host/exec/engine.c runtime/host/exec/engine.h \
  runtime/host/exec/event.c \
  runtime/host/exec/queue.c runtime/host/exec/queue.h \
  runtime/host/exec/trace.c runtime/host/exec/trace.h \
  runtime/host/exec/unit.c

snodeinclude_HEADERS += include/snode/engine.h
