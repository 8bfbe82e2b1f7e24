# libsnode's execution core
libsnode_la_SOURCES += \
  runtime/host/exec/alive.c runtime/host/exec/alive.h \
  runtime/host/exec/array_set.c runtime/host/exec/array_set.h \
  runtime/host/exec/assign.c \
  runtime/host/exec/buffer.c runtime/host/exec/buffer.h \
  runtime/host/exec/buffer_values.c \
  runtime/host/exec/capture.c \
  runtime/host/exec/code.c runtime/host/exec/code.h \
  runtime/host/exec/commit.c runtime/host/exec/commit.h runtime/host/exec/commits.def \
  runtime/host/exec/compile.c \
  runtime/host/exec/crew.c runtime/host/exec/crew.h \
  runtime/host/exec/elements.c \
  runtime/host/exec/engine.c runtime/host/exec/engine.h \
  runtime/host/exec/engine_base.c \
  runtime/host/exec/enqueue.c runtime/host/exec/enqueue.h \
  runtime/host/exec/error.c \
  runtime/host/exec/event.c \
  runtime/host/exec/finish.c runtime/host/exec/finish.h \
  runtime/host/exec/graph.c runtime/host/exec/graph.h \
  runtime/host/exec/handoff.c runtime/host/exec/handoff.h \
  runtime/host/exec/handover.c \
  runtime/host/exec/inside.c runtime/host/exec/inside.h \
  runtime/host/exec/job.c runtime/host/exec/job.h \
  runtime/host/exec/link.c \
  runtime/host/exec/merge.c runtime/host/exec/merge.h \
  runtime/host/exec/merge_send.c \
  runtime/host/exec/mode.c runtime/host/exec/mode.def runtime/host/exec/mode.h \
  runtime/host/exec/move.c \
  runtime/host/exec/node.c runtime/host/exec/node.h \
  runtime/host/exec/object.c runtime/host/exec/object.h \
  runtime/host/exec/order.c runtime/host/exec/order.h \
  runtime/host/exec/page.c runtime/host/exec/page.h \
  runtime/host/exec/permission.c \
  runtime/host/exec/pool.c runtime/host/exec/pool.h \
  runtime/host/exec/queue.c runtime/host/exec/queue.h \
  runtime/host/exec/record.c \
  runtime/host/exec/recording.c runtime/host/exec/recording.h \
  runtime/host/exec/replica.c runtime/host/exec/replica.def runtime/host/exec/replica.h \
  runtime/host/exec/replay.c \
  runtime/host/exec/request.c \
  runtime/host/exec/reserve.c \
  runtime/host/exec/room.c \
  runtime/host/exec/routine.c \
  runtime/host/exec/run.c \
  runtime/host/exec/run_log.c \
  runtime/host/exec/scheduler.c runtime/host/exec/scheduler.h \
  runtime/host/exec/scope.c runtime/host/exec/scope.h \
  runtime/host/exec/share.c runtime/host/exec/share.h \
  runtime/host/exec/space.c \
  runtime/host/exec/span.c \
  runtime/host/exec/submit.c runtime/host/exec/submit.h \
  runtime/host/exec/task.c runtime/host/exec/task.h \
  runtime/host/exec/tasks.c \
  runtime/host/exec/tensor.c runtime/host/exec/tensor.h \
  runtime/host/exec/transfer.c \
  runtime/host/exec/unit.c \
  runtime/host/exec/uses.c runtime/host/exec/uses.h \
  runtime/host/exec/values.c \
  runtime/host/exec/wake.c runtime/host/exec/wake.h \
  runtime/host/exec/worker.c

snodeinclude_HEADERS += include/snode/compile.h include/snode/engine.h include/snode/log.h include/snode/node.h include/snode/routine.h include/snode/task.h include/snode/tensor.h
