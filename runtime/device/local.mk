# runtime/device: the sparse runtime, compiled inside each generated file
snodedevice_HEADERS += \
  runtime/device/abi.h runtime/device/access.h runtime/device/alone.h runtime/device/arith.h \
  runtime/device/atomic.h runtime/device/backend.h runtime/device/bitmasked.h \
  runtime/device/box.h runtime/device/claim.h runtime/device/dense.h runtime/device/deposit.h \
  runtime/device/devices.h \
  runtime/device/dynamic.h \
  runtime/device/factorize.h runtime/device/factorize_type.h \
  runtime/device/factorize_size.h runtime/device/f16.h runtime/device/fill.h runtime/device/flush.h runtime/device/gc.h \
  runtime/device/gang.h runtime/device/hand.h runtime/device/hash.h \
  runtime/device/index.h runtime/device/init.h runtime/device/interpret.h \
  runtime/device/kinds.h runtime/device/lanes.h \
  runtime/device/leaves.h runtime/device/list.h runtime/device/listgen.h runtime/device/lock.h \
  runtime/device/loop.h runtime/device/magazine.h runtime/device/node.h runtime/device/node_id.h \
  runtime/device/order.h runtime/device/platform.h \
  runtime/device/pointer.h runtime/device/print.h runtime/device/random.h \
  runtime/device/reduce.h \
  runtime/device/recycled.h runtime/device/region.h runtime/device/rehash.h runtime/device/reset.h runtime/device/rows.h \
  runtime/device/runtime.h runtime/device/settle.h runtime/device/stage.h runtime/device/shape.h \
  runtime/device/sweep.h \
  runtime/device/task.h runtime/device/team.h runtime/device/transfer.h runtime/device/trap.h \
  runtime/device/walk.h runtime/device/window.h runtime/device/window_cells.h \
  runtime/device/within.h runtime/device/worker.h
