#!/bin/sh
# --check=grad: calls of adjoints that are right pass, leave the fields as they were, and say what is not
# compared; an adjoint that is altered in the C file is found, with field and cell.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
from=$SN_SRCDIR/t/check_grad

# build CONFIGURATION DIR [LEVEL]: checked.c, as it stands there, with its driver
build() {
  with=$1 dir=$2
  compile_flags=$3 compile "$with" "$dir/checked.c" "$dir/checked.o" &&
    compile_flags="-I$dir" compile_driver "$with" "$from/checked.c" "$dir/main.o" &&
    link "$with" "$dir/run" "$dir/main.o" "$dir/checked.o"
}

for c in serial-gcc host-clang x86 interpreter; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  dir=$work/$c
  mkdir -p "$dir"
  generate "$dir" "$from/checked.sn" -w --verify-each --check=grad --target="$(target_of $c)"
  ok "$c: it builds" build $c "$dir" || continue
  for way in $(ways_of $c); do
    run_as $c "$way" "$dir/run" >"$dir/out" 2>&1
    same "$c $way: right adjoints pass" "$dir/out" "$from/checked.out"
  done
done

# Without the option nothing is compared, and nothing of it is in the file.
mkdir -p "$work/plain" "$work/wrong"
generate "$work/plain" "$from/checked.sn" -w
is "no option, no table" "$(grep -c snd_grad_check "$work/plain/checked.c")" 0

# The kernels of t/run, whose drivers compare adjoints themselves; t/lang.t optimizes the same ones.
whole() {
  mkdir -p "$work/$1"
  generate "$work/$1" "$SN_SRCDIR/t/run/$1.sn" -w --check=grad &&
    compile_flags=-O0 compile serial-gcc "$work/$1/$1.c" "$work/$1/$1.o" &&
    compile_flags="-I$work/$1 -I$SN_SRCDIR/t/run -DRUN=run_$1" \
      compile_driver serial-gcc "$from/one.c" "$work/$1/one.o" &&
    compile_flags="-I$work/$1" \
      compile_driver serial-gcc "$SN_SRCDIR/t/run/$1.c" "$work/$1/main.o" &&
    link serial-gcc "$work/$1/run" "$work/$1/one.o" "$work/$1/main.o" "$work/$1/$1.o"
}

# wrong KERNEL EDIT LINE: what the adjoint's call comes to with the edit, of sed, in its part of the file;
# of numbers three digits
wrong() {
  kernel=$1 edit=$2 line=$3
  sed "/^\/\* ---- kernel $kernel /,/^\/\* ---- kernel /{ $edit
}" "$work/plain-code/checked.c" >"$work/wrong/checked.c"
  is "$kernel, $edit: is altered" \
    "$(cmp -s "$work/plain-code/checked.c" "$work/wrong/checked.c"; echo $?)" 1
  ok "$kernel: it builds" build serial-gcc "$work/wrong" -O0 || return
  run_as serial-gcc one "$work/wrong/run" >"$work/wrong/out" 2>&1
  is "$kernel, $edit: is found" "$(sed -n -e "s/^checked_$kernel([^:]*): //p" "$work/wrong/out" |
    sed -e 's/\([0-9]\.[0-9][0-9][0-9]\)[0-9]*/\1/g')" \
    "16, checked_$kernel: the adjoint of $line (--check=grad): please report the kernel as an error of snodegen"
}

if why=$(available serial-gcc); then
  for name in adjoint tangent slopes; do
    ok "$name: it builds" whole $name
    run_as serial-gcc one "$work/$name/run" >"$work/$name/out" 2>&1
    same "$name: passes" "$work/$name/out" "$SN_SRCDIR/t/run/$name.out"
  done
  mkdir -p "$work/plain-code"
  generate "$work/plain-code" "$from/checked.sn" -w -O0 --check=grad
  cp "$work/plain-code/checked.h" "$work/wrong"
  wrong loss_grad 's/v \* 9\.0/v * 8.0/' \
    "v[1] is 0.507 behind it, and by differences of checked_loss it is 0.527"
  wrong step_grad 's/t_3 \* (7\.0/t_3 * ((i == 9 ? 8.0 : 7.0)/' \
    "u[5] is 0.211 behind it, and by differences of checked_step it is 0.244"
  wrong step_grad 's/v_grad = 0\.0;/v_grad = 0.25;/' \
    "v[1] is 0.25 behind it, and by differences of checked_step it is 0"
  wrong step_grad 's/t_3 \* (7\.0/t_3 * ((i == 9 ? 0.0 \/ 0.0 : 7.0)/' \
    "u[5] is nan behind it, and by differences of checked_step it is 0.244"
  wrong gather_grad 's/u \* 7\.0/u * -7.0/' \
    "u[-4] is 0.052 behind it, and by differences of checked_gather it is 106.188"
  wrong singles_grad 's/(7\.0f + /(7.0f - /' \
    "a[0] is 3.938 behind it, and by differences of checked_singles it is 4.438"
  wrong halves_grad 's/t \* snd_cast_f32_f16(cell_3/-t * snd_cast_f32_f16(cell_3/' \
    "half[2] is 0 behind it, and by differences of checked_halves it is 10.313"
  wrong turned_grad 's/\* 7\.0/* -7.0/' \
    "w[0].x is -4.9 behind it, and by differences of checked_turned it is 2.1"
  wrong parts_grad 's/(7\.0/(7.5/' \
    "w[1].x is 29.054 behind it, and by differences of checked_parts it is 28.117"
else
  skip "adjoints that are wrong" "$why"
fi
done_testing
