# generate.pl MODULE SEED: a tree of chance, its operations as kernels, and its table.
#
# Writes MODULE.sn, and MODULE_table.c, which says the same to the model (t/oracle/model.c).
#
# A cell of an SNode has a number: (number of the cell above) * (cells of a container) + (its
# number in the container, row by row over the SNode's own axes). So what lies below a cell is a
# stretch of numbers of each SNode below. What an operation of a kernel does, and to which
# cell, is drawn from its seed and its own number, here and in the model alike.
use strict;
use warnings;

my ($module, $seed) = @ARGV;
my $state = ($seed * 2654435761 + 4711) % 2147483648;

# own random numbers: Perl's may differ from release to release
sub below { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
sub chance { return below(100) < $_[0] }
sub one_of { return $_[below(scalar @_)] }

my $window = 12;             # keys of a hash on each side of 0, on each axis
my $most = 40000;            # cells of an SNode
my (@nodes, $has_hash);

# ---- the tree ----

# {kind, parent, path => [nodes from the top], own => [[axis, extent] ...], local, cells, type}
sub new_node {
  my ($parent, $kind) = @_;
  my $n = {number => scalar @nodes, kind => $kind, parent => $parent, own => [], children => 0,
           path => [$parent ? @{$parent->{path}} : ()]};
  push @{$n->{path}}, $n;
  my $above = $parent ? $parent->{cells} : 1;
  my $room = int($most / $above) || 1;
  if ($kind eq 'dynamic') {
    my $extent = one_of(16, 100, 700, 5000);
    $extent = $room if $extent > $room;
    $n->{own} = [['l', $extent]];
  } elsif ($kind eq 'hash') {
    $n->{own} = chance(50) ? [['i', 2 * $window], ['j', 2 * $window]] : [['i', 40 * $window]];
  } else {
    for my $axis (chance(40) ? ('i', 'j') : one_of(['i'], ['j'], ['k'])->[0]) {
      my $extent = one_of(2, 3, 4, 8, 10, 64, 100);
      $extent = one_of(1, 2, 3) if $extent > $room;
      $room = int($room / $extent) || 1;
      push @{$n->{own}}, [$axis, $extent];
    }
  }
  $n->{local} = 1;
  $n->{local} *= $_->[1] for @{$n->{own}};
  $n->{cells} = $above * $n->{local};
  $parent->{children}++ if $parent;
  $has_hash = 1 if $kind eq 'hash';
  push @nodes, $n;
  return $n;
}

sub any_kind {
  my ($parent, $depth) = @_;
  my @kinds = qw(pointer pointer bitmasked bitmasked dense);
  push @kinds, qw(hash hash) if !$parent && !$has_hash;
  push @kinds, qw(dynamic dynamic) if $depth < 2 || $parent;
  return one_of(@kinds);
}

sub grow {
  my ($parent, $depth) = @_;
  my $kind = any_kind($parent, $depth);
  $kind = 'hash' if !$parent && @nodes == 0 && chance(60);
  my $n = new_node($parent, $kind);
  my $is_leaf = $kind eq 'dynamic' || $depth == 0 || $n->{cells} > $most / 4;
  if (!$is_leaf) {
    grow($n, $depth - 1) for 1 .. 1 + below(2);
  }
  my $is_empty = $kind eq 'bitmasked' && $is_leaf && chance(20);
  $n->{type} = one_of(qw(i64 i64 u64 i32 i32 u32 u8 i16)) if ($is_leaf || chance(40)) && !$is_empty;
}

grow(undef, 3) for 1 .. 2 + below(2);
grow(undef, 1) until grep { $_->{type} } @nodes;

# ---- text of the tree ----

sub extents {
  my ($n) = @_;
  return join ', ', map { $n->{kind} eq 'hash' ? $_->[0] : "$_->[0]: $_->[1]" } @{$n->{own}};
}

sub tree_text {
  my ($n, $margin) = @_;
  my $text = "$margin$n->{kind} n$n->{number}\[" . extents($n) . ']';
  # what is taken out in a task costs its chunks until it ends: not too many of them
  $text .= ' chunk ' . one_of(grep { $n->{local} <= 40 * $_ } 1, 4, 16, 64, 1024)
    if $n->{kind} eq 'dynamic' && $n->{number} % 2;
  my @below = grep { $_->{parent} && $_->{parent} == $n } @nodes;
  return "$text;\n" if !$n->{type} && !@below;
  $text .= ('', ' soa', ' soa rows')[$n->{number} % 3]
    if $n->{kind} =~ /dense|bitmasked/ && !@below;
  $text .= ' split' if $n->{kind} =~ /pointer|hash/ && !$n->{type} && @below > 1;
  $text .= " {\n";
  $text .= "$margin  place x$n->{number};\n" if $n->{type};
  $text .= tree_text($_, "$margin  ") for @below;
  return "$text$margin}\n";
}

sub default_of { my ($n) = @_; return $n->{number} * 7 % 20 }

# ---- coordinates of a cell, from its number ----

# axis => text; container: of the dynamic SNode n, from the number of its container
sub coordinates {
  my ($n, $id, $container) = @_;
  my @path = @{$n->{path}};
  my %at;
  my $below = 1;
  pop @path if $container;
  $below *= $_->{local} for @path;
  for my $p (@path) {
    my $inner = $p->{local};
    $below /= $p->{local};
    my $digit = $below > 1 ? "($id / $below % $p->{local})" : "($id % $p->{local})";
    for my $own (@{$p->{own}}) {
      my ($axis, $extent) = @$own;
      $inner /= $extent;
      my $text = @{$p->{own}} == 1 ? $digit : $inner > 1 ? "($digit / $inner % $extent)" : "($digit % $extent)";
      $text = "($text - " . $extent / 2 . ')' if $p->{kind} eq 'hash';
      $at{$axis} = exists $at{$axis} ? "($at{$axis} * $extent + $text)" : $text;
    }
  }
  return %at;
}

sub indices {
  my ($n, $id, $container) = @_;
  my %at = coordinates($n, $id, $container);
  return join ', ', map { $at{$_} } sort keys %at;
}

sub axes { my ($n) = @_; my %at = coordinates($n, 'id'); return sort keys %at }

# ---- operations ----

sub functions {
  my ($n) = @_;
  my $k = $n->{number};
  my $at = indices($n, 'id');
  my $text = "func bool is_$k(i64 id) { return is_active(n$k, $at); }\n";
  $text .= "func void activate_$k(i64 id) { activate(n$k, $at); }\n";
  if ($n->{type}) {
    $text .= "func i64 get_$k(i64 id) { return i64(x$k\[$at]); }\n";
    $text .= "func void set_$k(i64 id, i64 v) { x$k\[$at] = $n->{type}(v); }\n";
    $text .= "func void add_$k(i64 id, i64 v) { x$k\[$at] += $n->{type}(v); }\n";
  }
  if ($n->{kind} eq 'dynamic') {
    my $c = indices($n, "c", 1);
    my $first = $c eq '' ? '' : ", $c";
    my $index = $c eq '' ? 'p' : "$c, p";
    $text .= "func i64 length_$k(i64 c) { return length(n$k$first); }\n";
    $text .= "func void take_$k(i64 c) { deactivate(n$k$first); }\n";
    $text .= "func void append_$k(i64 c, i64 v) { i64 p = append(n$k$first); x$k\[$index] = $n->{type}(v); }\n";
  } elsif ($n->{kind} ne 'dense') {
    $text .= "func void take_$k(i64 id) { deactivate(n$k, $at); }\n";
  }
  return $text;
}

# if (s == 0) ... else if (s == 1) ...
sub dispatch {
  my ($head, $default, $text) = @_;
  my @parts;
  for my $n (@nodes) {
    my $t = $text->($n);
    push @parts, "if (s == $n->{number}) { $t }" if defined $t;
  }
  return "$head {\n  " . join("\n  else ", @parts) . "\n$default}\n";
}

sub top { my ($n) = @_; return $n->{path}[0] }
sub containers { my ($n) = @_; return $n->{cells} / $n->{local} }

sub operations {
  my $text = '';
  # the cell that a draw names
  $text .= dispatch('func i64 cell_of(i32 s, u64 r)', "  return 0;\n",
                    sub { "return i64(r % $_[0]{cells});" });
  $text .= dispatch('func i64 container_of(i32 s, i64 id)', "  return id;\n",
                    sub { $_[0]{kind} eq 'dynamic' ? "return id / $_[0]{local};" : undef })
    if grep { $_->{kind} eq 'dynamic' } @nodes;
  # of the SNode's cells those below the cell w of the SNode at the top
  $text .= dispatch('func i64 cell_below(i32 s, i64 w, u64 r)', "  return 0;\n",
                    sub { my $b = $_[0]{cells} / top($_[0])->{cells}; "return w * $b + i64(r % $b);" });
  # lists: 0: lists are written at places; 1: appended to
  my $append = sub {
    my ($n, $else) = @_;
    return "if (lists == 0) $else else if (what % 8 == 7) append_$n->{number}(id / $n->{local}, v);";
  };
  $text .= dispatch('func void grow(i32 s, i64 id, i32 what, i64 v, i32 lists)', '', sub {
    my ($n) = @_;
    my $k = $n->{number};
    return $append->($n, "add_$k(id, v);") if $n->{kind} eq 'dynamic';
    return $n->{type} ? "if (what % 4 == 0) activate_$k(id); else add_$k(id, v);" : "activate_$k(id);";
  });
  $text .= dispatch('func void take(i32 s, i64 id)', '', sub {
    my ($n) = @_;
    return $n->{kind} eq 'dense' ? '' :
      "take_$n->{number}(" . ($n->{kind} eq 'dynamic' ? "id / $n->{local}" : 'id') . ');';
  });
  $text .= dispatch('func void write(i32 s, i64 id, i32 what, i64 v, i32 lists)', '', sub {
    my ($n) = @_;
    my $k = $n->{number};
    return $append->($n, "set_$k(id, v);") if $n->{kind} eq 'dynamic';
    return $n->{type} ? "set_$k(id, v);" : "activate_$k(id);";
  });
  # in a container of one's own: at a place, or behind the last
  $text .= dispatch('func void place_in(i32 s, i64 id, i64 v, i32 what)', '', sub {
    my ($n) = @_;
    my $k = $n->{number};
    return $n->{type} ? "set_$k(id, v);" : "activate_$k(id);" if $n->{kind} ne 'dynamic';
    return "if (what % 2 == 0 && length_$k(id / $n->{local}) < $n->{local}) append_$k(id / $n->{local}, v); " .
      "else set_$k(id, v);";
  });
  $text .= dispatch('func i64 look_at(i32 s, i64 id)', "  return 0;\n", sub {
    my ($n) = @_;
    my $k = $n->{number};
    my $value = $n->{type} ? "get_$k(id) * 3" : '5';
    $value .= " + length_$k(id / $n->{local}) * 7" if $n->{kind} eq 'dynamic';
    return "return $value + (is_$k(id) ? 11 : 13);";
  });
  $text .= dispatch('func bool is_leaf(i32 s)', "  return false;\n", sub {
    return "return " . ($_[0]{children} || $_[0]{kind} eq 'dense' ? 'false' : 'true') . ';';
  });
  $text .= dispatch('func i64 top_cell(i32 s, i64 id)', "  return 0;\n", sub {
    my ($n) = @_;
    my $b = $n->{cells} / top($n)->{cells};
    return 'return id' . ($b > 1 ? " / $b" : '') . ' + ' . top($n)->{number} * 1000000 . ';';
  });
  return $text;
}

# ---- kernels ----

my $snodes = @nodes;
my @tops = grep { !$_->{parent} } @nodes;

my $rules = <<'END';
// splitmix64
func u64 draw(u64 seed, u64 t) {
  u64 z = seed + (t + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Whether what the two halves of the tree's cells do is growing: by the cell at the top (2), or, of
// the lowest sparse SNodes, by the number of the cell or container (3).
func bool grows(u64 seed, i32 mode, i32 s, i64 id) {
  if (mode == 2) return draw(seed, u64(top_cell(s, id)) + 0x100000000) % 2 == 0;
  return !is_leaf(s) || CONTAINER % 2 == 0;
}

// mode 0: all grow; 1: all go; 2, 3: half of them; 4: everything, anywhere
kernel void churn(u64 seed, i64 n, i32 mode, i32 lists) {
  foreach (t in 0 .. n) {
    u64 r = draw(seed, u64(t));
    i32 s = i32(r % SNODES);
    i64 id = cell_of(s, r >> 8);
    i32 what = i32(r >> 60);
    if (mode == 4) {
      if (what < 5) take(s, id);
      else write(s, id, what, t, lists);
    }
    else if (mode == 1 || (mode != 0 && !grows(seed, mode, s, id))) take(s, id);
    else grow(s, id, what, t, lists);
  }
}

// reads by chance
kernel i64 look(u64 seed, i64 n) {
  i64 sum = 0;
  foreach (t in 0 .. n) {
    u64 r = draw(seed, u64(t));
    i32 s = i32(r % SNODES);
    sum += look_at(s, cell_of(s, r >> 8)) * (t % 1000 + 1);
  }
  return sum;
}
END
my $container = (grep { $_->{kind} eq 'dynamic' } @nodes) ? 'container_of(s, id)' : 'id';
$rules =~ s/CONTAINER/$container/g;
$rules =~ s/SNODES/$snodes/g;

# each cell at the top is one iteration's own, which does all to what is below it
sub own_kernel {
  my ($top) = @_;
  my @below = grep { top($_) == $top } @nodes;
  my $k = $top->{number};
  my $choose = join ' else ', map { "if (r % " . @below . " == $_) s = $below[$_]{number};" } 0 .. $#below;
  return <<"END";
kernel void own_$k(u64 seed, i64 turns, out i64 sums[m]) {
  foreach (w in 0 .. $top->{cells}) {
    i64 sum = 0;
    for (k in 0 .. turns) {
      u64 r = draw(seed, u64(w * turns + k));
      i32 s = 0;
      $choose
      i64 id = cell_below(s, w, r >> 8);
      i32 what = i32(r >> 60);
      if (what < 4) take(s, id);
      else if (what < 11) place_in(s, id, i64(r >> 32), what);
      else sum = sum * 31 + look_at(s, id);
    }
    sums[w] = sum;
  }
}
END
}

# all cells as arrays; and those that a loop over cells visits
sub read_kernels {
  my ($n) = @_;
  my $k = $n->{number};
  my $text = "kernel void flags_$k(out u8 a[m]) { foreach (id in 0 .. m) a[id] = u8(is_$k(id)); }\n";
  $text .= "kernel void values_$k(out i64 a[m]) { foreach (id in 0 .. m) a[id] = get_$k(id); }\n" if $n->{type};
  $text .= "kernel void lengths_$k(out i64 a[m]) { foreach (c in 0 .. m) a[c] = length_$k(c); }\n"
    if $n->{kind} eq 'dynamic';
  my @axes = axes($n);
  my $weight = join ' + ', '1', map { (3 + 2 * $_) . " * v$axes[$_]" } 0 .. $#axes;
  my $over = $n->{type} ? "x$k" : "n$k";
  my $value = $n->{type} ? "i64(x$k\[" . join(', ', map { "v$_" } @axes) . "]) + 1" : '1';
  $text .= "kernel void visit_$k(out i64 a[2]) { i64 sum = 0, count = 0; foreach (" .
    join(', ', map { "i64 v$_" } @axes) . " in $over) { sum += ($value) * ($weight); count += 1; } " .
    "a[0] = sum; a[1] = count; }\n";
  return $text;
}

open my $sn, '>', "$module.sn" or die;
print $sn "// $module.sn: a tree of chance, number $seed (t/oracle/generate.pl)\n";
print $sn "field $_->{type} x$_->{number} = ", default_of($_), ";\n" for grep { $_->{type} } @nodes;
print $sn "tree world {\n", (map { tree_text($_, '  ') } @tops), "}\n\n";
print $sn (map { functions($_) } @nodes), operations(), $rules;
print $sn (map { own_kernel($_) } @tops), map { read_kernels($_) } @nodes;
close $sn or die;

# ---- the table ----

my %bits = (i64 => 64, u64 => 64, i32 => 32, u32 => 32, u8 => 8, i16 => 16);
open my $c, '>', "${module}_table.c" or die;
print $c "/* The tree of $module.sn, for the model. */\n#include \"$module.h\"\n#include \"t/oracle/table.h\"\n\n";
for my $n (@nodes) {
  my $k = $n->{number};
  print $c "static int flags_$k(sn_tree *t, uint8_t *a, int64_t m) { return ${module}_flags_$k((void *)t, a, m); }\n";
  print $c "static int values_$k(sn_tree *t, int64_t *a, int64_t m) { return ${module}_values_$k((void *)t, a, m); }\n"
    if $n->{type};
  print $c "static int lengths_$k(sn_tree *t, int64_t *a, int64_t m) { return ${module}_lengths_$k((void *)t, a, m); }\n"
    if $n->{kind} eq 'dynamic';
  print $c "static int visit_$k(sn_tree *t, int64_t *a) { return ${module}_visit_$k((void *)t, a); }\n";
  print $c "static int own_$k(sn_tree *t, uint64_t seed, int64_t turns, int64_t *a, int64_t m) " .
    "{ return ${module}_own_$k((void *)t, seed, turns, a, m); }\n" if !$n->{parent};
  print $c "static const oracle_axis axes_$k\[] = { ", join(', ', map {
    my $p = $_;
    map { "{ $p->{number}, " . (ord($_->[0]) - ord('i')) . ", $_->[1], " . ($p->{kind} eq 'hash' ? $_->[1] / 2 : 0) . ' }' }
      @{$p->{own}} } @{$n->{path}}), " };\n";
}
print $c "\nconst oracle_node oracle_nodes[] = {\n";
for my $n (@nodes) {
  my $k = $n->{number};
  my $type = $n->{type} || '';
  my $axes = 0;
  $axes += @{$_->{own}} for @{$n->{path}};
  print $c "  { \"n$k\", SND_SNODE_", uc $n->{kind}, ', ', ($n->{parent} ? $n->{parent}{number} : -1),
    ", ", top($n)->{number}, ", $n->{children}, $n->{local}, $n->{cells}, ", ($bits{$type} || 0), ', ',
    ($type =~ /^i/ ? 1 : 0), ', ', default_of($n), ", $axes, axes_$k, flags_$k, ", ($type ? "values_$k" : 'NULL'), ', ',
    ($n->{kind} eq 'dynamic' ? "lengths_$k" : 'NULL'), ", visit_$k, ", ($n->{parent} ? 'NULL' : "own_$k"), " },\n";
}
print $c "};\nconst int oracle_count = $snodes;\n";
print $c "const sn_module *oracle_module(void) { return ${module}_module(); }\n";
print $c "int oracle_churn(sn_tree *t, uint64_t seed, int64_t n, int32_t mode, int32_t lists)\n{ return ${module}_churn((void *)t, seed, n, mode, lists); }\n";
print $c "int oracle_look(sn_tree *t, uint64_t seed, int64_t n, int64_t *sum) { return ${module}_look((void *)t, seed, n, sum); }\n";
close $c or die;
