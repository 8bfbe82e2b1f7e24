#!/bin/sh
# Random concurrent operations on trees of all kinds of SNodes, against a set in plain C
# (t/oracle), on host threads and in the device image. A sequence that fails is shortened and
# printed, with the seed that finds it again; that this works is tested with a model that lies.
#
# SN_LONG=1: 10^9 operations on threads, 10^7 and more in the image. SN_SEEDS="1 2" chooses the trees,
# SN_OPERATIONS how many for each, SN_CONFIGURATIONS="host-clang" narrows the run down. What the last
# long run has said is t/oracle/log.txt.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
command -v perl >/dev/null || skip_all "no perl"
oracle=$SN_SRCDIR/t/oracle
if [ -n "$SN_LONG" ]; then
  seeds=${SN_SEEDS:-$(seq 1 20)} level=-O2 many=25000000 few=500000
else
  seeds=${SN_SEEDS:-1} level=-O1 many=1000000 few=20000
fi
run_seconds=3600

# build CONFIGURATION SEED: $work/CONFIGURATION/oracle
build() {
  folder=$work/$1
  mkdir -p "$folder/files"
  (cd "$folder" && perl "$oracle/generate.pl" world "$2") &&
    generate "$folder" "$folder/world.sn" -q &&
    compile_flags=$level compile "$1" "$folder/world.c" "$folder/world.o" || return 1
  compile_flags="-O2 -D_GNU_SOURCE -I$folder -I$SN_SRCDIR"
  compile_driver "$1" "$folder/world_table.c" "$folder/world_table.o" || return 1
  for f in main steps kernels chaos model; do
    [ -e "$folder/$f.o" ] || compile_driver "$1" "$oracle/$f.c" "$folder/$f.o" || return 1
  done
  link "$1" "$folder/oracle" "$folder"/*.o
}

# Threads and teams, more of them than processors too.
ways() { case $1 in x86) echo "teams=2x4" ;; *) echo "threads=2 threads=16" ;; esac; }

# search CONFIGURATION WAY SEED OPERATIONS [lie]
search() {
  search_folder=$work/$1
  search_configuration=$1 search_way=$2
  shift 2
  run_as "$search_configuration" "$search_way" "$search_folder/oracle" "$1" "$2" "$search_folder/files" $3 \
    >"$work/said" 2>&1
}

for c in ${SN_CONFIGURATIONS:-host-clang x86}; do
  if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
  case $c in x86) operations=${SN_OPERATIONS:-$few} ;; *) operations=${SN_OPERATIONS:-$many} ;; esac
  for seed in $seeds; do
    if ! build "$c" "$seed" >"$work/build.out" 2>&1; then
      fail "$c: tree $seed builds"
      diag "$(head -n 20 "$work/build.out")"
      continue
    fi
    for way in $(ways "$c"); do
      if search "$c" "$way" "$seed" "$operations"; then
        held="$c $way: tree $seed, $(sed -n -e 's/^# \([0-9]* operations.*\)/\1/p' "$work/said")"
        pass "$held"
        record "$held"
      else
        fail "$c $way: tree $seed"
        diag "$(cat "$work/said")"
      fi
    done
  done
done

# a model that forgets some deactivations: it is found, and shortened
c=host-clang
if [ -x "$work/$c/oracle" ]; then
  search $c threads=2 1 1000000 lie
  is "a model that lies is found out" $? 1
  contains "the seed is printed" "$work/said" "# seed 1"
  contains "the sequence is shortened to one step" "$work/said" "# shortened from 40 steps to 1:"
  sed -n -e 's/^#   \([a-z]* [0-9]* [0-9]*\)$/\1/p' "$work/said" >"$work/steps"
  is "of a few operations" "$(awk '{ print ($3 < 5000) }' "$work/steps")" 1
  # The step may be one without an order: which of two threads comes first decides whether a
  # forgotten deactivation is seen, so that it fails mostly, and not each time.
  tries=40
  again=0
  while [ $again = 0 ] && [ $tries -gt 0 ]; do
    run_as $c threads=2 "$work/$c/oracle" replay "$work/steps" "$work/$c/files" lie >"$work/said" 2>&1
    again=$? tries=$((tries - 1))
  done
  is "which fails again" $again 1
  run_as $c threads=2 "$work/$c/oracle" replay "$work/steps" "$work/$c/files" >"$work/said" 2>&1
  is "and holds without the lie" $? 0
fi
done_testing
