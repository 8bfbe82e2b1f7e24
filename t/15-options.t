#!/bin/sh
# The command line: what each option does, what is refused, and the exit status.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
cd "$work" || exit 1

cat >one.sn <<'END'
param i32 SIZE = 8;
field f32 x;
tree t { pointer tile[i: SIZE] { dense cell[i: 4] { place x; } } }
kernel f64 mass() {
  f64 s = 0;
  foreach (i in x) { s += f64(x[i]); assert(x[i] >= 0); }
  return s;
}
END

# gives NAME STATUS OPTION...: the exit status; output in out, messages in said
gives() {
  gives_name=$1 gives_status=$2
  shift 2
  "$snodegen" "$@" >out 2>said </dev/null
  is "$gives_name: exit status" $? "$gives_status" || diag "$(head -n 5 said)"
}

# ---- output ----
gives "no option" 0 one.sn
ok "one.c and one.h" test -s one.c -a -s one.h
is "nothing is said" "$(cat out said)" ""
gives "-o" 0 -o two one.sn
ok "two.c" test -s two.c -a -s two.h
gives "-o with its ending" 0 -o three.c one.sn
ok "three.c" test -s three.c -a -s three.h
mkdir d
gives "--output-dir" 0 --output-dir=d one.sn
same "d/one.c is the same" d/one.c one.c
gives "--emit=h" 0 --emit=h -o only one.sn
ok "only the header" test -s only.h -a ! -e only.c
gives "--emit=c,deps" 0 --emit=c,deps -o more one.sn
ok "and a rule" test -s more.c -a -s more.d -a ! -e more.h
gives "--emit=ir" 0 --emit=ir one.sn
contains "the tasks of the seeds" out "offloaded struct_for"
gives "--emit=ir=written" 0 --emit=ir=written one.sn
contains "the loop as written" out "foreach"
gives "--emit=tasks" 0 --emit=tasks one.sn
contains "tasks" out "struct_for"
gives "--emit=layout" 0 --emit=layout one.sn
contains "layout" out "tile"
cat >modes.sn <<'END'
struct pair { bool is_big; f64 x; }
field pair both;
field i32 sum = 3 local;
field f32 seen constant;
field f32 lone virtual;
tree t { dense row[i: 4] { place sum, both, lone; pointer deep[j: 4] { place far; } } place seen; }
field u8 far;
kernel void k() {
  foreach (i in lone) { lone[i] = seen; both[i] = pair(i > 2, f64(lone[i])); sum[i] += i32(both[i].x); }
  foreach (i in sum) far[i, sum[i] % 4] = 1;
}
field f32 once[4] local;
kernel void twice() { foreach (i in once) once[i] = seen; foreach (i in lone) both[i].x = f64(once[i]); }
END
"$snodegen" -q --emit=layout -o modes modes.sn >out 2>said
contains "where a field lies, as C has it" out "  both.x: f64, byte 8 of 56 in a cell of row; hosted, since C may use it: the kernels alone would allow local"
contains "what decides it" out "    kernel k assigns all its cells before it reads them (line 9)"
contains "a local field" out "  sum: i32, byte 16 of 56 in a cell of row; local, as line 3 says: lives for one kernel call"
contains "that is set first" out "    kernel k sets it to its default first: it may be read before it is assigned (line 9)"
contains "that is not stored" out "    kernel twice computes it where it is read: each cell is read once (line 13)"
contains "a virtual one" out "  lone: f32, in no memory; virtual, as line 5 says: computed where it is read"
contains "one of the root" out "  seen: f32, byte 0 of 4 in a cell of the root; constant, as line 4 says: no kernel writes it"
ok "none of what is sparse" sh -c "! grep -q 'far: u8, byte' out"
cat >most.sn <<'END'
field f32 given[4], half[4], result[4] hosted, idle[4];
struct pair { f32 a; f32 b; }
field pair both;
field f32 part, kept, sent, once hosted, far;
tree t { place part; dense cell[i: 4] { place both, kept, sent, once; } pointer deep[i: 4] { place far; } }
field f32x2 v[4];
kernel void k() {
  foreach (i in half) half[i] = given[i];
  part = half[3] + sent.merge[2];
  foreach (i in both) { both[i].a = part; v[i] = f32x2(half[3 - i], both[i].a); }
  foreach (i in result) result[i] = both[i].b + v[i].x;
  foreach (i in once) { once[i] = 1; result[i] += once[i]; sent[i] = once[i]; sent[i] += 1; far[i] = 2; far[i] += 1; }
}
kernel void resume() { foreach (i in kept) kept[i] = 1; foreach (i in kept) kept[i] += kept[3 - i]; }
kernel void look() { foreach (i in result) result[i] = kept[i]; }
END
gives "--most-local" 0 -q --most-local --emit=layout,c,h -o most most.sn
sed -n 's/^  \([a-z.]*\): f32,.*; \(.*\)/\1: \2/p' out >most
cat >expected <<'END'
given: hosted, since C may use it: the kernels alone would allow constant
half: local, as the kernels allow: lives for one kernel call
result: hosted, as line 1 says: also on the host
both.a: hosted, since C may use it: the kernels alone would allow local
both.b: hosted, since C may use it: the kernels alone would allow constant
kept: hosted, since C may use it: the kernels alone would allow device
sent: hosted, since C may use it: the kernels alone would allow device
once: hosted, as line 4 says: also on the host
part: local, as the kernels allow: lives for one kernel call
v.x: local, as the kernels allow: lives for one kernel call
v.y: local, as the kernels allow: lives for one kernel call
END
same "which fields are local, and why others are not" most expected
ok "C has no calls for them" sh -c "! grep -q 'most_half_[a-z]*(\|most_part_[a-z]*(\|most_v_[a-z]*(' most.h"
contains "it has for the others" most.h "most_result_get"
cat >arrays.sn <<'END'
field f32 x, y;
field i32 n local;
field u8 c;
tree t { dense row[i: 4] { dense a[j: 10] soa { place x, c, n; } place y; } }
kernel void k() { foreach (i, j in n) n[i, j] = 2; foreach (i, j in x) x[i, j] = n[i, j]; foreach (i in y) y[i] = 1; }
END
"$snodegen" -q --emit=layout -o arrays arrays.sn >out 2>said
contains "soa: a node" out "S3dense a[j: 10]: 4x containers, 40x cells, an array for each field"
contains "a field of it" out "  x: f32, in an array of its own in a container of a; hosted, since C may use it: the kernels alone would allow local"
contains "a cell that it stands in" out "  y: f32, byte 0 of 96 in a cell of row; hosted, since C may use it: the kernels alone would allow local"
cat >rows.sn <<'END'
field f32 x, y;
field u8 c;
tree t { dense row[i: 4] { dense a[j: 10, k: 4] soa rows { place x, c; } place y; } }
kernel void k() { foreach (i, j, k in x) x[i, j, k] = c[i, j, k]; foreach (i in y) y[i] = 1; }
END
"$snodegen" -q --emit=layout -o rows rows.sn >out 2>said
contains "soa rows: a node" out "S3dense a[j: 10, k: 4]: 4x containers, 160x cells, an array for each field of a row"
contains "a field of it" out "  x: f32, in an array of its own in a row of a; "
contains "a cell that it stands in" out "  y: f32, byte 0 of 204 in a cell of row; "
gives "--emit of nothing" 2 --emit= one.sn
gives "--emit=device" 0 --emit=device -o loops one.sn
contains "a header for loops of one's own" loops_device.h "one_t_device_begin("
gives "--emit=device,deps" 0 --emit=c,h,device,deps -o loops one.sn
contains "the rule has it" loops.d "loops_device.h"
gives "--emit=json" 0 --emit=json,deps -o told one.sn
ok "a manifest" test -s told.json -a ! -e told.c
contains "the rule has it" told.d "told.json"
gives "--emit=py" 0 --emit=py -o told one.sn
ok "a module of Python" test -s told.py
gives "--emit=f90" 0 --emit=f90 -o told one.sn
ok "a module of Fortran" test -s told.f90
gives "--emit=hpp" 0 --emit=hpp -o told one.sn
ok "a header of C++" test -s told.hpp
gives "--prefix" 0 --prefix=abc -o prefixed one.sn
contains "--prefix: the names" prefixed.h "abc_mass"
cp one.sn 1-2.sn
gives "a stem that is no identifier" 2 1-2.sn
contains "it names the option" said "--prefix"
gives "standard input, absent" 3 absent.sn
contains "it says so" said "absent.sn"
"$snodegen" --prefix=in -o in - <one.sn >out 2>said
is "standard input" $? 0
ok "in.c" test -s in.c
mkdir locked && chmod a-w locked
if [ "$(id -u)" -ne 0 ]; then
  gives "a folder that cannot be written" 3 --output-dir=locked one.sn
fi
gives "a folder that is not there" 3 --output-dir=nowhere one.sn
printf 'kernel void k() { nonsense; }\n' >wrong.sn
gives "errors in the source" 1 wrong.sn
ok "no file of it" test ! -e wrong.c -a ! -e wrong.h

# ---- target ----
gives "--target=serial" 0 --target=serial -o serial one.sn
is "no pragma of OpenMP" "$(grep -c 'pragma omp' serial.c)" 0
gives "--target=interpreter" 0 --target=interpreter -o interpreter one.sn
gives "--target=acc" 0 --target=acc -o acc one.sn
contains "the headers are told" acc.c "# define SN_ACC "
gives "--target=other" 2 --target=other one.sn

# ---- program ----
gives "-D" 0 -D SIZE=16 -o bigger one.sn
contains "-D: the header says it" bigger.h "16"
gives "-D joined" 0 -DSIZE=16 -o bigger2 one.sn
gives "-D of an unknown param" 2 -D SIZ=16 one.sn
contains "with a suggestion" said "'SIZE'"
gives "-D without a value" 2 -D SIZE one.sn
gives "-D of what does not fit" 2 -D SIZE=1.5 one.sn
gives "-I" 0 -I d one.sn

# ---- imports ----
mkdir lib lib/more
cat >lib/shape.sn <<'END'
import "more/size.sn";
field f32 y;
tree shape { dense cell[i: EDGE] { place y; } }
func f32 half(i32 i) { return 0.5 * y[i]; }
END
cat >lib/more/size.sn <<'END'
param i32 EDGE = 8;
kernel i32 edge() { return EDGE; }
END
cat >user.sn <<'END'
import "shape.sn";
import "lib/shape.sn";
kernel f32 first() { return half(0) + EDGE; }
END
gives "an import that -I finds" 0 -I lib user.sn
is "only the named file is written" "$(ls user.c user.h shape.c size.h 2>/dev/null)" "$(printf 'user.c\nuser.h')"
contains "the tree keeps its type" user.h "user_first(shape_shape *"
contains "its header is included" user.h '#include "shape.h"'
ok "what is imported is not declared again" sh -c "! grep -E 'EDGE|user_edge|user_y_get' user.h"
"$snodegen" -I lib -D EDGE=16 --emit=layout user.sn >out 2>said
contains "-D sets a param of an import" out "cell[i: 16]"
gives "-M with imports" 0 -M -MP -I lib user.sn
contains "-M: all files" out "user.c user.h: user.sn lib/shape.sn lib/more/size.sn"
contains "-MP: an empty rule for each" out "lib/more/size.sn:"
gives "-M where one is missing" 1 -M user.sn
# IMPORT_NAME
cp lib/shape.sn lib/a-shape.sn
printf 'import "a-shape.sn";\n' >odd.sn
gives "a name that is no identifier" 1 -I lib odd.sn
contains "it says why" said "odd.sn:1:8: error: 'a-shape.sn' cannot be imported: its name begins those of its trees in C"
printf 'field f32 y;\ntree mine { place y; }\nimport "lib/shape.sn";\n' >twice.sn
gives "a name of two files" 1 twice.sn
contains "it is told where it stands" said "lib/shape.sn:2:11: error: 'y' is already declared"
contains "and where the other" said "twice.sn:1:11: note: 'y' is declared here"
contains "with the line of its file" said "field f32 y;"

# ---- a comment that is not UTF-8 ----
printf 'field f32 y;\ntree t { place y; }\n/// W\344rme\nkernel void k() { y = 1; }\n' >latin.sn
gives "a comment of Latin-1" 0 --emit=c,h,json latin.sn
is "is UTF-8 where it is written" "$(grep -c "$(printf 'W\303\244rme')" latin.h latin.json | tr '\n' ' ')" "latin.h:1 latin.json:1 "

# ---- dependencies ----
gives "-M" 0 -M one.sn
contains "-M: a rule" out "one.c one.h: one.sn"
gives "-MD" 0 -MD -o dep one.sn
contains "-MD: beside the output" dep.d "one.sn"
gives "-MF" 0 -MD -MF rule.d -MT here one.sn
contains "-MF and -MT" rule.d "here: one.sn"
gives "-MT and -MQ, each once more" 0 -M -MT 'a b' -MQ 'c d$e#f' -MT g one.sn
contains "all are targets, -MQ's quoted" out 'a b c\ d$$e\#f g: one.sn'
mkfifo pipe && timeout 60 cat pipe >read_from_pipe &
while [ ! -p pipe ]; do sleep 0.01; done
gives "-MF a pipe" 0 -MD -MF pipe one.sn
wait
contains "what is no regular file is written into" read_from_pipe "one.c one.h: one.sn"
ok "and not replaced" test -p pipe
gives "-MP" 0 -M -MP one.sn

# ---- checks ----
for mode in trap zero none; do gives "--bounds=$mode" 0 --bounds=$mode -o $mode one.sn; done
gives "--bounds=other" 2 --bounds=other one.sn
for list in div inactive grad div,inactive; do gives "--check=$list" 0 --check=$list -o checked one.sn; done
gives "--check=divs" 2 --check=divs one.sn
contains "--check: a name that is near" said "did you mean 'div'?"
gives "--check=" 2 --check= one.sn
gives "--no-assert" 0 --no-assert -o trusting one.sn
ok "--no-assert: no assert is left" sh -c "! grep -q snd_trap_assert trusting.c && grep -q snd_trap_assert one.c"

# ---- code ----
for level in 0 1 2 3; do gives "-O$level" 0 -O$level -o level$level one.sn; done
gives "-O4" 2 -O4 one.sn
gives "--pass=no-reductions" 0 --pass=no-reductions --emit=ir one.sn
gives "--pass=no-split is refused" 2 --pass=no-split one.sn
gives "--pass=other" 2 --pass=other one.sn
gives "--fp-contract=fast" 0 --fp-contract=fast -o fused one.sn
gives "--fp-contract=on" 2 --fp-contract=on one.sn
gives "--fast-math" 0 --fast-math -o fast one.sn
gives "-g" 0 -g -o lines one.sn
ok "-g: #line leads to the source" grep -E '^#line [0-9]+ "one\.sn"' lines.c
ok "without -g there is none" sh -c "! grep -q '^#line' one.c"
printf 'kernel void put(out i64 a[n]) { foreach (i in 0 .. n) a[i] = i; }\n' >put.sn
gives "--trace" 0 --trace -o traced put.sn
ok "--trace: what is stored is logged" grep -q "SND_SITE_TRACE" traced.c
ok "without it nothing is" sh -c "! grep -E -q 'SND_SITE_TRACE|snd_(trace|print)' one.c"
cat >changed.sn <<'END'
field f32 x[8], a[8];
tree t { pointer p[i: 4] { bitmasked b[i: 4] { place v; } } }
field f32 v;
kernel void set() { foreach (i in x) x[i] = a[i] + 1; }
kernel void part(i32 k) { foreach (i in 0 .. k) v[i] = 2; }
kernel void total() { foreach (i in v) x[0] += v[i]; }
END
"$snodegen" --emit=tasks changed.sn >untraced 2>&1
"$snodegen" --trace --emit=tasks changed.sn 2>&1 | grep -v '^  prints$' >got
same "--trace: kernels may do what they may do without it" got untraced
cat >rowed.sn <<'END'
field f32 x[8, 8], a[8, 8];
kernel void set() { foreach (i, j in x) x[i, j] = a[i, j] + 1; }
END
"$snodegen" --trace -o rowed rowed.sn && cp rowed.c got.c
"$snodegen" --trace --pass=no-rows -o rowed rowed.sn
same "--trace: cell by cell, not by rows" got.c rowed.c
"$snodegen" -o rowed rowed.sn
ok "which it would be" grep -q '_row' rowed.c
contains "the source is told" got.c '"# x[i, j] = a[i, j] + 1\nx[%d, %d]{=%g} = '
gives "--routines" 0 --routines -o entries one.sn
ok "--routines: the table is there" grep -q "one_routines(void)" entries.h
ok "without it there is none" sh -c "! grep -q routines one.h one.c"
gives "--profile" 0 --profile -o measured one.sn
cat >measured_main.c <<'END'
#include "measured.h"
#include <snode/profile.h>
int main(void)
{
  sn_context *context;
  one_t *t;
  double mass;
  if (sn_context_create(NULL, &context) || one_t_create(context, NULL, &t) ||
      sn_profile_print(context) != SN_ESTATE || one_mass(t, &mass) || sn_profile_print(context))
    return 1;
  one_t_destroy(t);
  return sn_context_destroy(context);
}
END
if why=$(available serial-gcc); then
  compile serial-gcc measured.c "$work/measured.o" && compile_driver serial-gcc measured_main.c "$work/main.o" &&
    link serial-gcc measured "$work/measured.o" "$work/main.o"
  ok "--profile: a context without the option has a profile after the first call" \
    env SNODE_PROFILE=0 ./measured
  contains "--profile: with its tasks" ok.out "one_mass: struct_for(S2dense), line 6"
  "$snodegen" -o measured one.sn
  compile serial-gcc measured.c "$work/measured.o" && link serial-gcc measured "$work/measured.o" "$work/main.o"
  fails "without --profile there is none" 1 env SNODE_PROFILE=0 ./measured
else
  skip "--profile runs" "$why"
fi

# ---- messages ----
printf 'field i32 x; tree t { place x; }\nkernel i32 k(i32 x) { return x; }\n' >shadow.sn
gives "a warning" 0 shadow.sn
contains "it is one" said "warning: "
gives "-w" 0 -w shadow.sn
is "-w: nothing" "$(cat said)" ""
gives "-Werror" 1 -Werror shadow.sn
flag=$("$snodegen" shadow.sn 2>&1 | sed -n -e 's/.*\[-W\(.*\)\].*/\1/p' | head -n 1)
gives "-Wno-$flag" 0 "-Wno-$flag" shadow.sn
is "-Wno-$flag: nothing" "$(cat said)" ""
for w in all extra perf; do gives "-W$w" 0 -W$w one.sn; done
gives "-Wother" 2 -Wother one.sn
gives "--color=always" 1 --color=always wrong.sn
ok "--color: it is there" grep "$(printf '\033')" said
gives "--color=never" 1 --color=never wrong.sn
ok "--color=never: it is not" sh -c "! grep -q '$(printf '\033')' said"
gives "--diagnostics=json" 1 --diagnostics=json wrong.sn
ok "--diagnostics=json: objects" perl -MJSON::PP -e 'local $/; my $t = <STDIN>; for (split /\n/, $t) { decode_json($_) } die unless $t' <said
for n in 1 2 3 4 5 6 7 8 9; do printf 'kernel void k%d() { u%d = 1; }\n' $n $n; done >many.sn
gives "--error-limit" 1 --error-limit=3 many.sn
ok "--error-limit: no more than said" test "$(grep -c 'error:' said)" -le 4
gives "--error-limit=0" 1 --error-limit=0 many.sn
is "--error-limit=0: all" "$(grep -c 'error:' said)" 9
gives "-v" 0 -v one.sn
contains "-v says what is written" said "one.c"
gives "-q" 0 -q one.sn
is "-q: nothing" "$(cat out said)" ""

# ---- building ----
# cflags FOR FLAGS: behind the include folder, before those that are always there
cflags() {
  gives "--print-cflags=$1" 0 --print-cflags="$1"
  is "--print-cflags=$1" "$(sed -e 's/^-I[^ ]* //' out)" "$2 -ffp-contract=off"
  contains "--print-targets has it" targets "--print-cflags=${1%%:*}"
}
gives "--print-targets" 0 --print-targets
contains "--print-targets: what there is" out "interpreter"
mv out targets
cflags serial "-DSN_SERIAL"
cflags host "-fopenmp"
cflags x86 "-DSN_OFFLOAD -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu"
cflags nvptx:sm_90a "-DSN_OFFLOAD -fopenmp -foffload-lto --offload-arch=sm_90a"
cflags acc "-DSN_ACC -fopenacc -fno-ipa-pta"
cflags amdgcn:gfx90a "-DSN_OFFLOAD -fopenmp -foffload-lto --offload-arch=gfx90a"
for f in $(grep -o -h -E -e '(nvptx|amdgcn):[a-z]+_?[0-9]+[0-9a-z]*' "$SN_SRCDIR/README.md" "$SN_SRCDIR/docs/snodegen.1" | sort -u); do
  gives "--print-cflags=$f, which README or the manual page names" 0 --print-cflags=$f
done
for f in other nvptx nvptx:gfx90a nvptx:sm_ amdgcn:sm_90 'amdgcn:gfx90a -x' x86:1 acc:1; do
  gives "--print-cflags=$f is refused" 2 "--print-cflags=$f"
  contains "it says what can be" said "it takes serial, host, x86, nvptx:sm_NN, amdgcn:gfxNN, acc"
done
gives "--print-cflags" 0 --print-cflags
is "--print-cflags: of the target, threads" "$(sed -e 's/^-I[^ ]* //' out)" "-fopenmp -ffp-contract=off"
gives "--target=acc --print-cflags" 0 --target=acc --print-cflags
is "--print-cflags: of the target acc" "$(sed -e 's/^-I[^ ]* //' out)" \
  "-DSN_ACC -fopenacc -fno-ipa-pta -ffp-contract=off"
gives "--print-libs" 0 --print-libs
contains "--print-libs: the library" out "-lsnode"
# the code of a GPU, as far as it goes without the libraries of one
printf 'void f(float *x);\nvoid f(float *x)\n{\n# pragma omp target is_device_ptr(x)\n  x[0] = 1;\n}\n' >gpu.c
if [ -n "$TEST_CLANG" ] && $TEST_CLANG -fopenmp --offload-arch=gfx90a -nogpulib --offload-device-only \
     -S gpu.c -o gpu.s >/dev/null 2>&1; then
  ok "--print-cflags=amdgcn:gfx90a compiles a kernel" $TEST_CLANG -O1 -Wall -Werror $include \
    $("$snodegen" --print-cflags=amdgcn:gfx90a) -fno-lto -fno-offload-lto -nogpulib \
    --offload-device-only -S one.c -o one.s
  ok "for that processor" grep gfx90a one.s
else
  skip "--print-cflags=amdgcn:gfx90a" "no clang that compiles for it"
fi

# a compiler that only says what it is told
printf '#!/bin/sh\necho "$@" >>told\n' >compiler
chmod +x compiler
# told CC: how it is told to optimise
told() {
  rm -f told
  CC=$1 "$snodegen" --cc one.sn >out 2>said
  tr ' ' '\n' <told | grep '^-O' | tr '\n' ' '
}
is "--cc optimises" "$(told ./compiler)" "-O2 "
is "--cc: but where CC says how much" "$(told './compiler -O3')" "-O3 "
is "--cc: also not at all" "$(told './compiler  -g	-O0')" "-O0 "
is "--cc: another word is no level" "$(told './compiler -fno-OK')" "-O2 "
contains "--cc: the rest is there" told "-fPIC -shared -o one.so one.c"
if [ -e "$SN_BUILDDIR/.libs/libsnode.so" ]; then
  C_INCLUDE_PATH=$SN_SRCDIR/include LIBRARY_PATH=$SN_BUILDDIR/.libs "$snodegen" --cc one.sn >out 2>said
  is "--cc" $? 0 || diag "$(head -n 5 said)"
  ok "--cc: one.so" test -s one.so
else
  skip "--cc" "no shared library"
fi

# ---- developer ----
gives "--verify-each" 0 --verify-each one.sn
gives "--dump" 0 --dump=split one.sn
gives "--dump=all" 0 --dump=all one.sn
gives "--stop-after" 0 --stop-after=split -o stopped one.sn
ok "--stop-after: no file" test ! -e stopped.c
gives "--time-passes" 0 --time-passes one.sn
contains "--time-passes: each" said "split"
gives "--stats" 0 --stats one.sn
contains "--stats: each" said "statements"

# The sums of a small program, counted by hand; JSON by a parser where there is one.
cat >counted.sn <<'END_OF_PROGRAM'
field i32 x, y;
tree t { pointer p[i: 4] { dense d[i: 2] { place x, y; } } }
kernel void one() { foreach (i in x) x[i] = 1; }
kernel void two(i32 n) { foreach (i in 0 .. n) y[0] += i; deactivate_all(p); }
END_OF_PROGRAM
gives "--stats=json" 0 --stats=json counted.sn
is "--stats=json: nothing among the messages" "$(cat said)" ""
# sum NAME: of what was written last
sum() {
  sed -n -e "s/^  \"$1\": \([0-9]*\),\{0,1\}\$/\1/p" out
}
is "--stats=json: trees, SNodes, places, kernels" \
  "$(sum trees) $(sum snodes) $(sum places) $(sum functions) $(sum kernels)" "1 3 2 0 2"
is "--stats=json: tasks" "$(sum codegen_offloaded_tasks)" \
  $(($("$snodegen" --emit=tasks counted.sn | grep -c '^  *[0-9]')))
is "--stats=json: by their kinds" \
  "$(sum codegen_struct_for_tasks) $(sum codegen_range_for_tasks) $(sum codegen_listgen_tasks)" "1 1 2"
is "--stats=json: no box has a window" "$(sum codegen_windows)" 0
cat >windows.sn <<'END_OF_PROGRAM'
field i32 x, y;
tree t { pointer p[i: 4] { dense d[i: 8] { place x, y; } } }
kernel void one(i32 n) { foreach (i in 0 .. n) { i32 a = i * 7 % 28; for (o in 0 .. 4) { x[a + o] += i; y[a] += 1; } } }
END_OF_PROGRAM
"$snodegen" -w --stats=json windows.sn >out
is "--stats=json: one box has" "$(sum codegen_windows)" 1
gives "--stats=json: again" 0 --stats=json counted.sn
"$snodegen" --emit=ir=split counted.sn | grep -c '^    .*\$\|^  \$\|^      [a-z<]' >statements
is "--stats=json: statements behind a pass" "$(sum pass_split_statements)" "$(cat statements)"
cp out first
gives "--stats=json: twice" 0 --stats=json counted.sn
same "--stats=json: the same each time" out first
gives "--stats=json: without passes that are off" 0 --stats=json --pass=no-fold counted.sn
is "--stats=json: none of fold" "$(sum pass_fold_statements)" ""
if python3 -c 'import json' 2>/dev/null; then
  ok "--stats=json: JSON" python3 -c 'import json, sys
sums = json.load(open(sys.argv[1]))
assert sums["kernels"] == 2 and all(type(v) is int for v in sums.values())' first
elif perl -MJSON::PP -e 1 2>/dev/null; then
  ok "--stats=json: JSON" perl -MJSON::PP -e '
undef $/; exit(decode_json(<STDIN>)->{kernels} != 2)' <first
else
  skip "--stats=json: JSON" "no parser of it"
fi
gives "--stats=xml" 2 --stats=xml counted.sn
"$snodegen" --emit=ir=written one.sn >one.ir
gives "--run-pass" 0 --run-pass=split one.ir
contains "--run-pass: text in, text out" out "offloaded"

# ---- information ----
gives "--version" 0 --version
contains "--version: the ABI" out "ABI"
gives "--help" 0 --help
gives "--help-dev" 0 --help-dev
for o in $(sed -n -e 's/^OPTION([A-Za-z_]*, *"\([^"]*\)".*/\1/p' "$SN_SRCDIR/gen/options.def"); do
  grep -F -e "$o" out >/dev/null || echo "$o" >>unnamed
  sed -e 's/\\-/-/g' -e 's/\\f.//g' "$SN_SRCDIR/docs/snodegen.1" | grep -F -e "${o%-O}" >/dev/null || echo "$o" >>unpaged
done
is "--help-dev names every option" "$(cat unnamed 2>/dev/null)" ""
is "the manual page too" "$(cat unpaged 2>/dev/null)" ""

# ---- wrong usage ----
gives "no file" 2
gives "two files" 2 one.sn two.sn
gives "an unknown option" 2 --bond=trap one.sn
contains "with a suggestion" said "--bounds"
gives "a value that is missing" 2 one.sn -o
done_testing
