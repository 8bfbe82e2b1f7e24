# kinds.pl SEED BOUNDS: a program made of chance over a tree of chance, of SNodes of every
# kind; the same for the same seed.
#
# Iterations may meet, so it is run in one thread only, where their order is given: that of
# the lists, which the interpreter and compiled code take from one library. No index traps and
# no list is overfull, since what other iterations then do is left open.
use strict;
use warnings;

my ($seed, $bounds) = @ARGV;
my $zero = $bounds eq 'zero';
my $state = ($seed * 2654435761 + 977) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }

# ---- the tree: nodes with {name, kind, axes => {letter => extent}, total, open, parent} ----

my (@nodes, @fields, $has_hash);

sub extent { return one_of(1, 2, 2, 3, 4, 5, 8) }

sub new_node {
  my ($parent) = @_;
  my @free = grep { !exists $parent->{total}{$_} } qw(i j k l);
  my @kinds = qw(dense bitmasked pointer);
  push @kinds, 'dynamic' if @free;
  push @kinds, 'hash', 'hash' if !$parent->{kind} && !$has_hash;
  my $n = {name => 'n' . @nodes, kind => one_of(@kinds), parent => $parent, own => {},
           total => {%{$parent->{total}}}, open => {%{$parent->{open}}}};
  $has_hash = 1 if $n->{kind} eq 'hash';
  my @axes = $n->{kind} eq 'dynamic' ? one_of(@free) : grep { chance(40) } qw(i j k);
  @axes = ('i') if !@axes;
  for my $a (@axes) {
    $n->{own}{$a} = $n->{kind} eq 'hash' ? 1 : $n->{kind} eq 'dynamic' ? one_of(7, 40, 300) : extent();
    $n->{total}{$a} = ($n->{total}{$a} || 1) * $n->{own}{$a};
    $n->{open}{$a} = 1 if $n->{kind} eq 'hash';
  }
  push @nodes, $n;
  return $n;
}

sub axes_of { my ($n) = @_; return sort keys %{$n->{total}} }

sub new_field {
  my ($n) = @_;
  my @order = axes_of($n);
  @order = sort { below(3) - 1 } @order if chance(30);
  my $f = {name => 'x' . @fields, type => one_of('i32', 'i64', 'i64', 'i16', 'u8', 'u32'), node => $n,
           order => \@order, default => chance(50) ? 0 : below(100), origin => {}};
  my $shifted = chance(40);
  $f->{origin}{$_} = $shifted ? below(41) - 20 : 0 for @order;
  push @fields, $f;
  return $f;
}

sub declaration {
  my ($f) = @_;
  my @order = @{$f->{order}};
  my @parts = (' (' . join(', ', @order) . ')');
  push @parts, " = $f->{default}" if $f->{default};
  push @parts, ' offset (' . join(', ', map { $f->{origin}{$_} } @order) . ')'
    if grep { $f->{origin}{$_} } @order;
  return "field $f->{type} $f->{name}" . join('', @parts) . ";\n";
}

sub tree_text {
  my ($n, $depth, $margin) = @_;
  my $axes = join ', ', map { $n->{kind} eq 'hash' ? $_ : "$_: $n->{own}{$_}" } sort keys %{$n->{own}};
  my $text = "$margin$n->{kind} $n->{name}\[$axes\]";
  $text .= ' chunk ' . one_of(1, 4, 5, 64) if $n->{kind} eq 'dynamic' && chance(50);
  my $is_leaf = $n->{kind} eq 'dynamic' || $depth == 0 || chance(25);
  return "$text;\n" if $n->{kind} eq 'bitmasked' && $is_leaf && chance(25);
  my @placed = map { new_field($n)->{name} } 1 .. ($is_leaf ? 1 + below(2) : below(2));
  $text .= one_of('', ' soa', ' soa rows') if $n->{kind} =~ /dense|bitmasked/ && $is_leaf;
  my $children = $is_leaf ? 0 : 1 + below(2);
  $text .= ' split' if $n->{kind} =~ /pointer|hash/ && !@placed && $children > 1;
  $text .= " {\n";
  $text .= "$margin  place " . join(', ', @placed) . ";\n" if @placed;
  $text .= tree_text(new_node($n), $depth - 1, "$margin  ") for 1 .. $children;
  return "$text$margin}\n";
}

# ---- indices, expressions ----

sub index_on {
  my ($n, $axis, $origin, $vars) = @_;
  my $base = expression($vars, chance(25) ? 1 : 0);
  my $shift = $origin ? " + $origin" : '';
  # seldom anywhere, or keys would beget keys without end
  return "(" . one_of('n', $base) . ")$shift" if $n->{open}{$axis} && chance(5);
  return "floormod($base, 7) - 3$shift" if $n->{open}{$axis};
  return "($base) % 9$shift" if $zero && chance(30);
  return "floormod($base, $n->{total}{$axis})$shift";
}

sub field_indices {
  my ($f, $vars, @without) = @_;
  my %left_out = map { $_ => 1 } @without;
  return map { index_on($f->{node}, $_, $f->{origin}{$_}, $vars) }
    grep { !$left_out{$_} } @{$f->{order}};
}

sub node_indices {
  my ($n, $vars, @without) = @_;
  my %left_out = map { $_ => 1 } @without;
  return map { index_on($n, $_, 0, $vars) } grep { !$left_out{$_} } axes_of($n);
}

sub element { my ($f, $vars) = @_; return "$f->{name}\[" . join(', ', field_indices($f, $vars)) . ']' }

# a node's name or that of a field in it, with indices
sub cell {
  my ($n, $vars, @without) = @_;
  my @placed = grep { $_->{node} == $n } @fields;
  if (@placed && chance(40)) {
    my $f = one_of(@placed);
    return join ', ', $f->{name}, field_indices($f, $vars, @without);
  }
  return join ', ', $n->{name}, node_indices($n, $vars, @without);
}

sub lists { return grep { $_->{kind} eq 'dynamic' } @nodes }

sub expression {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return one_of(@$vars, @$vars, below(30) - 10) if $depth <= 0 || $c < 15;
  return '(' . expression($vars, $depth - 1) . ' ' . one_of('+', '-', '*', '^', '&') . ' ' .
    expression($vars, $depth - 1) . ')' if $c < 35;
  return 'i64(' . element(one_of(@fields), $vars) . ')' if $c < 75;
  return 'i64(is_active(' . cell(one_of(@nodes), $vars) . '))' if $c < 88;
  if (my @lists = lists()) {
    my $n = one_of(@lists);
    return 'length(' . cell($n, $vars, keys %{$n->{own}}) . ')' if $c < 96;
  }
  return '(' . expression($vars, $depth - 1) . ' / ' . (1 + below(5)) . ')';
}

# ---- statements ----

# in a local, since the length and the append must mean one container
sub append_text {
  my ($vars) = @_;
  my $n = one_of(lists());
  my ($own) = keys %{$n->{own}};
  my @at = map { my $t = $n->{open}{$_} ? 4 : $n->{total}{$_}; 'floormod(' . expression($vars, 0) . ", $t)" }
    grep { $_ ne $own } axes_of($n);
  my $at = join ', ', $n->{name}, @at;
  return "if (length($at) < $n->{own}{$own} - 1) s += append($at);";
}

sub statement {
  my ($vars, $depth) = @_;
  my $c = below(100);
  return append_text($vars) if $c < 12 && lists();
  return 'activate(' . cell(one_of(@nodes), $vars) . ');' if $c < 24;
  if ($c < 38) {
    my @sparse = grep { $_->{kind} ne 'dense' } @nodes;
    if (@sparse) {
      my $n = one_of(@sparse);
      my @without = $n->{kind} eq 'dynamic' ? keys %{$n->{own}} : ();
      return 'if (' . expression($vars, 1) . ' % 3 == 0) deactivate(' . cell($n, $vars, @without) . ');';
    }
  }
  return 's += ' . expression($vars, 2) . ';' if $c < 48;
  return 'if (' . expression($vars, 1) . ' > ' . below(10) . ') { ' . statement($vars, $depth - 1) .
    ' } else { ' . statement($vars, $depth - 1) . ' }' if $c < 58 && $depth > 0;
  return "for (i64 v$depth in 0 .. " . (2 + below(5)) . ') { ' .
    join(' ', map { statement([@$vars, "v$depth"], $depth - 1) } 1 .. 2) . ' }' if $c < 68 && $depth > 0;
  my $f = one_of(@fields);
  return element($f, $vars) . ' ' . one_of('=', '=', '+=', '-=', '^=') . " $f->{type}(" .
    expression($vars, 2) . ');';
}

sub loop_head {
  my ($name, @axes) = @_;
  return 'foreach (' . join(', ', map { "i64 a$_" } @axes) . " in $name)";
}

sub part {
  my $c = below(100);
  my @sparse = grep { $_->{kind} ne 'dense' } @nodes;
  return 'deactivate_all(' . one_of('t', map { $_->{name} } @sparse) . ');' if $c < 10;
  return join ' ', map { statement(['n'], 2) } 1 .. 3 if $c < 25;
  return 'foreach (i64 i in 0 .. ' . (3 + below(30)) . ') { ' .
    join(' ', map { statement(['n', 'i', 'i'], 2) } 1 .. 4) . ' }' if $c < 55;
  my ($name, @axes);
  if (chance(60)) {
    my $f = one_of(@fields);
    ($name, @axes) = ($f->{name}, @{$f->{order}});
  } else {
    my $n = one_of(@nodes);
    ($name, @axes) = ($n->{name}, axes_of($n));
  }
  my @vars = map { "a$_" } @axes;
  return loop_head($name, @axes) . ' { s += ' . join(' + ', map { (1 + below(99)) . " * $_" } @vars) . '; ' .
    join(' ', map { statement(['n', @vars, @vars], 2) } 1 .. 2 + below(2)) . ' }';
}

# what there is, whatever the order
sub show {
  my $text = '';
  for my $f (@fields) {
    my @own = grep { $f->{name} } @{$f->{order}};
    my $at = join ', ', map { "a$_" } @own;
    $text .= '  ' . loop_head($f->{name}, @own) . " s += i64($f->{name}\[$at\]) * (1" .
      join('', map { ' + ' . (3 + below(90)) . " * a$_" } @own) . ");\n";
  }
  for my $n (@nodes) {
    my @axes = axes_of($n);
    $text .= '  ' . loop_head($n->{name}, @axes) . ' s += 1000003' .
      join('', map { ' + ' . (3 + below(90)) . " * a$_" } @axes) . ";\n";
  }
  return $text;
}

my $top = {total => {}, open => {}};
my $text = '';
until (@fields) {                      # bitmasked nodes alone have none
  @nodes = ();
  $has_hash = 0;
  $text = join '', map { tree_text(new_node($top), 2, '  ') } 1 .. 1 + below(3);
}
print map({ declaration($_) } @fields), "tree t {\n$text}\n";
for my $k (0 .. 3) {
  print "kernel i64 k$k(i64 n) {\n  i64 s = 0;\n";
  print '  ', part(), "\n" for 1 .. 1 + below(4);
  print "  return s + ", element($fields[0], ['n']), ";\n}\n";
}
print "kernel i64 show() {\n  i64 s = 0;\n", show(), "  return s;\n}\n";
