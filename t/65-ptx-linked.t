#!/bin/sh
# The NVIDIA code of generated files as a user would link it: with link-time optimisation, by the
# CUDA toolkit's ptxas.  Read, not run: no GPU is needed.  (t/42-ptx.t reads the code before the
# link, without CUDA.)
#
# First a module with the runtime's own tasks; then the kernels of benchmarks and examples, a row
# each, as t/ptx/table.txt has them (t/ptx/table.pl tells what the columns are).  SN_LONG=1: of
# all of them.  SN_STORE=FILE: the table goes there, with registers and occupancy; read what has
# changed line by line before it takes the place of the other one.
. "${SN_SRCDIR:-.}/t/lib.sh"

[ -n "$NVPTX_LDFLAGS" ] || skip_all "no ptxas"
if ! command -v perl >/dev/null; then skip_all "no perl"; fi

flags="-O3 -fopenmp --offload-arch=sm_90 $NVPTX_LDFLAGS -Wno-unused-command-line-argument"
table=$SN_SRCDIR/t/ptx/table.txt

# linked MODULE FOLDER FLAG FILE.c NAME: $work/NAME.ptx of the folder's module, linked with the
# file; it may import others of the folder
linked() {
  module=$1 module_flags=$3
  mkdir "$work/$5.d" && cd "$work/$5.d" || return 1
  generate . "$2/$1.sn" -O3 -q || return 1
  for imported in $(sed -n 's/^import "\(.*\)".*/\1/p' "$2/$1.sn"); do
    generate . "$2/$imported" -O3 -q || return 1
  done
  $NVPTX_CC -std=c11 -ffp-contract=off -DSN_OFFLOAD $module_flags $include $flags -c "$module.c" \
    -o "$module.o" &&
    $NVPTX_CC $flags -save-temps "$module.o" "$4" "$library" -lm -o linked &&
    mv linked.nvptx64*.s "../$5.ptx"
}

# count PATTERN: lines of the module's PTX that match
count() {
  grep -c -e "$1" "$ptx"
}

# what is called, each name once: what is out of line on purpose (SND_APART)
called() {
  grep -A 1 'call\.uni' "$ptx" | sed -n 's/^[[:space:]]*\([A-Za-z_0-9]*\),.*/\1/p' | sort -u
}

echo 'int main(void) { return 0; }' >"$work/main.c"
ok "churn with the runtime's tasks" linked churn "$SN_SRCDIR/t/run" "" "$work/main.c" whole
ptx=$work/whole.ptx
is "a kernel for each task" "$(count '\.entry .*_task_[0-9]*_target')" \
  "$(grep -c -E '^SND_(STRUCT_FOR|RANGE_FOR|LOOP|SINGLE)' "$work/whole.d/churn.c")"
is "no variable in local memory" "$(count '\.local')" 0
is "no shared stack" "$(count __kmpc_alloc_shared)" 0
is "what is called is what builds cells" "$(called | tr '\n' ' ')" \
  "snd_dynamic_build snd_hash_take snd_slot_build "
is "no generic load" "$(count '	ld\.[usbf][0-9]')" 0
rm -rf "$work/whole.d" "$ptx"

# The backend of what follows would be the runtime's tasks over again: a table that nobody calls.
printf 'const char snd_backend[8];\nint main(void) { return 0; }\n' >"$work/stub.c"

# ---- as much as a team may stage ----

mkdir "$work/most"
cat >"$work/most/most.sn" <<'END'
field f32 x, y;                          // 106 x 113 of x: 47,912 of 48,128 bytes
tree grid {
  pointer leaf[i: 8, j: 8] { dense a[i: 104, j: 111] { place x; } dense b[i: 104, j: 111] { place y; } }
}
kernel void blur() {
  [[cache(x)]] foreach (i, j in y) {
    if (i > 0 && j > 0 && i < 831 && j < 887) y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1];
  }
}
END
ok "as much as a team may stage: links" linked most "$work/most" $taken "$work/stub.c" most_of_all
is "it is staged" "$(grep -c '^SND_LOOP_TEAM' "$work/most_of_all.d/most.c")" 1
ok "and is assembled" ptxas -arch=sm_90 -c "$work/most_of_all.ptx" -o "$work/most.cubin"
rm -rf "$work/most" "$work/most_of_all.d" "$work/most_of_all.ptx"

# ---- benchmarks and examples ----

# assemble ROW: $work/ROW.ptx of bench/ROW.sn or examples/ROW
assemble() {
  case $1 in
    *.*) assembled=$SN_SRCDIR/examples/${1%.*} ;;
    *) assembled=$SN_SRCDIR/bench ;;
  esac
  linked "${1#*.}" "$assembled" $taken "$work/stub.c" "$1" || return 1
  [ -z "$SN_STORE" ] || ptxas -arch=sm_90 -v -c "$work/$1.ptx" -o "$work/$1.cubin" 2>"$work/$1.log"
}

rows="append conv life mgpcg mpm3d saxpy stencil7 grayscott.grayscott"
[ -z "$SN_LONG$SN_STORE" ] ||
  rows=$(cd "$SN_SRCDIR" && ls bench/*.sn examples/*/*.sn |
    sed 's/^bench.//; s/^examples.//; s/\//./; s/\.sn$//')
for row in $rows; do
  (assemble "$row") >"$work/$row.err" 2>&1 || echo "$row" >>"$work/failed" &
  running=$((${running:-0} + 1))
  if [ $((running % 2)) -eq 0 ]; then wait; fi
done
wait
is "the rows compile and link" "$(cat "$work/failed" 2>/dev/null)" ""
cd "$work" || exit 1
if [ -n "$SN_STORE" ]; then perl "$SN_SRCDIR/t/ptx/table.pl" -v *.ptx >"$SN_STORE"; fi
perl "$SN_SRCDIR/t/ptx/table.pl" *.ptx >found
ok "there are kernels" test "$(wc -l <found)" -gt 20
is "no state machine" "$(awk '$3 != "spmd" && $3 != "single" && NR > 1' found)" ""
# sines and cosines of great numbers, which the library reduces by a table of 28 bytes
is "nothing in local memory" \
  "$(awk 'NR > 1 && $8 != 0 && !($1 == "levelset.levelset" && $8 == 28)' found)" ""
ptx=$(ls *.ptx)
is "no shared stack" "$(cat $ptx | grep -c __kmpc_alloc_shared)" 0
is "memory of the team where the C stages" "$(awk 'NR > 1 && $9 > 0' found | wc -l)" \
  "$(cat ./*.d/*.c | grep -c '^SND_LOOP_TEAM')"
for row in $rows; do
  awk -v row="$row" '$1 == row { print $2, $3, $4, $5, $6, $7, $8, $9, $10 }' found >"$row.found"
  awk -v row="$row" '$1 == row { print $2, $3, $4, $5, $6, $7, $8, $9, $10 }' "$table" >"$row.table"
  same "$row: kernels, atomics and calls as in the table" "$row.found" "$row.table"
done
done_testing
