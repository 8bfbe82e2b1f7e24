#!/bin/sh
# What the language allows: the programs t/lang/NAME.sn are accepted without a message
# for each target, every pass keeps the IR's rules, and the IR as split reads back.
. "${SN_SRCDIR:-.}/t/lib.sh"

# says NAME COMMAND...: it ends well and says nothing
says_nothing() {
  says_name=$1
  shift
  "$@" >"$work/out" 2>"$work/said"
  is "$says_name: exit status" $? 0 || diag "$(head -n 8 "$work/said")"
  is "$says_name: no message" "$(cat "$work/said")" ""
}

# A serial task's place is that of its first statement, which the text need not keep;
# what is collected behind it has its place.
without_serial_places() { sed -e 's/\(serial\|gc S[a-z0-9]* [a-z]*\) @[0-9:]*/\1/'; }

for file in "$SN_SRCDIR"/t/lang/*.sn; do
  name=$(basename "$file" .sn)
  for target in interpreter omp; do
    says_nothing "$name, $target" "$snodegen" -w --verify-each --target=$target \
      --output-dir="$work" "$file"
  done
  says_nothing "$name, as written" "$snodegen" -w --pass=no-fold --emit=ir=written "$file"
  cp "$work/out" "$work/written.ir"
  says_nothing "$name, split" "$snodegen" --verify-each --run-pass=split "$work/written.ir"
  without_serial_places <"$work/out" >"$work/split.ir"
  "$snodegen" -w --pass=no-fold --emit=ir=split "$file" | without_serial_places >"$work/direct.ir"
  same "$name: read back and split it is the same" "$work/split.ir" "$work/direct.ir"
done
done_testing
