# t: tests in the Test Anything Protocol.  make check and prove -r t run one list:
# the programs t/NN-name.t (from t/NN-name.c) and the scripts t/name.t.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
  SN_BUILDDIR='$(abs_top_builddir)'; export SN_BUILDDIR; \
  SN_SRCDIR='$(abs_top_srcdir)'; export SN_SRCDIR;

dist_check_SCRIPTS += t/lang.t t/60-sanitizers.t t/65-ptx-linked.t t/80-brain.t t/40-device.t t/42-ptx.t t/45-model.t \
  t/50-host.t t/52-exec.t t/53-exec-rules.t t/54-compile.t t/55-checkpoint.t t/56-routines.t \
  t/01-build.t t/02-includes.t t/03-tables.t t/04-style.t t/12-noise.t t/15-options.t t/16-seeds.t t/17-accepted.t t/18-manual.t t/19-mistakes.t t/21-details.t t/20-passes.t t/21-permissions.t t/25-agree.t t/26-kinds.t t/27-checks.t t/28-bounds.t t/30-names.t t/err.t \
  t/35-rules.t t/36-breaks.t t/37-nest.t \
  t/70-headers.t t/81-readme.t t/82-life.t t/83-addop.t t/84-waves.t
TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)
EXTRA_DIST += t/tap.h t/lib.sh t/gpu.sh t/check-long.txt t/programs.sh t/run t/err t/mistakes t/lang t/golden t/device t/compile t/exec t/host t/checkpoint t/ir t/model t/passes t/agree t/checks

# A test program is linked with libsnode unless it says otherwise (its own _LDADD), and
# stands alone (-no-install: no wrapper script): prove runs it where it lies.
LDADD = libsnode.la

# The same list by prove, as many at once as there are processors; TESTS_CHOSEN
# names a few of them, as t/NAME.t.
prove: all
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_V_at)SN_LONG='$(SN_LONG)' SN_BUILDDIR='$(abs_top_builddir)' SN_SRCDIR='$(abs_top_srcdir)' \
	  $(PROVE) -j "`getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1`" $(PROVE_FLAGS) \
	  `for t in $(or $(TESTS_CHOSEN),$(TESTS)); do \
	     if test -f "$$t"; then echo "$$t"; else echo "$(srcdir)/$$t"; fi; done`

# What takes too long for every day: the same list with SN_LONG=1.  The log of its last
# run is t/check-long.txt.
check-long:
	$(MAKE) $(AM_MAKEFLAGS) prove SN_LONG=1 > check-long.out; status=$$?; \
	  cat check-long.out; exit $$status
.PHONY: prove check-long
CLEANFILES += check-long.out
EXTRA_DIST += t/bounds t/rules t/nest t/plain.h
