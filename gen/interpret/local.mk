# gen/interpret: what runs IR inside the user's process: the IR's reader, the
# interpreter, and ways to end early that come back as an error.
interpret_sources = \
  gen/interpret/evaluate.h gen/interpret/evaluate.c gen/interpret/builtin.c \
  gen/interpret/interpret.h gen/interpret/interpret.c gen/interpret/memory.c \
  gen/interpret/fatal.h gen/interpret/fatal.c gen/interpret/door.c \
  $(ir_sources) \
  gen/base/base.h gen/base/type.h gen/base/diag.def \
  gen/base/arena.c gen/base/text.c gen/base/type.c gen/base/diag.c gen/base/suggest.c \
  gen/front/builtins.h gen/front/builtins.def gen/front/builtins.c

libsnode_interpreter_la_SOURCES += $(interpret_sources)
libsnode_interpreter_la_LIBADD += -lm
