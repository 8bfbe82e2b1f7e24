#!/bin/sh
# docs/reference.md has what the compiler's tables have, row by row, and nothing else; its examples of
# warnings bring them.
. "${SN_SRCDIR:-.}/t/lib.sh"
page=$SN_SRCDIR/docs/reference.md
cd "$SN_SRCDIR" || exit 1

# first FILE MACRO: the first column of each row; words of keywords are quoted in the second
first() { sed -n -e "s/^$2(\([A-Za-z_0-9]*\).*/\1/p" "$1"; }
# part FROM TO: the lines of the page between two headings
part() { awk -v from="## $1" -v to="## $2" '$0 == from { on = 1 } $0 == to { on = 0 } on' "$page"; }

# all_in NAME FILE WORDS: each word stands in the part, in backquotes
all_in() {
  all_missing= all_count=0
  for word in $3; do
    all_count=$((all_count + 1))
    grep -q -F -e "\`$word\`" "$2" || all_missing="$all_missing $word"
  done
  is "$1 ($all_count): none is missing" "$all_missing" ""
  [ "$all_count" -gt 0 ] || fail "$1: the table is empty"
}
part Words Operators >"$work/words"
part Functions Warnings | sed 's/([^`]*`/`/g' >"$work/functions"
all_in "keywords" "$work/words" "$(sed -n -e 's/^KEYWORD([A-Z_]*, "\(.*\)").*/\1/p' gen/front/tokens.def)"
all_in "attributes" "$work/words" "$(first gen/front/attributes.def ATTRIBUTE)"
all_in "built-ins" "$work/functions" "$(first gen/model/builtins.def BUILTIN)"
all_in "functions on vectors" "$work/functions" "$(first gen/front/shaped.def SHAPED)"
all_in "factorizations" "$work/functions" "$(first gen/front/factors.def FACTOR)"
all_in "other functions" "$work/functions" "$(first gen/front/specials.def SPECIAL)"
sed -n -e '/^Words that mean/p' "$work/words" | tr -d '`;:,.' | tr ' ' '\n' >"$work/contextual"
is "kinds of nodes and modes of fields are words" "$(
  for word in $(first gen/model/kinds.def KIND) $(first gen/model/field_modes.def MODE); do
    [ "$word" = root ] || grep -q -x -e "$word" "$work/contextual" || echo "$word"; done)" ""

# ---- operators: the rows stand as the parser binds ----
part Operators Functions >"$work/operators"
sed -n -e "s/^  case TOKEN_\([A-Z_]*\): return (BinaryOp){\([0-9]*\), .*/\1 \2/p" gen/front/parse_expr.c |
  while read -r token level; do
    sign=$(sed -n -e "s/^PUNCTUATOR($token, \"\(.*\)\").*/\1/p" gen/front/tokens.def)
    line=$(sed 's/\\|/|/g' "$work/operators" | grep -n -F -e "\`a $sign b\`" | head -n 1 | cut -d : -f 1)
    echo "$level ${line:-none}"
  done | sort -u >"$work/levels"
is "each binary operator has a row" "$(grep none "$work/levels")" ""
is "rows of one precedence are one" "$(cut -d ' ' -f 1 "$work/levels" | sort | uniq -d)" ""
is "the tighter ones stand above" "$(sort -n -r -k 1,1 "$work/levels" | cut -d ' ' -f 2 | tr '\n' ' ')" \
  "$(sort -n -k 2,2 "$work/levels" | cut -d ' ' -f 2 | tr '\n' ' ')"

# ---- warnings: a heading and an example each ----
mkdir "$work/examples"
awk -v folder="$work/examples" '
  /^### `-W/ { name = $2; gsub(/[`]|-W/, "", name); print name >(folder "/names") }
  /^## / { name = "" }
  /^```/ { inside = !inside; next }
  inside && name { file = name; gsub(/-/, "_", file); print >(folder "/" file ".sn") }' "$page"
sed -n -e 's/^DIAG([A-Z_0-9]*, [WP][ARNEIGF]*, "\([a-z-]*\)".*/\1/p' gen/base/diag.def | sort -u >"$work/warnings"
sort "$work/examples/names" >"$work/shown"
same "each warning has its heading, and there is no other" "$work/shown" "$work/warnings"
cd "$work/examples" || exit 1
while read -r name; do
  file=$(echo "$name" | tr - _)
  "$snodegen" -W"$name" "$file.sn" >said 2>&1
  is "-W$name: the example compiles" "$?" 0 || diag "$(cat said)"
  contains "-W$name: and brings it" said "[-W$name]"
  is "-W$name: and no other" "$(grep -o '\[-W[a-z-]*\]$' said | sort -u)" "[-W$name]"
  "$snodegen" -W"$name" -Wno-"$name" "$file.sn" >said 2>&1
  is "-Wno-$name turns it off" "$(cat said)" ""
done <"$work/warnings"
cd "$SN_SRCDIR" || exit 1

# ---- errors: each message and its cure ----
sed -n -e 's/^DIAG([A-Z_0-9]*, ERROR, "", "\(.*\)")$/\1/p' gen/base/diag.def |
  sed -e 's/%%/%/g' -e 's/\\\\/\\/g' | sort >"$work/messages"
sed -n -e '/^## Errors/,$s/^| \(.*\) | \(..*\) |$/\1/p' "$page" | grep -v -x -e message -e --- | sed 's/\\|/|/g' |
  sort >"$work/cured"
same "each error stands there with a cure, and no other does" "$work/cured" "$work/messages"
done_testing
