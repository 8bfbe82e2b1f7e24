#!/bin/sh
# The files of t, the lists that make check and make prove run, what make dist packs and the log
# of make check-long: they name the same tests, and what is to be run can be run.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR" || exit 1

# ---- the lists ----

# listed VARIABLE FILE...: the words that the makefiles give it
listed() {
  listed_variable=$1
  shift
  sed -e ':a' -e '/\\$/N; s/\\\n/ /; ta' "$@" |
    sed -n -e "s/^$listed_variable *+= *//p" | tr -s ' ' '\n' | sed -e '/^$/d' | sort
}
listed dist_check_SCRIPTS t/local.mk >"$work/scripts"
listed check_PROGRAMS gen/*/local.mk runtime/host/*/local.mk t/local.mk >"$work/programs"

find t -maxdepth 1 -name '*.t' | sort >"$work/tests"
find t -maxdepth 1 -name '[0-9][0-9]-*.c' | sed -e 's/c$/t/' | sort >"$work/from_c"
same "each test in C is listed, and no other" "$work/programs" "$work/from_c"
# a build in the source tree has the programs there too
grep -v -x -F -f "$work/programs" "$work/tests" >"$work/found"
same "each script is listed, and no other" "$work/scripts" "$work/found"
is "none is listed twice" "$(uniq -d "$work/scripts")" ""
sort "$work/scripts" "$work/programs" >"$work/all"
grep '^TESTS = ' "$SN_BUILDDIR/Makefile" >"$work/tests_variable"
ok "the makefile runs both lists" sh -c "
  grep -F 'check_PROGRAMS' '$work/tests_variable' && grep -F 'dist_check_SCRIPTS' '$work/tests_variable'"

# ---- modes ----

# what begins with #! is run by its name, and nothing else is
runs=
for f in autogen.sh demo test .ci/* t/*.t t/*.sh t/*/* bench/* examples/*/*; do
  [ -f "$f" ] || continue
  case $f in */lib.sh|*/programs.sh) continue ;; esac
  [ "$(dd if="$f" bs=2 count=1 2>/dev/null | tr -d '\000')" = '#!' ] || continue
  [ -x "$f" ] || runs="$runs $f"
done
is "what begins with #! is executable" "$runs" ""

# ---- what is packed ----

make=${MAKE:-make}
unset MAKEFLAGS MFLAGS MAKELEVEL
if ! command -v git >/dev/null || ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  skip "make dist packs what the project has" "no clone of it"
elif ! ok "make distdir" $make -s -C "$SN_BUILDDIR" distdir distdir="$work/packed"; then
  diag "nothing is packed"
else
  (cd "$work/packed" && find . \( -type f -o -type l \) | sed -e 's|^\./||' | sort) >"$work/packed.list"
  git ls-files | grep -v '^\.gitignore$' | sort >"$work/tracked"
  is "make dist packs each file that the project has" \
    "$(comm -13 "$work/packed.list" "$work/tracked")" ""
  # what autogen.sh makes is there too
  is "and nothing that lies about" \
    "$(comm -23 "$work/packed.list" "$work/tracked" |
       grep -v -E '^(build-aux/[a-z.-]*|m4/(lt|libtool)[a-z~]*\.m4|configure|config\.h\.in|Makefile\.in|aclocal\.m4)$')" ""
  is "modes are packed as they are" "$(
    git ls-files -s | awk '$1 == "100755" { print $4 }' | while read -r f; do
      [ -x "$work/packed/$f" ] || echo "$f"
    done)" ""
fi

# ---- the log of make check-long ----

grep -v '^#' t/check-long.txt | cut -d ' ' -f 1 | sort -u >"$work/logged"
sed 's|^t/||; s|\.t$||' "$work/all" | sort -u >"$work/names"
is "the log names no test that is gone" "$(comm -23 "$work/logged" "$work/names")" ""
is "and none that failed, the tables of what is covered neither" "$(grep -h FAILED t/check-long.txt t/covered/*.txt)" ""
# what takes a day has a table of its own, in the place of a row
ls t/covered | sed 's|\.txt$||' | sort -u - "$work/logged" >"$work/known"
newer=$(comm -13 "$work/known" "$work/names" | tr '\n' ' ')
if [ -n "$newer" ]; then
  skip "the log names every test" "not yet run by make check-long: $newer"
else
  pass "the log names every test"
fi
done_testing
