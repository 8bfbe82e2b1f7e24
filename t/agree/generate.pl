# generate.pl SEED BOUNDS: a program made of chance, the same for the same seed.
#
# It reads, writes, updates, activates, appends, takes out and asks in two trees of one
# type, which may be one instance, in serial code, loops and functions. Iterations may
# meet, so it is compared in one thread only, where their order is given.
use strict;
use warnings;

my ($seed, $bounds) = @ARGV;
my $zero = $bounds eq 'zero';
my $state = ($seed * 2654435761 + 12345) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }

my (@trees, @functions, @vectors, %inside, @recent, $names);

# often one that was there before: for that passes look
sub index_of {
  my ($vars) = @_;
  my @known = grep { my $v = $_->[1]; !grep { my $w = $_; !grep { $_ eq $w } @$vars } @$v } @recent;
  return one_of(@known)->[0] if @known && chance(40);
  my $text = new_index($vars);
  push @recent, [$text, [$text =~ /\b([cvw]\d+|[inwlu])\b/g]];
  shift @recent if @recent > 6;
  return $text;
}

sub new_index {
  my ($vars) = @_;
  my $base = chance(25) ? expression($vars, 1) : one_of(@$vars, below(32));
  return '(' . $base . ' + ' . (below(13) - 6) . ')' if $zero && chance(40);
  return 'floormod(' . $base . ' + ' . (below(7) - 3) . ', 32)' if chance(30);
  return $inside{$base} ? $base : "floormod($base, 32)";
}

# of the four tiles
sub tile_of {
  my ($vars) = @_;
  return chance(60) ? 'floormod(' . one_of(@$vars) . ', 4)' : below(4);
}

# an element of any kind of SNode
sub element {
  my ($vars) = @_;
  my $c = below(100);
  my $tree = one_of(@trees);
  return "$tree." . one_of('x', 'y', 'd') . '[' . index_of($vars) . ']' if $c < 50;
  return "$tree.b[" . index_of($vars) . ' - 7]' if $c < 65;
  return "$tree.m[" . index_of($vars) . ']' if $c < 77;
  return "$tree.h[" . one_of('', '-') . index_of($vars) . ' - ' . below(9) . ']' if $c < 90;
  return "$tree.e[" . tile_of($vars) . ', ' . index_of($vars) . ']';
}

# an index of a vector: of a short loop, any, or a number
sub component_of {
  my ($vars) = @_;
  my @short = grep { /^c\d/ } @$vars;
  return one_of(@short) if @short && chance(60);
  return below(3) if chance(40);
  return $zero && chance(50) ? one_of(@$vars) : 'floormod(' . one_of(@$vars) . ', 3)';
}

sub vector {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return one_of(@vectors) if @vectors && $c < 25;
  return one_of(@trees) . '.z[' . index_of($vars) . ']' if $c < 45;
  return 'i32x3(' . join(', ', map { expression($vars, $depth - 1) } 1 .. one_of(1, 3)) . ')'
    if $depth <= 0 || $c < 55;
  return '(' . vector($vars, $depth - 1) . ' ' . one_of('+', '-', '*', '^') . ' ' .
    one_of(vector($vars, $depth - 1), expression($vars, $depth - 1)) . ')' if $c < 70;
  return '(i32x3x3.rows(' . join(', ', map { vector($vars, 0) } 1 .. 3) . ') @ ' .
    vector($vars, $depth - 1) . ')' if $c < 75;
  return 'i32x3.unit(' . component_of($vars) . ')' if $c < 80;
  return 'select(' . vector($vars, 0) . ' < ' . expression($vars, 0) . ', ' .
    vector($vars, $depth - 1) . ', ' . vector($vars, 0) . ')' if $c < 88;
  return 'mixed(' . vector($vars, $depth - 1) . ', ' . expression($vars, 0) . ')' if $c < 94;
  return 'cross(' . vector($vars, $depth - 1) . ', ' . vector($vars, 0) . ').yzx';
}

# a scalar of one
sub of_vector {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return vector($vars, 0) . '[' . component_of($vars) . ']' if $c < 50;
  return vector($vars, 0) . '.' . one_of('x', 'y', 'z') if $c < 70;
  return one_of('sum', 'product', 'norm_sqr') . '(' . vector($vars, $depth) . ')' if $c < 80;
  return 'i32(' . one_of('any', 'all') . '(' . vector($vars, 0) . ' == ' . vector($vars, 0) . '))'
    if $c < 90;
  return 'dot(' . vector($vars, $depth) . ', ' . vector($vars, 0) . ')';
}

sub of_vectors {
  my ($vars) = @_;
  my $c = below(100);
  my $target = @vectors && $c < 50 ? one_of(@vectors) : one_of(@trees) . '.z[' . index_of($vars) . ']';
  my $op = one_of('=', '+=', '-=', '^=', '*=');
  return "$target $op " . vector($vars, 2) . ';' if $c % 2;
  return $target . '[' . component_of($vars) . "] $op " . expression($vars, 1) . ';';
}

# what is asked about activity
sub question {
  my ($vars, $depth) = @_;
  my $c = below(100);
  my $tree = one_of(@trees);
  return "is_active($tree.tile, floormod(" . expression($vars, $depth) . ', 4))' if $c < 30;
  return "is_active($tree." . one_of('some', 'node', 'marks') . ', ' . index_of($vars) . ')'
    if $c < 60;
  return "is_active($tree.far, " . one_of(@$vars) . ' - 3)' if $c < 75;
  return "is_active($tree.list, " . tile_of($vars) . ', ' . index_of($vars) . ')' if $c < 85;
  return "length($tree.list, " . tile_of($vars) . ') > ' . below(5);
}

sub taken_out {
  my ($vars) = @_;
  my $c = below(100);
  my $tree = one_of(@trees);
  return "deactivate($tree.tile, floormod(" .
    (chance(50) ? one_of(@$vars) . ' / 8' : expression($vars, 1)) . ', 4));' if $c < 30;
  return "deactivate($tree." . one_of('some', 'marks') . ', ' . index_of($vars) . ');' if $c < 65;
  return "deactivate($tree.list, " . tile_of($vars) . ');' if $c < 85;
  return "deactivate($tree.far, " . one_of(@$vars) . ' - 3);';
}

sub appended {
  my ($vars) = @_;
  my $tree = one_of(@trees);
  my $tile = tile_of($vars);
  my $name = 'p' . ++$names;
  my $text = "i64 $name = append($tree.list, $tile);";
  $text .= " $tree.e[$tile, $name] " . one_of('=', '+=') . ' ' . expression($vars, 1) . ';'
    if chance(80);
  $text .= " $tree.x[floormod(i32($name), 32)] = i32(length($tree.list, $tile));" if chance(20);
  return "{ $text }";
}

sub expression {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return one_of(@$vars, below(50) - 10) if $depth <= 0 || $c < 20;
  return '(' . expression($vars, $depth - 1) . ' ' . one_of('+', '-', '*', '&', '|', '^') . ' ' .
    expression($vars, $depth - 1) . ')' if $c < 45;
  return element($vars) if $c < 75;
  return '(' . condition($vars, $depth - 1) . ' ? ' . expression($vars, $depth - 1) . ' : ' .
    expression($vars, $depth - 1) . ')' if $c < 80;
  return one_of(@functions) . '(' . one_of(@trees) . ', ' . expression($vars, $depth - 1) . ')'
    if $c < 85 && @functions;
  return 'i32(' . question($vars, $depth - 1) . ')' if $c < 90;
  return of_vector($vars, $depth - 1) if $c < 96;
  return '(' . expression($vars, $depth - 1) . ' / ' . (1 + below(4)) . ')';
}

sub condition {
  my ($vars, $depth) = @_;
  my $test = expression($vars, $depth) . ' ' . one_of('<', '==', '>', '!=') . ' ' .
    expression($vars, $depth);
  my $c = below(100);
  return $test . ' && ' . expression($vars, $depth) . ' < ' . expression($vars, $depth) if $c < 30;
  return $test . ' || ' . question($vars, 0) if $c < 40;
  return $test;
}

sub statements {
  my ($vars, $locals, $depth, $count) = @_;
  my (@vars, @locals, %known) = ();
  @vars = @$vars;
  @locals = @$locals;
  %known = %inside;
  my @outer = @vectors;
  my $text = join ' ', map { statement(\@vars, \@locals, $depth) } 1 .. $count;
  %inside = %known;
  @vectors = @outer;
  return $text;
}

sub loop {
  my ($vars, $locals, $depth) = @_;
  my $name = 'v' . ++$names;
  $inside{$name} = 1;
  if (chance(30)) {
    $name = 'c' . $names;
    return "for ($name in 0 .. 3) { " . statements([@$vars, $name], $locals, $depth - 1, 2) . ' }';
  }
  my $many = one_of('4', '3', '8', 'floormod(' . one_of(@$vars) . ', 5)');
  my $body = statements([@$vars, $name], $locals, $depth - 1, 3);
  $body .= ' if (' . condition([@$vars, $name], 1) . ') ' . one_of('break', 'continue') . '; ' .
    statements([@$vars, $name], $locals, 0, 1) if chance(30);
  return "for ($name in 0 .. $many) { $body }";
}

sub statement {
  my ($vars, $locals, $depth) = @_;
  my $c = below(100);
  if ($c < 12) {
    my $text = 'i32 v' . ++$names . ' = ' . expression($vars, 2) . ';';
    push @$vars, "v$names";
    push @$locals, "v$names";
    return $text;
  }
  if ($c < 15) {
    my $text = 'i32x3 w' . ++$names . ' = ' . vector($vars, 2) . ';';
    push @vectors, "w$names";
    return $text;
  }
  return one_of(@$locals) . ' ' . one_of('=', '+=', '*=') . ' ' . expression($vars, 2) . ';'
    if $c < 20 && @$locals;
  return 'if (' . condition($vars, 1) . ') { ' . statements($vars, $locals, $depth - 1, 2) .
    ' } else { ' . statements($vars, $locals, $depth - 1, 1) . ' }' if $c < 32 && $depth > 0;
  return loop($vars, $locals, $depth) if $c < 46 && $depth > 0;
  return 'activate(' . one_of(@trees) . '.' . one_of('node', 'some', 'marks', 'leaf') .
    ', floormod(' . expression($vars, 1) . ', 32));' if $c < 53;
  return one_of(@trees) . '.total += ' . expression($vars, 1) . ';' if $c < 58;
  return taken_out($vars) if $c < 62;
  return appended($vars) if $c < 66;
  return 's += ' . expression($vars, 2) . ';' if $c < 70;
  return of_vectors($vars) if $c < 78;
  return element($vars) . ' ' . one_of('=', '=', '+=', '-=', '^=', '*=') . ' ' .
    expression($vars, 2) . ';';
}

sub function_body {
  my ($count) = @_;
  @trees = ('q');
  @recent = @vectors = ();
  (my $body = statements(['n'], [], 1, $count)) =~ s/\bs \+= /n += /g;
  return $body;
}

sub part {
  my $c = below(100);
  %inside = ();
  return '{ ' . statements(['n'], [], 2, 4) . ' }' if $c < 35;
  if ($c < 90) {
    %inside = (i => 1);
    my $range = $c < 75 ? 'a.' . one_of('x', 'y', 'd', 'node', 'some', 'm', 'marks') : '0 .. 32';
    return "foreach (i in $range) { " . statements(['i', 'n'], [], 2, 4) . ' }';
  }
  return 'foreach (j in a.b) { i32 i = j + 7; a.b[j] += i; ' . statements(['i', 'n'], [], 1, 3) .
    ' }' if $c < 92;
  return 'foreach (i64 f in ' . one_of('a.h', 'a.far') . ') { i32 u = i32(f); ' .
    one_of('', 'a.h[f] += 2; ', 'a.h[f * 5 + 1] = u; ') . statements(['u', 'n'], [], 1, 3) . ' }'
    if $c < 95;
  return 'foreach (w, l in a.e) { a.e[w, l] += l; ' . statements(['w', 'l', 'n'], [], 1, 2) . ' }'
    if $c < 98;
  return 'foreach (w in a.tile) { ' . statements(['w', 'n'], [], 1, 2) .
    ' for (e in 0 .. 8) { a.x[w * 8 + e] += e + a.y[w * 8 + e]; } }';
}

my $soa = $seed % 2 ? ' soa' : '';
my $split = $seed % 3 ? '' : ' split';
print <<"END";
func i32x3 mixed(i32x3 v, i32 k) {
  if (k % 2 == 0)
    return v.zxy;
  return v * k;
}
field i32 x = 3, y, d, total, b = 7 offset (-7), m, h = -1, e = 2;
field i32x3 z = i32x3(1, -2, 3);
tree t {
  place total;
  pointer tile[i: 4]$split {
    dense node[i: 8]$soa { place x, y, z; }
    bitmasked some[i: 8]$soa { place b; }
    dynamic list[l: 4000] { place e; }
  }
  dense flat[i: 32]$soa { place d; }
  bitmasked marks[i: 32]$soa { place m; }
  hash far[i] { dense leaf[i: 5]$soa { place h; } }
}
END
for my $k (0 .. 1) {
  my $body = function_body(3);
  print "func i32 f$k(t q, i32 n) { $body return n + ", expression(['n'], 1), "; }\n";
}
print 'func void g(t q, inout i32 n) { ', function_body(2), " n += 1; }\n";
@functions = ('f0', 'f1');
for my $k (0 .. 2) {
  @trees = chance(70) ? ('a', 'b') : ('a');
  @recent = @vectors = ();
  print "kernel i32 k$k(t a, t b, i32 n) {\n  i32 s = n;\n";
  for (0 .. below(3)) {
    print '  deactivate_all(a.', one_of('tile', 'tile', 'marks', 'list', 'far'), ");\n"
      if chance(50);
    print '  ', part(), "\n";
  }
  print "  g(a, s);\n" if chance(50);
  print "  deactivate_all(b.tile);\n" if chance(30);
  print "  return s;\n}\n";
}
