# gen/derive: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/derive/adjoint.h \
  gen/derive/again.c \
  gen/derive/back.c \
  gen/derive/bar.c \
  gen/derive/counter.c \
  gen/derive/derive.h \
  gen/derive/early.c \
  gen/derive/field.c \
  gen/derive/forward.c \
  gen/derive/gather.c \
  gen/derive/needed.c \
  gen/derive/partial.c \
  gen/derive/partial.h \
  gen/derive/put.c \
  gen/derive/refuse.c \
  gen/derive/reverse.c \
  gen/derive/stencil.c \
  gen/derive/straighten.c \
  gen/derive/task_loop.c \
  gen/derive/turns.c \
  gen/derive/underived.c \
  gen/derive/units.c \
  gen/derive/varied.c
