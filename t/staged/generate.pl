#!/usr/bin/env perl
# Loops over cells that stage fields, made of chance, as the kernel main of a module:
#
#   perl generate.pl SEED LOOPS >staged.sn
#
# Trees of one to three axes, blocks of any size; fields of all types that are read, or added to, at
# constant distances from the loop's cell, in the loop's own node, in another one and in another tree;
# where the halo is told at computed places too, near and anywhere.
# Behind each loop main prints what it has left and which cells are active.  All values are whole
# numbers that each type adds up exactly, or that wrap, so that the order of additions is not seen.
use strict;
use warnings;

my ($seed, $loops) = @ARGV;
srand $seed;

sub chance { return rand 100 < $_[0] }
sub one_of { return $_[ rand @_ ] }
sub between { my ($lo, $hi) = @_; return $lo + int rand($hi - $lo + 1) }

my $axes = one_of(1, 2, 2, 3, 3);
my @axis = (qw(i j k))[ 0 .. $axes - 1 ];
my @own = map { between(2, $axes == 1 ? 70 : $axes == 2 ? 12 : 8) } @axis;
my @above = map { between(2, $axes == 3 ? 4 : 6) } @axis;
my @total = map { $own[$_] * $above[$_] } 0 .. $axes - 1;
my $indices = join ', ', @axis;
my $border = chance(50) ? ' outside default' : '';
my @types = qw(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f32x2 i32x3);

# ---- trees: y, which loops go over, x to be read, m to be added to ----

my (@x, @m);
push @x, { name => "x$_", type => one_of(@types) } for 0 .. 3;
push @m, { name => "m$_", type => one_of(@types) } for 0 .. 3;
print "field $_->{type} $_->{name}$border;\n" for @x, @m;
print "field i32 y;\n";

sub extents { my @e = @_; return '[' . join(', ', map { "$axis[$_]: $e[$_]" } 0 .. $axes - 1) . ']' }
sub leaf {
  my ($name, @fields) = @_;
  my $kind = one_of('dense', 'dense', 'bitmasked');
  my $layout = chance(25) ? ' soa' : '';
  return "$kind $name" . extents(@own) . "$layout { place " . join(', ', @fields) . '; }';
}
# cells of one tree, cut at other places
sub cut_anew {
  my ($name, @fields) = @_;
  my @part = map { my $t = $_; one_of(grep { $t % $_ == 0 } 1 .. $t) } @total;
  my @count = map { $total[$_] / $part[$_] } 0 .. $axes - 1;
  my $place = 'place ' . join(', ', @fields) . ';';
  return "pointer $name" . extents(@count) . " { dense ${name}_of" . extents(@part) . " { $place } }"
    if chance(60);
  return "dense $name" . extents(@total) . " { $place }";
}
my $split = chance(40) ? ' split' : '';
print "tree t {\n  pointer top", extents(@above), "$split {\n";
print '    ', leaf('own', 'y', 'x0', 'm0'), "\n    ", leaf('beside', 'x1', 'm1'), "\n  }\n";
print '  ', cut_anew('other', 'x2', 'm2'), "\n}\n";
print 'tree u { ', cut_anew('apart', 'x3', 'm3'), " }\n";

print <<'END';
func u32 scramble(u32 q) {
  u32 h = q;
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return h;
}
END

# ---- main ----

my $place = join ' + ', map { (1, 131, 17389)[$_] . " * $axis[$_]" } 0 .. $axes - 1;
my $ranges = join ', ', map { "$axis[$_] in 0 .. $total[$_]" } 0 .. $axes - 1;

sub components { my ($f) = @_; return $f->{type} =~ /x([23])$/ ? (map { ".$_" } (qw(x y z))[ 0 .. $1 - 1 ]) : ('') }
sub scalar_of { my ($f) = @_; (my $t = $f->{type}) =~ s/x[23]$//; return $t }

print "kernel void main() {\n";
for my $f (@x, @m, { name => 'y', type => 'i32' }) {
  my $salt = int rand 1 << 20;
  my $share = between(1, 3);
  my $block = join ' + ', map { (7, 61, 509)[$_] . " * ($axis[$_] / $own[$_])" } 0 .. $axes - 1;
  print "  foreach ($ranges) {\n    u32 h = scramble(u32($place + $salt));\n";
  print "    if ((scramble(u32($block + $salt)) & 3) < $share && (h & 31) < 29) {\n";
  print "      $f->{name}\[$indices]$_ = ", scalar_of($f), "(h >> 8 & 7);\n" for components($f);
  print "    }\n  }\n";
}

my @reach = map { between(0, 3) } @axis;
sub distance { my ($a) = @_; my $d = between(-$reach[$a], $reach[$a]); return $d < 0 ? ' - ' . -$d : $d ? " + $d" : '' }
sub near { return join ', ', map { $axis[$_] . distance($_) } 0 .. $axes - 1 }
# within reach, or anywhere, by what s is
sub chosen { my ($count) = @_; return 'i32(scramble(u32(s) + ' . int(rand 1 << 20) . ") % $count)" }
sub computed {
  my ($a) = @_;
  return $axis[$a] . distance($a) if chance(40);
  return "$axis[$a] - $reach[$a] + " . chosen(2 * $reach[$a] + 1) if chance(70);
  return chosen($total[$a]);
}
sub place_of { my ($told) = @_; return $told && chance(60) ? join ', ', map { computed($_) } 0 .. $axes - 1 : near() }

sub loop {
  my @read = grep { chance(50) } @x;
  my @added = grep { chance(40) } @m;
  my %told = map { chance(40) ? ($_->{name} => between(0, 3)) : () } @read, @added;
  my @staged = map { exists $told{$_} ? "$_: $told{$_}" : $_ } map { $_->{name} } @read, @added;
  @reach = map { between(0, 3) } @axis;
  my @within = $border ? () : map { "$reach[$_] .. " . ($total[$_] - $reach[$_]) } 0 .. $axes - 1;
  my $inside = join ' && ', map { "$axis[$_] >= $reach[$_] && $axis[$_] < " . ($total[$_] - $reach[$_]) } 0 .. $axes - 1;
  my @attributes = @staged ? 'cache(' . join(', ', @staged) . ')' : ();
  push @attributes, 'block_dim(' . one_of(32, 64) . ')' if chance(10);
  push @attributes, 'schedule(' . one_of('static', 'dynamic') . ')' if chance(15);
  print '  ', @attributes ? '[[' . join(', ', @attributes) . ']] ' : '', "foreach ($indices in y) {\n";
  print $border ? "    {\n" : "    if ($inside) {\n";
  print "      i32 s = y[$indices] & 3;\n";
  for my $f (@read) {
    for (1 .. between(1, 4)) {
      print "      s += ", between(1, 3), ' * i32(', $f->{name}, '[', place_of(exists $told{$f->{name}}), ']',
        one_of(components($f)), ");\n";
    }
  }
  for my $f (@added) {
    for (1 .. between(1, 4)) {
      my $guard = chance(30) ? 'if ((s & 1) == ' . between(0, 1) . ') ' : '';
      print "      $guard$f->{name}\[", place_of(exists $told{$f->{name}}), ']', one_of(components($f)), ' ',
        one_of('+=', '+=', '-='), ' ', scalar_of($f), '(s & 15)', ";\n";
    }
  }
  # so that what is told is staged
  print "      s += i32($_->{name}\[$indices]", (components($_))[0], ");\n" for grep { exists $told{$_->{name}} } @read;
  print "      $_->{name}\[$indices]", (components($_))[0], " += ", scalar_of($_), "(s & 3);\n" for grep { exists $told{$_->{name}} } @added;
  print "      y[$indices] = s & 1023;\n    }\n  }\n";
}

my $sums = 0;
sub weigh {
  my ($f) = @_;
  $sums++;
  print "  i64 sum$sums = 0, cells$sums = 0;\n  foreach ($indices in $f->{name}) {\n    cells$sums += 1;\n";
  print "    sum$sums += i64($f->{name}\[$indices]$_) * (i64($place) % 1009 + 3);\n" for components($f);
  print "  }\n  print(\"$f->{name} %d of %d\\n\", sum$sums, cells$sums);\n";
}
for (1 .. $loops) {
  loop();
  weigh($_) for { name => 'y', type => 'i32' }, @m;
}
print "}\n";
