# gen/model: its files, for the makefile at the top
model_sources = \
  gen/model/builtins.c gen/model/builtins.def gen/model/builtins.h gen/model/call_params.def \
  gen/model/calls.def \
  gen/model/device.def \
  gen/model/evaluate.c gen/model/evaluate.h gen/model/evaluate_builtin.c \
  gen/model/field_modes.c gen/model/field_modes.def gen/model/field_modes.h \
  gen/model/interval.c gen/model/interval.h \
  gen/model/kinds.def gen/model/loop.c gen/model/loop.h gen/model/names.c gen/model/names.h \
  gen/model/operators.c gen/model/operators.def gen/model/operators.h \
  gen/model/reserved.def gen/model/snode.c gen/model/snode.h

snodegen_SOURCES += $(model_sources)
