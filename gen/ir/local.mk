# gen/ir: its files, for the makefile at the top
ir_sources = \
  gen/ir/adjoint.h gen/ir/ir.h gen/ir/ops.h gen/ir/ops.def gen/ir/ops.c gen/ir/build.c gen/ir/element.c \
  gen/ir/evaluate.c \
  gen/ir/named_block.c gen/ir/permission.h gen/ir/permission.c gen/ir/interval.h gen/ir/interval.c \
  gen/ir/finding.h gen/ir/idle_store.h gen/ir/idle_store.c gen/ir/table.h gen/ir/table.c \
  gen/ir/words.h gen/ir/words.c \
  gen/ir/printer.h gen/ir/print_value.c gen/ir/print_tree.c gen/ir/print_stmt.c gen/ir/print.c \
  gen/ir/reader.h gen/ir/read_token.c gen/ir/read_name.c gen/ir/read.c gen/ir/read_function.c \
  gen/ir/read_stmt.c \
  gen/ir/verify.h gen/ir/verify.c gen/ir/verify_stmt.c gen/ir/verify_operand.c \
  gen/ir/verify_walk.c gen/ir/verify_row.c gen/ir/verify_near.c gen/ir/window.h gen/ir/window.c

snodegen_SOURCES += $(ir_sources)
