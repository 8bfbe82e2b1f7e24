#!/bin/sh
# Each rule of "Activity inside a task" has a test that fails when the rule is broken:
# here it is broken, in a copy of the device headers, and the checks of t/rules have to
# say so. A break is an edit of one line (or two); what must meet within nanoseconds to
# be seen is given time by WAIT, and a control shows that waiting alone breaks nothing.
# A selection; SN_LONG=1: all of them, in the device image too.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/rules/rules.sh"
configuration=host-clang
available $configuration >/dev/null || configuration=host-gcc
why=$(available $configuration) || skip_all "$why"
some=$configuration
if [ -n "$SN_LONG" ]; then
  if why=$(available x86); then some="$some x86"; else skip "x86" "$why"; fi
fi

# A few microseconds.
wait='for (int turn = 0; turn < 400; turn++) snd_pause();'

way_of() {
  case $1 in x86) echo teams=2 ;; *) echo threads=4 ;; esac
}

# edit FILE EXPRESSION: of sed, with WAIT spelled out; true when it changed the file, a
# header of runtime/device or (host/...) a file of libsnode
edit() {
  case $1 in
    host/*) edit_file=$work/runtime/$1; host_files="$host_files $edit_file" ;;
    *) edit_file=$work/include/snode/device/$1 ;;
  esac
  sed -e "$(printf '%s' "$2" | sed -e "s/WAIT/$wait/")" "$edit_file" >"$work/edited"
  ! cmp -s "$work/edited" "$edit_file" && cp "$work/edited" "$edit_file"
}

# prepare MODULE KIND CONFIGURATION: generated file and driver's object, once
prepare() {
  folder=$work/$1-$2-$3
  [ ! -e "$folder/driver.o" ] || return 0
  "$1_module" "$2" "$folder" &&
    compile_flags="-I$folder -I$SN_SRCDIR -DKIND=\"$2\"" \
      compile_driver "$3" "$SN_SRCDIR/t/rules/$1.c" "$folder/driver.o"
}

# outcome MODULE KIND CONFIGURATION: runs it with the headers as they are now: $work/said
outcome() {
  prepare "$1" "$2" "$3" && include="-I$work/include" compile "$3" "$folder/$1.c" "$folder/$1.o" || return 1
  outcome_objects=
  for f in $host_files; do
    $CC -std=c11 -O1 -I"$SN_SRCDIR" -I"$SN_BUILDDIR" $include -c "$f" -o "$f.o" || return 1
    outcome_objects="$outcome_objects $f.o"
  done
  link "$3" "$folder/program" "$folder/driver.o" "$folder/$1.o" $outcome_objects || return 1
  run_as "$3" "$(way_of "$3")" timeout 60 "$folder/program" >"$work/said" 2>&1
}

# edits [FILE EXPRESSION]...: on a fresh copy
edits() {
  rm -rf "$work/include" "$work/runtime"
  cp -RL "$SN_SRCDIR/include" "$work/include"
  cp -R "$SN_SRCDIR/runtime" "$work/runtime"
  host_files=
  while [ $# -gt 1 ]; do
    edit "$1" "$2" || { diag "no line of $1 for: $2"; return 1; }
    shift 2
  done
}

# broken CHOSEN MODULE KIND CHECK [FILE EXPRESSION]...: the check of that name fails.
# CHOSEN: short: in every run; long: with SN_LONG
broken() {
  [ "$1" = short ] || [ -n "$SN_LONG" ] || return 0
  broken_module=$2 broken_kind=$3 broken_check=$4
  shift 4
  for c in $some; do
    name="$c, $broken_kind: broken: $broken_check"
    if ! edits "$@"; then
      fail "$name"
    else
      outcome "$broken_module" "$broken_kind" "$c" >"$work/build.out" 2>&1
      if grep "^not ok .* - $broken_check" "$work/said" >/dev/null; then pass "$name"; else
        fail "$name"
        diag "$(head -n 10 "$work/build.out")"
        diag "$(grep -v '^ok' "$work/said" | head -n 20)"
      fi
    fi
    rm -f "$work/said"
  done
}

# control MODULE KIND [FILE EXPRESSION]...: waiting there breaks nothing
control() {
  [ -n "$SN_LONG" ] || return 0
  control_module=$1 control_kind=$2
  shift 2
  for c in $some; do
    name="$c, $control_kind: waiting breaks nothing"
    if edits "$@" && outcome "$control_module" "$control_kind" "$c" >"$work/build.out" 2>&1; then
      pass "$name"
    else
      fail "$name"
      diag "$(head -n 10 "$work/build.out")"
      diag "$(grep -v '^ok' "$work/said" | head -n 20)"
    fi
    rm -f "$work/said"
  done
}

# ---- pointer, and what all have that comes from a node manager ----

broken short rules pointer "rule 1: each cell is given back once" \
  pointer.h 's/if (cell > SND_BUILDING && snd_compare_exchange_u64(word, cell, SND_INACTIVE) == cell) {/if (cell > SND_BUILDING) { WAIT snd_store_u64(word, SND_INACTIVE);/'
broken long rules pointer "rule 1: no two cells share memory" \
  pointer.h 's/if (cell > SND_BUILDING && snd_compare_exchange_u64(word, cell, SND_INACTIVE) == cell) {/if (cell > SND_BUILDING) { WAIT snd_store_u64(word, SND_INACTIVE);/'
broken long rules pointer "rule 2: the iteration meets" \
  pointer.h 's/snd_compare_exchange_u64(word, cell, SND_INACTIVE) == cell)/snd_load_u64(word) == cell)/'
broken short rules pointer "rules 3, 6: what was written shows in no later cell" \
  gc.h '/^    snd_node_reset(node, snd_node_cell/d'
broken long rules pointer "rules 3, 6: what comes late is lost" \
  node.h 's/^  sn_addr cell = 0;/&\n  { const uint64_t r = snd_load_u64(\&counters->recycled); if (r > 0 \&\& snd_compare_exchange_u64(\&counters->recycled, r, r - 1) == r) return snd_node_cell(node, SND_POINTER(uint32_t, node->recycled_ids)[r - 1]); }/' \
  pointer.h 's/^  sn_addr cell = snd_pointer_load(word);/&\n  if (cell > 1) { WAIT }/'
broken long rules pointer "rule 5: a task hands out nothing" \
  node.h 's/^  sn_addr cell = 0;/&\n  { const uint64_t r = snd_load_u64(\&counters->recycled); if (r > 0 \&\& snd_compare_exchange_u64(\&counters->recycled, r, r - 1) == r) return snd_node_cell(node, SND_POINTER(uint32_t, node->recycled_ids)[r - 1]); }/'
broken long rules pointer "rule 8: a call that could not" \
  node.h 's/if (cell == 0) snd_node_exhausted/if (cell == 1) snd_node_exhausted/'
broken long rules pointer "rule 8: cells are written whole" \
  pointer.h 's/^      snd_store_release_u64(slot, cell);/&\n      if (cell == 0) cell = view->snode[snode].ambient;/'
broken long rules pointer "rule 8: the later tasks do not run" \
  host/tree/sequencer.c '/^void sn_call_task/,/^}/s/if (call->code != SN_OK)$/if (0)/'
control rules pointer \
  pointer.h 's/if (cell > SND_BUILDING && snd_compare_exchange_u64/if (cell > SND_BUILDING) { WAIT }\n  &/' \
  pointer.h 's/^  sn_addr cell = snd_pointer_load(word);/&\n  if (cell > 1) { WAIT }/'
done_testing
