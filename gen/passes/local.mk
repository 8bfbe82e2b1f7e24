# gen/passes: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/passes/activate_needed.c \
  gen/passes/appended.c \
  gen/passes/assigned.c \
  gen/passes/assigned.h \
  gen/passes/atomics.c \
  gen/passes/cells.c \
  gen/passes/computed.c \
  gen/passes/cover.c \
  gen/passes/field_sums.c \
  gen/passes/fold.c \
  gen/passes/hoist.c \
  gen/passes/inline_local.c \
  gen/passes/local.c \
  gen/passes/lower_access.c \
  gen/passes/modes.h \
  gen/passes/own_cell.c \
  gen/passes/passes.def \
  gen/passes/passes.h \
  gen/passes/stage.c \
  gen/passes/pipeline.c \
  gen/passes/plain_index.c \
  gen/passes/inside.c \
  gen/passes/reductions.c \
  gen/passes/settle.c \
  gen/passes/share.c \
  gen/passes/slice.c \
  gen/passes/split.c \
  gen/passes/split.h \
  gen/passes/split_host.c \
  gen/passes/tools.c \
  gen/passes/tools.h \
  gen/passes/trace.c \
  gen/passes/virtual.c \
  gen/passes/virtual_tree.c \
  gen/passes/ways.c \
  gen/passes/ways.h
