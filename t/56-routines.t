#!/bin/sh
# The fields of a .sn program as nodes, its kernels as routines: merge buffers copied and streamed,
# on one unit, between two and on devices; modes; what is refused; compiled while a program runs.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes

# merges HOW: what copies and streams must come to; the last two numbers are of streaming
merges() {
  cat <<END
not possible in this state: routine 'add' expects node 'p' in the merge buffer of queue 0, which holds none
copied: 11 22 33, 12 bytes, 1 allocations
not possible in this state: routine 'add' expects node 'p' in the merge buffer of queue 0, which holds 'q'
five elements and back: 11 22 33, 44 bytes, 2 allocations
streamed 100 times, 0 wrong, copied $1
then: 11 22 33, $2 bytes, 2 allocations
END
}

options=
# agrees NAME STEP UNIT UNIT [SOURCE]: prints what stands in $work/expected
agrees() {
  name=$1
  shift
  (cd "$work" && timeout 120 ./nodes "$@") >"$work/got" 2>&1
  same "$name" "$work/got" "$work/expected"
}

# build CONFIGURATION [PROGRAM]
build() {
  program=${2:-nodes}
  generate "$work" "$SN_SRCDIR/t/compile/$program.sn" --routines -q $options &&
    compile "$1" "$work/$program.c" "$work/$program.o" &&
    compile_flags=-I"$work" compile_driver "$1" "$SN_SRCDIR/t/compile/$program.c" "$work/driver.o" &&
    link "$1" "$work/$program" "$work/$program.o" "$work/driver.o" -rdynamic -pthread
}

for c in serial-gcc host-clang x86; do
  if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
  if ! build "$c" >"$work/build.out" 2>&1; then
    fail "$c: builds"
    diag "$(head -n 20 "$work/build.out")"
    continue
  fi
  is "$c: no warning" "$(cat "$work/build.out")" ""
  merges 0 44 >"$work/expected"
  agrees "$c: on the host" merge 0 0
  merges 1 1244 >"$work/expected"
  agrees "$c: between the host and a memory" merge 0 1
done

# what a kernel has assigned itself it takes over from nobody; what it leaves, it changes
cat >"$work/expected" <<'END'
write on UNIT: writes x, writes y
  x: 1 1 1 1
  y: 2 2 2 2
routine part changes node 'x', which context 'empty' lacks: add it, or link what writes it first
routine element changes node 'v', which context 'empty' lacks: add it, or link what writes it first
routine read reads node 'x', which context 'empty' lacks: add it, or link what writes it first
reset on UNIT: writes x; n = ?
  x: 1 1 0 0
clear on UNIT: writes x; n = ?
  x: 1 1 0 0
routine add changes node 'x', which context 'empty' lacks: add it, or link what writes it first
collect on UNIT: writes x, writes t; n = ?
  x: 1 1 0 0
assign on UNIT: writes x, writes t; n = ?
  x: 5 4 3 2
one on UNIT: writes x, writes both; n = ?
  x: 2 2 9 2
write on UNIT: writes x, writes y
  x: 1 1 1 1
  y: 2 2 2 2
  v: 0 0 0 0 0 0 0 0
part on UNIT: changes x; n = ?
  x: 1 1 5 5
  y: 2 2 2 2
  v: 0 0 0 0 0 0 0 0
element on UNIT: changes v
  x: 1 1 5 5
  y: 2 2 2 2
  v: 0 3 0 3 0 3 0 3
read on UNIT: reads x, writes y
  x: 1 1 5 5
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
reset on UNIT: writes x; n = ?
  x: 1 1 0 0
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
clear on UNIT: writes x; n = ?
  x: 1 1 0 0
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
add on UNIT: changes x; n = ?
  x: 3 3 1 0
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
collect on UNIT: writes x, writes t; n = ?
  x: 1 1 0 0
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
assign on UNIT: writes x, writes t; n = ?
  x: 5 4 3 2
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
one on UNIT: writes x, writes both; n = ?
  x: 2 2 9 2
  y: 2 2 10 10
  v: 0 3 0 3 0 3 0 3
context 'full' has trees: destroy them first
anew: empty
END
for c in serial-gcc x86; do
  if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
  ok "$c: the program builds" build "$c" given
  case $c in x86) unit=2 on='device 0' ;; *) unit=1 on='memory 1' ;; esac
  sed "s/ on UNIT/ on $on/" "$work/expected" >"$work/expected.$c"
  (cd "$work" && run_as $c teams=2 ./given $unit) >"$work/got" 2>&1
  same "$c: what routines take over" "$work/got" "$work/expected.$c"
done

# a field that only one call at a time needs: a routine's own with --most-local, and said to be so
for options in "" --most-local; do
  for c in serial-gcc host-clang; do
    if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
    ok "$c: builds $options" build "$c" most_local
    (cd "$work" && ./most_local) >"$work/got" 2>&1
    same "$c: who has what is computed anew $options" "$work/got" "$SN_SRCDIR/t/compile/most_local$options.out"
  done
done
options=

if [ -x "$work/nodes" ] && available x86 >/dev/null; then
  merges 0 44 >"$work/expected"
  agrees "on a device" merge 2 2
  merges 1 1244 >"$work/expected"
  agrees "between devices" merge 2 3
  # a device's thread 0 of team 0 logs alone: of three elements, in a team of eight, the first
  options=--trace
  build x86 >/dev/null 2>&1
  cat >"$work/expected" <<'END'
left: # p[i] += p.merge[i]
left: p[0]{=1} += 10 = p.merge[0]{=10}
right: # p[i] += p.merge[i]
right: p[0]{=10} += 1 = p.merge[0]{=1}
END
  (cd "$work" && run_as x86 teams=2 ./nodes log 2 3 2>&1) | grep -v '^trace: ' >"$work/got"
  same "--trace: a device's first thread logs" "$work/got" "$work/expected"
fi

# each run has its own lines, by a callback or by way of stdout, where all else stays
options=--trace
build serial-gcc >/dev/null 2>&1
cat >"$work/expected" <<'END'
trace: # to.p[i] = (i + 1) * by
trace: # to.p[i] = (i + 1) * by
trace: # to.p[i] = (i + 1) * by
trace: # to.p[i] = (i + 1) * by
trace: # to.p[i] = (i + 1) * by
trace: # to.p[i] = (i + 1) * by
trace: p[0]{=0} = 1 = ((0 + 1) * by{=1})
trace: p[0]{=0} = 10 = ((0 + 1) * by{=10})
trace: p[1]{=0} = 2 = ((1 + 1) * by{=1})
trace: p[1]{=0} = 20 = ((1 + 1) * by{=10})
trace: p[2]{=0} = 3 = ((2 + 1) * by{=1})
trace: p[2]{=0} = 30 = ((2 + 1) * by{=10})
left: # p[i] += p.merge[i]
left: p[0]{=1} += 10 = p.merge[0]{=10}
left: # p[i] += p.merge[i]
left: p[1]{=2} += 20 = p.merge[1]{=20}
left: # p[i] += p.merge[i]
left: p[2]{=3} += 30 = p.merge[2]{=30}
right: # p[i] += p.merge[i]
right: p[0]{=10} += 1 = p.merge[0]{=1}
right: # p[i] += p.merge[i]
right: p[1]{=20} += 2 = p.merge[1]{=2}
right: # p[i] += p.merge[i]
right: p[2]{=30} += 3 = p.merge[2]{=3}
END
for step in log stdout; do     # the two runs that are not logged may be at once
  (cd "$work" && ./nodes $step 0 0) >"$work/said" 2>&1
  { grep '^trace: ' "$work/said" | LC_ALL=C sort; grep -v '^trace: ' "$work/said"; } >"$work/got"
  same "--trace: each run has its own lines, by $step" "$work/got" "$work/expected"
done

# named blocks, of tasks and inside of them, in a func too: the lines stand in them; a block ends
# however it is left, and the lines of threads do not mix
cat >"$work/tree" <<'END'
x[0] = turns % 5
x[0]{=0} = 2 = (turns{=2} % 5)
turns
  red
    near
      x[i] = x[i] + 1
      x[0]{=2} = 3 = (x[0]{=2} + 1)
      x[i] = x[i] + 1
      x[1]{=0} = 1 = (x[1]{=0} + 1)
  end
    put
      y[k] = x[k] * by
      y[0]{=0} = 6 = (x[0]{=3} * by{=2})
  red
    near
      x[i] = x[i] + 1
      x[0]{=3} = 4 = (x[0]{=3} + 1)
      x[i] = x[i] + 1
      x[1]{=1} = 2 = (x[1]{=1} + 1)
  end
    put
      y[k] = x[k] * by
      y[0]{=6} = 8 = (x[0]{=4} * by{=2})
y[1] -= 0.5
y[1]{=0} = -0.5 = (y[1]{=0} - 0.5)
END
# what a device's first thread logs of two iterations, and of the lines the source before each
first() {
  awk '/x\[1\]/ { held = ""; next } held != "" { print held } { held = $0 } END { print held }'
}
# in_blocks: how many lines of what stand in which blocks, of a log
in_blocks() {
  awk '$0 == "COMMENT: end" { if (!depth) print "nothing ends"; depth--; next }
       /^COMMENT: / { name[++depth] = substr($0, 10); next }
       { path = ""; for (k = 1; k <= depth; k++) path = path name[k] "/"
         sub(/\[.*/, ""); count[path $0]++ }
       END { if (depth) print "not ended"; for (line in count) print count[line], line }' | sort
}
cat >"$work/many" <<'END'
200 all/even/# even
200 all/even/even
200 all/odd/# odd
200 all/odd/odd
END
for c in serial-gcc host-gcc host-clang x86; do
  if ! why=$(available "$c"); then skip "$c: blocks" "$why"; continue; fi
  ok "$c: the program with blocks builds" build "$c" blocks
  cp "$work/tree" "$work/expected"
  case $c in x86) unit=2; first <"$work/tree" >"$work/expected" ;; *) unit=0 ;; esac
  (cd "$work" && SNODE_THREADS=1 run_as $c teams=2 ./blocks $unit sweep tree 2>&1) | sed 's/ *$//' >"$work/got"
  same "$c: the lines of --trace as a tree, by block" "$work/got" "$work/expected"
  [ $c != x86 ] || continue
  for how in log stdout; do
    (cd "$work" && SNODE_THREADS=4 ./blocks 0 many $how 2>&1) | in_blocks >"$work/got"
    same "$c: each line stands in its blocks, by $how" "$work/got" "$work/many"
  done
done
options=
build serial-gcc >/dev/null 2>&1
is "without --trace nothing is printed" "$(grep -c 'snd_print\|snd_trace' "$work/nodes.c")" 0
cat >"$work/expected" <<'END'
p, 3 elements
p: hosted nonconstant by 'field p, nodes.sn:2'
p: hosted, changed on devices, per queue by 'routine add'
p: an array on host of left: no candidate for sharing: routine add writes it
p: an array on host of right: no candidate for sharing: routine add writes it
common, 16 elements
common: hosted, changed on devices by 'field common, nodes.sn:4'
common: hosted, changed on devices, across queues by 'field common, nodes.sn:4'
own, 6 elements
own: hosted, changed on devices by 'field own, nodes.sn:5'
own: hosted, changed on devices, per queue by 'field own, nodes.sn:5'
fixed, 2 elements
fixed: hosted constant by 'field fixed, nodes.sn:6'
kept, 2 elements
kept: on device by 'field kept, nodes.sn:7'
not possible in this state: node 'common' is hosted, changed on devices, across queues by 'field common, nodes.sn:4', and 'a test' has it per queue
END
agrees "modes, with the fields as provenance" modes 0 0
cat >"$work/expected" <<'END'
an argument is not valid: kernel 'total' is no routine: it has a result, a parameter that is no integer, or no tree
an argument is not valid: kernel 'scale' is no routine: it has a result, a parameter that is no integer, or no tree
an argument is not valid: kernel 'noise' is no routine: it draws random numbers, which its trees would have to count
an argument is not valid: kernel 'touch' is no routine: its field 'sparse' is no node: it does not stand under dense nodes only
an argument is not valid: kernel 'pair' is no routine: its field 'one' is no node: other fields lie beside it
an argument is not valid: kernel 'swap' is no routine: it takes two instances of tree 'p_tree'
an argument is not valid: program 'nodes' has no kernel 'none'
an argument is not valid: field 'sparse' is no node: it does not stand under dense nodes only
an argument is not valid: program 'nodes' has no field 'nothing'
an index is outside the extents: routine 'fill': 1099511627776 is beyond the type of its parameter 'by'
not possible in this state: code with entry 'add' still has 6 routines
an index is outside the extents: nodes.sn:17: nodes_far: index (3) of p is outside the extents of 3
far on host: changes p; i = 3
END
agrees "what is refused, and a trap" refuse 0 0

SNODE_CC=$TEST_GCC
SNODE_CFLAGS="-O1 $include -DSN_SERIAL $SANITIZER_CFLAGS"
SNODE_SNODEGEN=$snodegen
TMPDIR=$work
export SNODE_CC SNODE_CFLAGS SNODE_SNODEGEN TMPDIR
merges 0 44 >"$work/expected"
agrees "compiled while a program runs" merge 0 0 "$SN_SRCDIR/t/compile/nodes.sn"
echo 'kernel void k() { p[0] += p.merge[0]; }' >"$work/wrong.sn"
(cd "$work" && ./nodes merge 0 0 wrong.sn) >"$work/said" 2>&1
contains "its mistakes are told" "$work/said" "unknown name 'p'"
done_testing
