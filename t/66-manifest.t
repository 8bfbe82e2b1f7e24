#!/bin/sh
# snodegen --emit=json: the manifest of many programs keeps the published schema, names each
# function that the header declares and no other, and says of layouts, constants and parameters
# what C has.
. "${SN_SRCDIR:-.}/t/lib.sh"
schema=$SN_SRCDIR/schema/snode-manifest.json
script=$SN_SRCDIR/t/bind/manifest.py

# functions_of HEADER: what it declares
functions_of() {
  sed -n -e 's/^\(SN_NODISCARD \)\{0,1\}\(int\|void\|const sn_module\) \*\{0,1\}\([A-Za-z_0-9]*\)(.*/\3/p' \
    "$1" | sort
}
# functions_in MANIFEST: what it names
functions_in() {
  sed -e '1,/^  "functions": \[/d' "$1" | sed -n -e 's/^      "name": "\(.*\)",$/\1/p' | sort
}

# ---- names ----

wrong=
for f in "$SN_SRCDIR"/t/run/*.sn "$SN_SRCDIR"/t/golden/*.sn "$SN_SRCDIR/t/bind/corners.sn"; do
  name=$(basename "$f" .sn)
  generate "$work" "$f" -q -w --emit=h,json >"$work/said" 2>&1 || continue
  functions_of "$work/$name.h" >"$work/declared"
  functions_in "$work/$name.json" >"$work/named"
  cmp -s "$work/declared" "$work/named" || wrong="$wrong $name"
done
is "each function of the header is named, and no other" "$wrong" ""
ok "and there are many programs" test "$(ls "$work"/*.json | wc -l)" -ge 50
ok "with functions" test "$(functions_in "$work/corners.json" | wc -l)" -ge 60
cp "$work/corners.json" "$work/first.json"
(cd "$work" && "$snodegen" -q -w --emit=json -o corners "$SN_SRCDIR/t/bind/corners.sn")
same "equal input, equal bytes" "$work/corners.json" "$work/first.json"
cat >"$work/said.sn" <<'END'
/// A "quoted" \ comment, ü.
field f32 x = 1.0 / 3;
const f64 huge = 1.0 / 0.0;
tree t { dense a[i: 2] { place x; } }
END
(cd "$work" && "$snodegen" -q -w --emit=json said.sn)
contains "a comment as a string" "$work/said.json" '"doc": "A \"quoted\" \\ comment, ü."'
contains "the shortest number" "$work/said.json" '"default": 0.33333334'
contains "what JSON has no number for" "$work/said.json" '"value": "inf"'

# ---- the schema ----

if [ -z "$PYTHON" ] || ! "$PYTHON" -c 'import jsonschema' 2>/dev/null; then
  skip "the schema" "no python3 with jsonschema (Debian: python3-jsonschema)"
else
  ok "all keep the schema" "$PYTHON" "$script" schema "$schema" "$work"/*.json
  sed 's/"kind": "pointer"/"kind": "pointers"/' "$work/corners.json" >"$work/broken.json"
  fails "the schema sees a kind that is none" 1 "$PYTHON" "$script" schema "$schema" \
    "$work/broken.json"
  rm "$work/broken.json"
fi

# ---- against C ----

if [ -z "$PYTHON" ]; then
  skip "as C has it" "no python3"
else
  for sample in bind/corners golden/heat golden/sparse run/imports run/vectors run/structs; do
    [ -f "$SN_SRCDIR/t/$sample.sn" ] || continue
    name=$(basename "$sample")
    "$PYTHON" "$script" c "$work/$name.json" >"$work/check.c"
    generate "$work" "$SN_SRCDIR/t/$sample.sn" -q -w --emit=h
    for other in shapes generics_lib; do
      [ ! -f "$SN_SRCDIR/t/run/$other.sn" ] || generate "$work" "$SN_SRCDIR/t/run/$other.sn" -q -w --emit=h
    done
    ok "$name: layouts, constants and parameters are C's" ${TEST_GCC:-$CC} -std=c11 -Wall -Wextra \
      -Wno-unused-variable -Werror $include -I"$work" -fsyntax-only "$work/check.c"
  done
fi
done_testing
