# generate.pl SEED LOOPS FOLDER [KERNEL | leaves]: a grid, a list of points, leaves with lists of points, and so
# many kernels that read boxes of cells at computed places, or add to them, made of chance, the same
# for the same seed: FOLDER/p.sn and, for driver.c, FOLDER/table.h. With KERNEL that one alone; with
# "leaves" all go over the leaves' lists and cache their fields, some with a halo that is told.
#
# What a kernel leaves depends on no order: values are small integers, and what is added to is read by
# nobody. Where the first line of p.sn says so some points lie outside the grid.
use strict;
use warnings;

my ($seed, $loops, $folder, $only) = @ARGV;
my $all_leaves = defined $only && $only eq 'leaves';
undef $only if $all_leaves;
my $state = ($seed * 2654435761 + 98765) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }
sub between { return $_[0] + below($_[1] - $_[0] + 1) }
sub product { my $p = 1; $p *= $_ for @_; return $p }

my $bounds = one_of(qw(none none none trap trap zero));
my $is_wild = $bounds ne 'none' && chance(50);
my @axes = @{ one_of(['i'], ['i', 'j'], ['i', 'j'], ['i', 'j', 'k'], ['i', 'j', 'k'], ['i', 'j', 'k', 'l']) };
my @points = map { "at_$_" } @axes;

# ---- the grid ----

my $cells = 6000;
my (%leaf, %top, %mid, %total);
my $has_mid = chance(20);
my $top_kind = one_of(qw(pointer pointer pointer pointer dense bitmasked none));
$top_kind = 'pointer' if $all_leaves && $top_kind eq 'none';
my $leaf_kind = chance(92) ? 'dense' : 'bitmasked';
do {
  for my $axis (@axes) {
    $leaf{$axis} = chance(60) ? one_of(4, 8, 16) : one_of(1, 2, 3, 5, 6, 10, 12, 20, 24, 32, 40);
    $mid{$axis} = $has_mid ? one_of(1, 2, 2, 3) : 1;
    $top{$axis} = $top_kind eq 'none' ? 1 : one_of(1, 2, 3, 4, 5);
    $total{$axis} = $leaf{$axis} * $mid{$axis} * $top{$axis};
  }
} while product(values %total) > $cells || product(values %total) < 20;

my @fields;
sub new_field {
  my ($number) = @_;
  my $type = one_of(qw(f32 f32 f32 f32 f32 f64 i32 u32 i64 u64 u64 i16));
  my $parts = one_of(1, 1, 1, 2, 3, 4);
  my %f = (name => "d$number", type => $type, parts => $parts,
           axes => [@axes > 1 && chance(10) ? reverse @axes : @axes], text => '');
  $f{text} .= ' (' . join(', ', @{ $f{axes} }) . ')' if "@{ $f{axes} }" ne "@axes";
  $f{text} .= ' = ' . one_of(1, 5) if $parts == 1 && chance(30);
  my $moved = chance(20);
  $f{origin}{$_} = $moved ? between(-9, 9) : 0 for @axes;
  $f{text} .= ' offset (' . join(', ', map { $f{origin}{$_} } @{ $f{axes} }) . ')' if $moved;
  $f{text} .= ' outside ' . one_of(qw(default clamp wrap)) if chance(10);
  return \%f;
}
push @fields, new_field($_) for 1 .. one_of(2, 3, 4, 5);

sub declared { my ($f) = @_; return $f->{type} . ($f->{parts} > 1 ? "x$f->{parts}" : '') }

sub extents { my ($of) = @_; return '[' . join(', ', map { "$_: $of->{$_}" } @axes) . ']' }

my %below = map { $_ => $leaf{$_} * $mid{$_} } @axes;      # cells of a top's cell

sub tree_text {
  my $text = "tree g {\n";
  $text .= "  $top_kind top" . extents(\%top) . " {\n" if $top_kind ne 'none';
  $text .= "  dense mid" . extents(\%mid) . " {\n" if $has_mid;
  my $half = @fields > 3 ? int(@fields / 2) : @fields;
  $text .= "    $leaf_kind leaf" . extents(\%leaf) . (' soa', '', ' soa rows')[$seed % 3] . ' { place ' . join(', ', map { $_->{name} } @fields[0 .. $half - 1]) . "; }\n";
  $text .= "    dense beside" . extents(\%leaf) . ' { place ' . join(', ', map { $_->{name} } @fields[$half .. $#fields]) . "; }\n"
    if $half < @fields;
  $text .= "  }\n" if $has_mid;
  $text .= "    dynamic ids[q: 4096] chunk 16 { place id; }\n  }\n" if $top_kind ne 'none';
  return "$text}\n";
}

my $has_lists = $top_kind ne 'none';
my $program = "// bounds $bounds" . ($is_wild ? ', some points are outside' : '') . "\n";
$program .= 'field ' . declared($_) . " $_->{name}$_->{text};\n" for @fields;
$program .= "field i32 " . join(', ', @points, 'w', $has_lists ? 'id' : ()) . ";\nfield f64 sum;\n";
$program .= "field f32x2 r2;\nfield f32x3 r3;\nfield f32x3x3 m3;\n";
$program .= tree_text();
$program .= "tree points { dynamic list[p: 4096] chunk 64 { place " . join(', ', @points) . ", w, sum, r2, r3, m3; } }\n";
$program .= <<'END';

func u32 mixed(u32 seed) {
  u32 h = seed;
  h ^= h >> 16; h *= 0x85ebca6b; h ^= h >> 13; h *= 0xc2b2ae35; h ^= h >> 16;
  return h;
}

END

# ---- filling ----

# What an axis of a box takes: its offsets run from lo to hi.
my $most = 3;
sub inside { my ($axis) = @_; my $n = $total{$axis} - 2 * $most; return $n > 0 ? $n : 0 }

# `how`: 0 anywhere, 1 in the order of the cells, 2 a few places
$program .= "kernel void fill(g a, points b, i32 n, u32 seed, i32 how) {\n  deactivate_all(b);\n  deactivate_all(a);\n";
$program .= "  [[serial]] foreach (k in 0 .. n) {\n    i64 p = append(b.list);\n";
$program .= "    u32 c = how == 0 ? mixed(u32(k) + seed) : how == 1 ? u32(k) / 3 : mixed(u32(k) % 7 + seed) + mixed(u32(k)) % 3;\n";
for my $n (0 .. $#axes) {
  my $axis = $axes[$#axes - $n];
  my $room = $total{$axis};
  $program .= "    b.at_$axis\[p] = i32(c % $room);\n    c = how == 1 ? c / $room : mixed(c);\n";
}
$program .= "    b.w[p] = i32(mixed(u32(k) * 3 + seed) % 9) - 4;\n";
$program .= "    b.r2[p] = f32x2(k % 5, k % 3);\n    b.r3[p] = f32x3(k % 3, k % 7, k % 4);\n  }\n";
my $at = join ', ', map { "v_$_" } @axes;
$program .= '  foreach (' . join(', ', map { "v_$_ in 0 .. $total{$_}" } @axes) . ") {\n";
my $hash = 'seed' . join('', map { " + u32(v_$_ / $below{$_}) * 77777u" } @axes);
$program .= "    if (mixed($hash) % 3 == 0) {\n";
for my $f (@fields) {
  my $index = join ', ', map { "v_$_ + $f->{origin}{$_}" } @{ $f->{axes} };
  for my $part (0 .. $f->{parts} - 1) {
    my $to = "a.$f->{name}\[$index]" . ($f->{parts} > 1 ? '.' . substr('xyzw', $part, 1) : '');
    $program .= "      $to = " . ($f->{type}) . "(mixed($hash + " . join(' + ', map { "u32(v_$_)" } @axes) . " + ${part}u) % 100);\n";
  }
}
$program .= "    }\n  }\n}\n\n";

# Leaves list the points whose place is in them.
if ($has_lists) {
  $program .= "kernel void sort(g a, points b) {\n  foreach (p in b.w) {\n";
  $program .= '    a.id[' . join(', ', map { "b.at_$_\[p] / $below{$_}" } @axes) . ', append(a.ids, ' .
    join(', ', map { "b.at_$_\[p] / $below{$_}" } @axes) . ")] = i32(p);\n  }\n}\n\n";
} else {
  $program .= "kernel void sort(g a, points b) { foreach (p in b.w) b.w[p] += 0; }\n\n";
}

# ---- looking ----

my $values = 0;
$values += $_->{parts} for @fields;
my $n_cells = product(values %total);
$program .= "kernel void look(g a, out f64 values[$values, $n_cells], out i32 active[$n_cells]) {\n";
$program .= '  foreach (' . join(', ', map { "v_$_ in 0 .. $total{$_}" } @axes) . ") {\n    i32 c = 0;\n";
$program .= "    c = c * $total{$_} + v_$_;\n" for @axes;
my $slot = 0;
for my $f (@fields) {
  my $index = join ', ', map { "v_$_ + $f->{origin}{$_}" } @{ $f->{axes} };
  for my $part (0 .. $f->{parts} - 1) {
    $program .= "    values[" . $slot++ . ", c] = f64(a.$f->{name}\[$index]" . ($f->{parts} > 1 ? '.' . substr('xyzw', $part, 1) : '') . ");\n";
  }
}
$program .= "    active[c] = i32(is_active(a.$fields[0]{name}, $at));\n  }\n}\n\n";
$program .= "kernel f64 look_at_points(points b) {\n  f64 all = 0;\n  [[serial]] foreach (p in b.w) {\n    all = all * 0.75 + b.sum[p] + f64(b.r2[p].x) + 2 * f64(b.r2[p].y);\n    all += 3 * f64(b.r3[p].x) + 4 * f64(b.r3[p].y) + 5 * f64(b.r3[p].z);\n    for (r in 0 .. 3, c in 0 .. 3) all += (3 * r + c) * f64(b.m3[p][r, c]);\n  }\n  return all;\n}\n\n";

# ---- kernels ----

sub index_text {
  my ($f, $base, $box) = @_;
  return join ', ', map { my $n = $_; $f->{origin}{$n} ? "$base->{$n}$box->{$n} + $f->{origin}{$n}" : "$base->{$n}$box->{$n}" } @{ $f->{axes} };
}

# A part of the field, or all of it
sub element { my ($f) = @_; return $f->{parts} == 1 ? '' : '.' . substr('xyzw', below($f->{parts}), 1) }

sub new_kernel {
  my ($number) = @_;
  my ($text, $in) = ('', '    ');
  my $loop = one_of('list', 'list', 'list', 'range', $has_lists ? ('leaves', 'leaves') : 'range');
  $loop = 'leaves' if $all_leaves;
  my $fill = below(3);
  my %lo = map { $_ => -one_of(0, 1, 1, 2, 3) } @axes;
  my %hi = map { $_ => one_of(0, 1, 1, 2, 3) } @axes;
  my $is_pair = chance(30);
  if ($is_pair) { $lo{$_} = 0, $hi{$_} = below(3) for @axes }
  # a gang has no loops of its own: those that are written out
  my $style = $loop eq 'leaves' ? one_of('loops', 'table', 'table', 'written')
    : one_of('loops', 'loops', 'table', 'written');
  my @mine = grep { chance(75) } @fields;
  @mine = ($fields[0]) if !@mine;
  my @added = grep { chance(50) } @mine;
  my %is_added = map { $_->{name} => 1 } @added;
  my @read = grep { !$is_added{ $_->{name} } } @mine;
  my $head = $loop eq 'list' ? 'foreach (p in b.w)'
    : $loop eq 'range' ? 'foreach (p in 0 .. n)'
    : 'foreach (' . join(', ', map { "l_$_" } @axes) . ', q in a.id)';
  if ($loop eq 'leaves' && (chance(80) || $all_leaves)) {
    $head = '[[cache(' . join(', ', map { "a.$_->{name}" . ($all_leaves && chance(30) ? ': ' . between(0, 3) : '') } @mine) . ")]] $head";
  }
  $text .= "  $head {\n";
  $text .= $in . 'i32 p = a.id[' . join(', ', map { "l_$_" } @axes) . ", q];\n" if $loop eq 'leaves';
  for my $axis (@axes) {
    my $from = $loop eq 'range' ? "i32(mixed(u32(p) * 31 + ${\(1 + index('ijkl', $axis))}u) % $total{$axis}u)" : "b.at_$axis\[p]";
    # inside, with all offsets, but where points are wild
    my ($least, $greatest) = (-$lo{$axis}, $total{$axis} - 1 - $hi{$axis});
    $greatest = $least if $greatest < $least;
    if ($least + $hi{$axis} >= $total{$axis}) { $lo{$axis} = $hi{$axis} = 0; ($least, $greatest) = (0, $total{$axis} - 1) }
    $text .= $in . "i32 b_$axis = " . ($is_wild && chance(70) ? "$from - 1" : "clamp($from, $least, $greatest)") . ";\n";
  }
  my $w = $loop eq 'range' ? 'i32(mixed(u32(p)) % 5u)' : 'b.w[p]';
  $text .= $in . "f64 s = 0;\n" if @read;
  my %is_vector = map { $_->{name} => $_->{type} eq 'f32' && $_->{parts} =~ /^[23]$/ && chance(75) } @mine;
  my @summed = grep { $is_vector{ $_->{name} } } @read;
  $text .= $in . declared($_) . " all_$_->{name};\n" for @summed;
  my %has_matrix = map { $_->{name} => $_->{parts} == 3 && $loop ne 'range' && chance(85) } @summed;
  $text .= $in . "f32x3x3 by_$_->{name};\n" for grep { $has_matrix{ $_->{name} } } @summed;
  $text .= $in . "i32 v = $w;\n";
  $text .= $in . "i32x4 table = i32x4(1, 2, 3, v);\n" if $style eq 'table';
  $text .= $in . "if (v == 3) continue;\n" if chance(10);
  $text .= $in . "total += 1;\n" if chance(8);
  my %base = map { $_ => "b_$_" } @axes;
  my $is_guarded = chance(8);
  $text .= $in . "if (v > -3) {\n" if $is_guarded;
  my @boxes;
  my %o = map { $_ => " + o_$_" } @axes;
  my $inner = $in . '  ';
  if ($style ne 'written') {
    $text .= $in . 'for (' . join(', ', map { "o_$_ in $lo{$_} .. " . ($hi{$_} + 1) } @axes) . ") {\n";
    push @boxes, \%o;
  } else {
    my @all = ({});
    for my $axis (@axes) {
      @all = map { my $b = $_; map { { %$b, $axis => $_ < 0 ? ' - ' . -$_ : $_ ? " + $_" : '' } } $lo{$axis} .. $hi{$axis} } @all;
    }
    @all = grep { chance(60) } @all if chance(40);
    @all = @all[0 .. 11] if @all > 12;
    @boxes = @all;
    $inner = $in;
  }
  for my $box (@boxes) {
    my $factor = $style eq 'table' ? join(' + ', map { "table[(o_$_ + 4) & 3]" } @axes) : $style eq 'written' ? between(1, 3) : join(' + ', '1', map { "o_$_" } @axes);
    for my $f (@read) {
      my $part = element($f);
      if ($is_vector{ $f->{name} }) {
        my $read = "f32($factor) * a.$f->{name}\[" . index_text($f, \%base, $box) . "]";
        $text .= $inner . "all_$f->{name} += $read;\n";
        $text .= $inner . "by_$f->{name} += outer($read, b.r3[p] - f32($factor)) * 2.0;\n" if $has_matrix{ $f->{name} };
        next;
      }
      $text .= $inner . 's += f64(a.' . $f->{name} . '[' . index_text($f, \%base, $box) . "]$part) * ($factor);\n";
    }
    for my $f (@added) {
      my $part = element($f);
      if ($is_vector{ $f->{name} }) {
        my $constant = declared($f) . '(' . join(', ', (1, 2, 3)[0 .. $f->{parts} - 1]) . ')';
        my $of = $loop eq 'range' ? "f32(v) + $constant" : "b.r$f->{parts}\[p] - $constant";
        $text .= $inner . "a.$f->{name}\[" . index_text($f, \%base, $box) . "] += f32($factor) * ($of);\n";
        next;
      }
      my $op = chance(85) ? '+=' : '-=';
      my $to = "a.$f->{name}\[" . index_text($f, \%base, $box) . "]$part";
      $to = "a.$f->{name}\[" . index_text($f, \%base, $box) . ']' if $f->{parts} > 1 && chance(50);
      $text .= $inner . "$to $op " . ($to =~ /\]$/ && $f->{parts} > 1 ? declared($f) . "($f->{type}(v * ($factor)))" : "$f->{type}(v * ($factor))") . ";\n";
    }
  }
  $text .= $in . "}\n" if $style ne 'written';
  $text .= $in . "}\n" if $is_guarded;
  for my $f (@summed) {
    $text .= $in . "s += f64(all_$f->{name}.x) - f64(all_$f->{name}.y);\n";
    $text .= $in . "b.m3[p] = by_$f->{name};\n" if $has_matrix{ $f->{name} };
    $text .= $in . "b.r$f->{parts}\[p] = all_$f->{name};\n" if $loop ne 'range';
  }
  if (@read) {
    $text .= $in . ($loop eq 'range' ? "total += s;\n" : "b.sum[p] += s;\n");
  }
  $text .= "  }\n";
  return { number => $number, fill => $fill, text => "kernel f64 k$number(g a, points b, i32 n) {\n  f64 total = 0;\n$text  return total;\n}\n\n" };
}

my @kernels = map { new_kernel($_) } 0 .. $loops - 1;
@kernels = grep { $_->{number} == $only } @kernels if defined $only;
$program .= $_->{text} for @kernels;

open my $out, '>', "$folder/p.sn" or die "$folder/p.sn: $!";
print $out $program;
close $out;
open $out, '>', "$folder/table.h" or die "$folder/table.h: $!";
print $out "enum { VALUES = $values, CELLS = $n_cells, HAS_TOP = " . ($has_lists ? 1 : 0) . " };\n";
print $out "#define KERNELS(K) " . join(' ', map { "K($_->{number}, $_->{fill})" } @kernels) . "\n";
close $out;
