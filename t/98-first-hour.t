#!/bin/sh
# Mistakes of a newcomer's first hour: each is planted, and the message says what, where and what to do.
. "${SN_SRCDIR:-.}/t/lib.sh"
source=$SN_SRCDIR/t/first
cd "$work" || exit 1
[ -n "$TEST_GCC" ] || skip_all "no gcc with OpenMP"
unset SNODE_DEVICE SNODE_THREADS
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

# says NAME TEXT COMMAND...: the command fails and says the text
says() {
  says_name=$1 says_text=$2
  shift 2
  if "$@" >said 2>&1; then fail "$says_name: fails"; fi
  contains "$says_name" said "$says_text"
}

# ---- snodegen: names that are misspelt ----
cp "$source/first.sn" .
says "an option of snodegen" "unknown option '--bound=trap'; did you mean '--bounds'?" \
  "$snodegen" --bound=trap first.sn
says "a warning" "there is no such warning; did you mean '-Wlost-update'?" "$snodegen" -Wlost-updat first.sn
says "a warning that resembles none" "there is no such warning; docs/reference.md has all of them" \
  "$snodegen" -Wcell first.sn
says "a file" "firts.sn: No such file or directory" "$snodegen" firts.sn
says "what is emitted" "--emit=c,hh: it takes c, h," "$snodegen" --emit=c,hh first.sn
sed 's/u\[i, 0\]/u[i]/' first.sn >one.sn
says "one index of two" "one.sn:5:33: error: 'u' takes 2 indices, not 1" "$snodegen" one.sn
sed 's/^field/Feild/' first.sn >letters.sn
says "a declaration" "did you mean 'field'?" "$snodegen" letters.sn
sed 's/^field \([^;]*\);/field \1 ofset (1, 1);/' first.sn >letters.sn
says "an option of a field" "did you mean 'offset'?" "$snodegen" letters.sn
sed 's/heat += u/haet += u/' first.sn >letters.sn
says "a local" "did you mean 'heat'?" "$snodegen" letters.sn
sed 's/foreach (i, j in u) heat += u\[i, j\]/foreach (i, j in u) heat = heat + u[i, j]/' first.sn >sum.sn
says "a sum without +=" "combine the values with +=" "$snodegen" sum.sn

# ---- the compiler: flags that are missing ----
ok "the module" "$snodegen" -q --check=inactive first.sn
says "no OpenMP" "compile generated files with -fopenmp, or with -DSN_SERIAL for one thread" \
  $TEST_GCC -c first.c $include -o first.o
says "no folder of headers" "snode/snode.h: No such file" $TEST_GCC -fopenmp -c first.c -o first.o
contains "and how to have one" said "snodegen --print-cflags"
ok "with both" $TEST_GCC -fopenmp -ffp-contract=off -c first.c $include -o first.o
ok "the program" $TEST_GCC -c "$source/main.c" $include -I. -o main.o
says "no library" "undefined reference to \`sn_" $TEST_GCC -fopenmp first.o main.o -lm -o first
# another release's generated file
abi=$(sed -n -e 's/^#define SNODE_ABI //p' "$SN_SRCDIR/include/snode/version.h")
mkdir older && cp -rL "$SN_SRCDIR/include/snode" older && chmod -R u+w older
sed -i "s/^#define SNODE_ABI .*/#define SNODE_ABI $((abi - 1))/" older/snode/version.h
says "headers of another ABI" "first.h was generated for libsnode ABI $abi: run snodegen again" \
  $TEST_GCC -fopenmp -c first.c -Iolder -o older.o
mkdir made && "$snodegen" -q --output-dir=made first.sn
sed -i "s/SNODE_ABI != $abi/SNODE_ABI != $((abi - 1))/" made/first.h
ok "headers and module of another ABI" $TEST_GCC -fopenmp -c made/first.c -Iolder -o older.o
says "and the library: what the linker misses names the number" "abi_$((abi - 1))" \
  $TEST_GCC -fopenmp older.o main.o $library -lm -o first

# ---- the program ----
ok "is linked" $TEST_GCC -fopenmp first.o main.o $library $SANITIZER_CFLAGS -lm -o first
ok "runs" ./first save first.tree
says "another file" "first_plane: first.c is no file of a tree, as _save writes them" ./first load first.c
says "no file" "first_plane: nowhere.tree could not be read: No such file or directory" ./first load nowhere.tree
says "an index outside" "first_plane: index (64, 0) of u is outside the extents 64 x 64" ./first outside
says "a cell that nobody has activated, --check=inactive" \
  "first.sn:5: first_near: u[3, 0] is read: its cell is inactive" ./first inactive
says "a context before its trees" "sn_context_destroy: 1 of its trees live: destroy them first" ./first destroy
says "no tree" "an argument is not valid" ./first null
says "a device that is absent" "the option device (SNODE_DEVICE) can be" ./first gpu
says "an option of a context" "there is no option 'thread': did you mean 'threads'?" ./first option thread
says "one that resembles none" "there is no option 'velocity': there are device, threads, memory_limit," \
  ./first option velocity
says "a variable" "the environment has SNODE_THREAD, which is no option: did you mean SNODE_THREADS?" \
  env SNODE_THREAD=2 ./first save first.tree
says "a variable's value" "SNODE_THREADS=two: expected a whole number" env SNODE_THREADS=two ./first save first.tree
ok "a variable of somebody else's" env SNODE_FOO=1 ./first save first.tree
done_testing
