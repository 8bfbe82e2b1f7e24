# libsnode's trees: instances, sequencer, access
libsnode_la_SOURCES += \
  runtime/host/tree/access.c runtime/host/tree/access.h \
  runtime/host/tree/activity.c \
  runtime/host/tree/arena.c runtime/host/tree/arena.h \
  runtime/host/tree/arrays.c runtime/host/tree/arrays.h \
  runtime/host/tree/axes.c \
  runtime/host/tree/box.c \
  runtime/host/tree/call.c runtime/host/tree/call.h \
  runtime/host/tree/call_notes.c \
  runtime/host/tree/checkpoint.h runtime/host/tree/checkpoint_block.c \
  runtime/host/tree/checkpoint_read.c runtime/host/tree/checkpoint_tree.c \
  runtime/host/tree/checkpoint_write.c \
  runtime/host/tree/check_call.c runtime/host/tree/check_fields.c \
  runtime/host/tree/check_grad.c runtime/host/tree/check_grad.h \
  runtime/host/tree/check_name.c \
  runtime/host/tree/check_values.c \
  runtime/host/tree/chunk_pool.c runtime/host/tree/chunk_pool.h \
  runtime/host/tree/claims.c runtime/host/tree/claims.h \
  runtime/host/tree/collect.c \
  runtime/host/tree/copy.c \
  runtime/host/tree/defaults.c runtime/host/tree/defaults.h \
  runtime/host/tree/device_tables.c runtime/host/tree/device_tables.h \
  runtime/host/tree/draws.c runtime/host/tree/draws.h \
  runtime/host/tree/field.c \
  runtime/host/tree/hash.c runtime/host/tree/hash.h \
  runtime/host/tree/headroom.c runtime/host/tree/headroom.h \
  runtime/host/tree/instance.c \
  runtime/host/tree/launch.c \
  runtime/host/tree/kernel_run.c \
  runtime/host/tree/layout.c runtime/host/tree/layout.h \
  runtime/host/tree/list.c \
  runtime/host/tree/loops.c runtime/host/tree/loops.h \
  runtime/host/tree/magazines.c runtime/host/tree/magazines.h \
  runtime/host/tree/module.c \
  runtime/host/tree/pools.c runtime/host/tree/pools.h \
  runtime/host/tree/print.c runtime/host/tree/print.h \
  runtime/host/tree/range.c runtime/host/tree/range.h \
  runtime/host/tree/region.c runtime/host/tree/region.h \
  runtime/host/tree/report.c \
  runtime/host/tree/sequencer.c runtime/host/tree/sequencer.h \
  runtime/host/tree/slices.c runtime/host/tree/slices.h \
  runtime/host/tree/snode.c \
  runtime/host/tree/snode_memory.c runtime/host/tree/snode_memory.h \
  runtime/host/tree/status.c runtime/host/tree/status.h \
  runtime/host/tree/tape.c runtime/host/tree/tape.h runtime/host/tree/tape_backward.c \
  runtime/host/tree/tape_held.c runtime/host/tree/tape_note.c \
  runtime/host/tree/tape_spans.c \
  runtime/host/tree/tape_schedule.c runtime/host/tree/tape_schedule.h \
  runtime/host/tree/tape_state.c runtime/host/tree/tape_state.h \
  runtime/host/tree/task_chunks.c runtime/host/tree/task_chunks.h \
  runtime/host/tree/transfer.c runtime/host/tree/transfer.h \
  runtime/host/tree/tree.h \
  runtime/host/tree/vector.c \
  runtime/host/tree/view.c

snodeinclude_HEADERS += include/snode/tape.h

# its own source, since the library shows no schedule
check_PROGRAMS += t/14-schedule.t
t_14_schedule_t_SOURCES = t/14-schedule.c runtime/host/tree/tape_schedule.c
t_14_schedule_t_CPPFLAGS = $(AM_CPPFLAGS)
t_14_schedule_t_LDFLAGS = $(TEST_LDFLAGS)
t_14_schedule_t_LDADD =
