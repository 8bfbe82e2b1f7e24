#!/bin/sh
# The rules of "Activity inside a task", for every kind of SNode: t/rules's programs.
# t/36-breaks.t shows that each of them fails when its rule is broken.
# SN_CONFIGURATIONS narrows the run down; SN_LONG=1 takes every configuration.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
. "$SN_SRCDIR/t/rules/rules.sh"
. "$SN_SRCDIR/t/programs.sh"
some=$configurations
if [ -z "$SN_LONG" ]; then
  some="host-clang x86 interpreter"
  ways_of() {                    # what meets is what matters
    case $1 in host-*) echo "threads=2 threads=16" ;; x86) echo teams=2 ;; *) echo one ;; esac
  }
fi

# check MODULE KIND
check() {
  folder=$work/$1-$2
  for c in ${SN_CONFIGURATIONS:-$some}; do
    if ! why=$(available "$c"); then
      skip "$1, $2: $c" "$why"
    elif { "$1_module" "$2" "$folder" "$(target_of "$c")" && rules_program "$1" "$2" "$c" "$folder"; } \
           >"$work/build.out" 2>&1; then
      cp "$folder/$1" "$work/program"
      case $SN_LONG$c in interpreter) SN_SMALL=1 ;; *) SN_SMALL= ;; esac    # it has one thread
      export SN_SMALL
      run_program "$c" "$1, $2"
    else
      fail "$1, $2: $c builds without a warning"
      diag "$(head -n 20 "$work/build.out")"
    fi
  done
}

for kind in $rules_kinds; do check rules "$kind"; done
for kind in $deep_kinds; do check deep "$kind"; done
done_testing
