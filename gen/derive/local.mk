# gen/derive: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/derive/active.c \
  gen/derive/adjoint.h \
  gen/derive/again.c \
  gen/derive/apart.c \
  gen/derive/back.c \
  gen/derive/bar.c \
  gen/derive/counter.c \
  gen/derive/derive.h \
  gen/derive/early.c \
  gen/derive/enclosing.c \
  gen/derive/factor.c \
  gen/derive/field.c \
  gen/derive/forward.c \
  gen/derive/gather.c \
  gen/derive/kept.c \
  gen/derive/needed.c \
  gen/derive/order.c \
  gen/derive/partial.c \
  gen/derive/partial.h \
  gen/derive/place.c \
  gen/derive/place.h \
  gen/derive/put.c \
  gen/derive/refusal.c \
  gen/derive/refuse.c \
  gen/derive/refuse.h \
  gen/derive/reset.c \
  gen/derive/reverse.c \
  gen/derive/serial.c \
  gen/derive/span.c \
  gen/derive/stencil.c \
  gen/derive/straighten.c \
  gen/derive/tangent.c \
  gen/derive/tangent.h \
  gen/derive/task_loop.c \
  gen/derive/turns.c \
  gen/derive/underived.c \
  gen/derive/units.c \
  gen/derive/unsupported.c \
  gen/derive/varied.c

check_PROGRAMS += t/14-partials.t
t_14_partials_t_SOURCES = t/14-partials.c \
  gen/derive/derive.h gen/derive/partial.h gen/derive/partial.c gen/derive/factor.c gen/derive/put.c \
  gen/passes/passes.h gen/passes/passes.def gen/passes/tools.h gen/passes/tools.c gen/passes/variables.c \
  $(ir_sources) $(model_sources) $(base_sources)
t_14_partials_t_CPPFLAGS = $(AM_CPPFLAGS)
t_14_partials_t_LDFLAGS = $(TEST_LDFLAGS)
t_14_partials_t_LDADD = -lm
