#!/bin/sh
# The commands in README.md and in those of examples, as they are printed, against an installed
# prefix that was moved.  Where an example's last command takes long, running is its own test's.
. "${SN_SRCDIR:-.}/t/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the library has sanitizers, the programs have none"
why=$(available host-gcc) || skip_all "$why"

ok "make install" installed_in "$work/stage"
root=$work/stage$(sed -n -e 's/^prefix=//p' "$SN_BUILDDIR/snode.pc")
# cc is the compiler that the tests have; without its optimization, which only takes time here
mkdir "$work/bin"
printf '#!/bin/sh\nexec %s "$@" -O0\n' "$TEST_GCC" >"$work/bin/cc"
chmod +x "$work/bin/cc"
PATH=$work/bin:$root/bin:$PATH LD_LIBRARY_PATH=$root/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH LD_LIBRARY_PATH

# pkg-config finds the prefix where it is now
if pkg_config=$(command -v pkg-config); then
  printf '#!/bin/sh\nexec %s --define-prefix "$@"\n' "$pkg_config" >"$work/bin/pkg-config"
  chmod +x "$work/bin/pkg-config"
fi
[ -z "$PYTHON" ] || ln -s "$PYTHON" "$work/bin/python3"
PKG_CONFIG_PATH=$root/lib/pkgconfig PYTHONDONTWRITEBYTECODE=1
export PKG_CONFIG_PATH PYTHONDONTWRITEBYTECODE

# commands_of PAGE: the lines that a reader types
commands_of() {
  sed -n -e 's/^    \(\(snodegen\|cc\|g++\|gfortran\|python3\|prefix=\|\.\/[a-z_]*\).*\)$/\1/p' "$1"
}

# block N: the n-th block of code of README.md
block() {
  awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' \
    "$SN_SRCDIR/README.md"
}

# ---- README.md ----

mkdir "$work/first" && cd "$work/first" || exit 1
block 1 >first.sn
block 2 >main.c
commands_of "$SN_SRCDIR/README.md" | grep -v -e '^./demo' -e '^./test' -e '^./autogen' >commands
is "README: three commands" "$(wc -l <commands)" 3
is "print what it says" "$(sh -e ./commands 2>&1)" \
  "$(sed -n -e 's/^It prints `\(.*\)`.*/\1/p' "$SN_SRCDIR/README.md")"
if [ -n "$PYTHON" ] && "$PYTHON" -c 'import numpy' 2>/dev/null; then
  block 4 >first_steps.py
  sed -n -e 's/.*`\(snodegen --emit=c,h,py --cc first.sn\)`.*/\1/p' "$SN_SRCDIR/README.md" >commands
  is "README, Python: the command says nothing" "$(sh -e ./commands 2>&1)" ""
  "$PYTHON" first_steps.py >said 2>&1
  is "and the program as much as the one in C" \
    "$(awk 'NR == 1 { printf "%g in %d tiles\n", $1, $2 }' said)" \
    "$(sed -n -e 's/^It prints `\(.*\)`.*/\1/p' "$SN_SRCDIR/README.md")"
else
  skip "README, Python" "no python3 with NumPy"
fi

# ---- examples in other languages: all commands, the last ones too ----

# language COMPILER EXAMPLE
language() {
  [ -n "$1" ] || { skip "$2: its commands" "no compiler for it"; return; }
  cp -r "$SN_SRCDIR/examples/$2" "$work" && chmod -R u+w "$work/$2"
  cd "$work/$2" || exit 1
  commands_of README.md >commands
  ok "$2: there are some" test "$(wc -l <commands)" -ge 3
  ok "$2: its commands run" sh -e ./commands
}
# which ask pkg-config where the headers are
if command -v pkg-config >/dev/null; then
  language "$CXX" cpp
  language "$FC" fortran
else
  skip "cpp, fortran: their commands" "no pkg-config"
fi
if [ -n "$PYTHON" ] && "$PYTHON" -c 'import numpy' 2>/dev/null; then
  language "$PYTHON" python
else
  skip "python: its commands" "no python3 with NumPy"
fi

# ---- examples that the build makes ----

# Each line up to what is said of it behind two blanks.  What takes more than some seconds:
# SN_LONG=1.  A pattern of the reader's is one of five cells; there is no volume of his.
mkdir "$work/built" && cd "$work/built" || exit 1
ln -s "$SN_BUILDDIR/examples" examples
printf 'x = 3, y = 3\nbob$2bo$3o!\n' >my-pattern.rle
for example in addop hand_loops life waves brain inverse; do
  if ! [ -x "examples/$example/$example" ]; then
    skip "$example: its commands" "it is not built: see configure's summary"
    continue
  fi
  sed -n -e 's/^    \(examples\/.*\)$/\1/p' "$SN_SRCDIR/examples/$example/README.md" |
    sed -e 's/   *.*//' | grep -v your-volume >commands
  ok "$example: there are some" test -s commands
  while read -r command; do
    case $command in
      *--help) ;;
      *--device*) available x86 >/dev/null || { skip "$command" "no device image"; continue; } ;;
      *brain/brain*|*inverse/inverse*|*--check*|*--generations=*)
        if [ -z "$SN_LONG" ]; then skip "$command" "SN_LONG=1 runs it"; continue; fi ;;
    esac
    ok "$command" timeout "$((run_seconds * 2))" sh -c "$command"
  done <commands
done

# ---- examples in C ----

case $IO_LIBS in
  *-lpng*) examples="grayscott neighbours mgpcg levelset mpm two_modules" ;;
  *) examples= && skip "examples that leave pictures" "no libpng (Debian: libpng-dev)" ;;
esac
for example in $examples; do
  cp -r "$SN_SRCDIR/examples/$example" "$work" && chmod -R u+w "$work/$example"
  cd "$work/$example" || exit 1
  commands_of README.md | grep -v '^\./' >commands
  # zlib is where libsnode_io was built with it
  [ -n "$(sed -n -e 's/^Libs.private: .*-lz.*/z/p' "$SN_BUILDDIR/snode-io.pc")" ] ||
    sed -i 's/ -lz / /' commands
  is "$example: its commands say nothing" "$(sh -e ./commands 2>&1)" ""
  ok "they make the program" test -x "./$example"
  is "which the README runs" "$(grep -c "^    \./$example" README.md)" 1
done
[ -z "$examples" ] || fails "the program that they made knows its options" 2 "$work/mpm/mpm" --nonsense
done_testing
