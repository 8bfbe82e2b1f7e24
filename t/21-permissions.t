#!/bin/sh
# What each operation of the language makes a kernel's permissions, by hand; and that the
# generated table says what --emit=tasks says.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

cat >may.sn <<'END'
field f32 x, y, total;
field i32 a, n;
tree grid {
  pointer tile[i: 4] { bitmasked cell[i: 8] { place x, y; } }
  hash far[j] { dense near[j: 4] { place a; } }
  dynamic list[k: 100] { place n; }
  place total;
}
END

# may BODY <<END: a kernel of this body has these permissions, and no others
number=0
may() {
  number=$((number + 1))
  cp may.sn one.sn
  echo "$1" >>one.sn
  sed -e 's/^/  may /' -e 's/^  may \(draws\|prints\)/  \1/' >expected
  "$snodegen" -w --emit=tasks one.sn 2>&1 | sed -n -e 's/ of grid$//' -e '/error:/p' -e '/^  [dmp]/p' >got
  same "$1" got expected
}

may 'kernel f32 k(i32 i) { return x[i]; }' <<'END'
read x
read topology S2pointer
read topology S3bitmasked
END
may 'kernel void k(i32 i) { x[i] = 1; }' <<'END'
write x
accumulate topology S2pointer
accumulate topology S3bitmasked
END
may 'kernel void k() { foreach (i in 0 .. 8) x[i] += 1; }' <<'END'
accumulate x
accumulate topology S2pointer
accumulate topology S3bitmasked
END
# another update than a sum does not commute with sums; nor does one whose old value is taken
may 'kernel void k() { foreach (i in 0 .. 8) atomic_max(x[i], 1.0); }' <<'END'
write x
accumulate topology S2pointer
accumulate topology S3bitmasked
END
may 'kernel void k() { foreach (j in 0 .. 8) a[atomic_add(n[j], 1)] = 2; }' <<'END'
write a
read, accumulate n
accumulate topology S6hash
accumulate topology S9dynamic
END
# what was sent to the merge buffer: of an instance of its own
may 'field f32 d[4]; kernel void k() { foreach (i in 0 .. 4) d[i] += d.merge[1]; }' <<'END'
accumulate d of d_tree
read, merge d of d_merge
END
# a loop over a field: its lists are generated and read; its own cells are there
may 'kernel void k() { foreach (i in x) x[i] = y[i]; }' <<'END'
write x
read y
read topology S2pointer
read topology S3bitmasked
read, write list S2pointer
read, write list S3bitmasked
END
may 'kernel void k() { foreach (i in tile) total += 1; }' <<'END'
accumulate total
read topology S2pointer
read, write list S2pointer
END
may 'kernel bool k() { return is_active(cell, 3); }' <<'END'
read topology S2pointer
read topology S3bitmasked
END
may 'kernel i64 k() { return length(list); }' <<'END'
read topology S9dynamic
END
may 'kernel void k() { activate(cell, 3); }' <<'END'
accumulate topology S2pointer
accumulate topology S3bitmasked
END
may 'kernel void k() { foreach (j in 0 .. 4) append(list); }' <<'END'
accumulate topology S9dynamic
END
may 'kernel void k() { foreach (j in 0 .. 4) n[append(n)] = 3; }' <<'END'
write n
accumulate topology S9dynamic
END
# taking out writes what is below too; GC may generate the lists that it goes through
may 'kernel void k(i32 i) { deactivate(tile, i); }' <<'END'
write topology S2pointer
write topology S3bitmasked
write list S2pointer
write list S3bitmasked
END
may 'kernel void k(i32 i) { deactivate(cell, i); }' <<'END'
read topology S2pointer
write topology S3bitmasked
write list S2pointer
write list S3bitmasked
END
may 'kernel void k() { deactivate_all(list); }' <<'END'
write topology S9dynamic
write list S9dynamic
END
may 'kernel void k() { deactivate_all(grid); }' <<'END'
write, output total
write topology S2pointer
write topology S3bitmasked
write topology S6hash
write topology S9dynamic
write list S2pointer
write list S3bitmasked
write list S6hash
write list S7dense
write list S9dynamic
END
may 'field f32 d; tree plain { dense row[i: 4] { place d; } }
kernel void k() { deactivate_all(plain); }' <<'END'
write, output d of plain
write list S1dense of plain
END
may 'kernel void k() { foreach (j in 0 .. 4) print("%f", random()); }' <<'END'
draws random numbers
prints
END
# what a function does, its caller does; what is not reached counts
may 'func f32 f(f32 s) { if (s > 0) return s * total; return s; }
kernel f32 k(f32 s) { return f(s); }' <<'END'
read total
END

# two trees of one type: each slot has its own
cat >two.sn <<'END'
field f32 u;
tree half { dense node[i: 8] { place u; } }
kernel void shift(half a, half b) { foreach (i in 0 .. 8) a.u[i] = b.u[i]; }
END
"$snodegen" -w --emit=tasks,c,h two.sn >got
contains "the first tree is written" got "may write, output u of a"
contains "the second is read" got "may read u of b"
contains "and so in the table, the first" two.c "{ .field = HALF_U, .snode = HALF_NODE, .use = SND_MAY_WRITE | SND_MAY_OUTPUT },"
contains "and so in the table, the second" two.c "{ .slot = 1, .field = HALF_U, .snode = HALF_NODE, .use = SND_MAY_READ },"

# a loop in rows may do what it does cell by cell, and no more: every program of t/run says both
for program in "$SN_SRCDIR"/t/run/*.sn; do
  for form in rows no-rows; do
    "$snodegen" -q -w --pass=$form --emit=tasks "$program" 2>&1 | sed -n '/^  may/p; /^kernel/p' >$form.txt
  done
  cmp -s rows.txt no-rows.txt || diff no-rows.txt rows.txt | sed "s/^/$(basename "$program"): /"
done >differ.txt
is "rows need the permissions of their loop" "$(cat differ.txt)" ""
contains "which were there to be compared" rows.txt "may"

# the interpreter's table is of the kernel as written: it says no less
"$snodegen" -w --target=interpreter --emit=c,h two.sn
contains "the interpreter has the table too" two.c "{ .slot = 1, .field = HALF_U, .snode = HALF_NODE, .use = SND_MAY_READ },"
done_testing
