#!/bin/sh
# Every row of gen/model/reserved.def is a name that a program may use: for a local, a
# parameter, a field, an SNode and a constant; the C that comes out compiles.
. "${SN_SRCDIR:-.}/t/lib.sh"

# what the language itself reserves, or builds in as a type
own=$(sed -n -e 's/^KEYWORD([A-Z_0-9]*, *"\([^"]*\)").*/\1/p' "$SN_SRCDIR/gen/front/tokens.def")
names=$(sed -n -e 's/^RESERVED([A-Z]*, *\([A-Za-z_0-9]*\)).*/\1/p' "$SN_SRCDIR/gen/model/reserved.def" |
        grep -v -x -F "$own" | grep -v -E '^(sn_|SN_)' | grep -v -x -e bool -e void | sort -u)
ok "there are hundreds of them" test "$(echo "$names" | wc -l)" -gt 200

# all of a name's on one line, so that a line can be left out
echo "$names" | awk '{
  printf "kernel i32 k%d(i32 %s) { i32 r = %s; foreach (i in 0 .. 1) { i32 q = %s; if (q == 0) x[0] = 1; } return r; }\n", NR, $1, $1, $1
  printf "kernel i32 l%d() { i32 %s = 1; %s += 2; return %s; }\n", NR, $1, $1, $1
  printf "func i32 plus%d(i32 a) { i32 %s = a; for (j in 0 .. 3) %s += 1; return %s; } ", NR, $1, $1, $1
  printf "kernel i32 m%d() { return plus%d(4); }\n", NR, NR
} BEGIN { print "field i32 x; tree t { dense cell[i: 4] { place x; } }" }' >"$work/locals.sn"
echo "$names" | awk '{
  printf "func i32 %s(i32 a) { return a + %d; } kernel i32 call%d() { return %s(1); }\n", $1, NR, NR, $1
}' >"$work/functions.sn"
echo "$names" | awk '{
  printf "field i32 %s; tree t%d { dense node%d[i: 2] { place %s; } } ", $1, NR, NR, $1
  printf "kernel void k%d() { foreach (i in 0 .. 2) %s[i] = i; }\n", NR, $1
}' >"$work/fields.sn"
echo "$names" | awk '{
  printf "field i32 x%d; tree t%d { pointer %s[i: 2] { dense node%d[i: 2] { place x%d; } } } ", NR, NR, $1, NR, NR
  printf "kernel void k%d() { foreach (i in 0 .. 4) x%d[i] = i; }\n", NR, NR
}' >"$work/nodes.sn"

# names are what is looked at, in a thousand kernels: by one compiler as far as the assembler
objects_of() { case $1 in host-clang) echo -O0 ;; *) echo -fsyntax-only ;; esac; }
for p in locals functions fields nodes; do
  "$snodegen" -q -w --error-limit=0 --output-dir="$work" "$work/$p.sn" >"$work/said" 2>&1
  status=$?
  if [ $status -ne 0 ] && ! grep -v 'reserved\|collide\|keyword\|in case only\|macro' "$work/said" | grep 'error:' >/dev/null; then
    # names that would show in the header are refused with a message: leave those out
    grep -o "'[A-Za-z_0-9]*'" "$work/said" | tr -d "'" | sort -u >"$work/refused"
    grep -v -w -F -f "$work/refused" "$work/$p.sn" >"$work/$p.less"
    mv "$work/$p.less" "$work/$p.sn"
    "$snodegen" -q -w --error-limit=0 --output-dir="$work" "$work/$p.sn" >"$work/said" 2>&1
    status=$?
  fi
  is "$p: generated" $status 0 || { diag "$(head -n 5 "$work/said")"; continue; }
  for c in serial-gcc host-clang; do
    if why=$(available $c); then
      compile_flags=$(objects_of $c)
      ok "$p: $c without a warning" compile $c "$work/$p.c" "$work/$p.o"
    else
      skip "$p: $c" "$why"
    fi
  done
  if [ -n "$CXX" ]; then
    printf '#include "%s.h"\n' "$p" >"$work/header.cc"
    ok "$p: the header in C++" $CXX -std=c++11 -Wall -Wextra -pedantic -Werror $include -I"$work" \
      -fsyntax-only "$work/header.cc"
  fi
done
done_testing
