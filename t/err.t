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
  wrong=$(awk '
    FNR == NR { expected[++n] = $0; if (/(^| )note: /) notes = 1; next }
    /(^| )note: / && !notes { next }
    { m++
      if (m > n) print "not expected: " $0
      else if (substr($0, 1, length(expected[m])) != expected[m])
        print "expected: " expected[m] "\ngot:      " $0 }
    END { while (++m <= n) print "missing: " expected[m] }
  ' "$work/expected" "$work/got")
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

# ---- any text: diagnostics or code, never a crash or a hang ----

# survives NAME FILE: the status is one of those that the manual names
survives() {
  timeout 60 "$snodegen" --output-dir="$work/out" -q "$2" >"$work/said" 2>&1
  survives_status=$?
  case $survives_status in
    0|1) return 0 ;;
    *) diag "$1: exit status $survives_status"
       diag "$(tail -n 3 "$work/said")"
       return 1 ;;
  esac
}

mkdir -p "$work/out"
bad=0
for file in "$SN_SRCDIR"/t/golden/*.sn "$SN_SRCDIR"/t/run/pointer.sn "$SN_SRCDIR"/examples/brain/brain.sn; do
  bytes=$(wc -c <"$file")
  step=$((bytes / 40 + 1))
  at=0
  while [ $at -lt "$bytes" ]; do
    head -c $at "$file" >"$work/cut.sn"
    survives "$(basename "$file") cut at $at" "$work/cut.sn" || bad=1
    # and with a piece taken out of the middle
    tail -c +$((at + step + 2)) "$file" >>"$work/cut.sn"
    survives "$(basename "$file") without $at to $((at + step))" "$work/cut.sn" || bad=1
    at=$((at + step))
  done
done
is "programs cut off, and with a piece missing" $bad 0

awk 'BEGIN { srand(3); for (n = 0; n < 1048576; n++) printf "%c", 1 + int(rand() * 255) }' >"$work/noise.sn"
ok "1 MB of noise" survives noise "$work/noise.sn"
awk 'BEGIN { srand(4); split("field tree kernel { } ( ) [ ] ; , . .. = + - * / % < > && i32 f32 x y t 0 1 2.5 foreach for in if else place dense pointer return @ \" //", w, " ");
  for (n = 0; n < 200000; n++) printf "%s%s", w[1 + int(rand() * 41)], n % 11 ? " " : "\n" }' >"$work/words.sn"
ok "a million letters of its own words" survives words "$work/words.sn"
for deep in '(' '{' '-' '[' '!' 'if (1) '; do
  { printf 'kernel void k() { i32 a = '; awk -v s="$deep" 'BEGIN { for (n = 0; n < 100000; n++) printf "%s", s }'; } >"$work/deep.sn"
  ok "100000 times $deep" survives "$deep" "$work/deep.sn"
done
printf '' >"$work/empty.sn"
ok "an empty file" survives empty "$work/empty.sn"
printf 'kernel void k() {\000}' >"$work/zero.sn"
ok "a zero byte" survives zero "$work/zero.sn"
done_testing
