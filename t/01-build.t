#!/bin/sh
# The build's own promises: versions agree, make install with DESTDIR gives a set
# that a program can be built with, and nothing of the build folder is in it.
. "${SN_SRCDIR:-.}/t/lib.sh"

macro() {
  sed -n -e "s/^#define $1 \"*\([^\"]*\)\"*\$/\1/p" "$SN_SRCDIR/include/snode/version.h"
}
is "version.h and configure.ac agree" "$(macro SNODE_VERSION)" "$SN_VERSION"
is "and its parts" \
  "$(macro SNODE_VERSION_MAJOR).$(macro SNODE_VERSION_MINOR).$(macro SNODE_VERSION_PATCH)" \
  "$SN_VERSION"
"$snodegen" --version >"$work/version" 2>&1
contains "snodegen says its release" "$work/version" "$SN_VERSION"
contains "the manual page too" "$SN_SRCDIR/docs/snodegen.1" "$SN_VERSION"

# every file that a local.mk names is there, and every source is named
listed=$(cat "$SN_SRCDIR"/gen/local.mk "$SN_SRCDIR"/gen/*/local.mk "$SN_SRCDIR"/runtime/*/local.mk \
             "$SN_SRCDIR"/runtime/host/*/local.mk "$SN_SRCDIR"/examples/local.mk |
         grep -o -E '(gen|runtime|include|examples)/[A-Za-z_0-9/]*\.(c|h|def)' | sort -u)
found=$(cd "$SN_SRCDIR" && find gen runtime include/snode -name '*.[ch]' -o -name '*.def' | sort)
missing=
for f in $found; do
  case " $(echo $listed) " in *" $f "*) ;; *) missing="$missing $f" ;; esac
done
is "every source is listed in a local.mk" "$missing" ""

# ---- make install ----

unset MAKEFLAGS MFLAGS MAKELEVEL
stage=$work/stage
if installed_in "$stage"; then
  pass "make install DESTDIR"
else
  fail "make install DESTDIR"
  diag "$(tail -n 20 "$work/install.out")"
  done_testing
fi
prefix=$(sed -n -e 's/^prefix=//p' "$SN_BUILDDIR/snode.pc")
root=$stage$prefix
for f in bin/snodegen lib/libsnode.a lib/libsnode_interpreter.a include/snode/snode.h \
         include/snode/module.h include/snode/device/runtime.h include/snode/device/abi.h \
         lib/pkgconfig/snode.pc share/man/man1/snodegen.1 share/snode/schema/snode-manifest.json \
         include/snode/snode.hpp include/snode/snode.f90 \
         lib/libsnode_io.a include/snode/io.h lib/pkgconfig/snode-io.pc bin/snode-info \
         share/man/man1/snode-info.1 lib/cmake/snode/snodeConfig.cmake \
         lib/cmake/snode/snodeConfigVersion.cmake share/aclocal/snode.m4 \
         share/bash-completion/completions/snodegen share/zsh/site-functions/_snodegen \
         share/snode/editors/vim/syntax/snode.vim share/snode/editors/emacs/snode-mode.el \
         share/snode/editors/vscode/package.json share/doc/snode/README.md \
         share/doc/snode/docs/reference.md share/doc/snode/examples/builds/CMakeLists.txt; do
  ok "installed: $f" test -s "$root/$f"
done
if [ -e "$SN_BUILDDIR/.libs/libsnode.so" ]; then
  ok "installed: lib/libsnode.so" test -s "$root/lib/libsnode.so"
fi
is "nothing installed names the build folder" \
  "$(grep -rl "$SN_BUILDDIR" "$root/include" "$root/lib/pkgconfig" "$root/share" 2>/dev/null)" ""

is "each page of docs is installed" "$(cd "$root/share/doc/snode" && echo docs/*.md)" \
  "$(cd "$SN_SRCDIR" && echo docs/*.md)"

# a program from the installed files alone
cat >"$work/first.sn" <<'END'
field i32 x;
tree t { pointer tile[i: 4] { dense cell[i: 4] { place x; } } }
kernel void fill() { foreach (i in 0 .. 7) x[i] = i; }
kernel i64 sum() { i64 s = 0; foreach (i in x) s += i64(x[i]); return s; }
END
cat >"$work/main.c" <<'END'
#include "first.h"
#include <stdio.h>
int main(void)
{
  sn_context *ctx;
  first_t *t;
  int64_t s = 0;
  if (sn_context_create(NULL, &ctx) || first_t_create(ctx, NULL, &t) || first_fill(t) ||
      first_sum(t, &s))
    return 1;
  printf("%d\n", (int)s);
  first_t_destroy(t);
  return sn_context_destroy(ctx);
}
END
cd "$work" || exit 1
ok "the installed snodegen" "$root/bin/snodegen" first.sn
ok "the installed headers and library, one thread" \
  $CC -std=c11 -O1 -DSN_SERIAL -I"$root/include" $SANITIZER_CFLAGS first.c main.c "$root/lib/libsnode.a" -lm -o first
is "the program" "$(./first 2>&1)" 21
if [ -n "$OPENMP_CC" ]; then
  ok "the same with threads" \
    $OPENMP_CC -std=c11 -O1 $OPENMP_CFLAGS -I"$root/include" $SANITIZER_CFLAGS first.c main.c "$root/lib/libsnode.a" -lm \
    $OPENMP_LDFLAGS -o first-threads
  is "the program with threads" "$(SNODE_THREADS=3 ./first-threads 2>&1)" 21
fi

# what --print-cflags says leads to the installed headers, wherever they were moved
mv "$stage" "$work/moved"
root=$work/moved$prefix
flags=$("$root/bin/snodegen" --print-cflags=serial 2>&1)
libs=$("$root/bin/snodegen" --print-libs 2>&1)
ok "a program by --print-cflags=serial and --print-libs, after a move" \
  sh -c "$CC -O1 $SANITIZER_CFLAGS $flags first.c main.c $libs -o second"
is "it runs, and finds the library where it is" "$(./second 2>&1)" 21
printf 'kernel i64 main(i64 n) { return 2 * n; }\n' >twice.sn
if [ -n "$SANITIZER_CFLAGS" ]; then
  skip "--run" "sanitizers"
else
  is "--run finds them too" "$(CC=$CC "$root/bin/snodegen" --run --target=serial twice.sn -- 21 2>&1)" 42
fi

# and where the folder has a blank
mkdir "$work/a b" && cp -r "$root/bin" "$root/include" "$root/lib" "$work/a b"
if [ -z "$SANITIZER_CFLAGS" ]; then
  blank="$work/a b/bin/snodegen"
  sh -c "$CC -O1 $("$blank" --print-cflags=serial) first.c main.c $("$blank" --print-libs) -o third" >said 2>&1
  is "a blank in the folder: the program" "$(env -u LD_LIBRARY_PATH ./third 2>&1 || cat said)" 21
  is "a blank in the folder: --run" "$(CC=$CC "$blank" --run --target=serial twice.sn -- 21 2>&1)" 42
fi
rm -f "$work/a b"/lib/*.so*
CC=false "$work/a b/bin/snodegen" -q --cc --target=serial -o static first.sn >said 2>&1
is "--cc without a shared library fails where libsnode.a does not fit" "$?" 3
contains "and says why" said "holds no libsnode.so, and libsnode.a fits into static.so only where libsnode was configured --with-pic"
if [ ! -e "$SN_SRCDIR/config.status" ]; then
  mkdir configured && (cd configured && "$SN_SRCDIR/configure" --prefix="$work/a b" >../said 2>&1)
  is "configure refuses a prefix with a blank" "$?" 1
  contains "and says so" said "must not have blanks in their names"
fi

# what pkg-config says, found where the files lie now; the manual page's own example is followed
if command -v pkg-config >/dev/null; then
  mkdir pc
  sed -e "s|^prefix=.*|prefix=$root|" "$root/lib/pkgconfig/snode.pc" >pc/snode.pc
  PKG_CONFIG_PATH=$work/pc
  export PKG_CONFIG_PATH
  contains "pkg-config: generated code has libm" "$root/lib/pkgconfig/snode.pc" "-lsnode -lm"
  contains "pkg-config: products and sums stay apart" "$root/lib/pkgconfig/snode.pc" "-ffp-contract=off"
  printf 'field f32 x[8];\nkernel void k(f32 a) { foreach (i in x) x[i] = a * x[i] + 1; }\n' >sum.sn
  "$root/bin/snodegen" sum.sn
  echo '#include <snode/snode.h>' >empty.c
  if $CC -O3 -mfma -c empty.c -I"$root/include" -o empty.o 2>/dev/null && [ -z "$SANITIZER_CFLAGS" ]; then
    $CC -O3 -mfma -DSN_SERIAL $(pkg-config --cflags snode) -S sum.c -o sum.s
    is "compiled with its flags a file fuses none" "$(grep -c fmadd sum.s)" 0
  else
    skip "a compiler that could fuse" "not here"
  fi
  cp "$SN_SRCDIR/t/golden/heat.sn" .
  printf '#include "heat.h"\nint main(void) { return heat_module() == NULL; }\n' >main.c
  sed -n -e '/^\.SH EXAMPLES/,/^\.fi/{/^\./d;p;}' "$SN_SRCDIR/docs/snodegen.1" >example
  if [ -n "$OPENMP_CC" ] && [ -e "$root/lib/libsnode.so" ] && [ -z "$SANITIZER_CFLAGS" ]; then
    printf '#!/bin/sh\nexec %s "$@"\n' "$OPENMP_CC" >cc
    chmod +x cc
    ok "the example of snodegen(1)" env PATH="$work:$root/bin:$PATH" LIBRARY_PATH="$(
      echo "$OPENMP_LDFLAGS" | sed -n -e 's/.*-L\([^ ]*\).*/\1/p')" sh -e example
    ok "its program runs" env LD_LIBRARY_PATH="$root/lib" ./heat
  else
    skip "the example of snodegen(1)" "no compiler with OpenMP, no shared library, or sanitizers"
  fi
else
  skip "pkg-config" "there is none"
fi

# ---- symbols: the library gives sn_ and nothing else ----
if command -v nm >/dev/null; then
  for l in libsnode libsnode_interpreter; do
    so=$root/lib/$l.so
    [ -e "$so" ] || continue
    is "$l.so gives only sn_ symbols" \
      "$(nm -D --defined-only "$so" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(sn_|_init$|_fini$|__)/ { print $3 }')" ""
  done
fi
cd "$SN_SRCDIR" || exit 1
done_testing
