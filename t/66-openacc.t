#!/bin/sh
# OpenACC: what --target=acc writes, what is refused, and the image for NVIDIA's GPUs as gcc links
# it, read and not run.  That everything else runs on the host device is t/lang.t's, t/40-device.t's
# and t/50-host.t's.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$ACC_CC" ] || skip_all "no gcc with OpenACC"
. "$SN_SRCDIR/t/run/programs.sh"
only churn half
cd "$work" || exit 1

# ---- the file ----
for target in omp acc; do ok "generate: $target" generate_programs $target; done
is "it is that of OpenMP, but for what the headers are told" "$(diff omp/churn.c acc/churn.c | grep '^[<>]')" \
  "> #ifndef SN_ACC
> # define SN_ACC   /* devices by OpenACC */
> #endif"

# compiled FLAG...
compiled() { $ACC_CC -std=c11 $warnings -Werror $include -Iacc "$@" -fsyntax-only acc/churn.c; }
ok "--print-cflags=acc compiles it" compiled $("$snodegen" --print-cflags=acc)
ok "and that for OpenMP" $ACC_CC -std=c11 $warnings -Werror $include -Iomp \
  $("$snodegen" --print-cflags=acc) -fsyntax-only omp/churn.c
is "--target=acc --print-cflags says the same" "$("$snodegen" --target=acc --print-cflags acc/churn.c)" \
  "$("$snodegen" --print-cflags=acc)"
fails "without -fopenacc" 1 compiled
contains "it says what is missing" out "compile files for OpenACC with -fopenacc"
fails "for one thread" 1 compiled -fopenacc -DSN_SERIAL
contains "it says why not" out "SN_SERIAL, SN_OFFLOAD and SN_ACC exclude each other"

# ---- devices that are there or not ----
ok "drivers" build_drivers acc drivers
ok "builds" build_programs acc host drivers
no_warnings "the host device"

# on DEVICE TYPE: $work/out
on() { env SNODE_DEVICE="$1" ACC_DEVICE_TYPE="$2" timeout 120 host/run churn >out 2>&1; }

# absent DEVICE TYPE SENTENCE: refused, and not the end of the process inside OpenACC's runtime
absent() {
  on "$1" "$2"
  is "$1, devices of type $2: it is told" "$?" 1
  contains "$1, devices of type $2: what, and what to do" out "$3"
}
on gpu:0 host
same "the first device: the host" out "$run/churn.out"
on auto host
same "any device" out "$run/churn.out"
on host nothing
same "none" out "$run/churn.out"
on auto nothing
same "none, where any would do" out "$run/churn.out"
absent gpu:1 host \
  "gpu:1 is absent: backend openacc has 1 device; the option device (SNODE_DEVICE) can be gpu:0, host or auto"
absent gpu:0 nothing \
  "gpu:0 is absent: backend openacc has 0 devices (no driver, or none that the program has code for); the option device (SNODE_DEVICE) can be host or auto"

# ---- NVIDIA ----
if [ -z "$ACC_NVPTX_CFLAGS" ]; then
  skip "an image for nvptx" "no gcc for it (Debian: gcc-12-offload-nvptx)"
  done_testing
fi
ACC_CFLAGS=$ACC_NVPTX_CFLAGS
ok "compiled for nvptx, and linked" build_programs acc nvptx drivers
# of the compiler of the image, which the link runs
is "no warning" "$(grep 'vector_length\|unresolved' ok.out)" ""
mkdir read
(cd read && $ACC_CC $ACC_CFLAGS -save-temps -o program ../drivers/*.o ../nvptx/*.o $(backend_of acc) \
  "$library" -lm) >out 2>&1
ptx=$(echo read/program*mkoffload-*.s)
# count PATTERN: lines that match
count() { grep -c -e "$1" "$ptx"; }
is "a kernel for each task" "$(count '\.entry .*_task_[0-9]*_target[^;]*$')" \
  "$(cat acc/*.c | grep -c -E '^SND_(STRUCT_FOR|RANGE_FOR|LOOP|SINGLE)')"
ok "64-bit words are swapped by the hardware" test "$(count 'atom.*\.cas\.b64')" -gt 0
is "no call of libatomic" "$(count '__atomic_')" 0
env SNODE_DEVICE=gpu:0 ACC_DEVICE_TYPE=host timeout 120 nvptx/run churn >out 2>&1
same "without a GPU it runs on the host device" out "$run/churn.out"
done_testing
