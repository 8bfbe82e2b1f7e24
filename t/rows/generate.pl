# generate.pl SEED LOOPS FOLDER [KERNEL]: two trees and so many kernels with one loop over leaves
# each, made of chance, the same for the same seed: FOLDER/p.sn and, for driver.c, FOLDER/table.h.
# With KERNEL that one alone, which is the same as among all.
#
# What a loop leaves depends on no order: it reads of what it stores its own cell only, or cells
# of the other colour; sums of floats are of small integers. Indices stay inside, but where the
# field has a border or --bounds=zero is drawn (first line of p.sn). To other cells it may add, of a
# field that it does not read, what adds up to the same in any order.
use strict;
use warnings;

my ($seed, $loops, $folder, $only) = @ARGV;
my $state = ($seed * 2654435761 + 12345) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }
sub between { return $_[0] + below($_[1] - $_[0] + 1) }
sub least { my $m = shift; for (@_) { $m = $_ if $_ < $m } return $m }
sub greatest { my $m = shift; for (@_) { $m = $_ if $_ > $m } return $m }
sub floored { my ($a, $b) = @_; my $q = int($a / $b); return $q * $b > $a ? $q - 1 : $q }

my @signed = qw(i8 i16 i32 i64);
my @integers = (@signed, qw(u8 u16 u32 u64));
my @numbers = (@integers, qw(f32 f64));
my %bits = map { $_ => /(\d+)/ ? $1 : 8 } @numbers, 'bool';
my $bounds = one_of(qw(trap zero zero none none));
my $two_instances = chance(25);
my @axes = qw(i j k l);

# ---- trees ----

# A tree is its nodes' text, its leaves (name, axes, cells of each, parts: the first cell's index
# and the end on each axis, above: the extents of the cell around) and its fields.
my (%trees, @fields, %names);

sub any_type {
  return one_of(qw(f32 f32 f32 f64 f64 i32 i32 u32 i64 u64 i8 u8 i16 u16 bool));
}

# of the last axis, along which rows run
sub row_extent {
  return one_of(8, 8, 4, 16) if chance(50);
  return one_of(65, 80, 96, 100, 128, 130, 192, 256, 500) if chance(20);   # gone through by runs
  return one_of(4, 5, 7, 8, 12, 16, 20, 24, 32, 64) if chance(75);
  return between(1, 64);
}

sub new_leaf {
  my ($tree, $axes, $number) = @_;
  my @own = grep { chance(88) } @$axes;
  @own = ($axes->[-1]) if !@own;
  my $kind = chance($tree->{is_even} ? 20 : 35) ? 'bitmasked' : 'dense';
  my %extent = map { $_ => $tree->{is_even} ? one_of(2, 2, 4, 8) : one_of(1, 2, 3, 4, 4, 8) } @own;
  my $like = $tree->{leaves}[0];
  if ($like && chance(65)) {          # as the one before, or a part or a multiple of it
    @own = @{ $like->{axes} };
    %extent = %{ $like->{extent} };
    $_ = one_of($_, $_, $_, $_ % 2 ? $_ : $_ / 2, $_ * 2 > 64 ? $_ : $_ * 2) for @extent{ sort keys %extent };
  } else {
    @own = reverse @own if chance(15);
    $extent{ $own[-1] } = $tree->{is_even} ? one_of(8, 8, 16) : row_extent();
  }
  $extent{ $own[-1] } = one_of(4, 8, 16) if $kind eq 'bitmasked' && 64 % $extent{ $own[-1] } && chance(85);
  my $limit = $extent{ $own[-1] } <= 64 && chance(93) ? 512 : 1024;
  for my $axis (@own) {
    my $cells = 1;
    $cells *= $_ for values %extent;
    $extent{$axis} = int(($extent{$axis} + 1) / 2) if $cells > $limit && $axis ne $own[-1];
  }
  return { name => "$tree->{name}leaf$number", kind => $kind, axes => [@own], extent => \%extent,
           soa => one_of('', '', '', ' soa', ' soa rows') };
}

# The nodes above the leaves: kind and extents, outermost first.
sub new_tops {
  my ($axes) = @_;
  my @kinds = @{ one_of([], ['pointer'], ['pointer'], ['pointer'], ['dense'], ['bitmasked'], ['hash'],
                        ['pointer', 'pointer'], ['dense', 'pointer'], ['pointer', 'bitmasked'],
                        ['pointer', 'dense'], ['bitmasked', 'pointer'], ['hash', 'pointer']) };
  my @tops;
  for my $kind (@kinds) {
    my @own = grep { chance(80) } @$axes;
    @own = ($axes->[0]) if !@own;
    push @tops, { kind => $kind, axes => [@own], extent => { map { $_ => one_of(1, 2, 2, 3, 4) } @own } };
  }
  return \@tops;
}

# The indices of each axis down to a leaf: [first, end).
sub measure {
  my ($tree, $leaf) = @_;
  my (%total, %above);
  for my $node (@{ $tree->{tops} }, $leaf) {
    $total{$_} = ($total{$_} || 1) * $node->{extent}{$_} for @{ $node->{axes} };
  }
  $above{$_} = $leaf->{extent}{$_} || 1 for keys %total;
  $leaf->{total} = \%total;
  $leaf->{above} = \%above;
  $leaf->{path} = [sort keys %total];
  my $is_hash = @{ $tree->{tops} } && $tree->{tops}[0]{kind} eq 'hash';
  for my $axis (@{ $leaf->{path} }) {
    my $back = 0;
    if ($is_hash && grep { $_ eq $axis } @{ $tree->{tops}[0]{axes} }) {
      my $under = $total{$axis} / $tree->{tops}[0]{extent}{$axis};
      $tree->{back}{$axis} = below($tree->{tops}[0]{extent}{$axis} + 1) if !defined $tree->{back}{$axis};
      $back = $under * $tree->{back}{$axis};
    }
    $leaf->{first}{$axis} = -$back;
    $leaf->{end}{$axis} = $total{$axis} - $back;
  }
}

sub cells_of {
  my ($leaf) = @_;
  my $cells = 1;
  $cells *= $_ for values %{ $leaf->{total} };
  return $cells;
}

sub new_field {
  my ($tree, $leaf) = @_;
  my $type = any_type();
  my $field = { name => 'd' . ++$names{field}, tree => $tree->{name}, leaf => $leaf, type => $type,
                parts => [''], axes => [@{ $leaf->{path} }], border => '' };
  if ($type ne 'bool' && chance(12)) {
    $field->{parts} = ['.x', '.y', '.z'];
    pop @{ $field->{parts} } if chance(50);
  }
  my $text = $field->{declared} = $type . (@{ $field->{parts} } > 1 ? 'x' . @{ $field->{parts} } : '');
  $text = "field $text $field->{name}";
  if (@{ $field->{axes} } > 1 && chance(15)) {
    $field->{axes} = [reverse @{ $field->{axes} }];
    $text .= ' (' . join(', ', @{ $field->{axes} }) . ')';
  }
  my $moved = chance(30);
  $field->{origin}{$_} = $moved ? between(-9, 9) : 0 for @{ $field->{axes} };
  $text .= ' = ' . ($type eq 'bool' ? 'true' : one_of(1, 3, 7)) if $type ne 'bool' || chance(30) and @{ $field->{parts} } == 1;
  $text .= ' offset (' . join(', ', map { $field->{origin}{$_} } @{ $field->{axes} }) . ')' if $moved;
  if (!$tree->{is_hash} && chance(40)) {
    $field->{border} = one_of(qw(default clamp wrap));
    $text .= " outside $field->{border}";
  }
  $field->{text} = "$text;\n";
  push @{ $leaf->{fields} }, $field;
  push @fields, $field;
}

sub new_tree {
  my ($name) = @_;
  my $tree = { name => $name, leaves => [], is_even => chance(35) };       # which levels halve
  my $count = one_of(1, 1, 2, 2, 2, 2, 3, 3, 3, 4);
  my @own = @axes[0 .. $count - 1];
  do {
    $tree->{leaves} = [];
    $tree->{back} = {};                # how many cells of a hash are below 0, for all leaves
        $tree->{tops} = new_tops(\@own);
    $tree->{is_hash} = @{ $tree->{tops} } && $tree->{tops}[0]{kind} eq 'hash';
    for my $k (1 .. one_of(1, 2, 2, 3)) {
      push @{ $tree->{leaves} }, new_leaf($tree, \@own, $k);
    }
    measure($tree, $_) for @{ $tree->{leaves} };
  } while (greatest(map { cells_of($_) } @{ $tree->{leaves} }) > 4000);
  for my $leaf (@{ $tree->{leaves} }) {
    new_field($tree, $leaf) for 1 .. one_of(1, 1, 2, 2, 3, 4, 6);
  }
  $trees{$name} = $tree;
}

sub axes_text {
  my ($node) = @_;
  return '[' . join(', ', map { $node->{kind} eq 'hash' ? $_ : "$_: $node->{extent}{$_}" } @{ $node->{axes} }) . ']';
}

sub tree_text {
  my ($tree) = @_;
  my ($text, $in) = ("tree $tree->{name} {\n", '  ');
  $text .= '  place ' . join(', ', map { "z_$_" } @numbers) . ";\n" if $tree->{name} eq 't';
  my $number = 0;
  for my $top (@{ $tree->{tops} }) {
    $text .= $in . "$top->{kind} $tree->{name}top" . ++$number . axes_text($top);
    # half of those that may be are split
    $text .= ' split' if $top == $tree->{tops}[-1] && $top->{kind} =~ /pointer|hash/ &&
      @{ $tree->{leaves} } > 1 && $tree->{leaves}[0]{extent}{ $tree->{leaves}[0]{axes}[-1] } % 2 == 0;
    $text .= " {\n";
    $in .= '  ';
  }
  for my $leaf (@{ $tree->{leaves} }) {
    $text .= $in . "$leaf->{kind} $leaf->{name}" . axes_text($leaf) . $leaf->{soa} . ' { place ' .
      join(', ', map { $_->{name} } @{ $leaf->{fields} }) . "; }\n";
  }
  $text .= substr($in, 0, 2 * $_) . "}\n" for reverse 1 .. @{ $tree->{tops} };
  return "$text}\n";
}

# A kernel that fills most cells of a tree, whatever their number, from a seed.
sub fill_text {
  my ($tree) = @_;
  my $text = "kernel void fill_$tree->{name}($tree->{name} a, u32 seed) {\n";
  for my $leaf (@{ $tree->{leaves} }) {
    my @path = @{ $leaf->{path} };
    my ($cell, $above, $n) = ('seed', 'seed', 0);
    for my $axis (@path) {
      my $factor = 2654435761 - 74210 * $n++;
      $cell .= " + u32(v_$axis) * ${factor}u";
      $above .= " + u32(floordiv(v_$axis, $leaf->{above}{$axis})) * ${factor}u";
    }
    $text .= '  foreach (' . join(', ', map { "v_$_ in $leaf->{first}{$_} .. $leaf->{end}{$_}" } @path) . ") {\n";
    $text .= "    if (mixed($above) % 4u != 0u" . ($leaf->{kind} eq 'bitmasked' ? " && mixed($cell + 9u) % 3u != 0u" : '') . ") {\n";
    for my $field (@{ $leaf->{fields} }) {
      my $at = join ', ', map { "v_$_ + " . ($field->{origin}{$_} < 0 ? "($field->{origin}{$_})" : $field->{origin}{$_}) } @{ $field->{axes} };
      $field->{exact} = $field->{type} !~ /^f/ || chance(50);           # sums are
      for my $part (@{ $field->{parts} }) {
        my $h = "mixed($cell + " . ++$names{salt} . 'u)';
        my $value = $field->{type} eq 'bool' ? "($h & 1u) == 1u"
          : $field->{type} =~ /^f/ ? ($field->{exact} ? "$field->{type}(i32($h & 4095u) - 2048) * 0.125" : "$field->{type}(i32($h)) * 0.001")
          : one_of("$field->{type}($h)", "$field->{type}($h & 15u)", "$field->{type}($h) * $field->{type}($h >> 3)");
        $text .= "      a.$field->{name}\[$at]$part = $value;\n";
      }
    }
    $text .= "    }\n  }\n";
  }
  return "$text}\n";
}

# ---- expressions ----

# Of the kernel that is made: loop variables (name, first, last, axis), its own cells' fields by
# name, what it stores, locals.
my ($leaf, %stored, @vars, @locals, $colour, @sums, %known, $is_tame);
my @functions;

# The index's text, and its least and greatest value.
sub with_constant {
  my ($e, $c) = @_;
  return $e if $c == 0;
  return [$c > 0 ? "$e->[0] + $c" : "$e->[0] - " . -$c, $e->[1] + $c, $e->[2] + $c];
}

sub scaled {
  my ($e, $c) = @_;
  my @ends = sort { $a <=> $b } $c * $e->[1], $c * $e->[2];
  return ["$c * ($e->[0])", @ends];
}

sub quotient {
  my ($e, $c) = @_;
  my $text = $e->[1] >= 0 && chance($is_tame ? 95 : 60) ? "($e->[0]) / $c"
    : ($c & ($c - 1)) == 0 && chance($is_tame ? 95 : 60) ? "(($e->[0]) >> " . length(sprintf '%b', $c - 1 || 0) . ')'
    : "floordiv($e->[0], $c)";
  $text = "floordiv($e->[0], 1)" if $c == 1;
  return [$text, floored($e->[1], $c), floored($e->[2], $c)];
}

sub rest {
  my ($e, $c) = @_;
  my $text = $e->[1] >= 0 && chance($is_tame ? 95 : 60) ? "($e->[0]) % $c"
    : ($c & ($c - 1)) == 0 && chance($is_tame ? 95 : 60) ? '((' . $e->[0] . ') & ' . ($c - 1) . ')'
    : "floormod($e->[0], $c)";
  return [$text, 0, $c - 1];
}

sub base_index {
  my ($axis) = @_;
  my @same = grep { $_->{axis} eq $axis } @vars;
  my $var = @same && chance(85) ? one_of(@same) : one_of(@vars);
  return [$var->{name}, $var->{first}, $var->{last}];
}

# an index that is constant over a leaf, or runs along one of its axes, of cells in leaves of so
# many on the axis; `step`: how far it moves from one of the loop's leaves to the next
sub tame_index {
  my ($axis, $first, $last, $cells) = @_;
  my ($var) = grep { $_->{axis} eq $axis } @vars;
  my $c = between($first, $last);
  my $constant = one_of(['m', 0, 7], ['n', -2, 3], ["($c)", $c, $c]);
  return $constant if !$var || chance(4);
  my $e = [$var->{name}, $var->{first}, $var->{last}];
  my ($all, $wants) = ($leaf->{total}{$axis}, $last - $first + 1);
  my $step = $leaf->{above}{$axis};
  my $run = $step;
  my $fit = sub { my ($by) = @_; return $step % $by == 0 || $by % $step == 0 };
  my $divide = sub {
    my ($by) = @_;
    $e = quotient($e, $by);
    $run = int(($run + $by - 1) / $by);
    $step = $step % $by == 0 ? $step / $by : 1;
  };
  my $remain = sub { my ($by) = @_; $e = rest($e, $by); $step = 0 if $step % $by == 0 };
  my $scale = sub { my ($by) = @_; $e = scaled($e, $by); $step *= $by; $run *= $by };
  $e = with_constant($e, -($leaf->{first}{$axis} + $var->{origin}));
  if ($all > $wants && $all % $wants == 0 && chance(85)) {
    if (chance(60) && $fit->($all / $wants)) { $divide->($all / $wants) }
    elsif ($fit->($wants)) { $remain->($wants) }
  } elsif ($all < $wants && $wants % $all == 0 && chance(70)) {
    $scale->($wants / $all);
    $e = with_constant($e, below($wants / $all)) if chance(60) && $step % $cells == 0;
  } elsif (chance(14)) {
    my $by = one_of(grep { $fit->($_) } 2, 2, 4, $leaf->{above}{$axis});
    if (chance(50)) { $divide->($by) } else { $remain->($by) }
    $scale->(2) if chance(25) && $step;
  } elsif (chance(4)) {
    $e = with_constant(scaled($e, -1), $all - 1);
  }
  my $is_free = $step == 0 || $step % $cells == 0;
  return $constant if $run > 3 * $cells || (!$is_free && $cells % $step);
  $e = with_constant($e, $first);
  return ["($e->[0] + $cells * n)", $e->[1] - 2 * $cells, $e->[2] + 3 * $cells] if $is_free && chance(4);
  return $e if chance(35) || !$is_free;
  return with_constant($e, one_of(-1, 1, -1, 1, -2, 2, -3, 3, 4, -5, 8, -between(1, 20)));
}

# an index for cells first .. last of an axis
sub new_index {
  my ($axis, $first, $last, $cells) = @_;
  return tame_index(@_) if $is_tame;
  my $e = base_index($axis);
  my ($has, $wants) = ($e->[2] - $e->[1] + 1, $last - $first + 1);
  if ($has > $wants && $has % $wants == 0 && chance(75)) {
    my $by = $has / $wants;
    $e = with_constant($e, -$e->[1]) if chance(70);
    $e = chance(65) ? quotient($e, $by) : rest($e, $wants);
  } elsif ($has < $wants && $wants % $has == 0 && chance(60)) {
    $e = with_constant($e, -$e->[1]);
    $e = scaled($e, $wants / $has);
    $e = with_constant($e, below($wants / $has)) if chance(60);
  }
  $e = with_constant($e, $first - $e->[1]) if chance(93);
  my $c = below(100);
  return $e if $c < 30;
  return with_constant($e, one_of(-1, 1, -1, 1, -2, 2, -3, 3, 4, -5, 8)) if $c < 66;
  return with_constant(scaled($e, one_of(2, 3, 2, -1)), between(-3, 3)) if $c < 71;
  return with_constant(rest(with_constant($e, between(0, 5)), one_of(2, 4, 8, 3, $wants)), $first) if $c < 79;
  return with_constant(quotient($e, one_of(2, 4, 8, 3)), between(0, 2)) if $c < 86;
  return [one_of("($e->[0] + n)", "(n + $e->[0])"), $e->[1] - 2, $e->[2] + 3] if $c < 88;
  return ['n', -2, 3] if $c < 90;
  return ['m', 0, 7] if $c < 92;
  my $w = base_index($axis);
  return ["($e->[0] + $w->[0])", $e->[1] + $w->[1], $e->[2] + $w->[2]] if $c < 93;
  return ["($e->[0] - $w->[0])", $e->[1] - $w->[2], $e->[2] - $w->[1]] if $c < 94;
  return ["min($e->[0], $w->[0])", least($e->[1], $w->[1]), least($e->[2], $w->[2])] if $c < 95;
  return ["max($e->[0], $w->[0])", greatest($e->[1], $w->[1]), greatest($e->[2], $w->[2])] if $c < 96;
  $c = between($first, $last);
  return [$c < 0 ? "($c)" : "$c", $c, $c];
}

# Whether indices beyond the extents are defined.
sub is_open {
  my ($field, $axis) = @_;
  my $tree = $trees{ $field->{tree} };
  return 1 if $field->{border} || $bounds eq 'zero';
  return $tree->{is_hash} && scalar grep { $_ eq $axis } @{ $tree->{tops}[0]{axes} };
}

# the index made to stay inside, or what has to hold for that
sub legal_index {
  my ($e, $first, $last, $is_open, $guards) = @_;
  return $e->[0] if $e->[1] >= $first && $e->[2] <= $last;
  return $e->[0] if $is_open;
  my $c = below(100);
  if ($c < 45 || ($is_tame && $c < 97)) {
    my @tests;
    push @tests, "$e->[0] >= $first" if $e->[1] < $first;
    push @tests, "$e->[0] <= $last" if $e->[2] > $last;
    push @$guards, @tests;
    return $e->[0];
  }
  my $wants = $last - $first + 1;
  return "floormod($e->[0]" . ($first ? ' - (' . $first . ')' : '') . ", $wants)" . ($first ? " + ($first)" : '') if $c < 75;
  return "clamp($e->[0], $first, $last)" if $c < 85;
  return "min(max($e->[0], $first), $last)";
}

sub own_text {
  my ($field) = @_;
  my @at;
  for my $axis (@{ $field->{axes} }) {
    my ($var) = grep { $_->{axis} eq $axis } @vars;
    push @at, with_constant([$var->{name}, 0, 0], $field->{origin}{$axis} - $var->{origin})->[0];
  }
  return "a.$field->{name}\[" . join(', ', @at) . ']';
}

# of the other colour: one step along one axis
sub beside_text {
  my ($field, $guards) = @_;
  my @path = @{ $field->{axes} };
  my $which = one_of(grep { my $a = $_; grep { $_->{axis} eq $a } @vars } @path);
  my $step = one_of(-1, 1);
  my @at;
  for my $axis (@path) {
    my ($var) = grep { $_->{axis} eq $axis } @vars;
    my $by = $field->{origin}{$axis} - $var->{origin};
    my $e = with_constant([$var->{name}, $var->{first}, $var->{last}], $by + ($axis eq $which ? $step : 0));
    my $first = $field->{origin}{$axis} + $field->{leaf}{first}{$axis};
    my $last = $field->{origin}{$axis} + $field->{leaf}{end}{$axis} - 1;
    if (!is_open($field, $axis)) {
      push @$guards, "$e->[0] >= $first" if $e->[1] < $first;
      push @$guards, "$e->[0] <= $last" if $e->[2] > $last;
    }
    push @at, $e->[0];
  }
  return "a.$field->{name}\[" . join(', ', @at) . ']';
}

sub is_own { return $_[0]{leaf} == $leaf }

# a cell's value, of any type: text and type
sub load {
  my ($wanted) = @_;
  my @may = $is_tame ? grep { is_own($_) || $_->{border} !~ /wrap|clamp/ } @fields : @fields;
  my @same = grep { $_->{type} eq $wanted } @may;
  @may = @same if @same && chance(60);
  my @near = grep { $_->{tree} eq 't' } @may;
  @may = @near if @near && chance(70);
  my $field = one_of(@may);
  return undef if $known{added} && $known{added} == $field;
  my $part = one_of(@{ $field->{parts} });
  my $tree = $field->{tree} eq 'u' ? 'c' : $two_instances && chance(15) ? 'b' : 'a';
  return undef if $is_tame && $tree eq 'c' && $field->{border} =~ /wrap|clamp/;
  return [own_text($field) . $part, $field->{type}] if $tree eq 'a' && is_own($field) && chance($is_tame && $field->{border} =~ /wrap|clamp/ ? 100 : 45);
  my @guards;
  my $text;
  if ($tree eq 'a' && $stored{ $field->{name} }) {
    if ($colour && $colour == $field && $known{in_colour}) {
      $text = beside_text($field, \@guards) . $part;
    } elsif (is_own($field)) {
      return [own_text($field) . $part, $field->{type}];
    } else {
      return undef;
    }
  } else {
    my @at;
    for my $axis (@{ $field->{axes} }) {
      my $first = $field->{origin}{$axis} + $field->{leaf}{first}{$axis};
      my $last = $field->{origin}{$axis} + $field->{leaf}{end}{$axis} - 1;
      push @at, legal_index(new_index($axis, $first, $last, $field->{leaf}{above}{$axis}), $first, $last, is_open($field, $axis), \@guards);
    }
    $text = "$tree.$field->{name}\[" . join(', ', @at) . "]$part";
  }
  return [$text, $field->{type}] if !@guards;
  my $other = $field->{type} eq 'bool' ? 'false' : "$field->{type}(" . below(9) . ')';
  return ['(' . join(' && ', @guards) . " ? $text : $other)", $field->{type}];
}

# whether a cell of a bitmasked leaf is active; of no tree in which the loop activates cells
sub active_text {
  my @may = grep { $_->{kind} eq 'bitmasked' } @{ $trees{u}{leaves} }, $known{activates} ? () : @{ $trees{t}{leaves} };
  return undef if !@may;
  my $of = one_of(@may);
  my $tree = (grep { $_ == $of } @{ $trees{u}{leaves} }) ? 'c' : $two_instances && chance(15) ? 'b' : 'a';
  my @at = map { new_index($_, $of->{first}{$_}, $of->{end}{$_} - 1, $of->{above}{$_})->[0] } @{ $of->{path} };
  return "is_active($tree.$of->{name}, " . join(', ', @at) . ')';
}

sub converted {
  my ($text, $from, $to) = @_;
  return $text if $from eq $to;
  return "($text != " . ($from =~ /^f/ ? '0.5' : one_of(0, 1, 3)) . ')' if $to eq 'bool';
  return "$to($text)";
}

sub literal {
  my ($type) = @_;
  return one_of('true', 'false') if $type eq 'bool';
  return "$type(" . one_of('0.5', '-1.25', '3', '0.1', '-0.0', '1e3', '0') . ')' if $type =~ /^f/;
  return "$type(" . one_of(below(10), below(10), below(128), $type =~ /^i/ ? '-' . below(9) : below(256)) . ')';
}

# a value that is at hand
sub simple {
  my ($type) = @_;
  my $c = below(100);
  if ($c < 55) {
    my $at = load($type);
    return converted(@$at, $type) if $at;
  }
  my @fit = grep { $_->[1] eq $type } @locals;
  return one_of(@fit)->[0] if @fit && $c < 75;
  return converted(@{ one_of(@locals) }, $type) if @locals && $c < 80;
  return literal($type) if $c < 86 || $type eq 'bool';
  my $var = one_of(map { $_->{name} } @vars);
  return "$type($var)" if $c < 93;
  return $type eq 'f32' ? 'p' : "$type(" . one_of('n', 'm', 'p') . ')';
}

sub expression {
  my ($type, $depth) = @_;
  return simple($type) if $depth <= 0 || chance(15);
  return condition($depth) if $type eq 'bool';
  my $c = below(100);
  if ($c < 8) {
    my $from = one_of(@numbers, 'bool');
    return converted(expression($from, $depth - 1), $from, $type) if $from ne $type;
  }
  return '(' . condition($depth - 1) . ' ? ' . expression($type, $depth - 1) . ' : ' . expression($type, $depth - 1) . ')' if $c < 16;
  return 'select(' . condition($depth - 1) . ', ' . expression($type, $depth - 1) . ', ' . expression($type, $depth - 1) . ')' if $c < 22;
  return one_of('min', 'max') . '(' . expression($type, $depth - 1) . ', ' . expression($type, $depth - 1) . ')' if $c < 30;
  return one_of('abs', 'sign', 'sqr') . '(' . expression($type, $depth - 1) . ')' if $c < 35 && $type !~ /^u/;
  return 'clamp(' . expression($type, $depth - 1) . ', ' . literal($type) . ', ' . expression($type, 0) . ')' if $c < 38;
  my @fit = grep { $_->[1] eq $type } @functions;
  return one_of(@fit)->[0] . '(' . expression($type, $depth - 1) . ', ' . expression('i32', $depth - 1) . ')' if @fit && $c < 44;
  return '(-' . expression($type, $depth - 1) . ')' if $c < 47;
  return float_operation($type, $depth) if $type =~ /^f/;
  return integer_operation($type, $depth);
}

# no constant: one that is 0 could not be divided by
sub varying {
  my ($type) = @_;
  my $at = chance(70) ? load($type) : undef;
  return $at ? converted(@$at, $type) : "$type(" . one_of('n', map { $_->{name} } @vars) . ')';
}

sub float_operation {
  my ($type, $depth) = @_;
  my $c = below(100);
  return 'sqrt(abs(' . expression($type, $depth - 1) . '))' if $c < 10;
  return one_of(qw(floor ceil round trunc)) . '(' . expression($type, $depth - 1) . ')' if $c < 18;
  return 'fma(' . join(', ', map { expression($type, $depth - 1) } 1 .. 3) . ')' if $c < 21;
  return 'mix(' . join(', ', map { expression($type, $depth - 1) } 1 .. 3) . ')' if $c < 23;
  my $right = chance(25) ? one_of('0.5', '2', '0.25', '1.5', '3') : expression($type, $depth - 1);
  return '(' . expression($type, $depth - 1) . ' ' . one_of('+', '+', '-', '*', '*', '/') . " $right)";
}

sub integer_operation {
  my ($type, $depth) = @_;
  my $c = below(100);
  return '(~' . expression($type, $depth - 1) . ')' if $c < 4;
  return converted(one_of(qw(popcount clz ctz)) . '(' . expression($type, $depth - 1) . ')', '', $type) if $c < 8;
  return '(' . expression($type, $depth - 1) . ' ' . one_of('<<', '>>') . ' ' . (chance(70) ? below($bits{$type}) : expression('i32', $depth - 1)) . ')' if $c < 18;
  return one_of('floordiv', 'floormod') . '(' . expression($type, $depth - 1) . ', ' . (chance(60) ? between(1, 9) : varying($type)) . ')' if $c < 23;
  return '(' . expression($type, $depth - 1) . ' ' . one_of('/', '%') . ' ' . (chance(60) ? between(1, 9) : varying($type)) . ')' if $c < 31;
  my $right = chance(25) ? between(0, 99) : expression($type, $depth - 1);
  return '(' . expression($type, $depth - 1) . ' ' . one_of('+', '+', '-', '*', '&', '|', '^') . " $right)";
}

sub condition {
  my ($depth) = @_;
  my $c = below(100);
  return '(' . condition($depth - 1) . ' ' . one_of('&&', '||', '&', '|', '^', '==', '!=') . ' ' . condition($depth - 1) . ')' if $depth > 0 && $c < 18;
  return '(!' . condition($depth - 1) . ')' if $depth > 0 && $c < 22;
  return simple('bool') if $c < 32;
  if ($c < 55) {
    my $var = one_of(@vars);
    my $e = "$var->{name}";
    return "(($e & 1) == " . below(2) . ')' if chance(30);
    $e .= ' + ' . one_of(map { $_->{name} } @vars) if chance(25);
    return "($e " . one_of('<', '>', '<=', '>=', '==', '!=') . ' ' . (chance(80) ? between($var->{first}, $var->{last}) : 'n') . ')';
  }
  return '(n > ' . between(-2, 2) . ')' if $c < 60;
  if ($c < 67) {
    my $active = active_text();
    return $active if $active;
  }
  my $type = one_of(@numbers, 'f32', 'f64', 'i32');
  my $right = chance(40) && $type !~ /^u/ ? one_of(0, 1, 5, -3) : expression($type, $depth - 1);
  return '(' . expression($type, $depth - 1) . ' ' . one_of('<', '>', '<=', '>=', '==', '!=') . " $right)";
}

# ---- statements ----

sub new_local {
  my $type = one_of(@numbers, 'f32', 'f64', 'i32', 'bool');
  my $name = 'v' . ++$names{local};
  my $text = "$type $name = " . expression($type, between(1, 2)) . ';';
  push @locals, [$name, $type];
  return $text;
}

sub set_local {
  my @may = grep { $_->[0] =~ /^v/ } @locals;
  my ($name, $type) = @{ one_of(@may) };
  my $op = $type eq 'bool' ? '=' : one_of('=', '+=', '-=', '*=');
  return "$name $op " . expression($type, 2) . ';';
}

sub store {
  my ($field) = @_;
  my $part = one_of(@{ $field->{parts} });
  my $type = $field->{type};
  my @ops = $type eq 'bool' ? ('=') : $type =~ /^f/ ? ('+=', '-=', '*=', '+=') : ('+=', '-=', '*=', '&=', '|=', '^=');
  my $op = chance(55) ? '=' : one_of(@ops);
  return 'atomic_' . one_of('min', 'max') . '(' . own_text($field) . "$part, " . expression($type, 2) . ');'
    if $type ne 'bool' && chance(6);
  return own_text($field) . "$part $op " . expression($type, between(1, 3)) . ';';
}

# small integers, whose sums are exact
sub exact { my ($type) = @_; return $type . '(' . expression('i8', 2) . ')' }

sub sum {
  if (@sums < 3 && chance(70)) {
    my $type = one_of(@numbers, 'i64', 'f64', 'i32', 'f32');
    my $op = $type =~ /^f/ ? one_of('+=', '-=', 'min', 'max', '+=') : one_of('+=', '+=', '-=', '*=', '&=', '|=', '^=', 'min', 'max');
    push @sums, { name => chance(30) ? "a.z_$type" : 's' . @sums, type => $type, op => $op }
      if !grep { $_->{type} eq $type } @sums;
  }
  return '' if !@sums;
  my $sum = one_of(@sums);
  my $value = $sum->{type} =~ /^f/ && $sum->{op} =~ /=/ ? exact($sum->{type}) : expression($sum->{type}, 2);
  return "$sum->{name} $sum->{op} $value;" if $sum->{op} =~ /=/;
  return "atomic_$sum->{op}($sum->{name}, $value);";
}

sub statements {
  my ($depth, $count) = @_;
  my @outer = @locals;
  my @lines = grep { $_ ne '' } map { statement($depth) } 1 .. $count;
  @locals = @outer;
  return map { split /\n/ } @lines;
}

sub indented { return join '', map { "  $_\n" } @_ }

# the loop's variable is known to be in a part of its range
sub guarded {
  my ($depth) = @_;
  my $var = one_of(@vars);
  my ($first, $last) = ($var->{first}, $var->{last});
  my $room = $last - $first;
  my ($lo, $hi) = ($first + below(least(3, $room) + 1), $last - below(least(3, $room) + 1));
  return '' if $lo > $hi;
  ($var->{first}, $var->{last}) = ($lo, $hi);
  my $text = "if ($var->{name} >= $lo && $var->{name} <= $hi) {\n" . indented(statements($depth - 1, 2)) . '}';
  ($var->{first}, $var->{last}) = ($first, $last);
  return $text;
}

# Hashes are gone through in the order of their keys: else it would differ from run to run.
sub statement {
  my ($depth) = @_;
  my $c = below(100);
  my @mine = map { $_->{field} } grep { is_own($_->{field}) } map { $stored{$_} } sort keys %stored;
  return new_local() if $c < 18;
  return set_local() if $c < 26 && grep { $_->[0] =~ /^v/ } @locals;
  if ($c < 44 && $depth > 0) {
    my $text = 'if (' . condition(1) . ") {\n" . indented(statements($depth - 1, between(1, 2))) . '}';
    $text .= " else {\n" . indented(statements($depth - 1, 1)) . '}' if chance(40);
    return $text;
  }
  return guarded($depth) if $c < 52 && $depth > 0;
  return sum() if $c < 64;
  return "for (turn in 0 .. 3) {\n" . indented(statements(0, 1)) . '}' if $c < 65 && $depth > 0 && !$is_tame;
  return 'if (' . condition(1) . ') ' . one_of('continue;', '{ ' . (@mine ? store(one_of(@mine)) : '') . ' continue; }') if $c < 68;
  return '' if !@mine;
  return store(one_of(@mine));
}

# ---- kernels ----

# the cell of a coarser level, or the same one of another leaf
sub coarser_index {
  my ($axis, $first) = @_;
  my ($var) = grep { $_->{axis} eq $axis } @vars;
  return undef if !$var;
  my $e = with_constant([$var->{name}, $var->{first}, $var->{last}], -($leaf->{first}{$axis} + $var->{origin}));
  return with_constant($known{coarser} > 1 ? quotient($e, $known{coarser}) : $e, $first);
}

# to another cell; what other iterations add to it commutes
sub added {
  my $field = $known{added};
  my ($type, @at, @guards) = $field->{type};
  $known{coarser} = one_of(1, 2, 2, 2, 4);
  my $is_coarser = chance(75);
  for my $axis (@{ $field->{axes} }) {
    my $first = $field->{origin}{$axis} + $field->{leaf}{first}{$axis};
    my $last = $field->{origin}{$axis} + $field->{leaf}{end}{$axis} - 1;
    my $e = $is_coarser && coarser_index($axis, $first) || new_index($axis, $first, $last, $field->{leaf}{above}{$axis});
    push @at, legal_index($e, $first, $last, is_open($field, $axis), \@guards);
  }
  my $value = $type =~ /^f/ ? exact($type) : expression($type, 2);
  my $text = "a.$field->{name}\[" . join(', ', @at) . ']' . one_of(@{ $field->{parts} }) . ' ' . one_of('+=', '+=', '-=') . " $value;";
  return (@guards ? 'if (' . join(' && ', @guards) . ') ' : '') . $text;
}

# x of the other colour may be read: it is stored in cells of one colour only
sub coloured {
  my $sum = join ' + ', map { $_->{name} } @vars;
  $known{in_colour} = 1;
  my @lines = map { store($colour) } 1 .. 2;
  unshift @lines, new_local() if chance(50);
  $known{in_colour} = 0;
  return "if ((($sum + n) & 1) == " . below(2) . ") {\n" . indented(@lines) . "}\n";
}

sub choose_vars {
  my ($by_field) = @_;
  my @order = $by_field ? @{ $by_field->{axes} } : @{ $leaf->{path} };
  my $number = 0;
  for my $axis (@order) {
    my $origin = $by_field ? $by_field->{origin}{$axis} : 0;
    push @vars, { name => 'xyzw' =~ /^.{$number}(.)/ && $1, axis => $axis, origin => $origin,
                  first => $leaf->{first}{$axis} + $origin, last => $leaf->{end}{$axis} - 1 + $origin };
    $number++;
  }
}

# a box: constants, or what a parameter says
sub within_text {
  my (@lo, @hi);
  for my $var (@vars) {
    my ($first, $last) = ($var->{first}, $var->{last});
    my $lo = chance(50) ? $first : $first + below(least(5, $last - $first) + 1);
    my $hi = chance(50) ? $last + 1 : $last + 1 - below(least(5, $last - $lo) + 1);
    $hi = $last + 9 if chance(5);
    push @lo, $lo;
    push @hi, $hi;
    ($var->{first}, $var->{last}) = ($lo, least($hi - 1, $last));
    $lo[-1] = "$lo + m" if chance(8);
  }
  my $vector = $trees{t}{is_hash} ? 'i64x' : 'i32x';
  return " within $lo[0] .. $hi[0]" if @vars == 1;
  return " within $vector" . @vars . '(' . join(', ', @lo) . ") .. $vector" . @vars . '(' . join(', ', @hi) . ')';
}

# the loop's own cells as a loop over ranges; the inner ones may be serial loops
sub ranges_text {
  my ($by_field) = @_;
  my (@parallel, @serial);
  for my $var (@vars) {
    my ($first, $last) = ($var->{first}, $var->{last});
    my $lo = chance(50) ? $first : $first + below(least(5, $last - $first) + 1);
    my $hi = chance(50) ? $last + 1 : $last + 1 - below(least(5, $last - $lo) + 1);
    ($var->{first}, $var->{last}) = ($lo, $hi - 1);
    $hi = $last + 9 if chance(10) && $bounds eq 'zero' && $by_field->{border} eq '';
    $lo = "($lo + m) - m" if chance(20);
    my $text = "$var->{name} in $lo .. $hi";
    push @{ @parallel && (@serial || chance(25)) ? \@serial : \@parallel }, $text;
  }
  return ('foreach (' . join(', ', @parallel) . ') {', map { "for ($_) {" } @serial);
}

sub attributes {
  return '' if chance(88);
  return '[[schedule(dynamic)]] ' if chance(40);
  return '[[block_dim(' . one_of(32, 64, 100) . ')]] ' if chance(50);
  my @may = grep { $_->{tree} eq 't' && !$stored{ $_->{name} } } @fields;
  return @may ? '[[cache(a.' . one_of(@may)->{name} . ')]] ' : '';
}

sub has_rows {
  my ($node) = @_;
  my $row = $node->{extent}{ $node->{axes}[-1] };
  return $row >= 4 && ($node->{kind} ne 'bitmasked' || 64 % $row == 0);
}

sub kernel_text {
  my ($number) = @_;
  (@vars, @locals, @sums, %stored, %known) = ();
  $names{local} = 0;
  undef $colour;
  $is_tame = chance(85);
  my @rowed = grep { has_rows($_) } @{ $trees{t}{leaves} };
  $leaf = one_of(@rowed && chance(92) ? @rowed : @{ $trees{t}{leaves} });
  my @own = @{ $leaf->{fields} };
  for my $field (@own) {
    $stored{ $field->{name} } = { field => $field } if chance(80 / @own + 15);
  }
  my $by_field = chance(75) ? one_of(@own) : undef;
  choose_vars($by_field);
  if (chance(15) && %stored) {
    my ($first) = sort keys %stored;
    my $field = $stored{$first}{field};
    my %axes = map { $_->{axis} => 1 } @vars;
    $colour = $field if $field->{border} ne 'wrap' && !grep { !$axes{$_} } @{ $field->{axes} };
  }
  my @elsewhere = grep { $_->{tree} eq 't' && $_->{type} ne 'bool' && $_->{exact} && !$stored{ $_->{name} } } @fields;
  $known{added} = one_of(@elsewhere) if @elsewhere && !$colour && chance(20);
  my $over = $by_field ? "a.$by_field->{name}" : "a.$leaf->{name}";
  my @ranges = $by_field && $stored{ $by_field->{name} } && !$colour && !$trees{t}{is_hash} && chance(45)
    ? ranges_text($by_field) : ();
  $over .= within_text() if !@ranges && chance(30);
  $known{activates} = @ranges || $known{added};
  my $body;
  if ($colour) {
    %stored = ($colour->{name} => { field => $colour });
    $body = indented(split /\n/, coloured());
  } else {
    $body = join '', map { "  $_\n" } statements(2, between(0, 2));
    my @mine = map { $stored{$_}{field} } sort keys %stored;
    my $adds = !grep { $_->{name} eq 'a.z_i64' && $_->{op} ne '+=' } @sums;   # another update does not commute
    @mine = ($by_field) if @ranges;
    $body .= '  ' . added() . "\n" if $known{added};
    $body .= '  ' . (@mine ? store(one_of(@mine)) : "a.z_i64 += i64($vars[0]{name});") . "\n" if @mine || $adds;
  }
  my $attributes = attributes();
  my $wide = $trees{t}{is_hash} ? 'i64 ' : '';
  my $text = "kernel void k$number(t a, t b, u c, i32 n, i32 m, f32 p) {\n";
  for my $sum (grep { $_->{name} =~ /^s/ } @sums) {
    $text .= "  $sum->{type} $sum->{name} = " . below(5) . ";\n";
  }
  @ranges = ("$attributes" . 'foreach (' . join(', ', map { "$wide$_->{name}" } @vars) . " in $over) {") if !@ranges;
  $text .= '  ' . join(' ', @ranges) . "\n";
  $text .= join '', map { "  $_\n" } split /\n/, $body;
  $text .= '  ' . '}' x @ranges . "\n";
  $text .= "  a.z_$_->{type} = $_->{name};\n" for grep { $_->{name} =~ /^s/ } @sums;
  return "$text}\n";
}

# a function of two values: some return early
sub function_text {
  my ($number) = @_;
  my $type = one_of('f32', 'f64', 'i32', 'i64', 'u8', 'u32');
  @locals = ([a => $type], [q => 'i32']);
  my $k = "f_$number";
  my $text = "func $type $k($type a, i32 q) {\n";
  my $any = sub {
    my ($t) = @_;
    return $t eq $type ? one_of('a', "(a + $t(q))", "max(a, " . literal($t) . ')', "(a * a)") : one_of('q', '(q ^ 5)');
  };
  $text .= "  $type r = " . $any->($type) . ";\n";
  $text .= "  if (q > " . below(4) . ") r = " . $any->($type) . "; else r += a;\n" if chance(50);
  $text .= "  if (a > " . literal($type) . ") { r *= 3; }\n" if chance(50);
  $text .= "  if (q == 1) return a;\n" if chance(25);
  $text .= "  if (a > " . literal($type) . ") { if (q < 3) return r; else { r -= a; return r; } }\n" if chance(15);
  $text .= "  return q > 2 ? r : " . $any->($type) . ";\n}\n";
  @locals = ();
  push @functions, [$k, $type];
  return $text;
}

# ---- files ----

sub field_read {
  my ($field) = @_;
  my $leaf = $field->{leaf};
  my @lo = map { $leaf->{first}{$_} + $field->{origin}{$_} } @{ $field->{axes} };
  my @hi = map { $leaf->{end}{$_} + $field->{origin}{$_} } @{ $field->{axes} };
  return '  { "' . $field->{name} . '", (read_call)p_' . $field->{name} . '_read, KIND_' . $field->{type} . ', ' .
    scalar(@{ $field->{parts} }) . ', ' . cells_of($leaf) . ', ' . scalar(@lo) . ', { { ' .
    join(', ', @lo) . ' }, { ' . join(', ', @hi) . " } } },\n";
}

sub write_file {
  my ($name, $text) = @_;
  open my $file, '>', "$folder/$name" or die "$folder/$name: $!\n";
  print $file $text;
  close $file or die "$folder/$name: $!\n";
}

new_tree('t');
new_tree('u');
my $text = "// bounds $bounds\n" . join('', map { $_->{text} } @fields);
$text .= "field $_ z_$_;\n" for @numbers;
$text .= tree_text($trees{$_}) for qw(t u);
$text .= "func u32 mixed(u32 h) {\n  u32 a = (h ^ (h >> 15)) * 2246822519u;\n" .
  "  a = (a ^ (a >> 13)) * 3266489917u;\n  return a ^ (a >> 16);\n}\n";
$text .= fill_text($trees{$_}) for qw(t u);
$text .= function_text($_) for 1 .. 3;
my @made;
for my $number (0 .. $loops - 1) {
  my $kernel = kernel_text($number);
  next if defined $only && $only != $number;
  $text .= $kernel;
  push @made, $number;
}
write_file('p.sn', $text);

my $table = "/* What driver.c calls, and reads behind it. */\n";
$table .= "CALL($_)\n" for @made;
$table .= "static const kernel_call calls[] = {\n" . join('', map { "  { $_, call_$_ },\n" } @made) . "};\n";
$table .= "static const field_table fields[] = {\n";
$table .= field_read($_) for grep { $_->{tree} eq 't' } @fields;
$table .= "  { \"z_$_\", (read_call)p_z_${_}_read, KIND_$_, 1, 1, 0, { { 0 }, { 0 } } },\n" for @numbers;
$table .= "};\nstatic const count_call counts[] = {\n";
my $tops = @{ $trees{t}{tops} };
$table .= "  p_ttop${_}_count,\n" for 1 .. $tops;
$table .= "  p_$_->{name}_count,\n" for @{ $trees{t}{leaves} };
$table .= "};\n";
write_file('table.h', $table);
