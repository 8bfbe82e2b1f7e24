# The fuzz targets, built by clang with libFuzzer and sanitizers: make -f t/fuzz/build.mk
# OUT=folder CC=clang SRC=... BUILD=... SNODEGEN=... TCC=... GCC=... FLAGS="-O1 -g1" [target ...]
# Objects lie in OUT as their sources do in SRC, and are made again when a file changes
# that they include.
TARGETS = compiler program ir load texts
all: $(TARGETS:%=$(OUT)/%)

SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all
COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(FLAGS) -fsanitize=fuzzer-no-link $(SANITIZERS) \
  -I$(SRC) -I$(SRC)/include -I$(BUILD) -I$(OUT) -MMD -MP \
  -DFUZZ_TCC='"$(TCC)"' -DFUZZ_GCC='"$(GCC)"' -DFUZZ_INCLUDE='"$(SRC)/include"'

relative = $(patsubst $(SRC)/%.c,$(OUT)/%.o,$(wildcard $(addprefix $(SRC)/,$(addsuffix /*.c,$(1)))))
SNODEGEN_OBJECTS = $(filter-out %/gen/snodegen.o, \
  $(call relative,gen gen/base gen/model gen/front gen/ir gen/lower gen/derive gen/passes gen/emit gen/bind))
OBJECTS_compiler = $(addprefix $(OUT)/t/fuzz/,compiled.o builds.o) $(SNODEGEN_OBJECTS)
OBJECTS_program = $(addprefix $(OUT)/t/fuzz/,compiled.o builds.o reread.o grammar.o \
  grammar_tree.o grammar_expression.o grammar_statement.o grammar_loop.o) $(SNODEGEN_OBJECTS)
OBJECTS_ir = $(OUT)/t/fuzz/reread.o $(SNODEGEN_OBJECTS)
LIBSNODE_OBJECTS = $(call relative,$(addprefix runtime/host/,base tree exec bridge))
OBJECTS_load = $(addprefix $(OUT)/,t/fuzz/blocks.o world.o) $(LIBSNODE_OBJECTS)
OBJECTS_texts = $(LIBSNODE_OBJECTS)
LINK_texts = $(addprefix -Wl$(comma)--wrap=sni_,process_run library_open library_find library_close)
comma = ,

$(OUT)/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	@$(COMPILE) -c $< -o $@

# a module of the runtime's targets
$(OUT)/%.c $(OUT)/%.h: $(SRC)/t/fuzz/%.sn $(BUILD)/snodegen
	@$(BUILD)/snodegen -q --output-dir=$(OUT) $<
$(OUT)/%.o: $(OUT)/%.c
	@$(COMPILE) -DSN_SERIAL -c $< -o $@
$(OUT)/t/fuzz/load.o: $(OUT)/world.h

.SECONDEXPANSION:
$(TARGETS:%=$(OUT)/%): $(OUT)/%: $(OUT)/t/fuzz/%.o $(OUT)/t/fuzz/fuzz.o $$(OBJECTS_$$*)
	@$(CC) -fsanitize=fuzzer $(SANITIZERS) $(LINK_$*) -o $@ $^ -lm -ldl -pthread

.PHONY: all
-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
