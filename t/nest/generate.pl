# generate.pl MODULE DEPTH LONG: trees of every legal nesting of so many levels.
#
# Writes MODULE.sn, and MODULE_table.c: a row for each tree with its kernels. Tree number t
# takes the extent n of its first SNode when it is created (a hash takes none). Its lowest
# SNode holds x and s, those above it (one in two) m. Axes, types, defaults, offsets, index
# orders and the other extents change from tree to tree; LONG: each nesting with more of them.
use strict;
use warnings;

my ($module, $depth, $long) = @ARGV;
my @types = qw(i32 f32 i8 u64 f64 i16 bool u8 i64 u16 u32);
my %default = (bool => 'true', f32 => '2.5', f64 => '-0.25', u8 => '200', u64 => '5');
my @extents = (10, 3, 129, 7, 1, 100, 13, 343, 127, 1000, 31, 2);
my (@fields, @trees, @kernels, @rows);
my ($tree, $next) = (0, 0);

# the next extent that is no larger than so much
sub extent {
  my ($most) = @_;
  my $e;
  do { $e = $extents[$next++ % @extents] } while $e > $most;
  return $e;
}

sub kinds_of {
  my ($level) = @_;
  return (($level == 1 ? ('hash') : ()), qw(dense bitmasked pointer), $level == $depth ? ('dynamic') : ());
}

# axes of a level: all on i; in turn i, j, i; or two at once
sub axes_of {
  my ($kind, $level, $style) = @_;
  return ('l') if $kind eq 'dynamic';
  return ('i') if $style == 0;
  return $level == 2 ? ('j') : ('i') if $style == 1;
  return $level == 2 ? ('i') : ('i', 'j') if $style == 2;
  return $level == 1 ? ('k') : ('i', 'k');
}

sub heading {
  my ($kind, $level, $style, $used, $left) = @_;
  my @axes = axes_of($kind, $level, $style);
  my @parts;
  for my $axis (@axes) {
    $used->{$axis} = 1;
    if ($kind eq 'hash') { push @parts, $axis; next }
    if ($level == 1 && $axis eq $axes[0]) { push @parts, "$axis: n"; next }
    my $e = @axes > 1 ? extent(13) : extent($$left);
    $$left = int($$left / $e) || 1;
    push @parts, "$axis: $e";
  }
  my $text = "$kind S[" . join(', ', @parts) . ']';
  $text .= ' chunk ' . (1 + $tree % 5) if $kind eq 'dynamic' && $tree % 2;
  return $text;
}

# a field over the axes used so far; plain: without options
sub field {
  my ($name, $used, $plain) = @_;
  my @axes = sort keys %$used;
  my $type = $plain ? 'i32' : $types[$tree % @types];
  my $text = "field $type $name";
  my @order = @axes;
  if (!$plain && @axes > 1 && $tree % 3 == 1) {
    @order = reverse @axes;
    $text .= ' (' . join(', ', @order) . ')';
  }
  $text .= ' = ' . ($default{$type} // 3) if !$plain && $tree % 4 != 1;
  $text .= ' offset (' . join(', ', map { -7 + 3 * $tree % 15 } @order) . ')' if !$plain && $tree % 2;
  push @fields, "$text;";
  return scalar @axes;
}

# a kernel: foreach over a field or node; it adds to `note` in the cells that it visits, and counts
sub kernel {
  my ($name, $tree_name, $over, $note, $used) = @_;
  my $variables = join ', ', map { "i64 $_" } map { 'v' . $_ } 0 .. scalar(keys %$used) - 1;
  my $index = join ', ', map { 'v' . $_ } 0 .. scalar(keys %$used) - 1;
  push @kernels, "kernel i64 $name($tree_name a) { i64 n = 0; foreach ($variables in a.$over) " .
    "{ a.$note" . "[$index] += 1; n += 1; } return n; }";
}

sub make {
  my (@kinds) = @_;
  my $t = 't' . $tree;
  my $hash = $kinds[0] eq 'hash';
  my $style = ($tree + int($tree / 4) + int($tree / 12)) % 4;
  my ($left, $text, $end) = (1000, '', '');
  my (%used, @rows_of);
  for my $level (1 .. @kinds) {
    my $head = heading($kinds[$level - 1], $level, $style, \%used, \$left);
    my $node = "${t}n$level";
    $head =~ s/ S\[/ $node\[/;
    $text .= "$head { ";
    $end .= ' }';
    if ($level == @kinds) {
      field("x$tree", \%used, 0);
      field("s$tree", \%used, 1);
      $text .= "place x$tree, s$tree;";
      # over the node: indices without the offset, like those of s
      kernel("visit$tree", $t, ("$node", "s$tree")[$tree % 2], "s$tree", \%used);
    } elsif (($tree + $level) % 2) {
      field("m${tree}_$level", \%used, 1);
      $text .= "place m${tree}_$level; ";
      kernel("visit${tree}_$level", $t, $node, "m${tree}_$level", \%used);
      push @rows_of, $level;
    }
  }
  push @trees, "tree $t" . ($hash ? '' : '(i64 n)') . " { $text$end }";
  my $create = $hash ? "${module}_${t}_create(ctx, NULL, out)" : "${module}_${t}_create(ctx, NULL, n, out)";
  my $c = "static int create_$t(sn_context *ctx, int64_t n, sn_tree **out) { ${module}_$t **to = (void *)out; " .
    ($hash ? '(void)n; ' : '') . "return ${module}_${t}_create(ctx, NULL, " . ($hash ? '' : 'n, ') . "to); }\n";
  my @visits = ("visit$tree", map { "visit${tree}_$_" } @rows_of);
  $c .= "static int w_$_(sn_tree *t, int64_t *n) { return ${module}_$_((void *)t, n); }\n" for @visits;
  push @rows, [$c, "{ \"" . join(' ', @kinds) . "\", create_$t, { " .
    join(', ', map { "{ w_$_, \"" . ($_ =~ /^visit(\d+)$/ ? "s$1" : ($_ =~ s/visit/m/r)) . "\" }" } @visits) . ' } },'];
  $tree++;
}

sub nest {
  my (@above) = @_;
  if (@above == $depth) {
    make(@above) for 1 .. ($long ? 6 : $depth == 1 ? 8 : $depth == 2 ? 3 : 1);
    return;
  }
  nest(@above, $_) for kinds_of(@above + 1);
}
nest();

open my $sn, '>', "$module.sn" or die;
print $sn join("\n", "// $module.sn: every nesting of $depth levels", @fields, @trees, @kernels), "\n";
open my $h, '>', "${module}_table.c" or die;
print $h "/* The trees of $module.sn. */\n#include \"$module.h\"\n#include \"t/nest/nest.h\"\n\n", map { $_->[0] } @rows;
print $h "const nest_tree nest_trees[] = {\n", (map { "  $_->[1]\n" } @rows), "};\n";
print $h "const int nest_count = (int)(sizeof nest_trees / sizeof *nest_trees);\n";
print $h "const sn_module *nest_module(void) { return ${module}_module(); }\n";
close $h or die;
close $sn or die;
