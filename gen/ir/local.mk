# gen/ir: its files, for the makefile at the top
ir_sources = \
  gen/ir/ir.h gen/ir/ops.def gen/ir/ops.c gen/ir/build.c \
  gen/ir/words.h gen/ir/words.c gen/ir/text.c

snodegen_SOURCES += $(ir_sources)
