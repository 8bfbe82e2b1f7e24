#!/bin/sh
# Headers that users include: each alone, and a generated one, as C99, C11 and C++11,
# with every warning an error.
. "${SN_SRCDIR:-.}/t/lib.sh"

strict="-Wall -Wextra -Wshadow -pedantic -Werror $include -I$work -fsyntax-only"

generate "$work" "$SN_SRCDIR/t/golden/heat.sn" -q || fail "generate heat.sn"
generate "$work" "$SN_SRCDIR/examples/brain/brain.sn" -q || fail "generate brain.sn"

# alone HEADER: the only line of a file
alone() {
  alone_name=$1
  printf '#include <%s>\n' "$1" >"$work/alone.c"
  cp "$work/alone.c" "$work/alone.cc"
  for c in $TEST_GCC $TEST_CLANG; do
    for s in c99 c11; do
      ok "$alone_name: $c -std=$s" $c -std=$s $strict -Wstrict-prototypes "$work/alone.c"
    done
  done
  if [ -n "$CXX" ]; then
    ok "$alone_name: $CXX -std=c++11" $CXX -std=c++11 $strict "$work/alone.cc"
  fi
}

for h in "$SN_SRCDIR"/include/snode/*.h; do alone "snode/$(basename "$h")"; done
alone snode/device/abi.h
alone snode/device/f16.h
alone heat.h
alone brain.h

# A name that begins with sn_ is one of the public headers, or a macro that users define and README
# or the manual page of snodegen names.  What else the internal headers have begins with snd_ or
# sni_.

# words FILE...: those of the code that begin with sn_ or SN_
words() {
  cat "$@" | perl -0777 -ne 's{/\*.*?\*/|"(\\.|[^"\\])*"}{}gs; print "$_\n" for /\b(?:sn|SN)_\w+/g' |
    sort -u
}
words "$SN_SRCDIR"/include/snode/*.h "$SN_SRCDIR/include/snode/errors.def" \
  "$SN_SRCDIR/runtime/device/f16.h" >"$work/public"
internal=$(ls "$SN_SRCDIR"/runtime/device/*.h "$SN_SRCDIR"/runtime/host/*/*.h | grep -v '/f16\.h$')
for w in $(words $internal | comm -23 - "$work/public"); do
  case $w in
  SN_DEBUG) ;;                         # of the build of libsnode
  *) grep -w -e "D$w" "$SN_SRCDIR/docs/snodegen.1" "$SN_SRCDIR/README.md" >/dev/null || echo "$w" ;;
  esac
done >"$work/stray"
is "internal headers have no sn_ name of their own" "$(cat "$work/stray")" ""

# ... and what the public headers take from abi.h begins with snd_: nothing else is unknown where
# that is empty
mkdir -p "$work/bare/snode/device"
cp -R "$SN_SRCDIR"/include/snode/*.h "$SN_SRCDIR/include/snode/errors.def" "$work/bare/snode"
cp "$SN_SRCDIR/runtime/device/f16.h" "$work/bare/snode/device"
echo '#include <snode/types.h>' >"$work/bare/snode/device/abi.h"
(cd "$work/bare" && ls snode/*.h | sed 's/.*/#include <&>/') >"$work/bare.c"
${TEST_GCC:-$CC} -std=c11 -fmax-errors=0 -I"$work/bare" -fsyntax-only "$work/bare.c" 2>&1 |
  sed -n -e "s/.*error: [^']*'\([^']*\)'.*/\1/p" | sort -u >"$work/unknown"
ok "public headers take names of abi.h" test -s "$work/unknown"
is "which begin with snd_" "$(grep -v '^snd_' "$work/unknown")" ""

# what tasks use and what the tables say of kernels are told by different names: the words of one
# are unknown where the other is meant
use() {
  printf '#include <snode/task.h>\nsn_use use(void) { return sn_use_block(%s, NULL, 0); }\n' "$1" \
    >"$work/use.c"
  ${TEST_GCC:-$CC} -std=c11 $strict "$work/use.c" >"$work/out" 2>&1
}
ok "the use of a task is told by a permission" use SN_PERMISSION_READ
for word in SN_USE_READ SND_MAY_READ; do
  fails "$word is none" 1 use $word
done

# a header of another ABI is an error that says so
sed -e 's/SNODE_ABI != [0-9]*/SNODE_ABI != 999/' "$work/heat.h" >"$work/old.h"
printf '#include "old.h"\n' >"$work/old.c"
${TEST_GCC:-$CC} $include -I"$work" -fsyntax-only "$work/old.c" >"$work/out" 2>&1
contains "another ABI" "$work/out" "run snodegen again"

# ... and where nobody includes that header, as in an object file of before, linking says so: the
# symbol that every generated file needs bears the number of the ABI it was compiled with
abi=$(sed -n 's/^#define SNODE_ABI //p' "$SN_SRCDIR/include/snode/version.h")
other=$((abi + 1))
mkdir -p "$work/before/snode"
cp -R "$SN_SRCDIR"/include/snode/. "$work/before/snode"
sed "s/^#define SNODE_ABI .*/#define SNODE_ABI $other/" "$SN_SRCDIR/include/snode/version.h" \
  >"$work/version.h"
mv -f "$work/version.h" "$work/before/snode/version.h"
sed "s/SNODE_ABI != [0-9]*/SNODE_ABI != $other/" "$work/heat.h" >"$work/before/heat.h"
cp "$work/heat.c" "$work/before"
cat >"$work/main.c" <<'END'
#include "heat.h"
int main(void)
{
  sn_context *context;
  return sn_context_create(NULL, &context) || heat_bind(context) || sn_context_destroy(context);
}
END
cp "$work/main.c" "$work/before"
for a in "$work" "$work/before"; do
  ok "ABI of ${a#"$work"}/heat.c: compiled" ${TEST_GCC:-$CC} -std=c11 -DSN_SERIAL -I"$a" $include \
    -c "$a/heat.c" -o "$a/heat.o"
  ok "ABI of ${a#"$work"}/main.c: compiled" ${TEST_GCC:-$CC} -std=c11 -I"$a" $include \
    -c "$a/main.c" -o "$a/main.o"
done
ok "of the same ABI: links" ${TEST_GCC:-$CC} "$work/main.o" "$work/heat.o" "$library" -lm -pthread \
  -o "$work/same"
ok "of the same ABI: is bound" "$work/same"
fails "of another ABI: does not link" 1 ${TEST_GCC:-$CC} "$work/before/main.o" \
  "$work/before/heat.o" "$library" -lm -pthread -o "$work/other"
contains "of another ABI: the linker says which" "$work/out" "sn_module_bind_abi_$other"

# one backend for the files of a program: one gives it, the others take it
generate "$work" "$SN_SRCDIR/t/golden/sparse.sn" -q || fail "generate sparse.sn"
cat >"$work/both.c" <<'END'
#include "heat.h"
#include "sparse.h"
int main(void)
{
  sn_context *context;
  return sn_context_create(NULL, &context) || heat_bind(context) || sparse_bind(context) ||
         sn_context_destroy(context);
}
END
serial="${TEST_GCC:-$CC} -std=c11 -DSN_SERIAL -I$work $include"
ok "a file that gives its backend" $serial -DSN_BACKEND_GIVEN -c "$work/heat.c" -o "$work/given.o"
ok "one that takes it" $serial -DSN_BACKEND_TAKEN -c "$work/sparse.c" -o "$work/taken.o"
ok "they link" $serial "$work/both.c" "$work/given.o" "$work/taken.o" "$library" -lm -pthread \
  -o "$work/both"
ok "and are bound" "$work/both"
mkdir "$work/interpreted"
generate "$work/interpreted" "$SN_SRCDIR/t/golden/sparse.sn" --target=interpreter -q || fail "generate"
ok "one for the interpreter takes it" $serial -DSN_BACKEND_TAKEN -c "$work/interpreted/sparse.c" \
  -o "$work/interpreted.o"
ok "they link" $serial "$work/both.c" "$work/given.o" "$work/interpreted.o" "$interpreter_library" \
  "$library" -lm -pthread -o "$work/both-interpreted"
ok "and are bound" "$work/both-interpreted"
is "how trees are reached is compiled once" \
  "$(nm "$work/given.o" "$work/interpreted.o" | grep -c ' snd_interpreter_append$')" 1
is "the tasks are compiled once" "$(nm "$work/given.o" "$work/taken.o" | grep -c ' snd_gc_move_host$')" 1
fails "nobody gives it: does not link" 1 $serial "$work/both.c" "$work/heat.o" "$work/taken.o" \
  "$library" -lm -pthread -o "$work/both"
contains "nobody gives it: the linker says what" "$work/out" snd_backend
fails "given and taken" 1 $serial -DSN_BACKEND_GIVEN -DSN_BACKEND_TAKEN -fsyntax-only "$work/heat.c"

# a generated file needs OpenMP or SN_SERIAL
${TEST_GCC:-$CC} -std=c11 $include -I"$work" -fsyntax-only "$work/heat.c" >"$work/out" 2>&1
contains "neither OpenMP nor SN_SERIAL" "$work/out" "SN_SERIAL"

# equal input, equal output
mkdir "$work/again"
generate "$work/again" "$SN_SRCDIR/t/golden/heat.sn" -q
same "the C file is the same the second time" "$work/again/heat.c" "$work/heat.c"
same "the header too" "$work/again/heat.h" "$work/heat.h"

# the device headers, by a generated file, for each compiler and target
for c in serial-gcc serial-tcc host-clang host-gcc x86 reference-clang reference-gcc reference-x86; do
  if why=$(available $c); then
    ok "heat.c: $c without a warning" compile $c "$work/heat.c" "$work/heat.o"
  else
    skip "heat.c: $c" "$why"
  fi
done
done_testing
