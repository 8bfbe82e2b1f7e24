snodegen_SOURCES += \
  gen/emit/body.c \
  gen/emit/body.h \
  gen/emit/call.c \
  gen/emit/calls.def \
  gen/emit/cell.c \
  gen/emit/constant.c \
  gen/emit/emit.c \
  gen/emit/emit.h \
  gen/emit/expr.c \
  gen/emit/header.c \
  gen/emit/interpreter.c \
  gen/emit/kernel.c \
  gen/emit/kernel_call.c \
  gen/emit/live.c \
  gen/emit/loop.c \
  gen/emit/map.c \
  gen/emit/names.c \
  gen/emit/needs.c \
  gen/emit/output.c \
  gen/emit/permission.c \
  gen/emit/reserved.def \
  gen/emit/stmt.c \
  gen/emit/table.c \
  gen/emit/task.c \
  gen/emit/task.h \
  gen/emit/tree.c \
  gen/emit/writer.h
