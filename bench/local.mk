# bench: measurements beside peers, outside make check.  BENCH: options of run.sh.
EXTRA_DIST += bench/run.sh bench/report.awk bench/taichi_rows.py bench/RESULTS.md \
  bench/turns.c bench/contender.c bench/contender.h bench/brain.c \
  bench/grid.sn bench/grid.c bench/saxpy.sn bench/saxpy.c bench/layers.sn bench/layers.c \
  bench/churn.sn bench/churn.c bench/deep.sn bench/deep.c \
  bench/stencil7.sn bench/stencil7.c bench/heat.sn bench/heat.c bench/conv.sn bench/conv.c \
  bench/append.sn bench/append.c bench/tasks.c bench/metg.c bench/ladder.c bench/ladder.h bench/starpu.c bench/transfer.c \
  bench/mgpcg.sn bench/mgpcg.c bench/life.sn bench/life.c bench/call.sn bench/call.c \
  bench/mpm2d.sn bench/mpm2d.c bench/mpm3d.sn bench/mpm3d.c bench/multires.sn bench/multires.c \
  bench/wave.sn bench/wave.c bench/band.sn bench/band.c bench/lbm.sn bench/lbm.c \
  bench/sparse.sn bench/sparse.c bench/grad.sn bench/grad.c bench/mpmgrad.sn bench/mpmgrad.c \
  bench/gpu bench/cuda

bench: all
	$(SHELL) $(srcdir)/bench/run.sh $(BENCH) $(srcdir) .
.PHONY: bench
