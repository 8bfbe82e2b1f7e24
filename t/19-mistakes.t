#!/bin/sh
# Files of twenty mistakes: t/mistakes/NAME.edits changes lines of an example, each into a
# mistake. With all of them the compiler says every one, at its place, and nothing else;
# with one alone it says that one. After the line
#   of: FILE
# each mistake is a paragraph:
#   what it is
#   - a line of the example
#   + the line with the mistake
#   = COLUMN: error: how the text begins
# A line that stands several times in the example is changed where it comes after the
# mistake before.
. "${SN_SRCDIR:-.}/t/lib.sh"

# mistaken EDITS NUMBER: the example with mistake NUMBER, or with all; $work/expected: what is
# to be said
mistaken() {
  awk -v chosen="$2" -v expected="$work/expected" -v srcdir="$SN_SRCDIR" '
    /^of: /  { file = srcdir "/" substr($0, 5); next }
    /^- /    { old[++n] = substr($0, 3); next }
    /^\+ /   { new[n] = substr($0, 3); next }
    /^= /    { text[n] = substr($0, 3); next }
    END {
      printf "" >expected
      edit = 1
      while ((getline line <file) > 0) {
        number++
        if (edit <= n && line == old[edit]) {
          if (chosen == "all" || chosen == edit) {
            line = new[edit]
            print number ":" text[edit] >expected
          }
          edit++
        }
        print line
      }
      if (edit <= n) print "no line after the mistake before: " old[edit] >"/dev/stderr"
    }' "$1"
}

# said NAME WHAT: the errors of $work/NAME.sn are the expected ones
said() {
  (cd "$work" && timeout 20 "$snodegen" -w --error-limit=100 "$1.sn") >"$work/said" 2>&1
  said_status=$?
  sed -n -e "s/^$1\.sn:\([0-9]*:[0-9]*: error: \)/\1/p" "$work/said" | sort >"$work/got"
  sort "$work/expected" >"$work/sorted"
  wrong=$(unexpected "$work/sorted" "$work/got")
  [ $said_status -eq 1 ] || wrong="$wrong
exit status $said_status instead of 1"
  if [ -z "$wrong" ]; then pass "$2"; else fail "$2"; diag "$wrong"; fi
}

for edits in "$SN_SRCDIR"/t/mistakes/*.edits; do
  name=$(basename "$edits" .edits)
  count=$(grep -c '^= ' "$edits")
  is "$name: how many mistakes" "$count" 20
  mistaken "$edits" all 2>"$work/lost" >"$work/$name.sn"
  is "$name: each line is in the example" "$(cat "$work/lost")" ""
  said "$name" "$name: all at once"
  for number in $(seq "$count"); do
    mistaken "$edits" "$number" >"$work/$name.sn"
    said "$name" "$name: $(sed -n -e '1,/^$/d' -e '/^[^-+=]/p' "$edits" | sed -n "${number}p")"
  done
done
done_testing
