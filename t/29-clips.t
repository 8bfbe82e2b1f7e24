#!/bin/sh
# Runs that begin anywhere and share cells (gen/passes/row_clip.c): what a loop leaves in every box
# of dense fields is what it leaves cell by cell.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes

where=serial-gcc
available $where >/dev/null || where=host-clang
cd "$work" || exit 1

# fields_of N: rows of N cells, each kind of access that a run can make of its neighbours
fields_of() {
  cat <<END_SN
field i32 x[$1] outside default, y[$1];
field i32 u[5, $1], v[5, $1], kept[5, $1];
field f32x2 c, d;
field i16 p, q;
field i32 e, f;
field i32 s offset (-7), t offset (-7);
field i32 coarse[$1 / 16 + 1], fine[$1];
tree pairs { dense pair[i: 3, j: $1] { place c, d; } }
tree shorts { dense short_[i: $1] { place p, q; } }
tree arrays { dense array[i: 3, j: $1] soa { place e, f; } }
tree shifted { dense line[i: $1] { place s, t; } }
END_SN
  cat <<'END_SN'
kernel void fill() {
  foreach (i in x) { x[i] = i * 7 + 1; y[i] = -1; }
  foreach (i, j in u) { u[i, j] = i * 100 + j * 3; v[i, j] = -1; kept[i, j] = j; }
  foreach (i, j in c) { c[i, j] = f32x2(f32(i * 7 + j), f32(j)); d[i, j] = f32x2(1, 2); }
  foreach (i in p) { p[i] = i16(3 * i); q[i] = -3; }
  foreach (i, j in e) { e[i, j] = i * 77 + j; f[i, j] = -2; }
  foreach (i in s) { s[i] = 5 * i; t[i] = -5; }
  foreach (i in coarse) coarse[i] = i * i + 1;
  foreach (i in fine) fine[i] = -6;
}
END_SN
  cat <<END_SN
kernel i64 boxes(i32 lo, i32 hi) {
  i64 all = 0;
  foreach (i in y within lo .. hi) y[i] = x[i - 1] + 2 * x[i + 1] - x[i + 3];
  foreach (i, j in v within i32x2(1, max(lo, 2)) .. i32x2(4, min(hi, $1 - 1)))
    v[i, j] = u[i - 1, j] + u[i + 1, j - 2] * 3 - u[i, j + 1];
  foreach (i, j in kept within i32x2(0, lo) .. i32x2(5, hi)) kept[i, j] += u[i, j];
  foreach (i, j in d within i32x2(0, max(lo, 2)) .. i32x2(3, hi)) d[i, j] = c[i, j - 2] * 2 + c[i, j];
  foreach (i in q within max(lo, 3) .. min(hi, $1 - 3)) {
    i32 a = p[i - 3] * 2;
    if (p[i + 1] > 60) a += 5;
    q[i] = i16(a + p[i + 3]);
  }
  foreach (i, j in f within i32x2(0, 3) .. i32x2(3, $1 - 2)) if (e[i, j - 3] > 40 + lo) f[i, j] = e[i, j + 2];
  foreach (i in t within lo - 7 .. hi - 7) if (i > -7 && i < $1 - 8) t[i] = s[i - 1] + 2 * s[i + 1];
  // what a run knows where it begins at a multiple of 16
  foreach (i in fine within max(lo, 1) .. hi) { if ((i & 8) == 0) fine[i] = coarse[i / 16] + x[i - 1]; else fine[i] = i % 4; }
  foreach (i in y) all += i64(y[i]) * (i * 31 % 1009 + 1);
  foreach (i, j in v) all += i64(v[i, j] + 3 * kept[i, j]) * ((i * 57 + j * 31) % 1009 + 1);
  foreach (i, j in d) all += i64(d[i, j].x * 3 + d[i, j].y) * ((i * 17 + j * 3) % 103 + 1);
  foreach (i in q) all += i64(q[i]) * (i * 37 % 1009 + 1);
  foreach (i, j in f) all += i64(f[i, j]) * ((i * 7 + j * 3) % 101 + 1);
  foreach (i in fine) all += i64(fine[i]) * (i * 43 % 1009 + 1);
  foreach (i in t) all += i64(t[i]) * ((i + 9) * 41 % 1009 + 1);
  return all;
}
END_SN
}

# build_and_run HOW FILE.c: its output is HOW.out
build_and_run() {
  compile $where "$2" clips.o && compile_driver $where main.c main.o &&
    link $where "./$1" main.o clips.o && "./$1" >"$1.out"
}

# One program for all boxes of rows of N cells: driver STEM N
driver() {
  cat <<END_C
#include "$1.h"
#include <stdio.h>

int main(void)
{
  sn_context *ctx;
  $1_x_tree *x; $1_y_tree *y; $1_u_tree *u; $1_v_tree *v; $1_kept_tree *kept;
  $1_coarse_tree *coarse; $1_fine_tree *fine;
  $1_pairs *pairs; $1_shorts *shorts; $1_arrays *arrays; $1_shifted *shifted;
  unsigned long long all = 0;

  if (sn_context_create(NULL, &ctx) || $1_x_tree_create(ctx, NULL, &x) ||
      $1_y_tree_create(ctx, NULL, &y) || $1_u_tree_create(ctx, NULL, &u) ||
      $1_v_tree_create(ctx, NULL, &v) || $1_kept_tree_create(ctx, NULL, &kept) ||
      $1_coarse_tree_create(ctx, NULL, &coarse) || $1_fine_tree_create(ctx, NULL, &fine) ||
      $1_pairs_create(ctx, NULL, &pairs) || $1_shorts_create(ctx, NULL, &shorts) ||
      $1_arrays_create(ctx, NULL, &arrays) || $1_shifted_create(ctx, NULL, &shifted))
    return 1;
  for (int lo = -4; lo < $2 + 3; lo += lo > 20 && lo < $2 - 20 ? 7 : 1)
    for (int hi = lo - 1; hi < $2 + 4; hi += hi > lo + 40 && hi < $2 - 20 ? 11 : 1) {
      int64_t s = 0;
      if ($1_fill(x, y, u, v, kept, coarse, fine, pairs, shorts, arrays, shifted) ||
          $1_boxes(x, y, u, v, kept, coarse, fine, pairs, shorts, arrays, shifted, lo, hi, &s)) {
        printf("%d to %d: %s\n", lo, hi, sn_context_error(ctx));
        return 1;
      }
      all = all * 1099511628211u + (unsigned long long)s;
    }
  printf("%llx\n", all);
  return 0;
}
END_C
}

for n in 65 100 144; do
  fields_of $n >fields.sn
  for how in rows no-rows; do
    cp fields.sn clips$n.sn
    driver clips$n $n >main.c
    "$snodegen" -w --verify-each --pass=$how clips$n.sn || fail "$n: $how: it compiles"
    [ $how = no-rows ] || is "$n: five loops make runs that begin anywhere" \
      "$(grep -c snd_next_run clips$n.c)" 5
    ok "$n: $how: it runs" build_and_run $how "clips$n.c"
  done
  same "$n: every box holds what it holds cell by cell" rows.out no-rows.out
done
done_testing
