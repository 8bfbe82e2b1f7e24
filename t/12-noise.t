#!/bin/sh
# Any text gives diagnostics or code: noise, programs cut off anywhere, programs with
# bytes changed.  snodegen ends with 0 or 1, in time, and says something when it is 1.
#
# The texts are drawn by a fixed generator, so a failure is found again.
# SN_LONG=1 draws many more.
. "${SN_SRCDIR:-.}/t/lib.sh"

rounds=${SN_LONG:+60}
rounds=${rounds:-4}

# survives FILE: writes why not to $work/bad
survives() {
  timeout 20 "$snodegen" --output-dir="$work/out" --error-limit=20 -q "$1" >"$work/said" 2>&1
  survives_status=$?
  case $survives_status in
    0) return 0 ;;
    1) grep -q 'error: ' "$work/said" && return 0 ;;
  esac
  echo "$1: status $survives_status: $(head -c 300 "$work/said")" >>"$work/bad"
  cp "$1" "$work/kept.sn"
  return 1
}

# all_survive NAME FILE...
all_survive() {
  all_name=$1
  shift
  : >"$work/bad"
  for file; do survives "$file"; done
  is "$all_name ($# texts)" "$(head -n 5 "$work/bad")" ""
}

mkdir "$work/out" "$work/cut" "$work/changed"

# ---- noise ----

perl -e 'srand 1; print pack("C*", map { int rand 256 } 1 .. 1 << 20)' >"$work/bytes.sn"
perl -e 'srand 2; print join "", map { chr(32 + int rand 95) } 1 .. 1 << 20' >"$work/letters.sn"
perl -e 'srand 3; @w = qw(field f32 tree kernel foreach ( ) { } [ ] in .. ; , = + - * / 1 0.5 "x" x
  pointer dense place void func return if else while for const param i32 :
  bitmasked dynamic hash chunk offset append length);
  print join " ", map { $w[rand @w] } 1 .. 200000' >"$work/words.sn"
perl -e 'print "kernel void k() { i32 a = ", "(" x 100000, "1", ")" x 100000, "; }"' >"$work/parentheses.sn"
perl -e 'print "kernel void k() ", "{" x 100000, "}" x 100000' >"$work/blocks.sn"
perl -e 'print "kernel void k() { i32 a = ", "-" x 100000, "1; }"' >"$work/signs.sn"
perl -e 'print "/" x 1000000' >"$work/slashes.sn"
perl -e 'print "field f32 x; tree t { ", map("pointer p$_" . "[i: 2] { ", 1 .. 1000), "place x;", "}" x 1001' >"$work/deep.sn"
: >"$work/empty.sn"
all_survive "noise" "$work"/*.sn

# ---- cut off, and changed ----

kinds=
for k in bitmasked dynamic hash offsets; do kinds="$kinds $SN_SRCDIR/t/lang/$k.sn"; done
perl -e '
  my ($rounds, $work, @files) = @ARGV;
  my $seed = 7;
  sub draw { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; int(($seed >> 8) % $_[0]) }
  my @bytes = map { chr } 9, 10, 32 .. 126, 0, 200;
  for my $file (@files) {
    open my $in, "<", $file or die; local $/; my $text = <$in>; close $in;
    (my $name = $file) =~ s|.*/||; $name =~ s/\.sn$//;
    for my $round (1 .. $rounds) {
      open my $cut, ">", "$work/cut/${name}_$round.sn" or die;
      print $cut substr($text, 0, draw(length $text)); close $cut;
      my $changed = $text;
      substr($changed, draw(length $changed), draw(4), $bytes[draw(scalar @bytes)]) for 1 .. 1 + draw(5);
      open my $out, ">", "$work/changed/${name}_$round.sn" or die;
      print $out $changed; close $out;
    }
  }' "$rounds" "$work" "$SN_SRCDIR"/t/run/*.sn $kinds "$SN_SRCDIR"/t/golden/heat.sn "$SN_SRCDIR"/examples/brain/brain.sn

all_survive "programs cut off" "$work"/cut/*.sn
all_survive "programs with bytes changed" "$work"/changed/*.sn

# ---- no half file ----

rm -f "$work"/out/*
"$snodegen" --output-dir="$work/out" -q "$work/letters.sn" >/dev/null 2>&1
is "a program with errors leaves no file" "$(ls "$work/out")" ""

done_testing
