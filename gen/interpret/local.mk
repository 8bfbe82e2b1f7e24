# gen/interpret: what runs IR inside the user's process: the IR's reader, the
# interpreter, and ways to end early that come back as an error.
interpret_sources = \
  gen/interpret/interpret.h gen/interpret/interpret.c gen/interpret/memory.c \
  gen/interpret/random.c \
  gen/interpret/fatal.h gen/interpret/fatal.c gen/interpret/entry.c \
  gen/interpret/reading.h gen/interpret/reading.c \
  $(ir_sources) $(model_sources) \
  gen/base/base.h gen/base/type.h gen/base/diag.def \
  gen/base/arena.c gen/base/text.c gen/base/type.c gen/base/half.c gen/base/map.c gen/base/shape.c gen/base/struct.c \
  gen/base/diag.c gen/base/suggest.c

libsnode_interpreter_la_SOURCES += $(interpret_sources)
libsnode_interpreter_la_LIBADD += -lm

# their own sources, since the library shows one function only
check_PROGRAMS += t/10-ir.t t/11-interpret.t t/11-readings.t t/13-kinds.t
t_10_ir_t_SOURCES = t/10-ir.c $(interpret_sources)
t_10_ir_t_CPPFLAGS = $(AM_CPPFLAGS)
t_10_ir_t_LDFLAGS = $(TEST_LDFLAGS)
t_10_ir_t_LDADD = -lm
t_11_interpret_t_SOURCES = t/11-interpret.c $(interpret_sources)
t_11_interpret_t_CPPFLAGS = $(AM_CPPFLAGS)
t_11_interpret_t_LDFLAGS = $(TEST_LDFLAGS)
t_11_interpret_t_LDADD = -lm
t_11_readings_t_SOURCES = t/11-readings.c $(interpret_sources)
t_11_readings_t_CPPFLAGS = $(AM_CPPFLAGS)
t_11_readings_t_LDFLAGS = $(TEST_LDFLAGS)
t_11_readings_t_LDADD = -lm
t_13_kinds_t_SOURCES = t/13-kinds.c $(interpret_sources)
t_13_kinds_t_CPPFLAGS = $(AM_CPPFLAGS)
t_13_kinds_t_LDFLAGS = $(TEST_LDFLAGS)
t_13_kinds_t_LDADD = -lm
EXTRA_DIST += t/ir
snodeinclude_HEADERS += include/snode/interpreter.h
