#!/bin/sh
# Each rule of "Activity inside a task" has a test that fails when the rule is broken:
# here it is broken, in a copy of the device headers, and the checks of t/rules have to
# say so. A break is an edit of one line (or two); what must meet within nanoseconds to
# be seen is given time by WAIT, and a control shows that waiting alone breaks nothing.
# A selection; SN_LONG=1: all of them, in the device image too. SN_CONFIGURATIONS and
# SN_BREAK ("bitmasked rule 2") narrow the run down.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/rules/rules.sh"
configuration=host-clang
available $configuration >/dev/null || configuration=host-gcc
why=$(available $configuration) || skip_all "$why"
some=$configuration
if [ -n "$SN_LONG" ]; then
  if why=$(available x86); then some="$some x86"; else skip "x86" "$why"; fi
fi

some=${SN_CONFIGURATIONS:-$some}

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

# outcome MODULE KIND CONFIGURATION [RULE]: runs it with the headers as they are now: $work/said
outcome() {
  prepare "$1" "$2" "$3" && include="-I$work/include" compile_flags=-w compile "$3" "$folder/$1.c" "$folder/$1.o" || return 1
  outcome_objects=
  for f in $host_files; do
    $CC -std=c11 -O1 -I"$SN_SRCDIR" -I"$SN_BUILDDIR" $include -c "$f" -o "$f.o" || return 1
    outcome_objects="$outcome_objects $f.o"
  done
  link "$3" "$folder/program" "$folder/driver.o" "$folder/$1.o" $outcome_objects || return 1
  run_as "$3" "$(way_of "$3")" timeout 250 "$folder/program" $4 >"$work/said" 2>&1
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

# is_seen MODULE KIND CONFIGURATION RULE CHECK: the check fails, in one of four runs: beside other work
# two threads may not meet in the first
is_seen() {
  for turn in 1 2 3 4; do
    outcome "$1" "$2" "$3" "$4" >"$work/build.out" 2>&1
    grep -e "^not ok .* - $5" -e '^Bail out!' "$work/said" >/dev/null && return
  done
  return 1
}

# broken CHOSEN MODULE KIND CHECK [FILE EXPRESSION]...: the check of that name fails, or the
# program of that rule has to stop before it.
# CHOSEN: short: in every run; long: with SN_LONG
broken() {
  [ "$1" = short ] || [ -n "$SN_LONG" ] || return 0
  case "$2 $3 $4" in *"$SN_BREAK"*) ;; *) return 0 ;; esac
  broken_module=$2 broken_kind=$3 broken_check=$4
  shift 4
  for c in $some; do
    name="$c, $broken_kind: broken: $broken_check"
    if ! edits "$@"; then
      fail "$name"
    else
      broken_rule=$(echo "$broken_check" | sed 's/rules* \([0-9]\).*/\1/')
      if is_seen "$broken_module" "$broken_kind" "$c" "$broken_rule" "$broken_check"; then pass "$name"; else
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
  case "$1 $2 control" in *"$SN_BREAK"*) ;; *) return 0 ;; esac
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

# ---- how the rules are broken ----

# 1: everybody who sees the cell takes it out
unchecked='s/if (cell > SND_BUILDING && snd_replace(view, slot, cell, SND_INACTIVE)) {/if (cell > SND_BUILDING) { WAIT snd_store_u64(slot, SND_INACTIVE);/'
unchecked_word='/^  if (seen != word) return 0;/d;s/^  if (number < SND_FIRST_BODY) return 0;/&\n  WAIT/'
# 1: everybody resets the cell, after the bit is cleared
look='/(snd_load_acquire_u64(word) & bit) == 0) return;/d'
late_reset='s/^  if ((snd_clear_bits(view, word, bit) & bit) != 0) {/  const uint64_t old = snd_clear_bits(view, word, bit); WAIT snd_reset_in_place(view, snode, container, l, 0);\n  if ((old \& bit) != 0) {/'
# 2: the cell stays in its slot; it is not reset
kept='s/snd_replace(view, slot, cell, SND_INACTIVE))/snd_load_u64(slot) == cell)/'
kept_word='s/seen = snd_compare_exchange_u64(place, word, SND_INACTIVE);/seen = word;/'
unreset='/^  snd_reset_in_place(view, snode, container, l, 0)/d'
# 3: a free cell keeps what it held
unfilled='/^  snd_node_reset(node, snd_node_cell/d;/snd_word_u64, cell + b) = 0;/d'
# 3, 5: what was taken out is handed out at once
reused='s/^  uint64_t id = snd_node_id_of_number(/  { SND_GLB snd_snode_counters *counters = snd_counters(view, snode); const uint64_t r = snd_load_u64(\&counters->recycled); if (r > 0 \&\& snd_compare_exchange_u64(\&counters->recycled, r, r - 1) == r) return *snd_recycled_at(\&view->snode[snode], r - 1); }\n&/'
unbatched='s/return view->magazine_count > 0;/return 0;/'
wait_slot='s/^  sn_addr cell = snd_pointer_load(slot);/&\n  if (cell > 1) { WAIT }/'
wait_word='s/^  uint64_t word = snd_pointer_load(container);/&\n  if (snd_dynamic_has_body(\&view->snode[snode], word)) { WAIT }/'
wait_bit='s/^  return snd_bitmasked_read(node, container, l);/  WAIT\n&/'
# 6: the sweep forgets, or takes cells that are active again
unswept='/^      snd_sweep_cells(/d'
overswept='s/\*out & ~\*mask/*out/'
# 4: what was below stays; stays in its slots; is not given back
unexpanded='s/^  (void)snd_node_recycle_all(/  if (last < first) (void)snd_node_recycle_all(/'
unemptied='s/^    for (int64_t k = 0; k < slots; k++) snd_reset_slot(view, snode, container, k);/    (void)slots;/'
unmasked='s/snd_exchange_u64(&mask\[w\], 0)/snd_load_u64(\&mask[w])/'
# 7: a cell is left out; the list is made once; masks and lengths are read when they are used
forgotten='s/: snd_list_scan(node, container, word);/: snd_list_scan(node, container, word);\n    masks[w] \&= ~(uint64_t)32;/'
stale='s/return node->list_is_made && node->entries_stamp == entries_stamp(tree, snode);/return node->list_is_made;/'
shorter='s/snd_min_i64((k + 1) \* SND_PIECE_CELLS, pieces->cells)/snd_min_i64((k + 1) * SND_PIECE_CELLS, pieces->cells - 1)/'
live_masks='s/if (blocks->masks != NULL) block->masks = .*/if (blocks->masks != NULL) block->masks = SND_CONST_POINTER(uint64_t, block->container + 2048);/'
# 8: nobody says so; what cannot be had is written to the cell that stands for it; the rest runs
unsaid='s/if (id == SND_NO_ID) snd_node_exhausted/if (id == 0) snd_node_exhausted/'
ambient='s/^      snd_store_release_u64(slot, cell);/&\n      if (cell == 0) cell = view->snode[snode].ambient;/'
alone='s/sni_on_host(call->trees\[k\]) && call->threads == 1;/sni_on_host(call->trees[k]);/'
between='s/^  if (snd_load_u64(word) != from) return 0;/&\n  WAIT/'
between_bits='s/^  snd_store_release_u64(word, held/  WAIT\n&/'
goes_on='/^void sn_call_task/,/^}/s/if (call->code != SN_OK)$/if (0)/'

# ---- rules 1 to 3, 5, 7 and 8, for each kind ----

# No task of a device is one of one thread.
all=$some some=$configuration
broken long rules pointer "rule 1: each cell is given back once" \
  host/tree/launch.c "$alone" alone.h "$between"
broken long rules bitmasked "rule 1: who does not take the cell out" \
  host/tree/launch.c "$alone" alone.h "$between_bits"
some=$all

for kind in pointer dynamic hash; do
  if [ $kind = hash ]; then chosen=long; else chosen=short; fi
  protocol=pointer.h once=$unchecked out=$kept late=$wait_slot
  before='s/if (cell > SND_BUILDING && snd_replace(view, slot/if (cell > SND_BUILDING) { WAIT }\n  &/'
  if [ $kind = dynamic ]; then
    protocol=dynamic.h once=$unchecked_word out=$kept_word late=$wait_word
    before='s/^  if (number < SND_FIRST_BODY) return 0;/&\n  WAIT/'
  fi
  broken $chosen rules $kind "rule 1: each cell is given back once" $protocol "$once"
  broken long rules $kind "rule 1: no two cells share memory" $protocol "$once"
  broken long rules $kind "rule 2: the iteration meets" $protocol "$out"
  broken $chosen rules $kind "rules 3, 6: what was written shows in no later cell" gc.h "$unfilled"
  broken long rules $kind "rules 3, 6: what comes late is lost" \
    node.h "$reused" magazine.h "$unbatched" $protocol "$late"
  broken long rules $kind "rule 5: a task hands out nothing" node.h "$reused" \
    magazine.h "$unbatched"
  broken long rules $kind "rule 7: each active cell is visited once" \
    host/tree/list.c "$stale"
  broken long rules $kind "rule 8: a call that could not" node.h "$unsaid"
  broken long rules $kind "rule 8: the later tasks do not run" host/tree/sequencer.c "$goes_on"
  control rules $kind $protocol "$late" $protocol "$before"
done
broken long rules pointer "rule 8: cells are written whole" pointer.h "$ambient"
broken long rules hash "rule 8: cells are written whole" pointer.h "$ambient"
broken long rules pointer "rule 7: the same where" listgen.h "$forgotten"
broken long rules hash "rule 7: the same where" listgen.h "$forgotten"
broken short rules dynamic "rule 7: the same where" listgen.h "$shorter"

broken long rules bitmasked "rule 1: who does not take the cell out" \
  bitmasked.h "$look" bitmasked.h "$unreset" bitmasked.h "$late_reset"
broken short rules bitmasked "rule 2: the iteration meets" bitmasked.h "$unreset"
broken long rules bitmasked "rules 3, 6: what comes late is lost" \
  sweep.h "$unswept" bitmasked.h "$wait_bit"
broken long rules bitmasked "rule 2: the fresh cell stays" sweep.h "$overswept"
broken long rules bitmasked "rule 7: each active cell is visited once" host/tree/list.c "$stale"
broken long rules bitmasked "rule 7: the same where" listgen.h "$forgotten"
broken long rules bitmasked "rule 7: what is activated meanwhile" loop.h "$live_masks"
control rules bitmasked bitmasked.h "$wait_bit"

# ---- rule 4, for each kind above and each kind below ----

broken short deep pointer "rule 4: the memory of what was below is free" gc.h "$unexpanded"
broken long deep hash "rule 4: the memory of what was below is free" gc.h "$unexpanded"
broken long deep pointer "rule 4: what was below is gone" gc.h "$unfilled"
broken long deep hash "rule 4: what was below is gone" gc.h "$unfilled"
broken long deep bitmasked "rule 4: what was below is gone" reset.h "$unemptied"
broken long deep bitmasked "rule 4: what was below is gone" reset.h "$unmasked"
broken long deep bitmasked "rule 4: what others activated below" \
  sweep.h "$unswept" pointer.h "$wait_slot" bitmasked.h "$wait_bit"
broken long deep pointer "rule 4: its memory is free" gc.h "$unexpanded"
control deep bitmasked pointer.h "$wait_slot" bitmasked.h "$wait_bit"
done_testing
