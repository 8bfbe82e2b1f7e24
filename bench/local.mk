# bench: measurements beside peers, outside make check.
EXTRA_DIST += bench/run.sh bench/harness.c bench/harness.h bench/brain.c bench/RESULTS.md

bench: all
	$(SHELL) $(srcdir)/bench/run.sh $(srcdir) .
.PHONY: bench
