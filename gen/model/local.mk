# gen/model: its files, for the makefile at the top
model_sources = \
  gen/model/builtins.c gen/model/builtins.def gen/model/builtins.h \
  gen/model/evaluate.c gen/model/evaluate.h gen/model/evaluate_builtin.c \
  gen/model/operators.c gen/model/operators.def gen/model/operators.h

snodegen_SOURCES += $(model_sources)
