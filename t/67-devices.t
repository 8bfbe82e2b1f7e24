#!/bin/sh
# Several devices: trees on all devices of the device image's plugin at once, which are copied from
# one to the next in a ring, or whose list two devices share (t/devices), equal to one on the host.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
if ! why=$(available x86); then skip_all "$why"; fi
cp "$SN_SRCDIR/t/devices/ring.sn" "$work"
ok "generate" generate "$work" "$work/ring.sn" -q
ok "compile" compile x86 "$work/ring.c" "$work/ring.o"
compile_flags="-I$SN_SRCDIR -I$work"
ok "the driver" compile_driver x86 "$SN_SRCDIR/t/devices/ring.c" "$work/driver.o"
compile_flags=
ok "link" link x86 "$work/ring" "$work/driver.o" "$work/ring.o"

ok "generate" generate "$work" "$SN_SRCDIR/t/devices/halves.sn" -q
ok "compile" compile x86 "$work/halves.c" "$work/halves.o"
compile_flags="-I$SN_SRCDIR -I$work"
ok "the driver" compile_driver x86 "$SN_SRCDIR/t/devices/halves.c" "$work/halves_driver.o"
compile_flags=
ok "link" link x86 "$work/halves" "$work/halves_driver.o" "$work/halves.o"

# The plugin shows four devices, all of them this processor.
rounds=1000
for way in teams=1 teams=2x2; do
  run_as x86 $way "$work/ring" 4 $rounds >"$work/out" 2>&1
  is "$way: four devices, $rounds rounds" "$?" 0 || diag "$(grep -v '^ok' "$work/out" | head -n 12)"
done

# One list, of which two devices go through a half each.
for way in teams=1 teams=2x2; do
  run_as x86 $way "$work/halves" 50 >"$work/out" 2>&1
  is "$way: a list split over two devices" "$?" 0 || diag "$(grep -v "^ok" "$work/out" | head -n 12)"
done

# ---- devices that are not there: a status and a sentence, and the program goes on ----

compile_flags="-I$SN_SRCDIR -I$work"
ok "a driver that opens devices" compile_driver x86 "$SN_SRCDIR/t/devices/open.c" "$work/opens.o"
compile_flags=
ok "link" link x86 "$work/open" "$work/opens.o" "$work/ring.o"
env SNODE_DEVICE=host "$work/open" host >"$work/expected"
sum=$(sed 's/.*: //' "$work/expected")

# opens NAME TEXT PROGRAM SETTING...: gpu:0 is refused with the text, host and auto run on the host
opens() {
  opens_name=$1 opens_text=$2 opens_program=$3
  shift 3
  env "$@" "$opens_program" gpu:0 host auto >"$work/out" 2>&1
  is "$opens_name: the program ends as it should" "$?" 0
  contains "$opens_name: gpu:0 is refused" "$work/out" "gpu:0: the device is absent or has failed: gpu:0 is $opens_text"
  is "$opens_name: host and auto are the host" "$(sed 1d "$work/out" | tr '\n' ' ')" "host: $sum auto: $sum "
}

run_as x86 teams=1 "$work/open" gpu:4 gpu:3 host >"$work/out" 2>&1
is "a fifth device: the program goes on" "$?" 0
contains "is refused" "$work/out" "gpu:4 is absent: backend openmp+offload has 4 devices; the option device (SNODE_DEVICE) can be gpu:0 to gpu:3, host or auto"
contains "the fourth is there" "$work/out" "gpu:3: $sum"
contains "and the host is, where offloading is mandatory" "$work/out" "host: $sum"
opens "offloading disabled" "not used: OMP_TARGET_OFFLOAD is disabled; unset it, or let" "$work/open" OMP_TARGET_OFFLOAD=DISABLED
if [ -n "$NVPTX_LDFLAGS" ]; then
  flags="-O3 -fopenmp --offload-arch=sm_90 $NVPTX_LDFLAGS -Wno-unused-command-line-argument"
  # the runtime's own tasks, which the linker would optimize for the GPU, are the host's here; all of
  # it for a GPU is t/65-ptx-linked.t's
  ok "code for a GPU alone: compile" $NVPTX_CC -std=c11 -ffp-contract=off -DSN_OFFLOAD $taken $include \
    -I"$work" $flags -c "$work/ring.c" -o "$work/nvptx.o"
  ok "its backend" $NVPTX_CC -std=c11 -fopenmp -DSN_OFFLOAD -DSN_BACKEND_GIVEN $include \
    -c "$SN_SRCDIR/t/backend.c" -o "$work/nvptx-backend.o"
  ok "link" $NVPTX_CC $flags "$work/opens.o" "$work/nvptx.o" "$work/nvptx-backend.o" "$library" -lm \
    -o "$work/open-nvptx"
  if [ -e /dev/nvidia0 ]; then
    skip "a GPU's code without its driver" "there is one"
  else
    opens "a GPU's code without its driver" \
      "absent: backend openmp+offload has 0 devices (no driver, or none that the program has code for); the option" \
      "$work/open-nvptx" OMP_TARGET_OFFLOAD=DEFAULT
    opens "the same where offloading is mandatory" "absent: backend openmp+offload has 0 devices" \
      "$work/open-nvptx" OMP_TARGET_OFFLOAD=MANDATORY
  fi
else
  skip "a GPU's code without its driver" "no ptxas"
fi

# ---- a device without memory, and one that is lost in the middle: the same ----

# 3 GB of address space, which the device here shares
mkdir "$work/large"
cp "$SN_SRCDIR/t/devices/large.sn" "$work/large/ring.sn"
ok "a tree that takes 8 GiB: generate" generate "$work/large" "$work/large/ring.sn" -q
ok "compile" compile x86 "$work/large/ring.c" "$work/large/ring.o"
ok "link" link x86 "$work/open-large" "$work/opens.o" "$work/large/ring.o"
(ulimit -v 3000000 && run_as x86 teams=2 "$work/open-large" gpu:0 gpu:1) >"$work/out" 2>"$work/err"
is "no memory: the program goes on" "$?" 0
for device in gpu:0 gpu:1; do
  contains "$device tells which SNode wanted more" "$work/out" \
    "$device: memory has run out: ring_begin: memory has run out: SNode tile of ring_ring has "
done

# From some copy on, whichever it is, none succeeds. Regions do: where one fails libomptarget itself
# ends the process (docs/gpu.md).
compile_flags=-D_GNU_SOURCE
ok "a device that is lost" compile_driver x86 "$SN_SRCDIR/t/devices/lost.c" "$work/lost.o"
compile_flags=
OFFLOAD_LDFLAGS="$OFFLOAD_LDFLAGS -Wl,--wrap=omp_target_memcpy,--wrap=omp_target_alloc" \
  ok "link" link x86 "$work/open-lost" "$work/opens.o" "$work/lost.o" "$work/ring.o"
odd= lost=0
for n in $(seq 1 4 61); do
  LOST_FROM=$n OMP_TARGET_OFFLOAD=MANDATORY OMP_NUM_TEAMS=1 OMP_NUM_THREADS=1 timeout 60 \
    "$work/open-lost" gpu:0 host >"$work/out" 2>"$work/err" || odd="$odd $n: status $?;"
  grep -E '^gpu:0: (the device is absent or has failed|memory has run out): ring_[a-z]+: ' "$work/out" >/dev/null &&
    grep -x "host: $sum" "$work/out" >/dev/null || odd="$odd $n: $(cat "$work/out");"
  lost=$((lost + $(grep -c '^lost$' "$work/err")))
done
is "a device that is lost: a status, and the program goes on on the host" "$odd" ""
is "it was lost each time" "$lost" 16
done_testing
