# generate.pl SEED BOUNDS: a program made of chance, the same for the same seed.
#
# It reads, writes, updates, activates and asks in two trees of one type, which may be
# one instance, in serial code, loops and functions. Iterations may meet, so it is
# compared in one thread only, where their order is given.
use strict;
use warnings;

my ($seed, $bounds) = @ARGV;
my $zero = $bounds eq 'zero';
my $state = ($seed * 2654435761 + 12345) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }

my (@trees, @functions, %inside, @recent, $names);

# often one that was there before: for that passes look
sub index_of {
  my ($vars) = @_;
  my @known = grep { my $v = $_->[1]; !grep { my $w = $_; !grep { $_ eq $w } @$vars } @$v } @recent;
  return one_of(@known)->[0] if @known && chance(40);
  my $text = new_index($vars);
  push @recent, [$text, [$text =~ /\b(v\d+|[inw])\b/g]];
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

sub expression {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return one_of(@$vars, below(50) - 10) if $depth <= 0 || $c < 20;
  return '(' . expression($vars, $depth - 1) . ' ' . one_of('+', '-', '*', '&', '|', '^') . ' ' .
    expression($vars, $depth - 1) . ')' if $c < 45;
  return one_of(@trees) . '.' . one_of('x', 'y', 'd') . '[' . index_of($vars) . ']' if $c < 75;
  return '(' . condition($vars, $depth - 1) . ' ? ' . expression($vars, $depth - 1) . ' : ' .
    expression($vars, $depth - 1) . ')' if $c < 80;
  return one_of(@functions) . '(' . one_of(@trees) . ', ' . expression($vars, $depth - 1) . ')'
    if $c < 85 && @functions;
  return 'i32(is_active(' . one_of(@trees) . '.tile, floormod(' . expression($vars, $depth - 1) .
    ', 4)))' if $c < 90;
  return '(' . expression($vars, $depth - 1) . ' / ' . (1 + below(4)) . ')';
}

sub condition {
  my ($vars, $depth) = @_;
  my $test = expression($vars, $depth) . ' ' . one_of('<', '==', '>', '!=') . ' ' .
    expression($vars, $depth);
  my $c = below(100);
  return $test . ' && ' . expression($vars, $depth) . ' < ' . expression($vars, $depth) if $c < 30;
  return $test . ' || is_active(' . one_of(@trees) . '.tile, floormod(' . one_of(@$vars) . ', 4))'
    if $c < 40;
  return $test;
}

sub statements {
  my ($vars, $locals, $depth, $count) = @_;
  my (@vars, @locals, %known) = ();
  @vars = @$vars;
  @locals = @$locals;
  %known = %inside;
  my $text = join ' ', map { statement(\@vars, \@locals, $depth) } 1 .. $count;
  %inside = %known;
  return $text;
}

sub loop {
  my ($vars, $locals, $depth) = @_;
  my $name = 'v' . ++$names;
  $inside{$name} = 1;
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
  return one_of(@$locals) . ' ' . one_of('=', '+=', '*=') . ' ' . expression($vars, 2) . ';'
    if $c < 20 && @$locals;
  return 'if (' . condition($vars, 1) . ') { ' . statements($vars, $locals, $depth - 1, 2) .
    ' } else { ' . statements($vars, $locals, $depth - 1, 1) . ' }' if $c < 32 && $depth > 0;
  return loop($vars, $locals, $depth) if $c < 46 && $depth > 0;
  return 'activate(' . one_of(@trees) . '.node, floormod(' . expression($vars, 1) . ', 32));'
    if $c < 53;
  return one_of(@trees) . '.total += ' . expression($vars, 1) . ';' if $c < 60;
  return 'deactivate(' . one_of(@trees) . '.tile, floormod(' .
    (chance(50) ? one_of(@$vars) . ' / 8' : expression($vars, 1)) . ', 4));' if $c < 62;
  return 's += ' . expression($vars, 2) . ';' if $c < 66;
  return one_of(@trees) . '.' . one_of('x', 'y', 'd') . '[' . index_of($vars) . '] ' .
    one_of('=', '=', '+=', '-=', '^=', '*=') . ' ' . expression($vars, 2) . ';';
}

sub function_body {
  my ($count) = @_;
  @trees = ('q');
  @recent = ();
  (my $body = statements(['n'], [], 1, $count)) =~ s/\bs \+= /n += /g;
  return $body;
}

sub part {
  my $c = below(100);
  %inside = ();
  return '{ ' . statements(['n'], [], 2, 4) . ' }' if $c < 35;
  if ($c < 90) {
    %inside = (i => 1);
    my $range = $c < 75 ? 'a.' . one_of('x', 'y', 'd') : '0 .. 32';
    return "foreach (i in $range) { " . statements(['i', 'n'], [], 2, 4) . ' }';
  }
  return 'foreach (w in a.tile) { ' . statements(['w', 'n'], [], 1, 2) .
    ' for (e in 0 .. 8) { a.x[w * 8 + e] += e + a.y[w * 8 + e]; } }';
}

print <<'END';
field i32 x = 3, y, d, total;
tree t {
  place total;
  pointer tile[i: 4] { dense node[i: 8] { place x, y; } }
  dense flat[i: 32] { place d; }
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
  @recent = ();
  print "kernel i32 k$k(t a, t b, i32 n) {\n  i32 s = n;\n";
  for (0 .. below(3)) {
    print "  deactivate_all(a.tile);\n" if chance(50);
    print '  ', part(), "\n";
  }
  print "  g(a, s);\n" if chance(50);
  print "  deactivate_all(b.tile);\n" if chance(30);
  print "  return s;\n}\n";
}
