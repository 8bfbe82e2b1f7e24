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
  says_nothing "$name, derived" "$snodegen" -w --pass=no-fold --emit=ir=local "$file"
  cp "$work/out" "$work/derived.ir"
  says_nothing "$name, split" "$snodegen" --verify-each --run-pass=split "$work/derived.ir"
  without_serial_places <"$work/out" >"$work/split.ir"
  "$snodegen" -w --pass=no-fold --emit=ir=split "$file" | without_serial_places >"$work/direct.ir"
  same "$name: read back and split it is the same" "$work/split.ir" "$work/direct.ir"
done

# More of each thing than a table of constant size would hold: fields and SNodes, parameters, and
# SNodes that one task leaves to be collected.
awk 'BEGIN {
  n = 130
  for (k = 0; k < n; k++) printf "field i32 a%d;\n", k
  print "tree wide {"
  for (k = 0; k < n; k++) printf "  pointer p%d[i: 4] { place a%d; }\n", k, k
  print "}\nkernel void empty() {"
  for (k = 0; k < n; k++) printf "  deactivate(p%d, %d);\n", k, k % 4
  print "}\nkernel i64 gather("
  for (k = 0; k < n; k++) printf "  in i32 b%d[8], i32 c%d%s\n", k, k, k < n - 1 ? "," : ") {"
  print "  i64 s = 0;\n  foreach (i in 0 .. 8) {"
  for (k = 0; k < n; k++) printf "    s += b%d[i] * c%d;\n", k, k
  print "  }\n  return s;\n}"
}' >"$work/many.sn"
for target in interpreter omp; do
  says_nothing "many of each, $target" "$snodegen" -w --verify-each --target=$target \
    --output-dir="$work" "$work/many.sn"
done
done_testing
