#!/bin/sh
# C's loops as ranges, early returns as branches, tables and arrays as memory, the walks of functions:
# what these are in the generated C.  That the results are C's, t/run/control.sn, tables.sn and
# stacks.sn say.
. "${SN_SRCDIR:-.}/t/lib.sh"

# the_c STATEMENT...: the C of a kernel with each of them in the body of a parallel loop, as $work/c
the_c() {
  {
    cat <<'END'
const u16 long[8] = { 1, 2, 3, 4, 5, 6, 7, 9 };
const u16 short[4] = { 1, 2, 3, 4 };
const u16 idle[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
struct pair { i32 a, b; }
field i32 x, first, other, item;
tree t { dense row[i: 64] { place x, first, other; } dynamic list[k: 64] { place item; } }
func i32 reads(t t, i32 k) { return t.first[k & 7]; }
func void writes(t t, i32 k) { t.first[k & 7] = k; }
func void cut(inout i32 k) { k /= 2; }
func pair early(i32 k) { if (k > 3) return pair(k, 1); return pair(1, k); }
func pair partly(i32 k) { if (k > 3) { if (k > 9) return pair(k, 1); k = 2; } return pair(1, k); }
func i32 never(i32 k) { return i32(idle[k & 7]); }
kernel void k(t t, i32 n, i32 m) {
  foreach (i in 0 .. 8) {
    i32x4 v = i32x4(i); i32 s = 0, end = m;
END
    printf '    %s\n' "$@"
    echo '    t.x[i] = s + v.x;'
    echo '  }'
    echo '}'
  } >"$work/k.sn"
  generate "$work" "$work/k.sn" -q -w && sed -n '/^k_body_0/,/^}/p' "$work/k.c" >"$work/c"
}

# counts NAME STATEMENT, and steps: whether its loop is one over a range, or is done as it is written
counts() {
  the_c "$2" && is "$1: counts" "$(grep -c 'for (.*k++)' "$work/c")" 1
}
steps() {
  the_c "$2" && is "$1: steps" "$(grep -c 'for (.*k = snd_add_i32(k, 1))' "$work/c")" 1
}

counts "up to a parameter" 'for (i32 k = 0; k < n; k++) s += k;'
counts "from anywhere, by += 1" 'for (i32 k = i - n; k < n * m; k += 1) s += k;'
counts "up to a constant and with it" 'for (i32 k = 1; k <= 99; k++) s += k * i;'
counts "up to a local" 'for (i32 k = 0; k < end; k++) s += k;'
counts "up to a field" 'for (i32 k = t.first[i]; k < t.first[i + 1]; k++) s += t.other[k & 7];'
counts "up to a field, which a func reads" 'for (i32 k = 0; k < t.first[i]; k++) s += reads(t, k);'
counts "up to a field, beside an append" 'for (i32 k = 0; k < t.first[i]; k++) t.item[append(t.list)] = k;'
counts "up to a length" 'for (i32 k = 0; k < i32(length(t.list)); k++) t.item[k] += 1;'
counts "left early" 'for (i32 k = 0; k < n; k++) { if (k == m) break; if (k == i) continue; s += k; }'
steps "the end changes" 'for (i32 k = 0; k < end; k++) end -= 1;'
steps "the end is an inout argument" 'for (i32 k = 0; k < end; k++) cut(end);'
steps "the variable changes" 'for (i32 k = 0; k < n; k++) { if (k == m) k += 2; s += 1; }'
steps "the end is made of the variable" 'for (i32 k = 0; k < n - k; k++) s += 1;'
steps "the field changes" 'for (i32 k = 0; k < t.first[i]; k++) t.first[k & 7] = 1;'
steps "the field changes in one step" 'for (i32 k = 0; k < t.first[i]; k++) atomic_sub(t.first[i], 1);'
steps "a func changes the field" 'for (i32 k = 0; k < t.first[i]; k++) writes(t, k);'
steps "the field is an inout argument" 'for (i32 k = 0; k < t.first[i]; k++) cut(t.first[i]);'
steps "the list grows" 'for (i32 k = 0; k < i32(length(t.list)); k++) t.item[append(t.list)] = k;'
steps "an assignment makes the list grow" 'for (i32 k = 0; k < i32(length(t.list)); k++) t.item[k + 1] = k;'
steps "beyond the length" 'for (i32 k = 0; k < i32(length(t.list)) + 1; k++) t.item[k] = k;'
steps "the list is emptied" 'for (i32 k = 0; k < i32(length(t.list)); k++) deactivate(t.list);'

the_c 'for (i32 k = 0; k < 4; k++) s += v[k] * long[k];'
is "what indexes vectors and tables is written out" "$(grep -c 'for (\|\[k\]\|long_(' "$work/c")" 0

the_c 's = i32(long[n & 7]);'
contains "a long table is memory" "$work/k.c" "static const uint16_t value[8] = {"
contains "which is loaded" "$work/c" "long_("
is "and another one is not there" "$(grep -c 'static const uint16_t' "$work/k.c")" 1
the_c 's = i32(short[n & 3]);'
is "a short one is chosen by comparisons" "$(grep -c '?' "$work/c") $(grep -c 'static const uint16_t' "$work/k.c")" "1 0"

the_c 'i32 w[6] = { 1, 2, 3, 4, 5, 6 }; w[n] += i; s = w[m];'
contains "a long array is memory" "$work/c" "int32_t w[6];"
is "which is stored and loaded" "$(grep -c ' w\[n\] = \| = w\[[nm]\];' "$work/c")" 3
the_c 'i32 w[6]; for (i32 k = 0; k < 6; k++) w[k] += k * i; s = w[2] + w[5];'
is "but where all its elements are known" "$(grep -c 'w\[' "$work/c")" 0
the_c 'i32 w[6]; for (i32 k = 0; k < 8; k++) w[k] += 1; s = w[2];'
is "an index outside, of a loop that is written out, traps" "$(grep -c snd_trap_bounds "$work/c")" 2
the_c 'i32 w[4]; w[n] += i; s = w[m];'
is "a short one is chosen by comparisons" "$(grep -c 'w\[' "$work/c")" 0

the_c 's = early(i).b;'
is "an early return is a branch" "$(grep -c 'while (true)' "$work/c") $(grep -c '} else {' "$work/c")" "0 1"
the_c 's = partly(i).b;'
is "what stands behind two ends is not written twice" "$(grep -c 'while (true)' "$work/c")" 1

the_c 's = v[n];' 's += v[n];'
is "an index is tested once" "$(grep -c snd_trap_bounds "$work/c")" 1
the_c 's = v[n & 3];'
is "and not where it is inside" "$(grep -c snd_trap_bounds "$work/c")" 0

# walks KERNEL: the C of a function that walks, in a module with that kernel too, as $work/c
walks() {
  {
    cat <<'END'
field i32 u, v;
tree g { pointer tile[i: 4] { dense cell[i: 8] { place u, v; } } }
func i32 at(i32 i) { return u[i & 31]; }
kernel void quiet() { foreach (i in u) v[i] = at(i + 1); }
END
    echo "$1"
  } >"$work/w.sn"
  generate "$work" "$work/w.sn" -q -w && sed -n '/^SND_INLINE int32_t at(/,/^}/p' "$work/w.c" >"$work/c"
}
walks ''
is "a function of settled tasks walks by plain loads" "$(grep -c 'g_tile_read_settled(' "$work/c")" 1
walks 'kernel void loud() { foreach (i in 0 .. 32) v[i] = at(i); }'
is "one that a task calls which activates does not" \
  "$(grep -c 'g_tile_read(' "$work/c") $(grep -c settled "$work/c")" "1 0"
done_testing
