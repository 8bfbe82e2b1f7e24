# examples: programs as users write them.  A generated file is built by an OpenMP
# compiler, with the device image where configure found one; the rest by the same
# compiler without it.
nobase_dist_doc_DATA += examples/builds/README.md examples/builds/ring.sn examples/builds/size.sn \
  examples/builds/main.c examples/builds/Makefile examples/builds/CMakeLists.txt \
  examples/builds/meson.build examples/builds/autotools/configure.ac \
  examples/builds/autotools/Makefile.am

nobase_dist_doc_DATA += examples/neighbours/README.md examples/neighbours/neighbours.sn \
  examples/neighbours/main.c examples/neighbours/knot.c examples/neighbours/knot.h \
  examples/neighbours/reference.c examples/neighbours/reference.h

nobase_dist_doc_DATA += examples/mgpcg/README.md examples/mgpcg/mgpcg.sn examples/mgpcg/main.c \
  examples/mgpcg/poisson.c examples/mgpcg/poisson.h

nobase_dist_doc_DATA += examples/levelset/README.md examples/levelset/levelset.sn examples/levelset/main.c

nobase_dist_doc_DATA += examples/mpm/README.md examples/mpm/mpm.sn examples/mpm/main.c \
  examples/mpm/bodies.c examples/mpm/bodies.h

nobase_dist_doc_DATA += examples/two_modules/README.md examples/two_modules/ripples.sn \
  examples/two_modules/rain.sn examples/two_modules/main.c

nobase_dist_doc_DATA += examples/grayscott/README.md examples/grayscott/grayscott.sn examples/grayscott/main.c

nobase_dist_doc_DATA += examples/brain/README.md examples/brain/brain.sn examples/brain/demo-check.sh \
  examples/brain/brain-before.txt examples/brain/brain-diffused.txt \
  examples/brain/brain-grown.txt $(brain_sources) $(brain_headers)
brain_sources = examples/brain/main.c examples/brain/settings.c examples/brain/volume.c \
  examples/brain/picture.c examples/brain/reference.c
brain_headers = examples/brain/settings.h examples/brain/volume.h examples/brain/picture.h \
  examples/brain/reference.h

# no contraction on either side of the comparison with the reference
EXAMPLE_CFLAGS = -std=c11 -O3 -ffp-contract=off
EXAMPLE_INCLUDES = -I$(top_srcdir)/include -Iexamples/brain -I$(srcdir)/examples/brain
brain_objects = examples/brain/main.o examples/brain/settings.o examples/brain/volume.o \
  examples/brain/picture.o examples/brain/reference.o
CLEANFILES += examples/brain/brain examples/brain/brain.c examples/brain/brain.h \
  examples/brain/brain.o $(brain_objects)

if BUILD_BRAIN
all-local: examples/brain/brain
endif

examples/brain/brain.c: $(srcdir)/examples/brain/brain.sn snodegen$(EXEEXT)
	@$(MKDIR_P) examples/brain
	$(AM_V_GEN)$(SNODEGEN) -O3 --bounds=trap --output-dir=examples/brain $(srcdir)/examples/brain/brain.sn

examples/brain/brain.h: examples/brain/brain.c

if SN_HAVE_OFFLOAD
examples/brain/brain.o: examples/brain/brain.c
	$(AM_V_CC)$(OFFLOAD_CC) $(EXAMPLE_CFLAGS) $(SN_OFFLOAD_CFLAGS) -DSN_OFFLOAD $(EXAMPLE_INCLUDES) \
	  -c examples/brain/brain.c -o $@
examples/brain/brain: examples/brain/brain.o $(brain_objects) libsnode.la
	$(AM_V_CCLD)$(OFFLOAD_CC) -o $@ $(SN_OFFLOAD_CFLAGS) examples/brain/brain.o $(brain_objects) \
	  .libs/libsnode.a $(SN_OFFLOAD_LDFLAGS) $(BRAIN_LIBS) $(SN_SANITIZER_CFLAGS)
else
examples/brain/brain.o: examples/brain/brain.c
	$(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(OPENMP_CFLAGS) $(EXAMPLE_INCLUDES) \
	  -c examples/brain/brain.c -o $@
examples/brain/brain: examples/brain/brain.o $(brain_objects) libsnode.la
	$(AM_V_CCLD)$(OPENMP_CC) -o $@ $(OPENMP_CFLAGS) examples/brain/brain.o $(brain_objects) \
	  .libs/libsnode.a $(OPENMP_LDFLAGS) $(BRAIN_LIBS) $(SN_SANITIZER_CFLAGS)
endif

$(brain_objects): examples/brain/brain.h
examples/brain/main.o: $(srcdir)/examples/brain/main.c
	$(brain_compile)
examples/brain/settings.o: $(srcdir)/examples/brain/settings.c
	$(brain_compile)
examples/brain/volume.o: $(srcdir)/examples/brain/volume.c
	$(brain_compile)
examples/brain/picture.o: $(srcdir)/examples/brain/picture.c
	$(brain_compile)
examples/brain/reference.o: $(srcdir)/examples/brain/reference.c
	$(brain_compile)
brain_compile = $(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) \
  $(EXAMPLE_INCLUDES) $(BRAIN_CPPFLAGS) -D_GNU_SOURCE -c -o $@ \
  $(srcdir)/$(@:.o=.c)

# ---- inverse: brain's volume and pictures, and a tape ----

nobase_dist_doc_DATA += examples/inverse/README.md examples/inverse/inverse.sn $(inverse_sources) \
  examples/inverse/settings.h examples/inverse/problem.h examples/inverse/search.h \
  examples/inverse/check.h examples/inverse/curve.h
inverse_sources = examples/inverse/main.c examples/inverse/settings.c examples/inverse/problem.c \
  examples/inverse/search.c examples/inverse/check.c examples/inverse/curve.c
inverse_own = examples/inverse/main.o examples/inverse/settings.o examples/inverse/problem.o \
  examples/inverse/search.o examples/inverse/check.o examples/inverse/curve.o
inverse_objects = $(inverse_own) examples/brain/volume.o examples/brain/picture.o
# in front of brain's folder, which has a settings.h of its own
inverse_includes = -Iexamples/inverse -I$(srcdir)/examples/inverse $(EXAMPLE_INCLUDES)
CLEANFILES += examples/inverse/inverse examples/inverse/inverse.c examples/inverse/inverse.h \
  examples/inverse/inverse.o $(inverse_own)

if BUILD_BRAIN
all-local: examples/inverse/inverse
endif

examples/inverse/inverse.c: $(srcdir)/examples/inverse/inverse.sn snodegen$(EXEEXT)
	@$(MKDIR_P) examples/inverse
	$(AM_V_GEN)$(SNODEGEN) -O3 --bounds=trap --output-dir=examples/inverse \
	  $(srcdir)/examples/inverse/inverse.sn

examples/inverse/inverse.h: examples/inverse/inverse.c

if SN_HAVE_OFFLOAD
examples/inverse/inverse.o: examples/inverse/inverse.c
	$(AM_V_CC)$(OFFLOAD_CC) $(EXAMPLE_CFLAGS) $(SN_OFFLOAD_CFLAGS) -DSN_OFFLOAD \
	  $(inverse_includes) -c examples/inverse/inverse.c -o $@
examples/inverse/inverse: examples/inverse/inverse.o $(inverse_objects) libsnode.la
	$(AM_V_CCLD)$(OFFLOAD_CC) -o $@ $(SN_OFFLOAD_CFLAGS) examples/inverse/inverse.o \
	  $(inverse_objects) .libs/libsnode.a $(SN_OFFLOAD_LDFLAGS) $(BRAIN_LIBS) \
	  $(SN_SANITIZER_CFLAGS)
else
examples/inverse/inverse.o: examples/inverse/inverse.c
	$(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(OPENMP_CFLAGS) $(inverse_includes) \
	  -c examples/inverse/inverse.c -o $@
examples/inverse/inverse: examples/inverse/inverse.o $(inverse_objects) libsnode.la
	$(AM_V_CCLD)$(OPENMP_CC) -o $@ $(OPENMP_CFLAGS) examples/inverse/inverse.o \
	  $(inverse_objects) .libs/libsnode.a $(OPENMP_LDFLAGS) $(BRAIN_LIBS) $(SN_SANITIZER_CFLAGS)
endif

$(inverse_own): examples/inverse/inverse.h
examples/inverse/main.o: $(srcdir)/examples/inverse/main.c
	$(inverse_compile)
examples/inverse/settings.o: $(srcdir)/examples/inverse/settings.c
	$(inverse_compile)
examples/inverse/problem.o: $(srcdir)/examples/inverse/problem.c
	$(inverse_compile)
examples/inverse/search.o: $(srcdir)/examples/inverse/search.c
	$(inverse_compile)
examples/inverse/check.o: $(srcdir)/examples/inverse/check.c
	$(inverse_compile)
examples/inverse/curve.o: $(srcdir)/examples/inverse/curve.c
	$(inverse_compile)
inverse_compile = $(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(inverse_includes) \
  $(BRAIN_CPPFLAGS) -D_GNU_SOURCE -c -o $@ $(srcdir)/$(@:.o=.c)

# ---- life: no library but libsnode ----

nobase_dist_doc_DATA += examples/life/README.md examples/life/life.sn examples/life/main.c \
  examples/life/pattern.c examples/life/pattern.h examples/life/reference.c \
  examples/life/reference.h
life_objects = examples/life/main.o examples/life/pattern.o examples/life/reference.o
life_includes = -I$(top_srcdir)/include -Iexamples/life -I$(srcdir)/examples/life
CLEANFILES += examples/life/life examples/life/life.c examples/life/life.h \
  examples/life/life.o $(life_objects)

if BUILD_LIFE
all-local: examples/life/life
endif

examples/life/life.c: $(srcdir)/examples/life/life.sn snodegen$(EXEEXT)
	@$(MKDIR_P) examples/life
	$(AM_V_GEN)$(SNODEGEN) --output-dir=examples/life $(srcdir)/examples/life/life.sn

examples/life/life.h: examples/life/life.c

if SN_HAVE_OFFLOAD
examples/life/life.o: examples/life/life.c
	$(AM_V_CC)$(OFFLOAD_CC) $(EXAMPLE_CFLAGS) $(SN_OFFLOAD_CFLAGS) -DSN_OFFLOAD $(life_includes) \
	  -c examples/life/life.c -o $@
examples/life/life: examples/life/life.o $(life_objects) libsnode.la
	$(AM_V_CCLD)$(OFFLOAD_CC) -o $@ $(SN_OFFLOAD_CFLAGS) examples/life/life.o $(life_objects) \
	  .libs/libsnode.a $(SN_OFFLOAD_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
else
examples/life/life.o: examples/life/life.c
	$(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(OPENMP_CFLAGS) $(life_includes) \
	  -c examples/life/life.c -o $@
examples/life/life: examples/life/life.o $(life_objects) libsnode.la
	$(AM_V_CCLD)$(OPENMP_CC) -o $@ $(OPENMP_CFLAGS) examples/life/life.o $(life_objects) \
	  .libs/libsnode.a $(OPENMP_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
endif

$(life_objects): examples/life/life.h
examples/life/main.o: $(srcdir)/examples/life/main.c
	$(life_compile)
examples/life/pattern.o: $(srcdir)/examples/life/pattern.c
	$(life_compile)
examples/life/reference.o: $(srcdir)/examples/life/reference.c
	$(life_compile)
life_compile = $(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(life_includes) -D_GNU_SOURCE -c -o $@ \
  $(srcdir)/$(@:.o=.c)

# ---- waves: kernels submitted to two units ----

nobase_dist_doc_DATA += examples/waves/README.md examples/waves/waves.sn examples/waves/main.c \
  examples/waves/overlap.c examples/waves/overlap.h
waves_objects = examples/waves/main.o examples/waves/overlap.o
waves_includes = -I$(top_srcdir)/include -Iexamples/waves -I$(srcdir)/examples/waves
CLEANFILES += examples/waves/waves examples/waves/waves.c examples/waves/waves.h \
  examples/waves/waves.o $(waves_objects)

if BUILD_LIFE
all-local: examples/waves/waves
endif

examples/waves/waves.c: $(srcdir)/examples/waves/waves.sn snodegen$(EXEEXT)
	@$(MKDIR_P) examples/waves
	$(AM_V_GEN)$(SNODEGEN) --output-dir=examples/waves $(srcdir)/examples/waves/waves.sn

examples/waves/waves.h: examples/waves/waves.c

if SN_HAVE_OFFLOAD
examples/waves/waves.o: examples/waves/waves.c
	$(AM_V_CC)$(OFFLOAD_CC) $(EXAMPLE_CFLAGS) $(SN_OFFLOAD_CFLAGS) -DSN_OFFLOAD $(waves_includes) \
	  -c examples/waves/waves.c -o $@
examples/waves/waves: examples/waves/waves.o $(waves_objects) libsnode.la
	$(AM_V_CCLD)$(OFFLOAD_CC) -o $@ $(SN_OFFLOAD_CFLAGS) examples/waves/waves.o $(waves_objects) \
	  .libs/libsnode.a $(SN_OFFLOAD_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
else
examples/waves/waves.o: examples/waves/waves.c
	$(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(OPENMP_CFLAGS) $(waves_includes) \
	  -c examples/waves/waves.c -o $@
examples/waves/waves: examples/waves/waves.o $(waves_objects) libsnode.la
	$(AM_V_CCLD)$(OPENMP_CC) -o $@ $(OPENMP_CFLAGS) examples/waves/waves.o $(waves_objects) \
	  .libs/libsnode.a $(OPENMP_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
endif

$(waves_objects): examples/waves/waves.h
examples/waves/main.o: $(srcdir)/examples/waves/main.c
	$(waves_compile)
examples/waves/overlap.o: $(srcdir)/examples/waves/overlap.c
	$(waves_compile)
waves_compile = $(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(waves_includes) -D_GNU_SOURCE -c -o $@ \
  $(srcdir)/$(@:.o=.c)

# ---- hand_loops: its main file is compiled as a generated one is ----

nobase_dist_doc_DATA += examples/hand_loops/README.md examples/hand_loops/hand_loops.sn \
  examples/hand_loops/main.c examples/hand_loops/reference.c examples/hand_loops/spiral.h
hand_loops_includes = -I$(top_srcdir)/include -Iexamples/hand_loops \
  -I$(srcdir)/examples/hand_loops
hand_loops_objects = examples/hand_loops/hand_loops.o examples/hand_loops/main.o \
  examples/hand_loops/reference.o
CLEANFILES += examples/hand_loops/hand_loops examples/hand_loops/hand_loops.c \
  examples/hand_loops/hand_loops.h examples/hand_loops/hand_loops_device.h $(hand_loops_objects)

if BUILD_LIFE
all-local: examples/hand_loops/hand_loops
endif

examples/hand_loops/hand_loops.c: $(srcdir)/examples/hand_loops/hand_loops.sn snodegen$(EXEEXT)
	@$(MKDIR_P) examples/hand_loops
	$(AM_V_GEN)$(SNODEGEN) --emit=c,h,device --output-dir=examples/hand_loops \
	  $(srcdir)/examples/hand_loops/hand_loops.sn

if SN_HAVE_OFFLOAD
hand_loops_compile = $(AM_V_CC)$(OFFLOAD_CC) $(EXAMPLE_CFLAGS) $(SN_OFFLOAD_CFLAGS) -DSN_OFFLOAD \
  $(hand_loops_includes) -c -o $@
examples/hand_loops/hand_loops: $(hand_loops_objects) libsnode.la
	$(AM_V_CCLD)$(OFFLOAD_CC) -o $@ $(SN_OFFLOAD_CFLAGS) $(hand_loops_objects) \
	  .libs/libsnode.a $(SN_OFFLOAD_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
else
hand_loops_compile = $(AM_V_CC)$(OPENMP_CC) $(EXAMPLE_CFLAGS) $(OPENMP_CFLAGS) \
  $(hand_loops_includes) -c -o $@
examples/hand_loops/hand_loops: $(hand_loops_objects) libsnode.la
	$(AM_V_CCLD)$(OPENMP_CC) -o $@ $(OPENMP_CFLAGS) $(hand_loops_objects) \
	  .libs/libsnode.a $(OPENMP_LDFLAGS) -lm $(SN_SANITIZER_CFLAGS)
endif

examples/hand_loops/hand_loops.o: examples/hand_loops/hand_loops.c
	$(hand_loops_compile) examples/hand_loops/hand_loops.c
examples/hand_loops/main.o: $(srcdir)/examples/hand_loops/main.c examples/hand_loops/hand_loops.c
	$(hand_loops_compile) $(srcdir)/examples/hand_loops/main.c
examples/hand_loops/reference.o: $(srcdir)/examples/hand_loops/reference.c \
  examples/hand_loops/hand_loops.c
	$(hand_loops_compile) $(srcdir)/examples/hand_loops/reference.c

# Runs the example and compares its pictures with the stored ones.
demo-check: all
	$(SHELL) $(srcdir)/examples/brain/demo-check.sh $(srcdir)/examples/brain examples/brain
.PHONY: demo-check

# ---- python: built and run by t/67-python.t ----

nobase_dist_doc_DATA += examples/python/README.md examples/python/diffusion.sn examples/python/diffuse.py

# ---- fortran: built and run by t/68-fortran.t ----

nobase_dist_doc_DATA += examples/fortran/README.md examples/fortran/deposit.sn examples/fortran/main.f90

# ---- cpp: built and run by t/69-cpp.t ----

nobase_dist_doc_DATA += examples/cpp/README.md examples/cpp/levels.sn examples/cpp/main.cc

# ---- addop: tensors and tasks, no generated file ----

noinst_PROGRAMS += examples/addop/addop
nobase_dist_doc_DATA += examples/addop/README.md examples/addop/main.c
examples_addop_addop_SOURCES = examples/addop/main.c
examples_addop_addop_LDADD = libsnode.la
