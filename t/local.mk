# t: tests in the Test Anything Protocol.  make check and prove -r t run one list:
# the programs t/NN-name.t (from t/NN-name.c) and the scripts t/name.t.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
  SN_BUILDDIR='$(abs_top_builddir)'; export SN_BUILDDIR; \
  SN_SRCDIR='$(abs_top_srcdir)'; export SN_SRCDIR;

# A script a line; t/05-lists.t compares them with what is there.  Those that take long stand
# first, so that none of them is left alone at the end; then the others by name.
dist_check_SCRIPTS += \
  t/lang.t \
  t/60-sanitizers.t \
  t/50-host.t \
  t/52-exec.t \
  t/40-device.t \
  t/35-rules.t \
  t/45-model.t \
  t/24-passes-off.t \
  t/25-agree.t \
  t/80-brain.t \
  t/85-recipe.t \
  t/37-nest.t \
  t/26-kinds.t \
  t/30-emit.t \
  t/57-exec-memory.t \
  t/23-fuzz.t
dist_check_SCRIPTS += \
  t/01-build.t \
  t/02-includes.t \
  t/03-tables.t \
  t/04-style.t \
  t/05-lists.t \
  t/06-circles.t \
  t/12-noise.t \
  t/15-options.t \
  t/16-seeds.t \
  t/17-accepted.t \
  t/18-manual.t \
  t/19-mistakes.t \
  t/20-passes.t \
  t/21-details.t \
  t/21-permissions.t \
  t/22-outputs.t \
  t/27-checks.t \
  t/28-bounds.t \
  t/28-grad-check.t \
  t/28-grad-random.t \
  t/29-clips.t \
  t/29-rows.t \
  t/29-windows.t \
  t/30-names.t \
  t/31-lines.t \
  t/31-size.t \
  t/33-statement.t \
  t/34-counted.t \
  t/36-breaks.t \
  t/38-blocks.t \
  t/39-oracle.t \
  t/42-ptx.t \
  t/43-staged.t \
  t/46-profile.t \
  t/47-io.t \
  t/48-info.t \
  t/49-hdf5.t \
  t/49-vdb.t \
  t/53-exec-rules.t \
  t/54-compile.t \
  t/55-checkpoint.t \
  t/56-routines.t \
  t/58-limits.t \
  t/58-run-memory.t \
  t/59-deterministic.t \
  t/61-launches.t \
  t/62-tape.t \
  t/63-device-header.t \
  t/64-pool.t t/65-amd-linked.t t/66-split.t t/67-devices.t t/68-cancel.t \
  t/65-ptx-linked.t \
  t/66-manifest.t \
  t/66-openacc.t \
  t/67-python.t \
  t/68-fortran.t \
  t/69-cpp.t \
  t/70-headers.t \
  t/71-run.t \
  t/72-watch.t \
  t/73-lsp.t \
  t/74-editors.t \
  t/81-readme.t \
  t/82-life.t \
  t/83-addop.t \
  t/84-waves.t \
  t/86-limits.t \
  t/87-inverse.t \
  t/88-hand-loops.t t/89-builds.t t/90-grayscott.t \
  t/91-gpu-bundle.t t/91-neighbours.t t/92-mgpcg.t t/93-levelset.t t/94-mpm.t t/95-two-modules.t \
  t/96-golly.t t/97-commands.t \
  t/75-tutorial.t t/76-guide.t t/77-denormals.t t/78-coming.t t/79-reference.t t/70-man.t \
  t/98-first-hour.t \
  t/err.t
TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)

# Files and folders that the tests read.
EXTRA_DIST += \
  t/agree \
  t/backend.c \
  t/bind \
  t/bounds \
  t/check-long.txt \
  t/circles.pl \
  t/check_grad \
  t/checkpoint \
  t/checks \
  t/compile \
  t/covered \
  t/covered.sh \
  t/deterministic \
  t/device \
  t/err \
  t/exec \
  t/failing.sh \
  t/fuzz \
  t/golden \
  t/grad \
  t/hand \
  t/io \
  t/gpu.sh t/gpu \
  t/host \
  t/ir \
  t/lang \
  t/launches \
  t/lib.sh \
  t/limits \
  t/long.sh \
  t/lsp \
  t/mistakes \
  t/model \
  t/nest \
  t/nifti.sh \
  t/oracle \
  t/pages.sh \
  t/passes \
  t/pictured.sh \
  t/plain.h \
  t/precompiled.h \
  t/denormals t/first t/pool t/split t/devices t/cancel t/ptx \
  t/programs.sh \
  t/recipe \
  t/rows \
  t/rules \
  t/run \
  t/staged \
  t/tap.h \
  t/tape \
  t/windows

# A test program is linked with libsnode unless it says otherwise (its own _LDADD), and
# stands alone (-no-install: no wrapper script): prove runs it where it lies.
LDADD = libsnode.la

# The same list by prove, one more at once than there are processors, since a test also waits; TESTS_CHOSEN
# names a few of them, as t/NAME.t.
prove: all
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_V_at)SN_LONG='$(SN_LONG)' SN_BUILDDIR='$(abs_top_builddir)' SN_SRCDIR='$(abs_top_srcdir)' \
	  $(PROVE) --timer -j "$$((`getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1` + 1))" $(PROVE_FLAGS) \
	  `for t in $(or $(TESTS_CHOSEN),$(TESTS)); do \
	     if test -f "$$t"; then echo "$$t"; else echo "$(srcdir)/$$t"; fi; done`

# What takes too long for every day: the same list with SN_LONG=1, many hours of a processor; TESTS_CHOSEN
# runs a part of it. What each test came to when it was last run so is a row of t/check-long.txt.
check-long: all
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_V_at)SN_BUILDDIR='$(abs_top_builddir)' SN_SRCDIR='$(abs_top_srcdir)' PROVE='$(PROVE)' \
	  $(SHELL) $(srcdir)/t/long.sh \
	  `for t in $(or $(TESTS_CHOSEN),$(TESTS)); do \
	     if test -f "$$t"; then echo "$$t"; else echo "$(srcdir)/$$t"; fi; done`
.PHONY: prove check-long

# What the tests compile for each other (t/lib.sh).
clean-local:
	rm -rf t/backends check-long
