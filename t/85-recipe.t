#!/bin/sh
# What docs/architecture.md says of what a newcomer adds where: t/recipe has a small patch for each
# of an operation, a built-in, a pass, a diagnostic, an option and an SNode kind. All are applied to
# a copy of gen, snodegen is built from it, each does what it should, and touches few files.
. "${SN_SRCDIR:-.}/t/lib.sh"
command -v patch >/dev/null || skip_all "no patch"
[ -n "$TEST_GCC" ] || skip_all "no gcc"
one_backend=yes

# ---- the files that each touches ----

# touches RECIPE FILES: as many as FILES at most
touches() {
  touched=$(sed -n -e 's@^+++ b/\([^ 	]*\).*@\1@p' "$SN_SRCDIR/t/recipe/$1.patch")
  count=$(echo "$touched" | wc -l)
  if [ "$count" -le "$2" ]; then
    pass "$1: files touched: $count, of $2"
  else
    fail "$1: files touched: $count, of $2"
  fi
  diag "$touched"
}

touches operation 3
touches builtin 3
touches pass 3               # two, and the list of the folder's files that automake wants
touches diagnostic 2
touches option 3
touches kind 5

# ---- a snodegen that has them all ----

copy=$work/copy
mkdir -p "$copy" "$work/objects"
cp -R "$SN_SRCDIR/gen" "$SN_SRCDIR/docs" "$copy"
for p in "$SN_SRCDIR"/t/recipe/*.patch; do
  name=$(basename "$p" .patch)
  ok "$name: applies" patch -s -p1 -d "$copy" -i "$p"
done

# compile_gen: its files as objects, two at a time
compile_gen() {
  (cd "$copy" && ls gen/*.c gen/*/*.c |
    xargs -P 2 -I FILE sh -c 'exec "$@" -o "$0/$(echo FILE | tr / -).o" -c FILE' "$work/objects" \
      $TEST_GCC -std=c11 -O0 -w -DHAVE_CONFIG_H "-I$copy" "-I$SN_BUILDDIR" \
      "-I$SN_SRCDIR/include" "-I$SN_SRCDIR") &&
    $TEST_GCC -o "$work/snodegen" $(ls "$work"/objects/*.o | grep -v /gen-interpret-) -lm &&
    ar rc "$work/libinterpreter.a" $(ls "$work"/objects/gen-[bim]*.o | grep -v -E 'gen-(building|imports)')
}
ok "snodegen builds with all of them" compile_gen || { done_testing; exit; }
cd "$work" || exit 1
snodegen=$work/snodegen

# ---- what each does ----

cat >adding.sn <<'SN'
param i32 N = 40;
field f32 x; field f64 y;
tree packs { packed part[i: 5] { packed cell[i: N / 5] { place x, y; } } }
const f64 third = cbrt(27.0);
kernel f64 fill(packs p) {
  f64 s = 0;
  foreach (i in p.x) p.x[i] = f32(i) / 4;
  foreach (i in p.y) p.y[i] = cbrt(f64(p.x[i])) + third;
  foreach (i in p.y) s += p.y[i] * 2;
  return s;
}
SN
sed -e 's/packed/dense/g' -e 's/cbrt(27.0)/3.0/' adding.sn >plain.sn

# the pass and the operation
ok "pass: it is one of the passes" sh -c "'$snodegen' --help-dev | grep -w doubled"
"$snodegen" --emit=ir=doubled adding.sn >adding.ir 2>said
contains "pass: a value times 2 is taken twice" adding.ir "= twice "
"$snodegen" --emit=ir=doubled --pass=no-doubled adding.sn >without.ir 2>>said
is "pass: can be switched off" "$(grep -c '= twice ' without.ir)" 0
# the built-in
contains "built-in: has a value" adding.ir "third = 3.0"

# the kind
"$snodegen" --emit=layout adding.sn >layout 2>>said
contains "kind: is told by its name" layout "S1packed"
ok "kind: loops of one's own" sh -c "'$snodegen' -q -w --emit=c,h,device adding.sn &&
  echo '#include \"adding_device.h\"' >loops.c &&
  $TEST_GCC -std=c11 -DSN_SERIAL $include -I. -fsyntax-only loops.c"

# the option, the diagnostic
is "option: prints the trees" "$("$snodegen" --tree-names adding.sn)" "tree packs"
"$snodegen" --help >help
contains "option: stands in the help" help "--tree-names"
echo 'kernel void nothing() { }' >nothing.sn
"$snodegen" nothing.sn 2>said
contains "diagnostic: warns" said "warning: kernel 'nothing' does nothing [-Wempty-kernel]"
is "diagnostic: can be switched off" "$("$snodegen" -Wno-empty-kernel nothing.sn 2>&1)" ""

# ---- the compiled program ----

# sum_of MODULE CONFIGURATION
sum_of() {
  cat >"$1_main.c" <<C
#include "$1.h"
#include <stdio.h>
int main(void)
{
  sn_context *ctx;
  $1_packs *p;
  double s = 0;
  if (sn_context_create(NULL, &ctx) || $1_packs_create(ctx, NULL, &p) || $1_fill(p, &s))
    return 1;
  printf("%.12g\\n", s); /* two threads add in any order, so the last digits differ */
  $1_packs_destroy(p);
  return sn_context_destroy(ctx);
}
C
  { generate . "$1.sn" --pass=doubled --target="$(target_of "$2")" &&
    compile "$2" "$1.c" "$1.o" && compile_driver "$2" "$1_main.c" "$1_main.o" &&
    link "$2" "$1" "$1.o" "$1_main.o" && run_as "$2" threads=2 "./$1" >sum; } >said 2>&1 &&
    cat sum || echo "$1: $(head -n 20 said)"
}
interpreter_library=$work/libinterpreter.a
for c in serial-gcc host-clang interpreter; do
  if ! why=$(available "$c"); then skip "all: $c" "$why"; continue; fi
  sum=$(sum_of adding "$c")
  is "all, $c: as the program with dense nodes" "$sum" "$(sum_of plain "$c")"
  case $c in
    interpreter) contains "operation, $c: stands in the IR" adding.c "= twice " ;;
    *) contains "operation, $c: stands in the C" adding.c "2 * " ;;
  esac
done
done_testing
