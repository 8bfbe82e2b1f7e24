#!/bin/sh
# docs/statement.md shows what the compiler makes of one statement: each block of it is what the
# command in the comment over it prints.  "sh t/33-statement.t renew" writes the page anew.
# The files that the pages of docs/ name are there.
. "${SN_SRCDIR:-.}/t/lib.sh"
page=$SN_SRCDIR/docs/statement.md
cd "$work" || exit 1
# the program, and a snodegen by that name
awk '/^<!-- cat diffuse.sn -->$/ { program = 1; next }
     program && /^```/ { if (++fences == 2) exit; next }
     program { print }' "$page" >diffuse.sn
snodegen() { "$snodegen" "$@"; }

# The page with each block replaced by what its command prints now.
shown() {
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in '<!-- '*) ;; *) continue ;; esac
    command=${line#<!-- }
    IFS= read -r fence
    printf '%s\n' "$fence"
    eval "${command% -->}" </dev/null
    while IFS= read -r line && [ "$line" != '```' ]; do :; done
    printf '%s\n' "$line"
  done <"$page"
}
shown >page.md
if [ "$1" = renew ]; then cp page.md "$page"; fi
is "there are commands" "$(grep -c '^<!-- ' page.md)" 11
is "each prints something" "$(awk 'fence && /^```$/ { print FILENAME ":" FNR }
  { fence = command && /^```/; command = /^<!-- / }' page.md)" ""
same "what the commands print stands in the page" page.md "$page"

is "files that docs/ names are there" \
  "$(cd "$SN_SRCDIR" && grep -o -h -E '`(gen|runtime|include|t|bench|examples)/[A-Za-z0-9_./-]+`' docs/*.md README.md |
       tr -d '`' | grep -v -E 'NN|NAME' | sort -u | while read -r file; do test -e "$file" || echo "$file"; done)" ""
done_testing
