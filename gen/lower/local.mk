snodegen_SOURCES += \
  gen/lower/array.c \
  gen/lower/assign.c \
  gen/lower/border.c \
  gen/lower/checks.c \
  gen/lower/derivative.c \
  gen/lower/elements.c \
  gen/lower/expr.c \
  gen/lower/factor.c \
  gen/lower/function.c \
  gen/lower/inline.c \
  gen/lower/loop.c \
  gen/lower/lower.h \
  gen/lower/operator.c \
  gen/lower/place.c \
  gen/lower/rescale.c \
  gen/lower/scan.c \
  gen/lower/scope.c \
  gen/lower/scope.h \
  gen/lower/shaped.c \
  gen/lower/stmt.c \
  gen/lower/table.c \
  gen/lower/tail.c \
  gen/lower/task_loop.c \
  gen/lower/tree.c \
  gen/lower/under.c \
  gen/lower/unroll.c \
  gen/lower/vector.c
