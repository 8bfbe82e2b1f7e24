#!/bin/sh
# snodegen --watch: what it says when files are edited, when it compiles again, and how it ends.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1
command -v perl >/dev/null || skip_all "no perl"

printf 'field f32 x[4];\nkernel void k() { x[0] = a; }\n' >one.sn
# a shell gives what it starts in the background an ignored SIGINT, which this undoes
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$snodegen" --watch one.sn 2>said &
watcher=$!
trap 'kill $watcher 2>/dev/null; rm -rf "$work"' EXIT

# said_more NAME: waits until another summary is there; what was said since the last in new
seen=0
said_more() {
  more_name=$1
  for k in $(seq 100); do
    [ "$(tail -n +$((seen + 1)) said | grep -c '^snodegen: one.sn: ')" -gt 0 ] && break
    sleep 0.1
  done
  tail -n +$((seen + 1)) said >new
  seen=$(wc -l <said)
  ok "$more_name: it says so" grep -q '^snodegen: one.sn: ' new
}

said_more "the first time"
contains "all messages, with the source" new "  kernel void k() { x[0] = a; }"
contains "how many there are" new "snodegen: one.sn: 1 message"
ok "nothing is written" test ! -e one.c

printf '// above\nfield f32 x[4];\nkernel void k() { x[0] = a; x[1] = b; }\n' >one.sn
said_more "one more"
contains "the new one" new "one.sn:3:36: error: unknown name 'b'"
is "the other, in whose line something was changed, counts as new" "$(tail -n 1 new)" \
  "snodegen: one.sn: 2 messages, 2 new, 1 gone"

printf '// above\n\nfield f32 x[4];\nkernel void k() { x[0] = a; x[1] = b; }\nkernel void l() { c = 1; }\n' >one.sn
said_more "another, below"
is "what only moved is not said again" "$(grep -c error: new)" 1
contains "the new one" new "unknown name 'c'"
contains "how many" new "snodegen: one.sn: 3 messages, 1 new, 0 gone"

printf 'import "two.sn";\nfield f32 x[4];\nkernel void k() { x[0] = N; }\n' >one.sn
said_more "an import that is not there"
contains "is said" new "two.sn"
is "three are gone" "$(grep -c '^gone: one.sn:' new)" 3
echo 'const f32 N = 2;' >two.sn
said_more "it appears"
is "no message is left" "$(tail -n 1 new)" "snodegen: one.sn: 0 messages, 0 new, 1 gone"
for k in $(seq 50); do [ -s one.h ] && break; sleep 0.1; done
ok "and the files are written" test -s one.c -a -s one.h
rm one.c
echo 'const f32 N = 2; const f32 M = 3' >two.sn
said_more "an imported file is edited"
contains "what is wrong in it" new "two.sn:1:33: error:"
ok "nothing is written" test ! -e one.c
# as some editors do
printf 'const f32 N = 3;\n' >three.sn
mv three.sn two.sn
said_more "a file is replaced"
for k in $(seq 50); do [ -s one.c ] && break; sleep 0.1; done
ok "the files are written again" test -s one.c

kill -s INT "$watcher"
wait "$watcher"
is "Ctrl-C ends it" $? 0
trap 'rm -rf "$work"' EXIT
is "it says nothing more" "$(tail -n +$((seen + 1)) said)" ""

# ---- what is refused ----
fails "no file" 3 "$snodegen" --watch none.sn
fails "standard input" 2 "$snodegen" --watch -
fails "with --run" 2 "$snodegen" --watch --run one.sn
done_testing
