#!/bin/sh
# Files that call one another in a circle do so by recursion, in the compiler along the syntax tree
# or the IR, and docs/architecture.md names them: t/circles.pl finds them in the object files.
. "${SN_SRCDIR:-.}/t/lib.sh"
for tool in perl objdump "${CC:-cc}"; do
  command -v "$tool" >/dev/null || skip_all "no $tool"
done

# compiled INTO FROM FILE...: an object of each file below FROM, named by its path
compiled() {
  into=$1 from=$2
  shift 2
  mkdir -p "$into"
  for file in "$@"; do
    echo "$from/$file $into/$(echo "${file%.c}" | tr / :).o"
  done | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 sh -c "\${CC:-cc} -std=c11 -O0 -w -ffunction-sections \
    -fdata-sections -I'$SN_SRCDIR' -I'$SN_SRCDIR/include' -I'$SN_BUILDDIR' -c \"\$0\" -o \"\$1\""
}

circles() { perl "$SN_SRCDIR/t/circles.pl" "$@"; }

# ---- that circles are found, and recursion told from them ----

mkdir "$work/one"
cat >"$work/one/low.c" <<'END'
void high(void);
void detail(void) {}
void low(void) { high(); }
END
cat >"$work/one/high.c" <<'END'
void detail(void), low(void);
void high(void) { detail(); }
END
cat >"$work/one/stmt.c" <<'END'
void expr(int);
void stmt(int n) { if (n) expr(n - 1); }
END
cat >"$work/one/expr.c" <<'END'
void detail(void), stmt(int);
static void operand(int n) { stmt(n); }
void expr(int n) { switch (n) { case 1: operand(n); break; default: detail(); } }
END
compiled "$work/one" "$work/one" low.c high.c stmt.c expr.c
is "two files whose functions call one another's, without recursion, are a circle" \
  "$(circles "$work"/one/*.o)" "circle of 2: high low
  high calls low: detail (high)
  low calls high: high (low)"
is "what calls itself through another file is recursion" "$(circles -r "$work"/one/*.o)" "expr stmt"
rm "$work/one/low.o"
circles "$work"/one/*.o >"$work/out"
is "without the circle the status is 0" "$? $(cat "$work/out")" "0 "

# ---- the compiler ----

compiled "$work/gen" "$SN_SRCDIR" $(cd "$SN_SRCDIR" && ls gen/*.c gen/*/*.c)
is "each file of the compiler is looked at" "$(ls "$work"/gen | wc -l)" \
  "$(cd "$SN_SRCDIR" && ls gen/*.c gen/*/*.c | wc -l)"
is "files of the compiler that call one another do so by recursion" "$(circles "$work"/gen/*.o)" ""

# The rows of the table behind its head: "| `gen/lower`: array, assign | why |"
sed -n -e '/^### Recursion/,/^##* [^R]/s/^| `gen\/\([a-z]*\)`: \([^|]*[^ |]\) *|.*/\1 \2/p' \
  "$SN_SRCDIR/docs/architecture.md" | sort >"$work/told"
circles -r "$work"/gen/*.o |
  sed -e 's/gen:\([a-z]*\):/\1 /' -e 's/ gen:[a-z]*:/, /g' | sort >"$work/found"
is "docs/architecture.md names those that recursion goes through" "$(cat "$work/told")" "$(cat "$work/found")"

# ---- the runtime ----

compiled "$work/host" "$SN_SRCDIR" $(cd "$SN_SRCDIR" && ls runtime/host/*/*.c)
is "each file of the runtime is looked at" "$(ls "$work"/host | wc -l)" \
  "$(cd "$SN_SRCDIR" && ls runtime/host/*/*.c | wc -l)"
for folder in base tree exec bridge; do
  is "files of runtime/host/$folder do not call one another in a circle, not by recursion either" \
    "$(circles "$work/host/runtime:host:$folder:"*.o; circles -r "$work/host/runtime:host:$folder:"*.o)" ""
done

# The rows of the table of runtime/host/exec, "| what | `alive`, `elements` |": each file once, and calls downward.
sed -n -e '/^`runtime\/host\/exec` is layered/,/^###/s/^| [^|]* | \(`.*\) |$/\1/p' "$SN_SRCDIR/docs/architecture.md" |
  tr -d '`,' | tr ' ' '\n' >"$work/layers"
is "docs/architecture.md has each file of runtime/host/exec in a layer" "$(sort "$work/layers")" \
  "$(cd "$SN_SRCDIR/runtime/host/exec" && ls ./*.c | sed 's/.*\/\(.*\)\.c/\1/' | sort)"
is "and calls go to those before" \
  "$(circles -u "$work/host/runtime:host:exec:"*.o | sed 's/runtime:host:exec://g' |
     awk 'NR == FNR { place[$1] = NR; next } place[$2] > place[$1] { print $1 " calls " $2 }' "$work/layers" -)" ""
done_testing
