#!/bin/sh
# The option deterministic: what kernels leave is the same, bit for bit, for any number of threads;
# what depends on the order of iterations is refused where that is asked for, and on devices.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
source=$SN_SRCDIR/t/deterministic
cd "$work" || exit 1
ok "the module is generated" "$snodegen" -q --output-dir=. "$source/order.sn"
compile_flags="-I$work"

# built CONFIGURATION: the program order-CONFIGURATION
built() {
  ok "$1: the module" compile "$1" order.c "module-$1.o" &&
    ok "$1: the program" compile_driver "$1" "$source/order.c" "main-$1.o" &&
    ok "$1: is linked" link "$1" "order-$1" "main-$1.o" "module-$1.o"
}

for c in host-gcc host-clang; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  built $c || continue
  SNODE_DETERMINISTIC=1 SNODE_THREADS=1 ./order-$c $c-1.tree >$c-1 2>&1
  is "$c: one thread ends well" $? 0 || diag "$(tail -n 3 $c-1)"
  is "$c: every read of active cells is sorted" "$(grep -c ', sorted' $c-1)" 5
  for threads in 2 5 16; do
    SNODE_DETERMINISTIC=1 SNODE_THREADS=$threads ./order-$c $c-$threads.tree >$c-$threads 2>&1
    same "$c: $threads threads" $c-$threads $c-1
    same "$c: $threads threads, the file" $c-$threads.tree $c-1.tree
  done
  if ok "$c: without windows" "$snodegen" -q --pass=no-windows --output-dir=. "$source/order.sn" && built $c; then
    SNODE_DETERMINISTIC=1 SNODE_THREADS=1 ./order-$c >plain 2>&1
    same "$c: iterations add in their order, with windows or without" plain $c-1
    "$snodegen" -q --output-dir=. "$source/order.sn"
  fi
  SNODE_DETERMINISTIC=refuse ./order-$c >refused 2>&1
  contains "$c: refuse says which task" refused \
    "order_scatter: what task range_for, line 11, leaves depends on the order of its iterations, which deterministic=refuse does not allow"
  contains "$c: and lets others run" refused "whole "
  fails "$c: another value" 1 env SNODE_DETERMINISTIC=yes ./order-$c
  contains "$c: says what there is" out "SNODE_DETERMINISTIC=yes: expected 0, 1 or refuse"
done

if ! why=$(available x86); then skip "x86" "$why"
elif built x86; then
  SNODE_DETERMINISTIC=1 run_as x86 teams=2 ./order-x86 >refused 2>&1
  contains "x86: a device does not keep the order" refused "which a device does not keep"
fi
done_testing
