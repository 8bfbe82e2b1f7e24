#!/bin/sh
# What the C writer gives: the sample heat.sn as it stands in t/golden, and programs that
# take its corners, in every form of output, without a warning of any compiler.
. "${SN_SRCDIR:-.}/t/lib.sh"
golden=$SN_SRCDIR/t/golden

# ---- the samples: to be looked at when they change, then copied ----
for sample in heat sparse; do
  generate "$work" "$golden/$sample.sn" -q -w || fail "generate $sample.sn"
  same "$sample.c as in t/golden" "$work/$sample.c" "$golden/$sample.c"
  same "$sample.h as in t/golden" "$work/$sample.h" "$golden/$sample.h"
  is "no line of $sample is beyond 100 columns" \
    "$(awk 'length($0) > 100 { print FILENAME ": " FNR }' "$work/$sample.c" "$work/$sample.h")" ""
done

# ---- a site for each place that the code names, and no others ----
for sample in heat sparse; do
  sites=$(grep -c '^  \[[0-9]*\] = { .kind = SND_SITE_' "$work/$sample.c")
  is "$sample: each row of sites is a place of the source" \
    "$(grep '^  \[[0-9]*\] = {' "$work/$sample.c" | grep -v ' .line = [1-9][0-9]*, .column = [1-9]')" ""
  ok "$sample: there are some, and the module has them" \
    sh -c "[ $sites -gt 0 ] && grep -q 'SN_TABLE(site, sites),' '$work/$sample.c'"
done

# ---- a kernel that sums a field is one region on a device: the host sets and copies scalars ----
is "heat: regions on a device of a sum" \
  "$(sed -n '/kernel mass/,/kernel seed/p' "$work/heat.c" |
       grep -o -E '^SND_(STRUCT_FOR|RANGE_FOR|LOOP|SINGLE|SCALARS)' | tr '\n' ' ')" \
  "SND_SCALARS SND_STRUCT_FOR SND_SCALARS "

# ---- equal input, equal bytes; nothing of the machine in them ----
mkdir -p "$work/elsewhere/deep"
cp "$golden/heat.sn" "$work/elsewhere/deep/heat.sn"
(cd "$work/elsewhere" && "$snodegen" -q -w deep/heat.sn)
same "the same from another folder" "$work/elsewhere/heat.c" "$work/heat.c"
same "the header too" "$work/elsewhere/heat.h" "$work/heat.h"

# ---- corners ----
# The backend, which no option changes, is left to t/70-headers.t, by each of these compilers.
compile_flags=$taken

# tried NAME OPTION...: $corners so generated, through both compilers, and for one thread, where gcc's
# optimizer has it if it was generated so
tried() {
  tried_name=$1
  shift
  rm -f "$work/$corners.c"
  generate "$work" "$work/$corners.sn" -q -w "$@" || { fail "$corners, $tried_name: generated"; return; }
  for c in serial-gcc host-gcc host-clang; do
    compile_flags="$(everyday_level $c "$corners $tried_name") $taken"
    case $tried_name,$c in
      serial,serial-gcc) compile_flags=$taken ;;
      serial,*|interpreter,host-*) continue ;;
    esac
    if why=$(available $c); then
      ok "$corners, $tried_name: $c without a warning" compile $c "$work/$corners.c" "$work/$corners.o"
    else
      skip "$corners, $tried_name: $c" "$why"
    fi
  done
}
for corners in corners corners_sparse; do
  cp "$golden/$corners.sn" "$work/$corners.sn"
  ok "$corners.sn is accepted" generate "$work" "$work/$corners.sn" -q -w
  for o in -O0 -O1 -O2 -O3 --bounds=zero --bounds=none --no-assert -g --fp-contract=fast; do
    case $corners,$o in corners,*|*,-O0|*,-O2|*,--bounds=zero) ;; *) continue ;; esac
    tried "$o" "$o"
  done
  tried interpreter --target=interpreter
  cp "$work/$corners.h" "$work/interpreted.h"
  tried serial --target=serial
  is "$corners: no pragma with --target=serial" "$(grep -n '^ *# *pragma' "$work/$corners.c")" ""
  generate "$work" "$work/$corners.sn" -q -w
  same "$corners: one header for all targets" "$work/interpreted.h" "$work/$corners.h"
  for c in serial-tcc x86; do
    if why=$(available $c); then
      ok "$corners: $c without a warning" compile $c "$work/$corners.c" "$work/$corners.o"
    else
      skip "$corners: $c" "$why"
    fi
  done
  if [ -n "$CXX" ]; then
    printf '#include "%s.h"\n' $corners >"$work/$corners.cc"
    ok "$corners: the header in C++11" $CXX -std=c++11 -Wall -Wextra -pedantic -Werror $include \
      -I"$work" -fsyntax-only "$work/$corners.cc"
  fi
done

# ---- a failure inside a function ends the iteration that called it, and no other: the
# function tells its caller, who does not look at what is noted in the launch ----
contains "functions that can fail say so" "$work/corners_sparse.c" 'float value, int32_t j, bool *ended)'
ok "no iteration is ended by another's failure" sh -c "! grep snd_stopped '$work/corners_sparse.c'"

# ---- a loop over a short constant box: no index into a table or a vector is left ----
cat >"$work/conv.sn" <<'END'
const f32 w[3, 3, 3] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                         22, 23, 24, 25, 26, 27 };
field f32 a, b;
field f32x3 v;
tree grid { pointer tile[i: 4, j: 4, k: 4] { dense cell[i: 8, j: 8, k: 8] { place a, b, v; } } }
kernel void conv() {
  foreach (I in a) {
    f32 s;
    for (o in i32x3(-1) .. i32x3(2))
      s += w[o + 1] * a[I + o];
    b[I] = s;
    for (k in 0 .. 3)
      v[I][k] = s * v[I][2 - k];
  }
}
END
generate "$work" "$work/conv.sn" -q -Wperf -Wno-relaxed-store -Wno-interleaved -Werror
ok "27 weights are 27 numbers" sh -c "[ \$(grep -c 's += .*a;' '$work/conv.c') -eq 27 ]"
ok "no choice among them is left" sh -c "! grep ' == [0-9]* ?' '$work/conv.c'"

# ---- a kernel's table names that of its adjoint, and that where the adjoint of the result stands ----
cat >"$work/adjoint.sn" <<'END'
field f64 u, v with grad;
tree grid { dense cell[i: 8] { place u, v; } }
kernel void step(f64 dt) with grad { foreach (i in u) v[i] = u[i] + dt * u[i] * u[i]; }
kernel f64 loss(f32 w) with grad { f64 all = 0.0; foreach (i in v) all += v[i] * v[i]; return all; }
END
generate "$work" "$work/adjoint.sn" -q -w
contains "a kernel names its adjoint" "$work/adjoint.c" ".gradient = &step_grad_info,"
contains "one with a result too" "$work/adjoint.c" ".gradient = &loss_grad_info,"
ok "which says where the result's stands" \
  grep '^  { .type = SN_TYPE_F64, .adjoint = offsetof(loss_grad_params, [a-z_]*) },' \
    "$work/adjoint.c"
is "others have none" "$(grep -c -e '\.gradient' -e 'SN_TABLE(adjoint, ' "$work/adjoint.c")" 3

# ---- symbols: public functions only, and no data that changes ----
if available serial-gcc >/dev/null && command -v nm >/dev/null; then
  $TEST_GCC -std=c11 -O2 -fno-pic -DSN_SERIAL $include -I"$work" -c "$work/corners.c" -o "$work/corners.o"
  is "no data that changes" "$(nm "$work/corners.o" | grep ' [bBdDcC] ')" ""
  is "every public name begins with the prefix" \
    "$(nm -g --defined-only "$work/corners.o" | awk '{ print $3 }' | grep -v '^corners_')" ""
else
  skip "symbols" "no gcc or no nm"
fi
# What a split cell holds lies apart, and the table says so; a cell that holds one node has nothing to split.
cat >"$work/apart.sn" <<'END'
field f32 x, y, z;
tree grid {
  pointer leaf[i: 4] split { dense a[i: 512] { place x; } dense b[i: 512] { place y; } }
  pointer one[i: 4] split { dense c[i: 512] { place z; } }
}
kernel void k() { foreach (i in x) y[i] = x[i]; }
END
generate "$work" "$work/apart.sn" -q
contains "a split cell is told to the runtime" "$work/apart.c" ".parts = 2,"
is "and no other" "$(grep -c '\.parts = ' "$work/apart.c")" 1
contains "its containers are a chunk's stretch apart" "$work/apart.c" \
  "char a_apart[SND_SPLIT_APART(sizeof(grid_leaf_part))];"
"$snodegen" --emit=layout "$work/apart.sn" >"$work/layout" 2>&1
contains "and the layout says it" "$work/layout" "S1pointer leaf[i: 4]: 1x container, 4x cells, a slot each, its containers apart"
# Without the word nodes of about one size are split, others are not; no id stands in cells that hold one node or are split.
cat >"$work/alike.sn" <<'END'
field f32 x, y, z, u, v;
tree grid {
  pointer alike[i: 4] { dense a[i: 512] { place x; } dense b[i: 450] { place y; } }
  pointer unlike[i: 4] { dense c[i: 512] { place z; } dense d[i: 440] { place u; } }
  pointer one[i: 4] { bitmasked e[i: 512] { place v; } }
}
kernel void k() { foreach (i in x) y[i] = x[i]; }
END
generate "$work" "$work/alike.sn" -q
is "one of them is split" "$(grep -c '\.parts = ' "$work/alike.c")" 1
contains "the one whose nodes are alike" "$work/alike.c" "SND_SPLIT_APART(sizeof(grid_alike_part))"
is "ids stand in the cells of one" "$(grep -c 'uint32_t id;' "$work/alike.c")" 1
is "which are found by place in the others" "$(grep -c 'SND_ID_NOWHERE' "$work/alike.c")" 2
# What a window is added to comes to be while other threads walk: the near form asks for cells as the plain one does.
cat >"$work/near.sn" <<'END'
field f32 m, heat, drift; field i32 id;
tree grid {
  pointer leaf[i: 16, j: 16] {
    dense node[i: 4, j: 4] { place m; }
    dense beside[i: 4, j: 4] { place heat; }
    dynamic ids[q: 1 << 14] chunk 256 { place id; }
  }
}
tree parts { dense list[l: 1024] { place drift; } }
kernel void spread(i32 far) {
  [[cache(m)]] foreach (a, b, q in id) {
    i32 p = id[a, b, q];
    f32 h = drift[p] * heat[far, p & 63];
    for (o in i32x2(0) .. i32x2(3)) m[4 * a + (p & 1) + o.x, 4 * b + o.y] += h;
  }
}
END
generate "$work" "$work/near.sn" -q
contains "a loop in windows has a near form" "$work/near.c" "SND_LOOP_TEAM(spread_task_0, spread_near_task_0, spread_team_task_0,"
contains "which walks as the plain one" "$work/near.c" "grid_leaf_read(grid, (far >> 2)"
ok "not as if nothing came to be" sh -c "! grep 'grid_leaf_read_settled(grid, (far' '$work/near.c'"
done_testing
