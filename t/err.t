#!/bin/sh
# What snodegen says to wrong programs: t/err/NAME.sn begins with
#   // expect: LINE:COLUMN: error: how the text begins
# a line for each message, in the order of the output, and may hold
#   // options: -Wperf ...
#   // status: 2               where it is neither 0 nor 1
# A message without a place is expected as "error: how the text begins".
# Every error and warning must be expected; notes only where they are. Nothing may
# be written where there is an error, and the exit status must tell.
. "${SN_SRCDIR:-.}/t/lib.sh"

check() {
  name=$(basename "$1" .sn)
  options=$(sed -n -e 's|^// options: *||p' "$1")
  sed -n -e 's|^// expect: *||p' "$1" >"$work/expected"
  rm -rf "$work/out"
  mkdir "$work/out"
  cp "$1" "$work/out/$name.sn"
  (cd "$work/out" && timeout 20 "$snodegen" $options "$name.sn") >"$work/said" 2>&1
  status=$?
  grep -E "^($name\.sn:[0-9]+:[0-9]+|snodegen): (error|warning|note): " "$work/said" |
    sed -e "s/^$name\.sn://" -e 's/^snodegen: //' >"$work/got"

  want=$(sed -n -e 's|^// status: *||p' "$1")
  if [ -n "$want" ]; then :; elif grep 'error: ' "$work/expected" >/dev/null; then want=1; else want=0; fi
  wrong=$(unexpected "$work/expected" "$work/got")
  [ "$status" -eq "$want" ] || wrong="$wrong
exit status $status instead of $want"
  if [ "$want" != 0 ] && ls "$work/out" | grep -v "^$name\.sn\$" >/dev/null; then
    wrong="$wrong
files were written"
  fi
  if [ ! -s "$work/expected" ]; then wrong="no // expect: line"; fi
  if [ -z "$wrong" ]; then pass "$name"; else
    fail "$name"
    diag "$wrong"
    diag "$(head -n 12 "$work/said")"
  fi
}

for file in "$SN_SRCDIR"/t/err/*.sn; do
  [ -e "$file" ] && check "$file"
done

# a caret stands under the place, and a hint names what is near
printf 'field i32 height;\ntree t { place height; }\nkernel void k() { heihgt = 1; }\n' >"$work/hint.sn"
(cd "$work" && "$snodegen" hint.sn) >"$work/said" 2>&1
contains "the source line is shown" "$work/said" "kernel void k() { heihgt = 1; }"
contains "with a caret below it" "$work/said" "                  ^"
contains "a suggestion" "$work/said" "did you mean 'height'?"

done_testing
