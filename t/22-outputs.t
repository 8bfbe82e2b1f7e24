#!/bin/sh
# Which fields a kernel takes over from nobody: each cell is assigned, whichever way it goes, and
# none is read before.  One case a line: what field x is (output: that; kept: what was there may be
# read, or may stay), and the kernel's body.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

cat >fields.sn <<'E'
param i32 N = 8;
field f32 x[N], y[N], t[N] local;
field f32 one;
tree lone { place one; }
field f32x2 w[N];
field f32 m[4, N] (i, j) offset (-2, 1);
field f32 g[N] outside wrap, h[N] outside clamp;
field f32 p;
tree plane(i32 n) { dense row[i: n] { dense cell[i: 4, j: 2] { place p; } } }
func f32 at(i32 i) { return x[i]; }
func void put(i32 i, f32 v) { x[i] = v; }
func f32 half(f32 v) { return 0.5 * v; }
E

# what FIELD: what the kernel k of one.sn does to it
what() {
  "$snodegen" -w --emit=tasks "$@" one.sn 2>&1 | sed -n -e '/error/p' \
    -e "s/^  may \(.*\) $field\(\.x\)* of [a-z_]*\$/\1/p" |
    sed -e 's/.*, output.*/output/' -e '/error/!{' -e '/^output/!s/.*/kept/' -e '}'
}

while read -r verdict field body; do
  case $verdict in '' | '#') continue ;; esac
  { cat fields.sn; echo "kernel void k(i32 n) { $body }"; } >one.sn
  is "$verdict $field: $body" "$(what)" "$verdict"
done <<'E'
output x foreach (i in x) x[i] = 1;
output x foreach (i in 0 .. N) x[i] = f32(i);
output x for (i in 0 .. N) x[i] = f32(i);
output x foreach (i in x) x[i] = y[i]; foreach (i in x) y[i] = x[7 - i];
output x foreach (i in x) { x[i] = 1; x[i] += y[i]; }
output x foreach (i in x) { x[i] = 1; for (j in 0 .. n) x[i] += y[j % 8]; }
output x foreach (i in x) x[i] = 0; foreach (k in 0 .. n) x[k % 8] += 1;
output x deactivate_all(x_tree); foreach (k in 0 .. n) x[k % 8] += 1;
output x foreach (i in y) x[i] = y[i];
output x foreach (i in 1 .. N - 1) x[i] = y[i]; x[0] = 0; x[N - 1] = x[1];
output x for (b in 0 .. 2) { foreach (i in 0 .. N) x[i] = 1; }
output x foreach (i in x) { if (y[i] > 0) x[i] = 1; else x[i] = 2; }
output x if (n > 0) { foreach (i in x) x[i] = 1; } else { for (i in 0 .. N) x[i] = 2; }
output x foreach (i in x) { i32 k = i; x[k] = 1; y[k] = x[i]; }
output x foreach (i in x) x[N - 1 - i] = 1; foreach (i in x) x[i] = 2;
output x foreach (i in x) x[i] = 1; x[n] = 3; y[0] = x[n];
output x foreach (i in x) x[i] = half(y[i]);
output x foreach (i in x) x[i] = 1; y[0] = at(n);
output x foreach (i in x) x[i] = 1; put(n, 2);
output x foreach (i in 0 .. N) { if (y[i] < 0) { x[i] = 0; continue; } x[i] = 1; }
output x foreach (i in 0 .. 2, j in 0 .. 4) y[i] = 0; foreach (i in x) { x[i] = 1; }
output x foreach (i in 0 .. 4) { x[i] = 1; x[i + 4] = 2; }
output x block "a" { foreach (i in x) { block "b" { x[i] = 1; } y[i] = x[i]; } }
output one one = 1; foreach (i in x) one += x[i];
output one for (i in 0 .. 3) one = f32(i);
output w foreach (i in w) w[i] = f32x2(1.0);
output w foreach (i in w) { w[i].x = 1; w[i].y = w[i].x; }
output m foreach (i, j in m) m[i, j] = 1;
output m foreach (i in -2 .. 2, j in 1 .. N + 1) m[i, j] = 1;
output m foreach (j in 1 .. N + 1) for (i in -2 .. 2) m[i, j] = 1;
output x for (a in 0 .. 2, b in 3 .. 5) { foreach (i in 0 .. N) x[i] = 1; foreach (k in 0 .. n) x[k % 8] += 1; }
output x for (b in 0 .. 2) { foreach (i in 0 .. N) x[i] = 1; if (n == b) break; }
output x while (true) { foreach (i in 0 .. N) x[i] = 1; if (n > 3) break; }
output g foreach (i in g) g[i] = 1; foreach (i in x) x[i] = g[i + n];
output h foreach (i in h) h[i] = 1; foreach (i in x) x[i] = h[i + n];
output p foreach (i, j in p) p[i, j] = 1;
output p foreach (i, j in p) p[i, j] = 1; foreach (i, j in p) p[i, j] += p[i + 1, j];
output t foreach (k in 0 .. 8) t[k % 8] += 1;

kept x x[n] = 1;
kept x foreach (i in 0 .. n) x[i] = 1;
kept x foreach (i in 1 .. N) x[i] = 1;
kept x foreach (i in x) x[i] += 1;
kept x foreach (i in x) { y[i] = x[i]; x[i] = 1; }
kept x foreach (i in x) { x[i] = 1; y[i] = x[(i + 1) % 8]; }
kept x foreach (i in x) if (y[i] > 0) x[i] = 1;
kept x if (n > 0) { foreach (i in x) x[i] = 1; }
kept x if (n > 0) return; foreach (i in x) x[i] = 1;
kept x for (i in 0 .. n) { foreach (j in x) x[j] = 1; }
kept x for (b in 0 .. 2) { if (n == b) break; foreach (i in 0 .. N) x[i] = 1; }
kept x for (b in 0 .. n) { foreach (i in 0 .. N) x[i] = 1; }
kept x while (n > one) { foreach (i in x) x[i] = 1; one += 1; }
kept x foreach (i in x) { if (y[i] > 0) continue; x[i] = 1; }
kept x for (i in 0 .. N) { if (n == i) break; x[i] = 1; }
kept x foreach (i in x) x[i * i % 8] = 1;
kept x foreach (i in 0 .. 4) x[2 * i] = 1;
kept x foreach (i in 0 .. N) x[n] = 1;
kept x y[0] = at(n); foreach (i in x) x[i] = 1;
kept x for (i in 0 .. N) put(i, 1);
kept x foreach (i in y) x[i] = x[n];
kept x y[0] = x[3];
kept x foreach (i in x within 0 .. n) x[i] = 1;
kept one one += 1;
kept one foreach (i in 0 .. n) one = 1;
kept m foreach (i in -2 .. 2) m[i, i + 3] = 1;
kept m foreach (i in -2 .. 2, j in 1 .. N) m[i, j] = 1;
kept p foreach (i in 0 .. 4 * n, j in 0 .. 2) p[i, j] = 1;
E

# of a vector each element is told apart
echo 'kernel void k() { foreach (i in w) w[i].x = 1; }' | cat fields.sn - >one.sn
"$snodegen" -w --emit=tasks one.sn >got
contains "an element" got "may write, output w.x of w_tree"

# nothing that is done to the code changes it
echo 'kernel void k(i32 n) { foreach (i in x) { x[i] = 1; y[i] = x[i] + y[i]; } one = 1; one += y[n]; }' |
  cat fields.sn - >one.sn
for level in 0 1 2 3; do
  for field in x one; do is "$field at -O$level" "$(what -O$level)" output; done
  field=y
  is "y at -O$level" "$(what -O$level)" kept
done
done_testing
