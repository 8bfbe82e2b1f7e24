#!/bin/sh
# Every row of every table is named by a test. A table without a line here fails too.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR" || exit 1
drivers=$(echo t/run/*.c)
set -f                  # rows such as *= are no patterns

# all tests as one text, but this one and what is generated (t/golden)
find t -type f \( -name '*.t' -o -name '*.c' -o -name '*.h' -o -name '*.sn' -o -name '*.ir' \
  -o -name '*.sh' -o -name '*.out' \) \
  ! -name '03-tables.t' ! -path 't/golden/*.[ch]' | sort >"$work/files"
while read -r f; do
  if head -c 4 "$f" | grep ELF >/dev/null; then continue; fi    # a program, built in the tree
  cat "$f"
done <"$work/files" >"$work/tests"
cat $(grep '\.sn$' "$work/files") >"$work/programs"
cat $(grep '\.ir$' "$work/files") /dev/null >"$work/ir"

# rows FILE MACRO COLUMN: the column of each row, quotes taken off
rows() {
  sed -n -e "s/^$2(\(.*\)/\1/p" "$1" |
    awk -v column="$3" '{
      # columns are cut at commas outside of quotes
      n = 1; s = ""; quoted = 0
      for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "\"") quoted = !quoted
        else if (!quoted && (c == "," || c == ")")) { if (n == column) break; n++; s = "" }
        else if (quoted || c != " ") s = s c
      }
      if (n == column) print s
    }'
}

# named NAME FILE MACRO COLUMN COMMAND: COMMAND ROW succeeds for each row
named() {
  named_table=$1 named_column=$4 named_missing= named_count=0
  echo "$2" >>"$work/covered"
  for row in $(rows "$2" "$3" "$4"); do
    named_count=$((named_count + 1))
    $5 "$row" || named_missing="$named_missing $row"
  done
  is "$named_table: rows without a test ($named_count rows)" "$named_missing" ""
  [ "$named_count" -gt 0 ] || fail "$named_table: the table is empty"
}

a_word() { grep -w -F -e "$1" "$work/tests" >/dev/null; }
a_word_of_a_program() { grep -w -F -e "$1" "$work/programs" >/dev/null; }
a_text_of_a_program() { grep -F -e "$1" "$work/programs" >/dev/null; }
# the root has no word in a program
a_kind() { [ "$1" = root ] || a_word_of_a_program "$1"; }
a_commit() { a_word "sn_buffer_$1"; }
an_operation() { grep -w -F -e "$1" "$work/ir" >/dev/null; }
a_call() { grep -E -e "(^|[^a-z_0-9])$1\(" "$work/programs" >/dev/null; }
an_option() { grep -E -e "(^|[^-A-Za-z])$(echo "$1" | sed 's/[.[\*]/\\&/g')([^-a-z]|\$)" "$work/tests" >/dev/null; }
a_generated_call() { grep -h -E -e "[a-z0-9]_$1\\(" $drivers >/dev/null; }
a_pass() { [ -n "$(find t/passes -path "*$1*" 2>/dev/null | head -n 1)" ]; }
a_program_of_errors() {
  case_name=$(echo "$1" | tr 'A-Z' 'a-z')
  [ -e "t/err/$case_name.sn" ] || a_word "$1"
}

named "messages" gen/base/diag.def DIAG 1 a_program_of_errors
named "command-line options" gen/options.def OPTION 2 an_option
named "what a file is compiled for" gen/builds.def BUILD 1 a_word
named "operations" gen/ir/ops.def OP 1 an_operation
named "passes" gen/passes/passes.def PASS 1 a_pass
named "operators" gen/model/operators.def OPERATOR 4 an_operation
named "built-ins" gen/model/builtins.def BUILTIN 1 a_call
named "built-ins on vectors" gen/front/shaped.def SHAPED 1 a_call
named "factorizations" gen/front/factors.def FACTOR 1 a_call
named "other functions of the language" gen/front/specials.def SPECIAL 1 a_call
named "keywords" gen/front/tokens.def KEYWORD 2 a_word_of_a_program
named "punctuators" gen/front/tokens.def PUNCTUATOR 2 a_text_of_a_program
named "attributes" gen/front/attributes.def ATTRIBUTE 1 a_word_of_a_program
named "kinds of SNodes" gen/model/kinds.def KIND 1 a_kind
named "memory modes of fields" gen/model/field_modes.def MODE 1 a_word_of_a_program
named "errors" include/snode/errors.def SN_ERROR 1 a_word
named "options of a context" runtime/host/base/options.def OPTION 1 a_word
named "statistics" runtime/host/base/statistics.def STATISTIC 1 a_word
named "commits" runtime/host/exec/commits.def COMMIT 2 a_commit
named "operations on replicas" runtime/host/exec/replica.def CELL 1 a_word
named "memory modes" runtime/host/exec/mode.def MODE 1 a_word
named "kinds of the profile" runtime/host/base/profile.def PROFILE_KIND 1 a_word
echo gen/model/reserved.def >>"$work/covered"     # t/30-names.t makes a program of its rows
sed -n 's/^RESERVED([A-Z]*, \(.*\))$/\1/p' gen/model/reserved.def >"$work/reserved"
ok "the rows of gen/model/reserved.def stand in order, each name once" \
  env LC_ALL=C sort -c -u "$work/reserved"
named "generated calls" gen/model/calls.def CALL 1 a_generated_call
# each word of theirs is checked against C by t/66-manifest.t
a_parameter() { grep -E "^     .*\"([a-z_]+ )*$1( [a-z_]+)*\",|^CALL.*\"([a-z_]+ )*$1( [a-z_]+)*\"," gen/model/calls.def >/dev/null; }
named "parameters of generated calls" gen/model/call_params.def PARAM 1 a_parameter
printf 'gen/bind/python_%s.def\n' support parts >>"$work/covered"     # t/67-python.t runs them
echo gen/bind/main_support.def >>"$work/covered"                       # t/71-run.t does
named "words in their place" gen/front/words.def WORD 1 a_word_of_a_program
named "bindings" gen/bind/bindings.def BINDING 1 a_word
a_device_name() { grep -i -E "[a-z]_$1(_[a-z]+)?\(|[a-z]_$1 " t/golden/heat_device.h t/hand/hand.c >/dev/null; }
named "names of a header for loops" gen/model/device.def DEVICE 1 a_device_name

is "tables that this test does not know" \
  "$(find gen runtime include/snode -name '*.def' | sort | grep -v -x -F "$(cat "$work/covered")")" ""
done_testing
