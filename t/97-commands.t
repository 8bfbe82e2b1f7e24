#!/bin/sh
# The commands in the READMEs of examples build the programs as they are printed, against an installed
# prefix; the last one, which runs a program, is each example's own test's.
. "${SN_SRCDIR:-.}/t/lib.sh"
make=${MAKE:-make}
unset MAKEFLAGS MFLAGS MAKELEVEL
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the library has sanitizers, the programs have none"
why=$(available host-gcc) || skip_all "$why"

ok "make install" sh -c "cd '$SN_BUILDDIR' && $make -s install DESTDIR='$work/stage' >'$work/install.out' 2>&1"
root=$work/stage$(sed -n -e 's/^prefix=//p' "$SN_BUILDDIR/snode.pc")
# cc is the compiler that the tests have; without its optimization, which only takes time here
mkdir "$work/bin"
printf '#!/bin/sh\nexec %s "$@" -O0\n' "$TEST_GCC" >"$work/bin/cc"
chmod +x "$work/bin/cc"
PATH=$work/bin:$root/bin:$PATH LD_LIBRARY_PATH=$root/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH LD_LIBRARY_PATH

for example in grayscott neighbours mgpcg levelset mpm two_modules; do
  cp -r "$SN_SRCDIR/examples/$example" "$work" && chmod -R u+w "$work/$example"
  cd "$work/$example" || exit 1
  sed -n -e 's/^    \(snodegen .*\|cc .*\)$/\1/p' README.md >commands
  # zlib is where libsnode_io was built with it
  [ -n "$(sed -n -e 's/^Libs.private: .*-lz.*/z/p' "$SN_BUILDDIR/snode-io.pc")" ] ||
    sed -i 's/ -lz / /' commands
  is "$example: its commands say nothing" "$(sh -e ./commands 2>&1)" ""
  ok "they make the program" test -x "./$example"
  is "which the README runs" "$(grep -c "^    \./$example" README.md)" 1
done
fails "the program that they made knows its options" 2 "$work/mpm/mpm" --nonsense
done_testing
