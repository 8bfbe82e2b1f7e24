#!/bin/sh
# The README's first program: its blocks, as they stand there, build and run, and it
# prints and generates what the page says.
. "${SN_SRCDIR:-.}/t/lib.sh"
page=$SN_SRCDIR/README.md
cd "$work" || exit 1

# the n-th block of code, without its fences
block() {
  awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' "$page"
}
block 1 >first.sn
block 2 >main.c
contains "the program is there" first.sn "kernel"
contains "its C too" main.c "int main"
ok "it is short" test "$(wc -l <first.sn)" -le 24
ok "snodegen takes it" "$snodegen" first.sn
for c in serial-gcc host-clang host-gcc x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  ok "$c: builds" sh -c "$(compiler_of $c) $(cflags_of $c) $include -I. -c first.c -o first.o &&
    $TEST_GCC -std=c11 $include -I. $warnings -Werror -c main.c -o main.o &&
    $(compiler_of $c) first.o main.o $(ldflags_of $c) -o first"
  for way in $(ways_of $c); do
    is "$c $way: prints" "$(run_as $c $way ./first 2>&1)" "$(sed -n -e 's/^It prints `\(.*\)`.*/\1/p' "$page")"
  done
done
if [ -x first ]; then
  fails "what fails is told" 1 env SNODE_THREAD=2 ./first
  contains "with its text" out "the environment has SNODE_THREAD, which is no option"
fi

# what the page shows of the generated C stands in it, line by line
block 3 | grep -v -e '^ *\.\.\.' -e '^ *$' >shown
ok "a part of the generated file is shown" test -s shown
is "and it stands there" "$(while IFS= read -r line; do
    grep -F -x -e "$line" first.c first.h >/dev/null || printf '%s\n' "$line"
  done <shown)" ""
for f in $(grep -o -E '`(docs|examples|bench|gen|runtime|include|t)/[^` ]*`' "$page" | tr -d '`'); do
  ok "$f is there" test -e "$SN_SRCDIR/$f"
done
done_testing
