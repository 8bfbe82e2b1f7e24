#!/bin/sh
# The option flush_denormals: kernels take denormal numbers for zeros, in all their threads, and the
# program's own computing stays as it was; where nothing can be done the log says so.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
cd "$work" || exit 1
compile_flags="-I$work"
case $(uname -m) in x86_64|aarch64) known=yes ;; *) known= ;; esac

# outputs CONFIGURATION WAY FLUSH: what the program prints, without other lines of the log
outputs() {
  run_as $1 $2 env SNODE_FLUSH_DENORMALS=$3 ./fade 2>&1 | grep -v 'log: bound'
}

as_before='40000 40000 1
threads as before'
for c in serial-gcc serial-tcc host-gcc host-clang interpreter x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  # the program has OpenMP's threads too
  ok "$c: builds" sh -c "'$snodegen' -q --target=$(target_of $c) '$SN_SRCDIR/t/denormals/fade.sn'" &&
    ok "$c: compiles" compile $c fade.c fade.o &&
    ok "$c: and the program" compile $c "$SN_SRCDIR/t/denormals/main.c" main.o &&
    ok "$c: is linked" link $c fade fade.o main.o || continue
  for way in $(ways_of $c); do
    is "$c $way: denormal numbers are numbers" "$(outputs $c $way 0)" "$as_before"
    case $c in
      x86) is "$c $way: a device does as before, and the log says so" "$(outputs $c $way 1)" \
             "log: flush_denormals does nothing: a device computes as it was compiled to
$as_before" ;;
      *)
        if [ $c = serial-tcc ] || [ -z "$known" ]; then
          is "$c $way: the log says that nothing is done" "$(outputs $c $way 1)" \
            "log: flush_denormals does nothing: compile the generated file with gcc or clang, for x86_64 or AArch64
$as_before"
        else
          is "$c $way: or zeros" "$(outputs $c $way 1)" "0 0 0
threads as before"
        fi ;;
    esac
  done
done
fails "another value" 3 env SNODE_FLUSH_DENORMALS=yes ./fade
done_testing
