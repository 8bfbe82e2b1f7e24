#!/bin/sh
# docs/speed.md follows the compiler: each warning of -Wperf, each reason for going cell by cell and
# each row of bench/run.sh that it names.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR" || exit 1
page=docs/speed.md

sed -n -e 's/^DIAG([A-Z_0-9]*, PERF, "\([a-z-]*\)", "\(.*\)")$/\1 \2/p' gen/base/diag.def >"$work/perf"
ok "there are warnings of -Wperf" test -s "$work/perf"
while read -r name text; do
  contains "-W$name has a row" $page "| \`-W$name\` |"
  case $text in
    *"docs/"*|*"'split'"*|*"'soa rows'"*|*"; "*) pass "-W$name says what to do" ;;
    *) fail "-W$name says what to do"; diag "$text" ;;
  esac
done <"$work/perf"

# what rows_fail and why_no_rows say, whole strings
cat gen/passes/row*.c | tr '\n' ' ' | grep -oE 'rows_fail\([^;]*;|static const char \*why_no_rows.*static void rows_of_task' |
  grep -oE '"[^"]{8,}"' | tr -d '"' | sort -u >"$work/reasons"
ok "there are reasons for going cell by cell" test "$(wc -l <"$work/reasons")" -gt 25
is "and each has its cure" "$(while read -r why; do
    grep -q -F -e "$why" $page || echo "$why"; done <"$work/reasons")" ""

# the compiler says no other figure than the results: each ratio of the table is one of RESULTS.md
sed -n -e '/^## 2/,/^## 3/s/^| \([0-9]*\) %[a-z, ]*| \([0-9.]*\) | \([0-9.]*\) | \([0-9.]*\) | \([0-9.]*\) |/\1 \2 \3 \4 \5/p' $page >"$work/table"
is "the table of section 2 has its rows" "$(wc -l <"$work/table" | tr -d ' ')" 9
count=0
while read -r share bits_clang bits_gcc tiles_clang tiles_gcc; do
  count=$((count + 1))
  row=sparse_$share
  [ $count -le 7 ] || row=scattered_$share
  is "its figures of $row are the results'" "$bits_clang $bits_gcc $tiles_clang $tiles_gcc" "$(
    awk -F ' *[|] *' -v row="$row" '$2 == row && $3 == "bits" { b = $4 " " $8 } $2 == row && $3 == "tiles" { t = $4 " " $8 }
      END { print b, t }' bench/RESULTS.md)"
done <"$work/table"
for row in $(grep -oE '`(sparse|scattered)_[0-9]+`|`fade`' $page | tr -d '`' | sort -u); do
  ok "$row is a row of bench/run.sh" grep -q "^$row " bench/run.sh
done
done_testing
