#!/bin/sh
# block "text" { }: what has the name, in every output and where a program runs, on every target;
# and that a name changes nothing of what is computed.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes

cd "$work" || exit 1
cat >named.sn <<'END_SN'
field f32 x[8], y[8];
field f32 total;
tree sums { place total; }
func f32x2 pair(f32 a) { block "in pair" { f32 c = a * 2; return f32x2(c, a); } }
func f32 least(f32 a) { block "in least" { f32 c = sqrt(a); if (c > 3) { block "large" { c = 3; } } return c; } }
kernel f64 sum(i32 n) {
  f64 s = 0;
  block "fill" {
    foreach (i in x) { x[i] = 4; block "inner */" { f32 q = x[i]; if (i > 1) { block "deep" { y[i] = 2 * q; } } } y[i] += 1; }
    i32 m = n * 2;
    block "range" {
      foreach (i in 0 .. m) y[i] += least(x[i % 4]);
    }
    total = 3;
    total += pair(total).x + pair(f32(m)).y;
  }
  for (t in 0 .. n) {
    block "turn" {
      if (t == 2) { break; }
      foreach (i in y) s += f64(y[i]); foreach (i in y) s += 1;
    }
  }
  block "nothing" { }
  block "several\nlines" { for (i in 0 .. 3) { block "serial" { total += x[i]; } } }
  return s + f64(total);
}
END_SN
long=0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789
cat >>named.sn <<END_SN
kernel void long() {
  block "$long a" { foreach (i in x) x[i] = 1; } block "$long b" { foreach (i in x) x[i] = 2; }
}
END_SN
# the same without names
sed -e 's/block "[^"]*" {/{/g' named.sn >plain.sn

# ---- what is printed ----

"$snodegen" -w --emit=tasks named.sn >tasks
contains "--emit=tasks has the names" tasks '      block "fill"  (line 8)'
contains "and in them the tasks" tasks '   3    struct_for S1dense of x_tree  (line 9)'
contains "they nest" tasks '   5      range_for  (line 12)'
contains "what stands behind a block is not in it" tasks '   7  serial  (line 17)'
contains "under the host's loops too" tasks '        block "turn"  (line 18)'
is "what names nothing is not there" "$(grep -c nothing tasks)" 0

"$snodegen" -w --emit=ir named.sn >ir
contains "--emit=ir has the names" ir '  block "fill" @8:3'
contains "those of a body too" ir '      block "deep" @9:' 

"$snodegen" -w named.sn
contains "a task's comment in C" named.c '/* fill: range: range_for, line 12 */'
contains "its name in the table" named.c 'SND_TASK(sum_task_3, "fill: range: range_for",'
contains "a name of several lines is one line in it" named.c ', "several lines: serial",'
contains "a comment in the call" named.c '  /* turn */'
contains "and where it ends" named.c '  /* end of range */'
contains "a comment in a body" named.c '  /* inner * / */'
contains "deeper" named.c '    /* deep */'
contains "in a function" named.c '  /* in least */'
contains "in a func that stands in place of its call" named.c '  /* in pair */'

# ---- nothing else changes ----

# the code of the bodies without comments and without the rows of tasks, which may take several
# lines
code() {
  sed -e 's|/\*.*\*/||' -e 's/named/NAME/g; s/plain/NAME/g' -e '/^ *$/d' "$1" |
    sed -e '/^  SND_[A-Z_]*TASK(/{' -e ':more' -e '/),$/!{' -e N -e 'b more' -e '}' -e d -e '}'
}
sed -e '/block "\(fill\|range\|turn\|nothing\|several\|[0-9]\)/s/block "[^"]*" {/{/' named.sn >inner.sn
"$snodegen" -w inner.sn && "$snodegen" -w plain.sn
code plain.c >plain.code
sed -e 's/inner/NAME/g' inner.c >inner_.c
code inner_.c >inner.code
same "names in a body leave the code as it is" inner.code plain.code
for level in 0 1 2 3; do
  ok "-O$level: every pass takes them" "$snodegen" -w --verify-each -O$level -o opt$level named.sn
done

# memory modes see through names: an assignment to all cells is one, in whatever block
cat >modes.sn <<'END_SN'
field f32 a[16] virtual, b[16], c[16] local;
kernel void k() {
  block "first" { foreach (i in a) { block "of a" { a[i] = f32(i); } } }
  block "then" { foreach (i in b) { block "of c" { c[i] = a[i]; } b[i] = a[i] + c[i]; } }
}
END_SN
ok "a virtual field that is assigned in named blocks" "$snodegen" -w --verify-each --emit=layout modes.sn
contains "a local one, assigned before it is read" "$work/ok.out" \
  "kernel k assigns all its cells before it reads them"

# ---- where it runs ----

cat >main.c <<'END_C'
#include "named.h"
#include <snode/profile.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
  sn_config *config;
  sn_context *context;
  named_x_tree *x;
  named_y_tree *y;
  named_sums *sums;
  const char *json;
  double sum = -1;

  (void)argv;
  if (sn_config_create(&config) || sn_config_set(config, "profile", "1") ||
      sn_context_create(config, &context) || named_x_tree_create(context, NULL, &x) ||
      named_y_tree_create(context, NULL, &y) || named_sums_create(context, NULL, &sums) ||
      named_long(x) || named_sum(x, y, sums, 4, &sum) || sn_profile_json(context, &json)) {
    printf("%s\n", sn_context_error(context));
    return 1;
  }
  printf("sum %g\n", sum);
  if (argc > 1)
    printf("%s\n", json);
  else if (sn_profile_print(context))
    return 1;
  named_x_tree_destroy(x);
  named_y_tree_destroy(y);
  named_sums_destroy(sums);
  sn_config_destroy(config);
  return sn_context_destroy(context);
}
END_C
for c in serial-gcc host-clang x86 interpreter; do
  if ! why=$(available $c); then
    skip "$c" "$why"
    continue
  fi
  "$snodegen" -w --target="$(target_of $c)" named.sn
  if ! ok "$c: compiles" compile $c named.c "$work/named.o" ||
     ! ok "$c: the program" compile_driver $c main.c "$work/main.o" ||
     ! ok "$c: links" link $c "$work/run" "$work/named.o" "$work/main.o"; then
    continue
  fi
  way=$(ways_of $c)
  run_as $c "${way##* }" ./run >"$c.out" 2>&1 || fail "$c: runs"
  contains "$c: its result" "$c.out" "sum 189"
  contains "$c: the profile has the blocks, and the line" "$c.out" "  named_sum: fill: range: range_for, line 12"
  is "$c: two loops on one line are one row" "$(grep -c 'turn: struct_for(S1dense), line 20, over y_node$' "$c.out")" 1
  is "$c: the serial tasks of a block, by line" \
    "$(grep -c '  named_sum: fill: serial, line 1[04]$' "$c.out")" 2
  is "$c: long names are told apart" "$(grep -c "  named_long: $long [ab]: struct" "$c.out")" 2
  run_as $c "${way##* }" ./run json >"$c.json" 2>&1 || fail "$c: runs"
  contains "$c: as JSON" "$c.json" \
    '{"kind":"task","name":"named_sum: fill: range: range_for","line":12,"calls":1,'
done
done_testing
