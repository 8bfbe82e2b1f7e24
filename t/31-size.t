#!/bin/sh
# How much C a kernel of three lines brings: bytes by what they are, each below a bound, and tables
# that kernels have alike once.  Bytes are counted, so that nothing hangs on the machine.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

# kernels COUNT: a file of so many that differ in a number
kernels() {
  awk -v n="$1" 'BEGIN {
    print "field f32 x, y;"
    print "tree g { pointer tile[i: 64, j: 64] { dense cell[i: 16, j: 16] { place x, y; } } }"
    for (k = 100; k < 100 + n; k++)
      printf "kernel void step_%d(f32 dt) {\n  foreach (i, j in x)\n    y[i, j] = x[i, j] + dt * %d.5;\n}\n", k, k
  }'
}
for count in 1 101; do
  kernels $count >many.sn
  "$snodegen" -q --output-dir=. many.sn || fail "generate $count kernels"
  mv many.c $count.c
  mv many.h $count.h
done

# bytes NAME MOST WHAT: that 100 further kernels bring, for each of them
bytes() {
  each=$((($(wc -c <101.$3) - $(wc -c <1.$3)) / 100))
  ok "$1: $each bytes for each kernel, of at most $2" test "$each" -le "$2"
}
bytes "the C file" 1780 c
bytes "the header" 160 h

# a loop whose turns would each choose among 64 elements of a table is not written out: that was
# thousands of lines of comparisons, for which gcc took minutes
awk 'BEGIN {
  print "field f32 x, y;\ntree g { dense cell[i: 64, j: 8] { place x, y; } }"
  printf "const f32 weight[64] = { 1"
  for (k = 1; k < 64; k++) printf ", %d", k % 9
  print " };\nkernel void k() {\n  foreach (i, j in y) {\n    f32 total = 0;"
  print "    for (a in 0 .. 4, b in 0 .. 4, c in 0 .. 4)"
  print "      total += weight[(16 * a + 4 * b + c + i) & 63] * x[i, j];"
  print "    y[i, j] = total;\n  }\n}"
}' >choices.sn
"$snodegen" -q -O3 --output-dir=. choices.sn || fail "generate choices"
count=$(wc -l <choices.c)
ok "a loop that would choose among a table's elements: $count lines of C, of at most 1000" \
  test "$count" -le 1000

# part NAME MOST FROM TO: of kernel step_150, the lines of these patterns and between
sed -n '/kernel step_150 /,/kernel step_151 /p' 101.c >kernel.c
part() {
  size=$(sed -n "/$3/,/$4/p" kernel.c | wc -c)
  ok "$1: $((size)) bytes, of 1 to $2" test "$size" -ge 1 -a "$size" -le "$2"
}
part "the body" 140 '^step_150_body_0' '^}'
part "its rows" 460 '^#if SND_ROWS' '^#endif'
part "the loop of a thread" 390 '^step_150_task_0' '^SND_STRUCT_FOR'
part "the table of tasks" 130 'step_150_tasks\[\]' '^};'
part "the kernel's table" 340 'sn_kernel_info step_150_info' '^};'
part "its call and its submission" 150 '^SN_KERNEL_CALLS(' ')$'

# ---- what is alike stands once ----
for what in 'const snd_permission ' 'const snd_param_info ' 'const sn_tree_info \*const g_slots' \
  'void step_[0-9]*_steps'; do
  is "once in the file: $what" "$(grep -c "^static $what" 101.c)" 1
done
cat >apart.sn <<'END'
field f32 x, y;
tree g { dense cell[i: 16] { place x, y; } }
kernel void one(f32 by) { foreach (i in x) x[i] = by; }
kernel void two(f32 by) { foreach (i in x) y[i] = by; }
kernel void three(f64 by) { foreach (i in x) y[i] = f32(by); }
kernel void four(f64 by) { foreach (i in x) y[i] = f32(by); for (k in 0 .. 4) x[k] = 0; }
END
"$snodegen" -q -w --output-dir=. apart.sn || fail "generate apart.sn"
# named ROW: the tables of such rows that the kernels name
named() { grep -o "SN_TABLE($1, [a-z_]*" apart.c | sed 's/.* //' | tr '\n' ' '; }
is "what differs in permissions has its own" "$(named permission)" \
  "one_permissions two_permissions two_permissions four_permissions "
is "in parameters" "$(named param)" \
  "one_param_info one_param_info three_param_info three_param_info "
is "in steps" "$(grep -o '\.steps = [a-z_]*' apart.c | tr '\n' ' ')" \
  ".steps = one_steps .steps = one_steps .steps = one_steps .steps = four_steps "
done_testing
