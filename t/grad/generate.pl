# generate.pl SEED KERNELS FOLDER [KERNEL]: a tree and so many kernels with grad, made of chance, the
# same for the same seed: FOLDER/p.sn and, for driver.c, FOLDER/table.h. With KERNEL that one alone,
# which is the same as among all.
# KERNEL may be several, with commas between.
#
# Values stay between about -2 and 2, and derivatives exist but at kinks, which are seldom met. Nothing is made
# that has no derivative: what a kernel has read it does not assign, and it does not ask which cells of a node are
# active before it activates some. With GENERATE_WILD, in percent, it does so where that chance has it, by itself and not
# in iterations that meet: such a kernel is to be refused, or its derivative is right (many.pl).
use strict;
use warnings;

my ($seed, $count, $folder, $only) = @ARGV;
my $wild = $ENV{GENERATE_WILD} || 0;
my $state;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }
sub between { return $_[0] + below($_[1] - $_[0] + 1) }
sub start_with { $state = ($_[0] * 2654435761 + 12345) % 2147483648; below(2) for 1 .. 4 }

# ---- the tree ----

# A node: the loop over its cells, their index, the extents, whether cells may be inactive.
my %nodes = (
  cell => { vars => 'i, j', own => 'i, j', extents => [8, 8], first => [0, 0], sparse => 1 },
  some => { vars => 'l', own => 'l', extents => [20], first => [0], sparse => 1 },
  page => { vars => 'i64 m', own => 'm', extents => [40], first => [-20], sparse => 1 },
  list => { vars => 'n', own => 'n', extents => [50], first => [0], sparse => 1 },
  tile => { vars => 'i, j', own => 'i, j', extents => [2, 4], first => [0, 0], sparse => 1 },
  line => { vars => 'o', own => 'o', extents => [12], first => [0] },
  deep => { tree => 'h', vars => 'p', own => 'p', extents => [48], first => [-5], sparse => 1 },
  wide => { tree => 'h', vars => 'q', own => 'q', extents => [10], first => [0] },
  past => { vars => 'r, t', own => 'r, t', extents => [6, 9], first => [0, 0] },
  '' => { vars => '', own => '', extents => [], first => [] },
);
my (%fields, @fields);

sub add_fields {
  my ($node, $is_vector, $has_grad, $border, @names) = @_;
  my $single = $is_vector eq 'single';
  $is_vector = 0 if $single;
  for my $name (@names) {
    $fields{$name} = { name => $name, node => $node, is_vector => $is_vector, grad => $has_grad, border => $border, single => $single };
    push @fields, $name;
  }
}

sub make_fields {
  add_fields('cell', 0, 1, '', qw(u0 u1 u2 u3 u4));
  add_fields('cell', 0, 1, one_of(qw(clamp wrap default)), 'ub');
  add_fields('cell', 2, 1, '', qw(uw ux));
  add_fields('cell', 0, 0, '', 'uk');
  add_fields('some', 0, 1, '', qw(s0 s1 s2));
  add_fields('some', 2, 1, '', 'sw');
  add_fields('page', 0, 1, '', qw(h0 h1 h2));
  add_fields('list', 0, 1, '', qw(x0 x1));
  add_fields('line', 0, 1, '', qw(r0 r1 r2 r3));
  add_fields('line', 0, 1, 'clamp', 'rc');
  add_fields('line', 0, 1, 'wrap', 'rr');
  add_fields('line', 0, 1, 'default', 'rd');
  add_fields('line', 0, 0, '', 'rk');
  add_fields('line', 3, 1, '', 'rp');
  add_fields('deep', 0, 1, '', qw(d0 d1 d2));
  add_fields('deep', 2, 1, '', 'dw');
  add_fields('line', 'single', 1, '', qw(f0 f1));
  add_fields('cell', 'single', 1, '', qw(v0 v1));
  add_fields('wide', 0, 1, '', qw(e0 e1));
  add_fields('wide', 0, 1, 'wrap', 'ew');
  add_fields('past', 0, 1, '', qw(z0 z1)) if $wild;
  add_fields('', 0, 1, '', qw(t0 t1));
}

sub places { my ($node) = @_; return 'place ' . join(', ', grep { $fields{$_}{node} eq $node } @fields) . ';' }

sub tree_text {
  my $text = "struct spot { f64 a; f64x2 b; }\n";
  for my $name (@fields) {
    my $f = $fields{$name};
    $text .= 'field ' . ($f->{single} ? 'f32' : (qw(f64 - f64x2 spot))[$f->{is_vector}]) . " $name" .
      ($f->{node} eq 'deep' ? ' offset (-5)' : '') . ($f->{border} ? " outside $f->{border}" : '') .
      ($f->{grad} ? ' with grad, dual' : '') . ";\n";
  }
  my $soa = one_of('', '', ' soa', ' soa rows');
  return $text . "\ntree grid {\n  pointer tile[i: 2, j: 4] {\n    dense cell[i: 4, j: 2]$soa { " . places('cell') . " }\n  }\n" .
    '  bitmasked some[l: 20] { ' . places('some') . " }\n" . '  hash page[m] { ' . places('page') . " }\n" .
    '  dynamic list[n: 50]' . one_of('', ' chunk 8') . ' { ' . places('list') . " }\n" .
    '  dense line[o: 12] { ' . places('line') . " }\n  " .
    ($wild ? 'dense past[r: 6, t: 9] { ' . places('past') . " }\n  " : '') . places('') . "\n}\ntree side(i32 size) {\n  pointer part[p: 4] { bitmasked bit[p: 3] { dense deep[p: 4]" .
    one_of('', ' soa') . ' { ' . places('deep') . " } } }\n  dense wide[q: size] { " . places('wide') . " }\n}\n";
}

# ---- what may be read and assigned ----

# Of the kernel that is made: what was read, nodes whose activity it depends on; the serial loops that
# are open, with what they read and assign; the parallel loop, with what it assigns.
my (%was_read, %was_asked, @open, $loop, $names, $text, $indent, $is_single);

sub line { $text .= '  ' x $indent . $_[0] . "\n" }

sub is_wild { return $wild && chance($wild) }

# in an iteration that those before it are done for, which may depend on them
sub in_order { return $loop->{in_order} && is_wild() }

sub can_read {
  my ($name, $is_own) = @_;
  return 0 if !is_wild() && grep { $_->{written}{$name} } @open;
  return 1 if !$loop || !$loop->{written}{$name} || in_order();
  return $is_own && $loop->{written}{$name} eq 'own';
}

sub note_read {
  my ($name, $is_own) = @_;
  $was_read{$name} = 1;
  $loop->{read}{$name} = $is_own && ($loop->{read}{$name} || 'own') eq 'own' ? 'own' : 'any' if $loop;
}

# `how`: own (`=`), add (`+=`)
sub can_write {
  my ($name, $how, $is_own) = @_;
  my $f = $fields{$name};
  return 0 if !$f->{grad} || $was_read{$name} && !is_wild();
  if ($loop && !in_order()) {
    my $read = $loop->{read}{$name};
    return 0 if $read && !($read eq 'own' && $is_own);
    my $before = $loop->{written}{$name};
    return 0 if $before && $before eq 'own' && !$is_own;
    return 0 if $before && $before eq 'add' && $how eq 'own';
  }
  my $node = $f->{node};
  return 1 if !$nodes{$node}{sparse};
  return 1 if $loop && $loop->{over} && $is_own;
  return 0 if $loop && $loop->{asked}{$node} && !in_order();
  return is_wild() || !$was_asked{$node} && !grep { $_->{asked}{$node} } @open;
}

sub note_write {
  my ($name, $how, $is_own) = @_;
  my $node = $fields{$name}{node};
  $_->{written}{$name} = 1 for @open;
  $loop->{written}{$name} ||= $how if $loop;
  if (!($loop && $loop->{over} && $is_own)) { $_->{changed}{$node} = 1 for @open, $loop || () }
}

sub can_ask {
  my ($node) = @_;
  return 0 if $loop && $loop->{changed}{$node} && !in_order();
  return is_wild() || !grep { $_->{changed}{$node} } @open;
}

sub note_asked { my ($node) = @_; $was_asked{$node} = 1; $_->{asked}{$node} = 1 for @open, $loop || () }

# ---- expressions ----

# A scope: floats, vectors, integers (name, end; at least 0), arrays, whether it may read neighbours without a
# condition.
sub copy_of {
  my ($s) = @_;
  return { %$s, map { $_ => [@{ $s->{$_} }] } qw(floats fixed vectors integers arrays counters matrices spots truths) };
}

sub constant { return sprintf '%.2f', between(10, 190) / 100 }

sub some_index {
  my ($s, $extent) = @_;
  my @ints = @{ $s->{integers} };
  return below($extent) if !@ints || chance(10);
  my $v = one_of(@ints);
  return $v->[0] if $v->[1] <= $extent && chance(60);
  my $e = chance(50) ? $v->[0] : "$v->[0] * " . between(2, 7);
  if (chance(50)) { my $w = one_of(@ints); $e .= " + $w->[0]" }
  $e .= ' + ' . below(9) if chance(30);
  return "($e) % $extent";
}

sub index_of {
  my ($s, $node) = @_;
  my @at;
  for my $k (0 .. $#{ $nodes{$node}{extents} }) {
    my $e = some_index($s, $nodes{$node}{extents}[$k]);
    push @at, $nodes{$node}{first}[$k] ? "$e - " . -$nodes{$node}{first}[$k] : $e;
  }
  return join ', ', @at;
}

sub may_use { my ($name) = @_; return $is_single || !$fields{$name}{single} }

sub tree_of { return $nodes{ $fields{$_[0]}{node} }{tree} || 'g' }

sub access {
  my ($name, $at) = @_;
  my $tree = tree_of($name);
  return $at eq '' ? "$tree.$name" : "$tree.$name\[$at]";
}

# A neighbour's index in the node of the loop, and on which condition it lies inside.
sub neighbour {
  my ($node) = @_;
  my (@at, @if);
  my @own = split /, /, $nodes{$node}{own};
  for my $k (0 .. $#own) {
    my $d = between(-1, 1);
    my $last = $nodes{$node}{first}[$k] + $nodes{$node}{extents}[$k] - 1;
    push @at, $d < 0 ? "$own[$k] - 1" : $d ? "$own[$k] + 1" : $own[$k];
    push @if, $d < 0 ? "$own[$k] > $nodes{$node}{first}[$k]" : "$own[$k] < $last" if $d;
  }
  return (join(', ', @at), join(' && ', @if));
}

# What is read of a field, as a scalar, or nothing.
sub field_read {
  my ($s, $wants_vector) = @_;
  for (1 .. 6) {
    my $name = one_of(grep { may_use($_) } grep { $fields{$_}{is_vector} ? $wants_vector || below(3) == 0 : !$wants_vector } @fields);
    my $f = $fields{$name};
    my $is_here = $loop && $f->{node} eq $loop->{node};
    next if !$is_here && chance(65);
    next if !$s->{may_sum} && !$loop && $f->{node} eq 'cell' && chance(70);
    my ($at, $if, $is_own) = ('', '', 0);
    if ($is_here && chance(55)) { ($at, $is_own) = ($nodes{ $f->{node} }{own}, 1) }
    elsif ($is_here && ($s->{inner} || $f->{border} || chance(50))) {
      ($at, $if) = neighbour($f->{node});
      $if = '' if $s->{inner} || $f->{border};
    } else { $at = index_of($s, $f->{node}) }
    next if !can_read($name, $is_own);
    note_read($name, $is_own);
    my $read = access($name, $at);
    if ($f->{is_vector} == 3) { $read .= $wants_vector ? '.b' : one_of('.a', '.b.x', '.b.y') }
    elsif ($f->{is_vector} && !$wants_vector) { $read .= one_of('.x', '.y') }
    $read = "($if ? $read : " . ($wants_vector ? 'f64x2(0.4, 0.7)' : constant()) . ')' if $if;
    return $read;
  }
  return undef;
}

sub leaf {
  my ($s) = @_;
  for (1 .. 3) {
    my $k = below(100);
    if ($k < 40) { my $e = field_read($s, 0); return $e if defined $e }
    elsif ($k < 70) { my @v = (@{ $s->{floats} }, @{ $s->{fixed} }); return one_of(@v) if @v }
    elsif ($k < 78) { return 'a' }
    elsif ($k < 84) { my $v = one_of(@{ $s->{integers} }, undef); return sprintf '%.2f * %s', 1 / $v->[1], $v->[0] if $v && $v->[1] }
    elsif ($k < 90) { my $v = one_of(@{ $s->{vectors} }, undef); return $v . one_of('.x', '.y', '[' . some_index($s, 2) . ']') if $v }
    elsif ($k < 93) { my $v = one_of(@{ $s->{arrays} }, undef); return $v . '[' . some_index($s, 3) . ']' if $v }
    elsif ($k < 94) { return one_of('more', 'steady') . '[' . some_index($s, 5) . ']' }
    elsif ($k < 96) { my $v = one_of(@{ $s->{matrices} }, undef); return $v . '[' . some_index($s, 2) . ', ' . some_index($s, 2) . ']' if $v }
    elsif ($k < 98) { my $v = one_of(@{ $s->{spots} }, undef); return $v . one_of('.a', '.b.x', '.b.y') if $v }
    else { return constant() }
  }
  return constant();
}

sub vector {
  my ($s, $d) = @_;
  my $k = below(11);
  if ($k >= 8) {
    my $m = one_of(@{ $s->{matrices} }, undef);
    my $p = one_of(@{ $s->{spots} }, undef);
    return "($m @ " . vector($s, $d - 1) . ' * 0.4)' if $m && $k < 9 && $d > 0;
    return "$p.b" if $p && $k < 10;
    return '(0.5 * normalize(' . vector($s, $d - 1) . ' + 3.0))' if $k == 10 && $d > 0;
    $k = 0;
  }
  if ($k < 3 || $d <= 0) {
    my $e = @{ $s->{vectors} } && chance(60) ? one_of(@{ $s->{vectors} }) : field_read($s, 1);
    return $e if defined $e;
  }
  return 'f64x2(' . expr($s, $d - 1) . ', ' . expr($s, $d - 1) . ')' if $k < 4 || $d <= 0;
  return '(0.5 * ' . vector($s, $d - 1) . one_of(' + ', ' - ') . '0.4 * ' . vector($s, $d - 1) . ')' if $k < 5;
  return 'sin(' . vector($s, $d - 1) . ' * ' . vector($s, $d - 1) . ')' if $k < 6;
  return '(f64x2x2(' . expr($s, 0) . ", 0.3, -0.2, " . expr($s, 0) . ') @ ' . vector($s, $d - 1) . ' * 0.4)' if $k < 7;
  return '(0.4 * (' . expr($s, $d - 1) . ') * ' . vector($s, $d - 1) . ').yx';
}

sub condition {
  my ($s, $d) = @_;
  my $k = below(100);
  if ($k < 35 && @{ $s->{integers} }) {
    my $v = one_of(@{ $s->{integers} });
    return "$v->[0] % " . between(2, 4) . ' == ' . below(2) if chance(50);
    return "$v->[0] " . one_of('<', '>', '!=') . ' ' . below($v->[1]);
  }
  if ($k < 38) { my $b = one_of(@{ $s->{truths} }, undef); return $b if $b }
  if ($k < 40) { return condition($s, $d - 1) . one_of(' && ', ' || ') . condition($s, $d - 1) if $d > 0 }
  if ($k < 44) {
    my $node = one_of(qw(some tile deep));
    my $under = $node eq 'tile' ? 'cell' : $node;
    if (can_ask($under)) {
      note_asked($under);
      return "is_active(" . ($nodes{$under}{tree} || 'g') . ".$node, " . ($node eq 'tile' ? some_index($s, 2) . ', ' . some_index($s, 4) : $node eq 'deep' ? some_index($s, 48) : index_of($s, $node)) . ')';
    }
  }
  return expr($s, $d - 1) . one_of(' > ', ' < ') . (chance(60) ? constant() : expr($s, $d - 1));
}

# Between about -2 and 2, of operands between -2 and 2.
sub expr {
  my ($s, $d) = @_;
  return leaf($s) if $d <= 0 || chance(15);
  my $e = sub { return expr($s, $d - 1) };
  my $k = below(48);
  return 'floormod(' . $e->() . ', 0.7)' if $k == 44;
  return 'floormod(' . $e->() . ', 1.5 + 0.3 * sin(' . $e->() . '))' if $k == 45;
  if ($k == 46) {
    my $m = one_of(@{ $s->{matrices} }, undef);
    return one_of("0.3 * trace($m)", "0.2 * determinant($m)", "0.3 * dot($m @ " . vector($s, 0) . ', ' . vector($s, 0) . ')') if $m;
  }
  if ($k == 47) {
    my $p = one_of(@{ $s->{spots} }, undef);
    return "turned($p, " . $e->() . ')' . one_of('.a', '.b.x') if $p;
    return '0.5 * (fold(' . $e->() . ', count) + ' . $e->() . ')' if chance(50);
  }
  return '0.5 * (' . $e->() . one_of(' + ', ' - ') . $e->() . ')' if $k < 5;
  return '0.5 * (' . $e->() . ') * (' . $e->() . ')' if $k < 10;
  return '(' . $e->() . ') / (1.5 + sqr(' . $e->() . '))' if $k < 12;
  return 'sin(' . $e->() . ')' if $k < 14;
  return 'cos(' . $e->() . ')' if $k < 15;
  return 'exp(0.3 * (' . $e->() . ') - 1.0)' if $k < 16;
  return 'tanh(' . $e->() . ')' if $k < 17;
  return 'sqrt(0.2 + 0.7 * sqr(' . $e->() . '))' if $k < 18;
  return 'log(1.2 + sqr(' . $e->() . '))' if $k < 19;
  return 'pow(0.3 + 0.3 * sqr(' . $e->() . '), ' . one_of('0.7', '2.0', '1.5', '3.0', '0.4 * (' . $e->() . ')') . ')' if $k < 21;
  return '0.6 * atan2(' . $e->() . ', 1.1 + sqr(' . $e->() . '))' if $k < 22;
  return one_of('min', 'max') . '(' . $e->() . ', ' . $e->() . ')' if $k < 25;
  return 'clamp(' . $e->() . ', ' . (chance(70) ? '0.1, 0.9' : '0.3 * sin(' . $e->() . '), 1.0') . ')' if $k < 26;
  return 'abs(' . $e->() . ')' if $k < 27;
  return 'select(' . condition($s, 1) . ', ' . $e->() . ', ' . $e->() . ')' if $k < 29;
  return '(' . condition($s, 1) . ' ? ' . $e->() . ' : ' . $e->() . ')' if $k < 31;
  return 'mix(' . $e->() . ', ' . $e->() . ', 0.5 * (' . $e->() . '))' if $k < 32;
  return '0.4 * fma(' . $e->() . ', ' . $e->() . ', ' . $e->() . ')' if $k < 33;
  return '0.4 * rsqrt(0.5 + sqr(' . $e->() . '))' if $k < 34;
  return one_of('asin', 'acos', 'atan', 'sinh', 'tan') . '(0.3 * (' . $e->() . '))' if $k < 36;
  return '0.3 * dot(' . vector($s, $d - 1) . ', ' . vector($s, $d - 1) . ')' if $k < 37;
  return '0.3 * norm(' . vector($s, $d - 1) . ' + 3.0)' if $k < 38;
  return '0.1 * floor(3.0 * (' . $e->() . '))' if $k < 39;
  return one_of('soft', 'steps', 'turns') . '(' . $e->() . ')' if $k < 42;
  return 'pair(' . $e->() . ', ' . $e->() . ')';
}

my $functions = <<'END';
func f64 soft(f64 a) { return a > 0.5 ? a * a * 0.4 : 0.25 * a; }

func f64 steps(f64 a) {
  f64 b = 0.5 * a;
  if (a > 0.8) return b * b;
  if (a > 0.2) b = sin(a) + 0.1;
  return b;
}

func f64 turns(f64 a) {
  f64 b = a;
  for (y in 0 .. 4) {
    b = 0.5 + 0.4 * sin(b * a);
    if (b > 0.8) return b * 0.7;
    if (b < 0.55) continue;
    b = b * 0.9;
  }
  return b;
}

func f64 pair(f64 a, f64 b) {
  f64 c = a;
  i32 y = 0;
  while (y < 3) {
    y++;
    if (c > 0.7) { c = 0.6 * c * b; continue; }
    if (c < -0.6) break;
    c = 0.5 * (c + sin(b));
  }
  return c;
}

func void both(f64 a, inout f64 b) {
  if (a > b) { b = 0.5 * a; return; }
  for (y in 0 .. 3) {
    b = 0.5 + 0.4 * sin(b * (a + 0.5));
    if (b > 0.85) return;
  }
  b = a * b * 0.5;
}

const f64 steady[5] = { 0.3, 0.9, 0.5, 1.1, 0.7 };

func spot turned(spot p, f64 a) {
  if (p.a > a) { p.b = p.b.yx * 0.8; return p; }
  p.a = 0.5 * (p.a + sin(a));
  return spot(p.b.x * a * 0.5, p.b);
}

func f64 fold(f64 a, i32 n) {
  f64 b = a;
  for (y in 0 .. n) {
    for (z in 0 .. y + 1) {
      if (z == 2) break;
      b = 0.5 + 0.3 * sin(b + 0.1 * z * a);
    }
    if (b > 0.78) return b;
  }
  return 0.5 * b;
}

func f64 counted(f64 a, i32 n, inout f64 b, inout f64 c) {
  f64 d = 0.3;
  for (y in 0 .. n) {
    f64 e = 0.4 * sin(b + c);
    c = b * 0.9;
    b = 0.5 + e * a;
    d = 0.5 * d + 0.2 * b;
  }
  return d;
}

END

# ---- statements of an iteration ----

sub fresh { return $_[0] . ++$names }

sub bounded { my ($s, $d, $by) = @_; return '0.5 + ' . ($by || '0.4') . ' * ' . one_of('sin', 'sin', 'tanh') . '(' . expr($s, $d) . ')' }

sub body {
  my ($s, $budget) = @_;
  $indent++;
  my $inside = copy_of($s);
  statement($inside, $budget) for 1 .. between(1, $budget > 2 ? 3 : 2);
  $indent--;
  return $inside;
}

sub new_float { my ($s, $e) = @_; my $x = fresh('x'); line("f64 $x = $e;"); push @{ $s->{floats} }, $x }

sub assign_float {
  my ($s) = @_;
  return new_float($s, bounded($s, 2)) if !@{ $s->{floats} };
  my $x = one_of(@{ $s->{floats} });
  my $k = below(6);
  my $by = $s->{long} ? '0.2' : '0.4';
  if ($k < 3) { line("$x = " . bounded($s, 2, $by) . ';') }
  elsif ($k < 4 && !$s->{turns}) { line("$x " . one_of('+=', '-=') . ' 0.3 * ' . '(' . expr($s, 1) . ');') }
  elsif ($k < 5 && !$s->{turns}) { line("$x *= " . bounded($s, 1) . ';') }
  else { line("$x = 0.5 * $x + $by * (" . expr($s, 1) . ');') }
}

sub write_field {
  my ($s) = @_;
  for (1 .. 8) {
    my $name = one_of(grep { may_use($_) } @fields);
    my $f = $fields{$name};
    my $is_here = $loop && $f->{node} eq $loop->{node};
    my $is_own = $is_here && (chance(80) || $f->{border} || $loop->{over});
    next if $loop && !$is_here && chance(60);
    next if !$loop && $f->{node} ne '' && chance(50);
    my $how = $is_own || !$loop ? one_of('own', 'own', 'add') : 'add';
    next if !can_write($name, $how, $is_own);
    my $at = $is_own ? $nodes{ $f->{node} }{own} : index_of($s, $f->{node});
    my $is_vector = $f->{is_vector};
    my $part = $is_vector && chance(40) ? one_of('.x', '.y') : '';
    $part = one_of('.a', '.b.x', '.b') if $is_vector == 3;
    my $value = $part eq '.b' || ($is_vector && $part eq '') ? vector($s, 2) : chance(50) ? bounded($s, 2) : expr($s, 3);
    next if !can_write($name, $how, $is_own);                     # the value may have read it
    $value = ($is_own ? '0.3' : '0.05') . " * ($value)" if $how eq 'add';
    $value = "f32($value)" if $f->{single};
    if ($how eq 'add' && $part ne '.b' && !($is_vector && $part eq '') && ($is_own || !$loop) && is_wild()) {
      my $x = fresh('x');                                         # what was there before
      line("f64 $x = atomic_add(" . access($name, $at) . "$part, $value);");
      push @{ $s->{floats} }, $x;
      note_write($name, $how, $is_own);
      return;
    }
    line(access($name, $at) . $part . ($how eq 'own' ? ' = ' : one_of(' += ', ' += ', ' -= ')) . "$value;");
    note_write($name, $how, $is_own);
    return;
  }
  assign_float($s);
}

sub branch {
  my ($s, $budget) = @_;
  line('if (' . condition($s, 2) . ') {');
  my $inside = body($s, $budget - 1);
  if (($s->{turns} || $loop) && chance(18)) {
    $indent++;
    line(one_of($s->{turns} ? ('break', 'continue') : ('continue')) . ';') if !$s->{no_leave};
    $indent--;
  }
  if (chance(50)) {
    line('} else {');
    body($s, $budget - 1);
  }
  line('}');
}

# How many turns, as text, and at most.
sub turns_of {
  my ($s) = @_;
  my $k = below(100);
  return (between(1, 5)) x 2 if $k < 30;
  return ('count', 8) if $k < 45;
  my $v = one_of(@{ $s->{integers} }, undef);
  if ($v && $k < 60) { return $v->[1] <= 8 ? @$v : ("$v->[0] % " . between(3, 7), 7) }
  if ($k < 70) { return ("min(8, i32(3.0 * abs(" . leaf($s) . ") + 0.5))", 8) }
  return ('count + ' . between(1, 4), 12) if $k < 75;
  if (!$s->{turns} && $k < 85) { my $n = $loop && $loop->{node} eq 'cell' ? between(30, 40) : one_of(33, 40, 64, 65, 70, 130); return ($n, $n) }
  if (!$s->{turns} && $k < 93) { return ('30 + count * ' . ($loop && $loop->{node} eq 'cell' ? 1 : 11), 120) }
  return (between(2, 7)) x 2;
}

sub serial_loop {
  my ($s, $budget) = @_;
  my ($turns, $most) = turns_of($s);
  ($turns, $most) = (between(1, 3)) x 2 if $most * ($s->{work} || 1) > 3000;
  my $y = fresh('y');
  my $inside = copy_of($s);
  $inside->{turns} = ($s->{turns} || 0) + 1;
  $inside->{work} = ($s->{work} || 1) * ($most + 1);
  $inside->{long} = 1 if $most > 8 || $inside->{turns} > 1;
  push @open, { written => {}, asked => {}, changed => {} };
  my $kind = below(10);
  my $end = '';
  new_float($inside, bounded($s, 1)), push @{ $s->{floats} }, $inside->{floats}[-1] if !@{ $inside->{floats} } || chance(40);
  if ($kind < 6) {
    line("for ($y in 0 .. $turns) {");
    $inside->{no_leave} = 0;
  } elsif ($kind < 7) {
    line("for (i32 $y = 0; $y < $turns; $y++) {");
  } elsif ($kind < 8) {
    my $up = $turns =~ /[^0-9a-z]/ ? "($turns)" : $turns;
    line("for (i32 $y = $up - 1; $y >= 0; $y--) {");
  } else {
    line("i32 $y = 0;");
    my $until = chance(40) ? ' && (' . condition($s, 1) . ')' : '';
    line("while ($y < $turns$until) {");
    $end = "$y++;";
    if (chance(50)) { $indent++; line($end); $indent--; $end = '' }
  }
  push @{ $inside->{integers} }, [$y, $most + 1];
  $inside->{no_leave} = $end ne '';
  $indent++;
  my $last = copy_of($inside);
  statement($last, $budget - 1) for 1 .. between(1, 3);
  assign_float($last);
  line($end) if $end;
  $indent--;
  line('}');
  pop @open;
}

sub some_matrix {
  my ($s) = @_;
  return 'f64x2x2(' . join(', ', map { expr($s, 1) } 1 .. 4) . ')' if !@{ $s->{matrices} } || chance(40);
  return one_of(@{ $s->{matrices} });
}

# Factorizations are of what has singular values and eigenvalues that differ.
# Over the neighbours, in a box between constants; over the cells of a tile.
sub box_statement {
  my ($s) = @_;
  my $x = fresh('x');
  my @cells = grep { $fields{$_}{node} eq 'cell' && !$fields{$_}{is_vector} && may_use($_) && can_read($_, 0) } @fields;
  return new_float($s, bounded($s, 1)) if !@cells || !$loop;
  my $name = one_of(@cells);
  my ($value, $o) = (bounded($s, 1), fresh('y'));
  if ($loop->{node} eq 'cell' && $s->{inner}) {
    note_read($name);
    line("f64 $x = $value;");
    line(one_of('', '[[unroll]] ') . "for ($o in i32x2(-1) .. i32x2(2)) $x = 0.6 * $x + " .
      one_of("0.1 * g.$name\[i32x2(i, j) + $o];", "0.1 * $x * g.$name\[i32x2(i, j) + $o];",
             "0.05 * g.$name\[i32x2(i, j) + $o] * $o.x;"));
  } elsif ($loop->{node} eq 'tile' && can_ask('cell')) {
    note_read($name);
    note_asked('cell');
    line("f64 $x = $value;");
    line("for (y${o}, z${o} in g.$name under g.tile[i, j]) $x = 0.6 * $x + 0.1 * g.$name\[y${o}, z${o}] * $x;");
  } else { return new_float($s, $value) }
  push @{ $s->{floats} }, $x;
}

sub forever_statement {
  my ($s) = @_;
  my ($y, $x) = (fresh('y'), fresh('x'));
  my $most = between(1, 6);
  line("f64 $x = " . bounded($s, 1) . ';');
  line("i32 $y = 0;");
  push @open, { written => {}, asked => {}, changed => {} };
  line(one_of('for (;;) {', 'while (true) {'));
  my $inside = copy_of($s);
  push @{ $inside->{floats} }, $x;
  push @{ $inside->{integers} }, [$y, $most + 1];
  @$inside{qw(turns long no_leave)} = (($s->{turns} || 0) + 1, 1, 1);
  $inside->{work} = ($s->{work} || 1) * ($most + 1);
  $indent++;
  line("$y++;");
  line("if ($y > $most || " . condition($inside, 1) . ') break;');
  assign_float($inside);
  line('if (' . condition($inside, 1) . ') continue;') if chance(40);
  statement($inside, 0);
  assign_float($inside);
  $indent--;
  line('}');
  pop @open;
  push @{ $s->{floats} }, $x;
}

sub matrix3_statement {
  my ($s) = @_;
  my ($v, $w, $A, $U, $V, $d) = map { fresh($_) } qw(v v B B B v);
  line("f64x3 $v = f64x3(" . join(', ', map { expr($s, 1) } 1 .. 3) . "), $w = 0.5 * cross($v, f64x3(0.4, " . expr($s, 0) . ', 0.6)), ' . "$d;");
  line("$w.zx = $v.xy * 0.5;") if chance(40);
  line("f64x3x3 $A = f64x3x3(3, 0.1, 0, 0.2, 1.8, 0.1, 0, 0.1, 0.7) + 0.05 * outer($v, $w), $U, $V;");
  my $k = below(4);
  line("svd($A, $U, $d, $V);") if $k == 0;
  line("polar($A, $U, $V);") if $k == 1;
  line("sym_eig($A, $d, $U);") if $k == 2;
  line("$U = inverse($A);") if $k == 3;
  my $x = fresh('x');
  my $of = one_of("dot($U @ $v, $w)", "dot($d, $U @ $w)", "sum($U @ $d)", "determinant($A) * norm_sqr($v)", "trace($V @ $U)");
  line("f64 $x = 0.5 + 0.3 * sin(0.3 * $of);");
  push @{ $s->{floats} }, $x;
}

sub matrix_statement {
  my ($s) = @_;
  my $k = below(10);
  if ($k < 3 || !@{ $s->{matrices} }) {
    my ($e, $m) = (some_matrix($s), fresh('A'));
    line("f64x2x2 $m = " . one_of('0.5 * transpose(', '0.6 * (') . "$e);");
    push @{ $s->{matrices} }, $m;
  } elsif ($k < 5) {
    my $m = one_of(@{ $s->{matrices} });
    line("$m\[" . some_index($s, 2) . ', ' . some_index($s, 2) . '] = ' . bounded($s, 1) . ';') if $k == 3;
    line("$m = 0.4 * $m + 0.2 * $m @ " . some_matrix($s) . ';') if $k == 4;
  } elsif ($k < 6) {
    my ($e, $m) = (some_matrix($s), fresh('A'));
    line("f64x2x2 $m = inverse(f64x2x2(2.0, 0.4, -0.3, 1.5) + 0.2 * $e);");
    push @{ $s->{matrices} }, $m;
  } else {
    my ($U, $V, $w) = (fresh('A'), fresh('A'), fresh('w'));
    my $e = some_matrix($s);
    $e = 'f64x2x2(2.5, 0.1, 0.2, 0.6) + ' . ($s->{long} ? '0.05' : '0.1') . " * $e";
    line("f64x2x2 $U, $V;");
    line("f64x2 $w;") if $k != 6;
    line("polar($e, $U, $V);") if $k == 6;
    line("svd($e, $U, $w, $V);") if $k == 7 || $k == 8;
    line("sym_eig($e, $w, $U);") if $k == 9;
    line("$V = $U;") if $k == 9;
    line("$_ = 0.4 * $_;") for $U, $V, ($k != 6 ? $w : ());
    push @{ $s->{matrices} }, $U, $V;
    push @{ $s->{vectors} }, $w if $k != 6;
  }
}

sub spot_statement {
  my ($s) = @_;
  my $k = below(6);
  if ($k < 3 || !@{ $s->{spots} }) {
    my ($e, $v, $p) = (expr($s, 1), vector($s, 1), fresh('p'));
    line("spot $p = spot($e, $v);");
    push @{ $s->{spots} }, $p;
    return;
  }
  my $p = one_of(@{ $s->{spots} });
  line("$p" . one_of('.a', '.b.x', '.b.y') . ' = ' . bounded($s, 1) . ';') if $k == 3;
  line("$p = turned($p, " . expr($s, 1) . ');') if $k == 4;
  line("$p = " . condition($s, 1) . " ? $p : " . one_of(@{ $s->{spots} }) . ';') if $k == 5;
}

sub statement {
  my ($s, $budget) = @_;
  my $k = below(100);
  if ($k < 14) { new_float($s, chance(60) ? bounded($s, 2) : expr($s, 3)) }
  elsif ($k < 30) { assign_float($s) }
  elsif ($k < 42 && $budget > 0) { branch($s, $budget) }
  elsif ($k < 54 && $budget > 0) { serial_loop($s, $budget) }
  elsif ($k < 70) { write_field($s) }
  elsif ($k < 76) {
    my @sums = @{ $s->{sums} || [] };
    return assign_float($s) if !@sums;
    line(one_of(@sums) . one_of(' += ', ' += ', ' -= ') . '0.01 * (' . expr($s, 2) . ');');
  } elsif ($k < 80) {
    return new_float($s, bounded($s, 1)) if !@{ $s->{floats} };
    line('both(' . expr($s, 1) . ', ' . one_of(@{ $s->{floats} }) . ');');
  } elsif ($k < 83) {
    my @two = @{ $s->{floats} };
    return new_float($s, bounded($s, 1)) if @two < 2;
    my $first = splice @two, below(scalar @two), 1;
    my ($count) = chance(50) ? 'count' : between(2, 6);
    my ($e, $x) = (expr($s, 1), fresh('x'));
    line("f64 $x = counted($e, $count, $first, " . one_of(@two) . ');');
    push @{ $s->{floats} }, $x;
  } elsif ($k < 88) {
    if (!@{ $s->{vectors} } || chance(50)) {
      my ($e, $w) = (vector($s, 2), fresh('w'));
      line("f64x2 $w = $e;");
      push @{ $s->{vectors} }, $w;
    } else {
      my $w = one_of(@{ $s->{vectors} });
      my $m = below(3);
      line("$w = 0.5 * $w + 0.4 * sin(" . vector($s, 1) . ');') if $m == 0;
      line("$w" . one_of('.x', '.y') . ' = ' . bounded($s, 1) . ';') if $m == 1;
      line("$w\[" . some_index($s, 2) . '] = ' . bounded($s, 1) . ';') if $m == 2;
    }
  } elsif ($k < 91) {
    if (!@{ $s->{arrays} } || chance(40)) {
      my ($e, $q) = (join(', ', map { expr($s, 1) } 1 .. 3), fresh('q'));
      line("f64 $q\[3] = { $e };");
      push @{ $s->{arrays} }, $q;
    } else { line(one_of(@{ $s->{arrays} }) . '[' . some_index($s, 3) . '] = ' . bounded($s, 2) . ';') }
  } elsif ($k < 92) { one_of(\&matrix_statement, \&matrix_statement, \&matrix3_statement)->($s) }
  elsif ($k == 95) { box_statement($s) }
  elsif ($k == 96 && $budget > 0) { forever_statement($s) }
  elsif ($k < 93) { spot_statement($s) }
  elsif ($k < 94) {
    if (chance(50)) {
      my ($e, $b) = (condition($s, 1), fresh('b'));
      line("bool $b = $e;");
      push @{ $s->{truths} }, $b;
    } else {
      my ($e, $c) = (some_index($s, 6), fresh('c'));
      line("i32 $c = $e;");
      push @{ $s->{integers} }, [$c, 16];
    }
  } elsif ($k < 94) {
    my $c = fresh('c');
    line("i32 $c = " . some_index($s, 6) . ';');
    push @{ $s->{integers} }, [$c, 16];
  } else { new_float($s, expr($s, 2)) }
}

# ---- parallel loops ----

# of a loop: the integers that are at least 0, with their ends
sub integers_of {
  my ($node) = @_;
  return (['i', 8], ['j', 8]) if $node eq 'cell';
  return (['i', 2], ['j', 4]) if $node eq 'tile';
  return ['l', 20] if $node eq 'some';
  return ['n', 50] if $node eq 'list';
  return ['o', 12] if $node eq 'line';
  return ['pi', 48] if $node eq 'deep';
  return ['q', 10] if $node eq 'wide';
  return ['mi', 40];
}

sub within {
  my ($node) = @_;
  my $n = $nodes{$node};
  my @from = map { $n->{first}[$_] + below(3) } 0 .. $#{ $n->{first} };
  my @to = map { $n->{first}[$_] + $n->{extents}[$_] - below(3) } 0 .. $#{ $n->{first} };
  return " within $from[0] .. $to[0]" if @from == 1;
  return ' within i32x2(' . join(', ', @from) . ') .. i32x2(' . join(', ', @to) . ')';
}

sub parallel_loop {
  my ($s) = @_;
  my $node = one_of(qw(cell cell cell cell some page list line deep deep wide), chance(50) ? 'tile' : 'cell');
  my $over = (chance(70) || $node eq 'tile') && can_ask($node eq 'tile' ? 'cell' : $node);
  $node = 'line' if $node eq 'tile' && !$over;
  my ($vars, $header) = ($nodes{$node}{vars}, '');
  my @sums = grep { chance(50) } @{ $s->{floats} };
  @sums = ($s->{floats}[0]) if !@sums && @{ $s->{floats} };
  my $inside = copy_of($s);
  $inside->{fixed} = [grep { my $x = $_; !grep { $_ eq $x } @sums } @{ $s->{floats} }, @{ $s->{fixed} }];
  push @sums, @{ $s->{only_sums} || [] };
  $inside->{only_sums} = [];
  $inside->{floats} = [];
  $inside->{vectors} = [];
  $inside->{$_} = [] for qw(arrays matrices spots truths);
  $inside->{sums} = \@sums;
  $inside->{turns} = 0;
  $inside->{work} = $s->{work} || 1;
  $inside->{work} *= $_ for @{ $nodes{$node}{extents} };
  $inside->{long} = 0;
  $inside->{no_leave} = 0;
  if ($over) {
    my $field = $node eq 'tile' ? 'tile' : one_of(grep { $fields{$_}{node} eq $node } @fields);
    my $over_node = $node eq 'tile' || (chance(15) && $node !~ /deep|list/);
    $header = "foreach ($vars in " . ($over_node ? ($nodes{$node}{tree} || 'g') . ".$node" : access($field, '')) .
      ($node !~ /tile|page/ && chance(12) ? within($node) : '') . ')';
    note_asked($node eq 'tile' ? 'cell' : $node);
  } else {
    my $k = 0;
    $header = 'foreach (' . join(', ', map {
      my ($first, $end) = ($nodes{$node}{first}[$k], $nodes{$node}{first}[$k] + $nodes{$node}{extents}[$k]);
      $k++;
      ($first, $end) = ($first + below(4), $end - below(4)) if chance(40);
      "$_ in $first .. $end" } split /, /, $vars) . ')';
  }
  my $is_serial = chance($wild ? 30 : 7);
  $header = "[[serial]] $header" if $is_serial;
  $header = "[[schedule(" . one_of('static', 'dynamic') . ")]] $header" if !$is_serial && chance(8);
  push @open, { written => {}, asked => {}, changed => {} } if $is_serial;
  $loop = { node => $node, over => $over, written => {}, in_order => $is_serial && !$over };
  my $guards = '';
  if (chance(25) && $node ne 'tile') {
    $inside->{inner} = 1;
    $guards = join ' && ', map {
      my $e = $nodes{$node}; my $k = $_ eq 'j' ? 1 : 0;
      "$_ > $e->{first}[$k] && $_ < " . ($e->{first}[$k] + $e->{extents}[$k] - 1) } split /, /, $nodes{$node}{own};
  }
  line("$header {");
  $indent++;
  line('i32 mi = i32(m + 20);') if $node eq 'page';
  line('i32 pi = p + 5;') if $node eq 'deep';
  push @{ $inside->{integers} }, integers_of($node);
  if ($guards) { line("if ($guards) {"); $indent++ }
  box_statement($inside) if chance($node eq 'tile' ? 60 : $guards ? 20 : 0);
  if (chance(30)) {                      # a stencil alone
    write_field($inside) for 1 .. between(1, 3);
  } else {
    statement($inside, $s->{small} ? 2 : 3) for 1 .. ($s->{small} ? between(1, 3) : between(2, 5));
    write_field($inside) if chance(60);
  }
  line(one_of(@sums) . ' += 0.01 * (' . expr($inside, 2) . ');') if @sums && chance(70);
  if ($guards) { $indent--; line('}') }
  $indent--;
  line('}');
  $loop = undef;
  pop @open if $is_serial;
}

# ---- kernels ----

# Steps of a field that has them along an axis: from some to others, which may be those that come later or were before.
sub steps_over {
  my ($s) = @_;
  my ($name, $y, $b, $e) = (one_of(qw(z0 z1)), fresh('y'), fresh('y'), 0);
  my ($from, $to, $kind) = (between(-1, 1), between(-1, 1), below(6));
  my $turns = one_of("for ($y in 1 .. 5)", "for (i32 $y = 1; $y < 5; $y += " . between(1, 2) . ')',
                     "for (i32 $y = 4; $y >= 1; $y -= " . between(1, 2) . ')');
  my $cells = "foreach ($b in 1 .. 8)";
  my $inside = copy_of($s);
  $inside->{fixed} = [@{ $s->{floats} }, @{ $s->{fixed} }];
  $inside->{$_} = [] for qw(floats vectors arrays matrices spots truths);
  push @{ $inside->{integers} }, [$b, 9], $kind < 5 ? [$y, 6] : ();
  $e = between(-1, 1) if $from != $to && ($kind < 3 || $kind == 5);
  push @open, { written => { $name => 1 }, asked => {}, changed => {} };
  $loop = { node => 'none', written => { $name => 'add' } };
  my ($read, $write, $first) = ("$y + $from", "$y + $to", '');
  ($read, $write) = ("count + $from", "count + $to") if $kind == 5;
  if ($kind == 2) { $first = "i32 ${y}_to = $write; "; $write = "${y}_to" }
  my $body = "g.$name\[$write, $b] " . one_of('=', '=', '+=') . " 0.5 + 0.3 * sin(g.$name\[$read, $b + $e] * (" .
    expr($inside, 2) . '));';
  line($kind == 5 ? "$cells $body" : $kind < 3 ? "$turns { $first$cells $body }" : "$cells { $turns $body }");
  $loop = undef;
  pop @open;
  $was_read{$name} = 1;
  $_->{written}{$name} = 1 for @open;
}

# A loop over parallel loops: what it hands on is a sum, or its own.
sub loop_over_loops {
  my ($s, $budget) = @_;
  my $inside = copy_of($s);
  my @kept = grep { chance(50) } @{ $s->{floats} };
  $inside->{only_sums} = [@{ $s->{only_sums} || [] }, grep { my $x = $_; !grep { $_ eq $x } @kept } @{ $s->{floats} }];
  $inside->{fixed} = [@{ $s->{fixed} }, @kept];
  $inside->{floats} = [];
  $inside->{vectors} = [];
  $inside->{$_} = [] for qw(arrays matrices spots truths);
  push @open, { written => {}, asked => {}, changed => {} };
  my $y = fresh('y');
  $inside->{work} = 4 * ($s->{work} || 1);
  my $turns = one_of('2', '3', 'count', '4');
  my $header = chance(70) ? "$y in 0 .. $turns" : "i32 $y = " . (chance(50) ? "0; $y < $turns; $y++" : "$turns; $y > 0; $y -= 1");
  line("for ($header) {");
  $indent++;
  push @{ $inside->{integers} }, [$y, 8];
  my $m = fresh('m');
  line("f64 $m = " . bounded($inside, 1) . ';');
  push @{ $inside->{floats} }, $m;
  kernel_statement($inside, $budget - 1) for 1 .. between(0, 1);
  parallel_loop($inside);
  kernel_statement($inside, $budget - 1) for 1 .. between(0, 2);
  if (my @sums = @{ $inside->{only_sums} }) { line(one_of(@sums) . ' += 0.1 * (' . expr($inside, 2) . ');') }
  $indent--;
  line('}');
  pop @open;
}

sub kernel_statement {
  my ($s, $budget) = @_;
  return steps_over($s) if $wild && chance(20);
  my $k = below(100);
  if ($k < 45) { parallel_loop($s) }
  elsif ($k < 55 && $budget > 0) { loop_over_loops($s, $budget) }
  elsif ($k < 63 && $budget > 0) {
    line('if (' . condition($s, 1) . ') {');
    $indent++;
    my $inside = copy_of($s);
    kernel_statement($inside, $budget - 1) for 1 .. between(1, 2);
    $indent--;
    if (chance(40)) {
      line('} else {');
      $indent++;
      kernel_statement(copy_of($s), $budget - 1);
      $indent--;
    }
    line('}');
  } elsif ($k < 69) { serial_loop($s, 2) }
  elsif ($k < 74) { statement($s, 1) }
  elsif ($k < 80) { write_field($s) }
  elsif ($k < 90) { new_float($s, bounded($s, 2)) }
  else { assign_float($s) }
}

sub kernel {
  my ($name, $is_both) = @_;
  (%was_read, %was_asked, @open) = ();
  ($loop, $names, $text, $indent) = (undef, 0, '', 1);
  my $s = { map { $_ => [] } qw(floats fixed vectors integers arrays counters matrices spots truths) };
  line('f64 s = 0;');
  push @{ $s->{floats} }, 's';
  $s->{small} = chance(85);
  $is_single = chance(8);
  kernel_statement($s, 2) for 1 .. ($s->{small} ? between(0, 1) : between(1, 4));
  parallel_loop($s);
  line('return ' . (chance(50) ? 's' : expr($s, 2) . ' + s') . ';');
  my $head = "(grid g, side h, f64 a, i32 count, in f64 more[5]) with";
  return "kernel f64 $name$head grad, dual {\n$text}\n" if $is_both;
  return "kernel f64 $name$head grad {\n$text}\n\nkernel f64 ${name}_too$head dual {\n$text}\n";
}

start_with($seed);
make_fields();
my %singles;
my $sn = '// seed ' . "$seed: kernels with grad, made of chance\n" . tree_text() . "\n$functions";
my @kernels = defined $only ? split(/,/, $only) : 0 .. $count - 1;
for my $k (@kernels) {
  start_with($seed * 1000 + $k + 500);
  $sn .= kernel("k$k", $k % 6 == 0) . "\n";
  $singles{$k} = $is_single ? 1 : 0;
}
open my $out, '>', "$folder/p.sn" or die "$folder/p.sn: $!\n";
print $out $sn;
close $out or die "$folder/p.sn: $!\n";
open $out, '>', "$folder/table.h" or die "$folder/table.h: $!\n";
print $out "/* name, node, tree, elements of a cell, whether they are f32 */\n#define FIELDS(F) \\\n" .
  join(" \\\n", map { "  F($_, " . ($fields{$_}{node} || 'root') . ', ' . tree_of($_) . ', ' . ($fields{$_}{is_vector} || 1) . ', ' . ($fields{$_}{single} ? 1 : 0) . ')' }
       grep { $fields{$_}{grad} } @fields) . "\n\n#define CONSTANTS(F) \\\n" .
  join(" \\\n", map { "  F($_, $fields{$_}{node}, g, 1, 0)" } grep { !$fields{$_}{grad} } @fields) .
  "\n\n#define KERNELS(K) " . join(' ', map { $_ % 6 ? "K(k$_, k${_}_too, NULL, $singles{$_})" : "K(k$_, k$_, p_k${_}_grad_dual, $singles{$_})" } @kernels) . "\n";
close $out or die "$folder/table.h: $!\n";
