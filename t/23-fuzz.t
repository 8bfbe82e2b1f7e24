#!/bin/sh
# The fuzz targets (t/fuzz) build, and go through what they begin with, through their corpus and
# through what they have found, under the sanitizers, without a finding. SN_LONG=1 lets each
# go on for some minutes. What finds something new is t/fuzz/run.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/fuzz/seeds.sh"
why=$(fuzz_missing)
[ -z "$why" ] || skip_all "$why"

# replay TARGET NAME FOLDER...: each file of the folders, once
replay() {
  replay_target=$1 replay_name="$1: $2"
  shift 2
  "$work/bin/$replay_target" -runs=0 -rss_limit_mb=3000 -artifact_prefix="$work/" "$@" >"$work/out" 2>&1
  is "$replay_name" $? 0 || diag "$(grep -A 12 -m 1 -E 'finding:|ERROR|error:' "$work/out")"
}

if ok "the targets build" fuzz_build "$work/bin" -O0; then
  for t in $(fuzz_targets); do
    fuzz_seeds "$t" "$work/seeds/$t"
    mkdir -p "$work/none"
    replay "$t" "seeds and corpus" $(ls -d "$work/seeds/$t" "$fuzz/corpus/$t" "$work/none" 2>/dev/null)
    [ ! -d "$fuzz/found/$t" ] || FUZZ_ALL=1 replay "$t" "what was found" "$fuzz/found/$t"
  done
fi
if [ -n "$SN_LONG" ]; then
  ok "for some minutes" env FUZZ_HOME="$work/home" FUZZ_LOG="$work/log" FUZZ_SLICE=60 "$fuzz/run" 0.1
  diag "$(cat "$work/log")"
  is "nothing is found" "$(ls "$work/home/findings")" ""
  for f in "$work/home/findings"/*; do            # kept: the run that finds it again may take hours
    [ -e "$f" ] || continue
    mkdir -p "$SN_BUILDDIR/fuzz/findings"
    cp "$f" "$SN_BUILDDIR/fuzz/findings"
    diag "kept: fuzz/findings/$(basename "$f") of the build folder"
  done
fi
done_testing
