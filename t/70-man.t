#!/bin/sh
# The man pages that are made of the public headers: each header has one, with each of its functions
# and nothing lost of its comments, and man renders it without a warning.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR/include/snode" || exit 1

headers=$(ls ./*.h | sed -e 's|^\./||' -e 's/\.h$//' | grep -v -x snode)
pages=$(ls "$SN_BUILDDIR"/docs/man/snode_*.3 | sed -e 's|.*/snode_||' -e 's/\.3$//')
is "each header has a page" "$(echo $pages)" "$(echo $headers)"
# by the same script, now
for header in $headers; do
  awk -f "$SN_SRCDIR/docs/man.awk" -v version="$SN_VERSION" -v errors_file=errors.def "$header.h" \
    >"$work/snode_$header.3"
  same "$header: the page is that of the header" "$SN_BUILDDIR/docs/man/snode_$header.3" "$work/snode_$header.3"
done

cd "$work" || exit 1
for header in $headers; do
  page=snode_$header.3 source=$SN_SRCDIR/include/snode/$header.h
  is "$header: it begins with what it is" \
    "$(sed -n -e '/^\.SH NAME/{n;p;}' $page | grep -c "^snode_$header .- [A-Za-z]")" 1
  grep -E '^(SN_API|static inline)' "$source" | grep -oE '\bsn_[a-z_0-9]+\(' | sort -u >names
  is "$header: each function is there" "$(
    while read -r name; do grep -q -F -e "$name" $page || echo "$name"; done <names)" ""
  # but for the comments inside of a struct
  is "$header: no mark of a comment is left" "$(grep -n -E '^(/\*| \*( |$)|[^ ].*\*/$)' $page | grep -v ';.*/\*')" ""
done
is "errors.def is in the page of error.h" "$(grep -c '^.fBSN_E' snode_error.3)" \
  "$(grep -c '^SN_ERROR(SN_E' "$SN_SRCDIR/include/snode/errors.def")"
is "snode(3) lacks no error of errors.def" "$(
  sed -n 's/^SN_ERROR(\(SN_E[A-Z]*\),.*/\1/p' "$SN_SRCDIR/include/snode/errors.def" |
    while read -r name; do grep -q -w "$name" "$SN_SRCDIR/docs/snode.3" || echo "$name"; done)" ""
contains "its enumeration has numbers" snode_error.3 "  SN_ENOMEM = 1,"
contains "bold words" snode_context.3 '\fBmemory limit\fR'
contains "a section" snode_task.3 '.SH "RECORDED GRAPHS"'
contains "a comment and its declaration" snode_context.3 'SN_ESTATE, and nothing done, while a'

if ! command -v man >/dev/null || ! man --warnings -l snode_tree.3 >/dev/null 2>&1; then
  skip "man renders them" "no man with --warnings"
else
  for page in "$SN_SRCDIR"/docs/*.[13] snode_*.3; do
    is "${page##*/}: man has no warning" "$(MANWIDTH=100 man --warnings -l "$page" 2>&1 >/dev/null)" ""
  done
fi
if command -v mandoc >/dev/null; then
  for page in snode_*.3; do
    is "$page: mandoc finds no error" "$(mandoc -T lint -W error "$page" 2>&1)" ""
  done
else
  skip "mandoc finds no error" "no mandoc"
fi
done_testing
