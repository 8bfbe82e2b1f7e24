#!/bin/sh
# The option trace: a context's kernel calls, their tasks, lists and collections in a Chrome trace;
# what cannot be written, and a file that two contexts want, end in a status and a text.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
source=$SN_SRCDIR/t/launches
[ -n "$TEST_GCC" ] || skip_all "no gcc"
cd "$work" || exit 1
ok "the module is generated" "$snodegen" -q --output-dir=. "$source/launches.sn"
compile_flags="-I$work"
c=host-gcc
ok "the module" compile $c launches.c module.o &&
  ok "the program" compile_driver $c "$source/launches.c" main.o &&
  ok "is linked" link $c launches main.o module.o

# says NAME EXPECTED COMMAND...
says() {
  says_name=$1 says_expected=$2
  shift 2
  "$@" >said 2>&1
  is "$says_name" "$(cat said)" "$says_expected"
}
well="work: no error
destroyed: no error"

says "a trace" "$well" ./launches one a.json
for span in '"name":"launches_fill","cat":"kernel"' '"name":"launches_fill: range_for","cat":"task"' \
    '"cat":"listgen"' '"cat":"gc"' '"name":"launches_sum: struct_for(S2dense)","cat":"task"' \
    '"args":{"name":"host"}'; do
  contains "has $span" a.json "$span"
done
if command -v perl >/dev/null && perl -MJSON::PP -e 1 2>/dev/null; then
  ok "it is JSON" perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <a.json
else
  skip "it is JSON" "no perl with JSON::PP"
fi
# a kernel's span contains those of its tasks
sed -n -e 's/.*"name":"\(launches_[a-z]*\)[:"].*"cat":"\([a-z]*\)".*"ts":\([0-9.]*\),"dur":\([0-9.]*\).*/\1 \2 \3 \4/p' a.json |
  awk '$2 == "task" { n++; begin[n] = $3; end[n] = $3 + $4; name[n] = $1 }
       $2 == "kernel" { for (k = 1; k <= n; k++) if (name[k] == $1) {
         seen++; if (begin[k] < $3 - 0.01 || end[k] > $3 + $4 + 0.01) print name[k] " sticks out" } }
       END { if (seen < 3) print seen + 0 " tasks in kernels" }' >odd
is "tasks lie within their kernels" "$(cat odd)" ""

says "two contexts, one file" "work: no error
  two.json is the trace of another context: each one needs a file of its own (option trace, SNODE_TRACE)
in the second: in use by another thread
destroyed: no error
in the second, alone: no error
destroyed: no error" ./launches two two.json
contains "and the last one's trace" two.json '"name":"launches_clear","cat":"kernel"'
says "a folder that is not there" "  the trace cannot be written: no/where.json: No such file or directory
work: a file could not be read or written
destroyed: no error" ./launches one no/where.json
if [ -c /dev/full ]; then
  says "a file that is full" "work: no error
destroyed: a file could not be read or written
  sn_context_destroy: the trace is not written: /dev/full: No space left on device; a second call goes without it
again: no error" ./launches twice /dev/full
fi
# each allocation fails once: every run ends, with its own trace or a status
odd=
n=1
while [ $n -le 60 ]; do
  SNODE_FAIL_ALLOCATION=$n ./launches twice each.json >said 2>&1 || odd="$odd $n"
  n=$((n + 1))
done
is "allocations that fail end no process" "$odd" ""
done_testing
