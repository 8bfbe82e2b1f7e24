# gen/ir: its files, for the makefile at the top
ir_sources = \
  gen/ir/ir.h gen/ir/ops.def gen/ir/ops.c gen/ir/build.c \
  gen/ir/words.h gen/ir/words.c gen/ir/text.c \
  gen/ir/reader.h gen/ir/scan.c gen/ir/read.c gen/ir/read_function.c \
  gen/ir/verify.h gen/ir/verify.c gen/ir/verify_stmt.c

snodegen_SOURCES += $(ir_sources)

# What runs IR inside the user's process: the reader, the interpreter, and
# ways to end early that come back as an error.
libsnode_interpreter_la_SOURCES += $(ir_sources) \
  gen/ir/evaluate.h gen/ir/evaluate.c gen/ir/evaluate_builtin.c \
  gen/ir/interpret.h gen/ir/interpret.c gen/ir/interpret_memory.c \
  gen/ir/interpreter_fatal.h gen/ir/interpreter_fatal.c gen/ir/interpreter.c \
  gen/base/base.h gen/base/type.h gen/base/diag.def \
  gen/base/arena.c gen/base/text.c gen/base/type.c gen/base/diag.c gen/base/suggest.c \
  gen/front/builtins.h gen/front/builtins.def gen/front/builtins.c
libsnode_interpreter_la_LIBADD += -lm
