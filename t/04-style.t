#!/bin/sh
# The tree stays clean: widths, blanks, reasons beside what is open, no machine's paths.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR" || exit 1

# what people wrote, by kind; not what configure and make leave in the tree
sources=$(find gen runtime include/snode t examples bench -name '*.[ch]' -o -name '*.def' \
  -o -name '*.sn' -o -name '*.ir' | sort)
c_files=$(for f in $sources; do case $f in *.c|*.h|*.def) echo "$f" ;; esac; done |
  while read -r f; do head -n 3 "$f" | grep -q 'Do not edit' || echo "$f"; done)
texts="$c_files $(find t bench docs m4/sn_*.m4 -name '*.t' -o -name '*.sh' -o -name '*.md' -o -name 'sn_*.m4')
configure.ac Makefile.am README.md $(find . -name local.mk -not -path './build*' | sort)"

is "no tabs in C" "$(grep -l "$(printf '\t')" $c_files)" ""
is "no blanks at the end of a line" "$(grep -l -E ' +$' $c_files)" ""
# 80 is the habit; up to 100 where a declaration reads better unbroken; a row of a
# table is one line
is "no line of C beyond 100 columns" \
  "$(for f in $c_files; do case $f in *.def) ;; *) echo "$f" ;; esac; done |
     xargs awk '{ gsub(/[\200-\277]/, "") } length($0) > 100 && !/https?:/ { print FILENAME ":" FNR }')" ""
is "what is open has its reason beside it" \
  "$(grep -n -E '(TODO|FIXME|XXX)' $c_files | grep -v -E '(TODO|FIXME|XXX): .{20}')" ""
is "no path of a machine" \
  "$(grep -n -E '(^|[^A-Za-z_.])/(work|root|home)/' $texts | grep -v '04-style')" ""
# ... or its header does
is "every C file begins with what it is" \
  "$(for f in $c_files; do
       head -n 1 "$f" | grep -E '^(/\*|//)' >/dev/null || test -e "${f%.c}.h" ||
         case $f in t/run/*) ;; *) echo "$f" ;; esac; done)" ""
# the device headers, each of which argues a protocol, and the tests may be longer
is "no file of C beyond 500 lines" \
  "$(wc -l $c_files | awk '$2 == "total" { next }
       $1 > ($2 ~ /^(gen|runtime\/host)\// ? 500 : 700) { print $2 ": " $1 }')" ""
is "no function beyond 60 lines" \
  "$(for f in $c_files; do case $f in gen/*.c|runtime/host/*.c) echo "$f" ;; esac; done |
     xargs awk '/^\{/ { begin = FNR } /^\}/ { if (begin && FNR - begin - 1 > 60) print FILENAME ":" begin; begin = 0 }')" ""
is "every file that is installed tells its licence" \
  "$(grep -L 'SPDX-License-Identifier: BSD-3-Clause' include/snode/*.h include/snode/*.def \
       include/snode/*.f90 include/snode/*.hpp runtime/device/*.h docs/*.[1-9] snode.pc.in \
       editors/vim/*/* editors/emacs/* editors/completion/*)" ""
is "generated code has none" "$(grep -l SPDX t/golden/*.[ch] gen/*/*.[ch])" ""
is "the brace of a function stands on a line of its own" \
  "$(for f in $c_files; do case $f in gen/*|runtime/*) echo "$f" ;; esac; done |
     xargs grep -n -E '^[A-Za-z_].*\) \{$' | grep -v ':typedef ')" ""
done_testing
