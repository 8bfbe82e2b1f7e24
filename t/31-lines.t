#!/bin/sh
# -g: each line of the C file says from which line of which source it comes, or that it is its
# own; read from the file itself, and by where a debugger stops.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

mkdir deep
cat >deep/shape.sn <<'END_SN'
// a func of another file

func f32 rounded(f32 a) {
  f32 r = floor(a);
  if (a - r > 0.5)
    r += 1;
  return r;
}
END_SN
cat >walk.sn <<'END_SN'
import "deep/shape.sn";
field f32 x[4], y[4];

func f32 square(f32 a) {
  f32 b = a * a;
  return b;
}

func f32x2 both(f32 a) {
  f32 h = 0.5 * a;
  return f32x2(h,
               a + h);
}

kernel f32 walk(i32 n) {
  f32 sum = 0;
  foreach (i in x) {
    f32 q = 3;
    if (i > 1) {
      q = square(f32(i) + 1);
      if (i == 3)
        q += rounded(f32(i) - 0.25);
    } else if (i == 1) {
      q = 7;
    } else {
      block "least" { q = 8; }
    }
    x[i] = q + min(q, x[i]) + max(x[i], 0) + clamp(q, 1, 2) + sqrt(q) +
           y[i] * 2 + select(i > 2, x[i], q) +
           f32(n);
    while (q > 100)
      q -= 1;
  }
  foreach (i in 0 .. n)
    y[i] =
      both(x[i]).x;
  for (k in 0 .. 2) {
    sum += x[k];
    foreach (i in y)
      sum += y[i];
  }
  return sum;
}
END_SN
for f in heat sparse corners corners_sparse; do
  cp "$SN_SRCDIR/t/golden/$f.sn" $f.sn
done

# ---- the file itself ----

# misplaced FILE.c: its lines that are said to be from where they are not: an own one by another
# number or within a function of a source, another from a line without code or outside of such
# a function
misplaced() {
  awk -v own="$1" '
    function source_line(path, number) {
      if (!(path in lines))
        while ((getline text < path) > 0)
          all[path, ++lines[path]] = text
      return all[path, number]
    }
    BEGIN { path = own }
    /^#line / { number = $2 - 1; path = $3; gsub(/"/, "", path); next }
    { number++ }
    /^$/ { next }
    path == own {
      if (number != FNR) print FNR ": counted as " number
      if (begun) print FNR ": its own line in the function that begins at " begun
      next
    }
    { if (source_line(path, number) !~ /[a-z}]/ || source_line(path, number) ~ /^ *\/\//)
        print FNR ": from " path ":" number ", where nothing is"
      if (!begun && !/^SND_INLINE/) print FNR ": from " path ":" number ", in no function"
      begun = /^}/ ? 0 : begun ? begun : FNR }' "$1" | head -n 5
}

for f in walk heat sparse corners corners_sparse; do
  for level in 0 2; do
    ok "$f -O$level" "$snodegen" -q -w -g -O$level $f.sn
    is "$f -O$level: where its lines are from" "$(misplaced $f.c)" ""
    ok "$f -O$level: some are from the source" grep "^#line [0-9]* \"$f.sn\"" $f.c
    mv $f.c marked.c
    "$snodegen" -q -w -O$level $f.sn
    $CC -E -P -DSN_SERIAL $include marked.c | tr -s ' \n' '\n\n' >marked.words
    $CC -E -P -DSN_SERIAL $include $f.c | tr -s ' \n' '\n\n' >words
    same "$f -O$level: the code is the same" marked.words words
  done
done
"$snodegen" -q -w -g walk.sn
ok "an imported file is named as it was found" grep '^#line 3 "deep/shape.sn"' walk.c

# ---- a debugger ----

cat >main.c <<'END_C'
#include "walk.h"
int main(void)
{
  sn_context *context;
  walk_x_tree *x;
  walk_y_tree *y;
  float sum;
  if (sn_context_create(NULL, &context) || walk_x_tree_create(context, NULL, &x) ||
      walk_y_tree_create(context, NULL, &y) || walk_walk(x, y, 4, &sum))
    return 1;
  walk_x_tree_destroy(x);
  walk_y_tree_destroy(y);
  return sn_context_destroy(context);
}
END_C
command -v gdb >/dev/null || { skip "a debugger" "no gdb"; done_testing; }
echo 'int main(void) { return 0; }' >plain.c
$CC -g plain.c -o plain
gdb -batch -nx -ex 'break main' -ex run ./plain 2>&1 | grep '^Breakpoint 1, main' >/dev/null || {
  skip "a debugger" "gdb cannot run a program here"
  done_testing
}

# frames PROGRAM COMMANDS: the function and the line of each `frame` among the debugger's commands
frames() {
  SNODE_THREADS=1 gdb -batch -nx -ex 'set breakpoint pending off' -x "$2" "./$1" 2>/dev/null |
    sed -n -e 's/^#0 *\(0x[0-9a-f]* in \)*\([a-z0-9_]*\) (.* at \(.*\/\)*\([a-z]*\.[a-z]*:[0-9]*\)$/\2 \4/p'
}

# each place is stopped at once, in the order in which the program comes by
cat >places <<'END_PLACES'
walk_walk walk.c:OWN
walk_task_0 walk.sn:16
walk_body_1 walk.sn:18
walk_body_1 walk.sn:26
walk_body_1 walk.sn:28
walk_body_1 walk.sn:31
walk_body_1 walk.sn:24
walk_body_1 walk.sn:20
square walk.sn:5
walk_body_1 walk.sn:22
rounded shape.sn:4
rounded shape.sn:6
walk_rows_2 walk.sn:35
walk_task_4 walk.sn:38
walk_rows_5 walk.sn:40
walk_task_7 walk.sn:42
END_PLACES
{
  sed -e 's/.*OWN/tbreak walk_walk/' -e 's/.* /tbreak /' places
  echo 'tbreak walk.sn:32'             # where it never comes
  echo run
  sed -e 's/.*/frame\ncontinue/' places
} >visit
printf '%s\n' 'break rounded' run frame next frame next frame next frame finish frame >step
printf '%s\n' 'rounded shape.sn:4' 'rounded shape.sn:5' 'rounded shape.sn:6' 'rounded shape.sn:7' \
  'walk_body_1 walk.sn:22' >steps

for c in serial-gcc host-clang; do
  if ! why=$(available $c); then
    skip "$c: a debugger" "$why"
    continue
  fi
  program=walk-$c
  # the last -O and -g count
  if ! compile_flags="-O0 -g" compile $c walk.c "$work/walk.o" >built 2>&1 ||
     ! compile_flags=-g compile_driver $c main.c "$work/main.o" >>built 2>&1 ||
     ! link $c $program "$work/walk.o" "$work/main.o" >>built 2>&1; then
    fail "$c: the program is built"
    diag "$(head -n 5 built)"
    continue
  fi
  frames $program visit >stops
  own=$(sed -n -e 's/^walk_walk walk.c://p' stops)
  is "$c: the call is the C file's own, and stopped at where it stands" \
    "$(sed -n -e "${own:-1}p" walk.c | cut -d, -f1)" 'SN_KERNEL_CALLS(walk_walk'
  sed -e "s/OWN/$own/" places >expected
  same "$c: a breakpoint at each statement" stops expected
  frames $program step >stops
  same "$c: step by step through a func, back to its call" stops steps
done
done_testing
