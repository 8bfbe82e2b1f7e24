#!/bin/sh
# Every bound that a program can reach, filled: what fills it works, one more works too or is
# refused with a message that says what, where and what to do.  t/err has the messages.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
[ -n "$TEST_GCC" ] || skip_all "no gcc"
cd "$work" || exit 1

# list COUNT SEPARATOR TEXT: TEXT so often, # replaced by 0, 1 ...
list() {
  awk -v n="$1" -v separator="$2" -v text="$3" 'BEGIN {
    for (k = 0; k < n; k++) { t = text; gsub("#", k, t); printf "%s%s", k ? separator : "", t } }'
}
tree='field i32 x; tree g { dense c[i: 4] { place x; } }'
kernel() { echo "$tree kernel void f($1) { foreach (i in x) { $2 } }"; }

# ---- programs: write NAME SIZE prints one whose bound SIZE is ----
write() {
  n=$2
  case $1 in
  axes)
    axes=$(echo a b c d e f g h m n o p q | cut -d' ' -f1-"$n" | tr ' ' ',')
    names="$(echo i j k l m n o p q r s t u | cut -d' ' -f1-"$n" | sed 's/ /: 2, /g'): 2"
    echo "field i32 x; tree g { dense c[$names] { place x; } }"
    echo "kernel void f() { foreach ($axes in x) x[$axes] += 1; }" ;;
  depth)
    echo "field i32 x; tree g { $(list "$n" ' ' 'dense c#[i: 1] {') place x; $(list "$n" '' '}') }"
    echo "kernel void f() { foreach (i in x) x[i] += 1; }" ;;
  trees)
    list "$n" ' ' 'field i32 x#; tree g# { dense c#[i: 4] { place x#; } }'
    echo "kernel void f() { foreach (i in x0) x0[i] = $(list "$n" ' + ' 'x#[i]'); }" ;;
  vector|matrix)
    type=f64x$n
    [ "$1" = vector ] || type=f64x${n}x$n
    echo "field $type x; tree g { dense c[i: 4] { place x; } }"
    echo "kernel void f($type by, $type more) { foreach (i in x) x[i] = x[i] + by * 2.0 + more; }"
    echo "kernel $type sum() { $type s = $type.zero; foreach (i in x) s += x[i]; return s; }" ;;
  array) kernel "" "i32 a[$n]; for (k in 0 .. $n) a[k] = k; x[i] = a[x[i] & 7];" ;;
  rank) kernel "in i32 a[$(list "$n" ', ' 'm#')]" "x[i] = a[$(list "$n" ', ' 0)];" ;;
  members)
    echo "struct S { $(list "$n" ' ' 'i32 a#;') } field S x; tree g { dense c[i: 4] { place x; } }"
    echo "kernel void f() { foreach (i in x) { $(list "$n" ' ' 'x[i].a# += 1;') } }" ;;
  asserted) kernel "i32 a" "x[i] = a; assert(a > 0, \"$(list "$n" ' ' %d)\"$(list "$n" '' ', a'));" ;;
  printed) kernel "i32 a" "x[i] = a; print(\"$(list "$n" ' ' %d)\"$(list "$n" '' ', a'));" ;;
  name) kernel "i32 $(list "$n" '' a)" "x[i] = $(list "$n" '' a);" ;;
  parameters) kernel "$(list "$n" ', ' 'i32 a#')" "x[i] = $(list "$n" ' ^ ' 'a#');" ;;
  arrays) kernel "$(list "$n" ', ' 'in i32 a#[4]')" "x[i] = $(list "$n" ' ^ ' 'a#[i]');" ;;
  arguments)
    echo "$tree func i32 h($(list "$n" ', ' 'i32 a#')) { return $(list "$n" ' ^ ' 'a#'); }"
    echo "kernel void f() { foreach (i in x) x[i] = h($(list "$n" ', ' 'x[i]')); }" ;;
  sums)
    echo "$tree kernel i32 f() { $(list "$n" ' ' 'i32 s# = 0;') foreach (i in x) {"
    echo "$(list "$n" ' ' 's# += x[i];') } return $(list "$n" ' ^ ' 's#'); }" ;;
  fields)
    list "$n" ' ' 'field i32 x#;'
    echo "tree g { dense c[i: 4] { place $(list "$n" ', ' 'x#'); } }"
    echo "kernel void f() { foreach (i in x0) { $(list "$n" ' ' 'x#[i] = #;') } }" ;;
  extents)
    echo "field i32 x; tree g($(list "$n" ', ' 'i32 n#')) { dense c[i: n0] { place x; } }"
    echo "kernel void f() { foreach (i in x) x[i] = 1; }" ;;
  row)                                   # digits that an index is followed over
    echo "field i32 x; tree g { pointer b[i: 4] { dense c[i: $n] { place x; } } }"
    echo "kernel void f() { foreach (i in x) if (i > 0) x[i] = x[i - 1] + 1; }" ;;
  locals) kernel "" "i32 a0 = x[i]; $(list "$n" ' ' 'i32 b# = a0 + #; a0 += b#;') x[i] = a0;" ;;
  sources)                               # of what is stored, by way of locals that change
    kernel "i32 a" "i32 b0 = x[0]; $(awk -v n="$n" 'BEGIN { for (k = 1; k < n; k++)
      printf "i32 b%d = b%d; if (a > %d) b%d += 1; ", k, k - 1, k, k }') x[0] = b$((n - 1));" ;;
  jumps) kernel "i32 a" "$(list "$n" ' ' 'if (a == #) continue; x[i] += #;')" ;;
  blocks) kernel "i32 a" "$(list "$n" '' 'if (a > i) {') x[i] = 1; $(list "$n" '' '}')" ;;
  choices) kernel "i32 a" "x[i] = $(list "$n" ' : ' 'a == # ? 8 / (x[i] + #)') : 0;" ;;
  branches) kernel "i32 a" "if (a == i) x[i] = 1; $(list $((n - 1)) ' ' 'else if (a == #) x[i] = #;')" ;;
  terms) kernel "i32 a" "x[i] = a$(list "$n" '' ' - a');" ;;
  conditions) kernel "i32 a" "if ($(list "$n" ' && ' '8 / (a - #) != #')) x[i] = 1;" ;;
  inlined)
    echo "$tree func void h0(inout i32 a) { if (a > 0) a += 1; }"
    awk -v n="$n" 'BEGIN { for (k = 1; k < n; k++)
      printf "func void h%d(inout i32 a) { if (a > %d) h%d(a); }\n", k, k, k - 1 }'
    echo "kernel void f(i32 a) { foreach (i in x) { i32 b = a; h$((n - 1))(b); x[i] = b; } }" ;;
  esac
}

# fills NAME SIZE: works, in C that compilers take without a warning
fills() {
  write "$1" "$2" >"$1.sn"
  ok "$1: $2" "$snodegen" -q -w --output-dir=. "$1.sn" || return
  ok "$1: $2, in C" compile serial-gcc "$1.c" "$1.o"
}
# refused NAME SIZE MESSAGE
refused() {
  write "$1" "$2" >"$1.sn"
  timeout 60 "$snodegen" -q -w --output-dir=. "$1.sn" >said 2>&1
  is "$1: $2 is an error" "$?" 1
  contains "$1: $2 is told" said "$3"
}

compile_flags=-fsyntax-only
fills axes 12
refused axes 13 "unknown axis 'u': axes are i j k l m n o p q r s t"
fills depth 32
refused depth 33 "nodes are nested more than 32 deep"
fills trees 16
refused trees 17 "'f' works on 17 trees, and a kernel on at most 16: make several kernels of it"
fills vector 16
refused vector 17 "a vector has 1 to 16 elements"
fills matrix 16
refused matrix 17 "a matrix 1 to 16 rows and columns"
fills array 1024
refused array 1025 "array 'a' must have from 1 to 1024 elements"
fills rank 12
refused rank 13 "array 'a' has more than 12 extents"
fills members 1024
refused members 1025 "struct 'S' has more than 1024 elements in all"
fills asserted 12
refused asserted 13 "the message of an assert takes at most 12 values, not 13"
fills name 63
fills blocks 120
refused blocks 130 "nested too deeply: give names to parts of the expression"
fills choices 200
refused choices 245 "'f' nests more than 240 blocks, each 'else if' and '?:' one in that before it"
refused choices 300 "nested too deeply"
fills branches 238
refused branches 300 "'f' nests more than 240 blocks, each 'else if' and '?:' one in that before it"
refused branches 3000 "nested too deeply"
is "and nothing else: each 'else' has its 'if'" "$(grep -c error: said)" 1
fills terms 990
refused terms 1010 "nested too deeply"
fills inlined 238
refused inlined 300 "with the functions that it calls 'f' nests more than 240 blocks"
write inlined 990 | sed 's/if (a > [0-9]*) h\([0-9]*\)(a);/'"$(list 100 '' '{')"' h\1(a); '"$(list 100 '' '}')/" >steep.sn
timeout 60 "$snodegen" -q -w --output-dir=. steep.sn >said 2>&1
is "990 functions of 100 blocks are an error" "$?" 1
contains "and told" said "with the functions that it calls 'f' nests more than 240 blocks"

# ---- what has no bound ----
for name in printed parameters arrays arguments sums fields extents locals jumps conditions; do
  fills $name 200
done
write sources 200 >sources.sn
"$snodegen" --output-dir=. sources.sn 2>said
contains "an update by way of 200 locals is told as lost" said "[-Wlost-update]"
fills row 64
fills row 65

# ---- for devices too ----
compile_flags=-O0
if why=$(available x86); then
  for name in "matrix 16" "trees 16" "depth 32" "sums 65"; do
    write ${name% *} ${name#* } >device.sn
    ok "a device's $name" "$snodegen" -q -w --output-dir=. device.sn &&
      ok "a device's $name, in C" compile x86 device.c device.o
  done
else
  skip "for devices" "$why"
fi

# ---- what is filled, run: also from its text, by the interpreter ----
for name in "depth 32" "choices 200" "inlined 238" "asserted 12" "axes 12"; do
  size=${name#* } name=${name% *}
  write $name $size >$name.sn
  grep -q 'f(i32 a)' $name.sn && argument=', 3' || argument=
  cat >main.c <<END
#include "$name.h"
#include <stdio.h>
int main(void)
{
  sn_context *context;
  ${name}_g *g;
  if (sn_context_create(NULL, &context) || ${name}_g_create(context, NULL, &g))
    return 1;
  printf("%d %s\n", ${name}_f(g$argument), sn_context_error(context));
  ${name}_g_destroy(g);
  return sn_context_destroy(context);
}
END
  for c in serial-gcc interpreter; do
    "$snodegen" -q -w --target="$(target_of $c)" --output-dir=. $name.sn
    compile_flags=-I. compile $c $name.c module.o && compile_flags=-I. compile_driver $c main.c main.o &&
      link $c program main.o module.o
    is "$c: $name $size runs" "$(run_as $c one ./program 2>&1)" "0 "
  done
done
done_testing
