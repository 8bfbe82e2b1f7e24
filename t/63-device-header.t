#!/bin/sh
# snodegen --emit=device: loops of one's own over a tree.  The header is C11 and C++11 without a
# warning; the program of t/hand goes over every kind of SNode on host threads and in target regions
# and compares with plain arrays; what is not allowed ends in a status and a text.
. "${SN_SRCDIR:-.}/t/lib.sh"
source=$SN_SRCDIR/t/hand
golden=$SN_SRCDIR/t/golden
one_backend=yes

# ---- the header ----

for sample in "$source/hand.sn" "$golden/heat.sn" "$golden/sparse.sn" "$golden/corners.sn" \
    "$golden/corners_sparse.sn"; do
  name=$(basename "$sample" .sn)
  mkdir -p "$work/$name"
  ok "$name: the header is written" generate "$work/$name" "$sample" -q -w --emit=c,h,device
  is "$name: no line is beyond 100 columns" \
    "$(awk 'length($0) > 100 { print FNR }' "$work/$name/${name}_device.h")" ""
  printf '#include "%s_device.h"\nint main(void) { return 0; }\n' "$name" >"$work/$name/only.c"
  for c in $TEST_GCC $TEST_CLANG; do
    for mode in -fopenmp -DSN_SERIAL; do
      ok "$name: $c -std=c11 $mode" $c -std=c11 $mode $generated_warnings -Werror $include \
        -I"$work/$name" -fsyntax-only "$work/$name/only.c"
      [ -z "$CXX" ] ||
        ok "$name: $c -x c++ -std=c++11 $mode" $c -x c++ -std=c++11 $mode -Wall -Wextra -Wshadow \
          -pedantic -Werror $include -I"$work/$name" -fsyntax-only "$work/$name/only.c"
    done
  done
done
same "heat_device.h as in t/golden" "$work/heat/heat_device.h" "$golden/heat_device.h"
(cd "$work" && "$snodegen" -q --emit=device -o alone "$source/hand.sn")
is "nothing else is written" "$(cd "$work" && ls alone*)" "alone_device.h"

# ---- the program ----

# built NAME CONFIGURATION OPTION...: the program of t/hand, its main file by these options
built() {
  built_name=$1 built_with=$2
  shift 2
  compile_flags=$(everyday_level "$built_with" hand) compile "$built_with" "$work/hand/hand.c" "$work/module.o" &&
    $(compiler_of "$built_with") "$@" $SANITIZER_CFLAGS -Wall -Wextra -Wshadow -pedantic -Werror \
      $include -I"$work/hand" -c "$source/hand.c" -o "$work/main.o" &&
    link "$built_with" "$work/program" "$work/main.o" "$work/module.o"
}

for c in serial-gcc host-gcc host-clang x86; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  for language in "" "-x c++"; do
    [ -n "$CXX" ] || [ -z "$language" ] || continue
    flags="$(cflags_of $c) $(everyday_level $c "hand $language")"
    [ -z "$language" ] || flags=$(echo "$flags" | sed 's/-std=c11/-std=c++11 -fno-exceptions/')
    ok "$c $language: builds without a warning" built hand $c $language $flags || continue
    for way in $(ways_of $c); do
      run_as $c "$way" "$work/program" >"$work/said" 2>&1
      is "$c $way $language: as plain arrays" "$(head -n 5 "$work/said")" "all is well"
    done
  done
done

# ---- a GPU: read by its compiler, not run ----

if [ -n "$NVPTX_CC" ]; then
  for language in "-std=c11" "-x c++ -std=c++11 -fno-exceptions"; do
    ok "sm_90, $language: compiles" $NVPTX_CC $NVPTX_CFLAGS $language -O1 -DSN_OFFLOAD \
      --offload-device-only -S $include -I"$work/hand" "$source/hand.c" -o "$work/hand.ptx"
    ok "each loop is a kernel" test "$(grep -c '\.entry' "$work/hand.ptx")" -ge \
      "$(grep -c '^  PARALLEL(' "$source/hand.c")"
  done
else
  skip "sm_90" "no clang for NVPTX"
fi

# ---- what does not fit ----

# said NAME CONFIGURATION TEXT: a little program over the module in $work/fit tells it
cat >"$work/fit.c" <<'END'
#include "fit_device.h"
#include <stdio.h>
int main(void)
{
  sn_context *context;
  fit_grid *grid;
  fit_grid_view view;
  int code;
  SN_TRY(sn_context_create(NULL, &context));
  SN_TRY(fit_grid_create(context, NULL, &grid));
  code = fit_grid_device_begin(grid, SN_READ, &view);
  printf("%s: %s\n", sn_strerror(code), sn_context_error(context));
  if (code == SN_OK) SN_TRY(fit_grid_device_end(grid));
  fit_grid_destroy(grid);
  return sn_context_destroy(context);
}
END
mkdir "$work/fit" "$work/new"
echo "field i32 x; tree grid { pointer tile[i: 8] { place x; } }" >"$work/fit/fit.sn"
echo "field i32 x; tree grid { pointer tile[i: 9] { place x; } }" >"$work/new/fit.sn"
said() {
  said_name=$1 said_with=$2 said_text=$3
  compile "$said_with" "$work/fit/fit.c" "$work/module.o" &&
    $(compiler_of "$said_with") -std=c11 -fopenmp $include -I"$work/new" -c "$work/fit.c" \
      -o "$work/main.o" && link "$said_with" "$work/fits" "$work/main.o" "$work/module.o"
  run_as "$said_with" $(ways_of "$said_with" | sed 's/ .*//') "$work/fits" >"$work/said" 2>&1
  contains "$said_name" "$work/said" "$said_text"
}
generate "$work/fit" "$work/fit/fit.sn" -q -w || fail "generate fit.sn"
generate "$work/new" "$work/new/fit.sn" -q -w --emit=h,device || fail "generate the other"
said "a header of another tree" host-gcc "the header is of another tree than the C file of module fit"
generate "$work/new" "$work/fit/fit.sn" -q -w --emit=h,device || fail "generate the same"
said "and of this one" host-gcc "no error: "
if why=$(available x86); then
  said "a file that has no code for devices" x86 "compiled without SN_OFFLOAD"
else
  skip "a file that has no code for devices" "$why"
fi

# ---- names ----

cat >"$work/names.sn" <<'END'
field f32 rho;
tree grid { dense cell[i: 8] { place rho; } }
const i32 foreach_rho = 1;
kernel void rho_add() { }
END
ok "a program whose kernel is called rho_add" "$snodegen" -q -w -o "$work/names" "$work/names.sn"
fails "with a header for loops it collides" 1 "$snodegen" -q -w --emit=device -o "$work/names" \
  "$work/names.sn"
contains "with the call of a field" "$work/out" "names_rho_add"
contains "and a constant with a macro" "$work/out" "names_foreach_rho"
done_testing
