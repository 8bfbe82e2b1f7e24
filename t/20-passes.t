#!/bin/sh
# Each pass alone: t/passes/PASS/NAME.ir holds a module, a line "---- PASS ----" and
# what the pass makes of its functions, behind its trees where these change too; lines that
# begin with # tell what is tested.
. "${SN_SRCDIR:-.}/t/lib.sh"

for file in "$SN_SRCDIR"/t/passes/*/*.ir; do
  pass_name=$(basename "$(dirname "$file")")
  name=$pass_name/$(basename "$file" .ir)
  sed -e '/^#/d' -e '/^---- /,$d' "$file" >"$work/in.ir"
  sed -e "1,/^---- $pass_name ----\$/d" "$file" >"$work/expected"
  if ! "$snodegen" --verify-each --run-pass="$pass_name" "$work/in.ir" >"$work/out" 2>"$work/said"; then
    fail "$name: runs"
    diag "$(head -n 5 "$work/said")"
    continue
  fi
  from='\(func\|kernel\)'
  if grep '^tree ' "$work/expected" >/dev/null; then from=tree; fi
  sed -n -e "/^$from /,\$p" "$work/out" >"$work/got"
  if [ -s "$work/expected" ]; then same "$name" "$work/got" "$work/expected"; else
    fail "$name: says what it expects"
  fi
  # the text is complete: read and printed again it is the same
  "$snodegen" --stop-after=settle --run-pass="$pass_name" "$work/in.ir" >"$work/again" 2>&1
  same "$name: equal input, equal output" "$work/again" "$work/out"
done

# a module that the pass does not take is refused, by its rules
sed -e '/^#/d' -e '/^---- /,$d' "$SN_SRCDIR/t/passes/share/walk.ir" >"$work/in.ir"
fails "a pass refuses a module of another stage" 1 "$snodegen" --run-pass=fold "$work/in.ir"
contains "it says which rule" "$work/out" "stage"

# the passes of the table run in its order, and all of them verify
cat >"$work/all.sn" <<'END'
field f32 u = 1.5, v;
tree grid { pointer tile[i: 4, j: 4] { dense node[i: 8, j: 8] { place u, v; } } }
func f32 half(f32 x) { return 0.5 * x; }
kernel f64 k(f32 dt) {
  f64 s = 0;
  foreach (i, j in u) {
    for (p in 0 .. 4) { if (i + p < 32) v[i, j] += dt * half(u[i + p, j] - u[i, j]); }
    s += f64(v[i, j]);
  }
  foreach (i, j in tile) { if (u[i * 8, j * 8] < 0) deactivate(tile, i, j); }
  return s;
}
END
for level in 0 1 2 3; do
  for bounds in trap zero none; do
    ok "-O$level --bounds=$bounds verifies after each pass" \
      "$snodegen" -w --verify-each -O$level --bounds=$bounds --output-dir="$work" "$work/all.sn"
  done
done
"$snodegen" -w --target=interpreter --output-dir="$work" "$work/all.sn"
contains "the interpreter gets the tasks" "$work/all.c" "offloaded struct_for"
ok "the interpreter gets nothing that a pass may leave out" \
  sh -c "! grep -q ' reduction' '$work/all.c'"
"$snodegen" --help-dev >"$work/help"
for p in $(sed -n -e 's/^PASS(\([a-z_]*\),.*/\1/p' "$SN_SRCDIR/gen/passes/passes.def"); do
  contains "$p is listed" "$work/help" "$p"
  ok "--pass=$p" "$snodegen" -w --verify-each --pass="$p" --output-dir="$work" "$work/all.sn"
  "$snodegen" -w --emit=ir="$p" "$work/all.sn" >"$work/ir" 2>&1
  "$snodegen" -w --stop-after="$p" "$work/all.sn" >"$work/stopped" 2>&1
  same "--emit=ir=$p and --stop-after=$p print the same" "$work/ir" "$work/stopped"
done
done_testing
