#!/usr/bin/perl
# Which files of a program call one another in a circle, by its object files.
#
#   circles.pl [-r | -u] OBJECT... objects compiled with -ffunction-sections -fdata-sections
#
# A circle of files is printed, with the calls that make it, unless it is recursion: calls between
# functions that reach one another (a strongly connected component of the graph of functions, R. Tarjan,
# "Depth-first search and linear graph algorithms", 1972) are left out before files are looked at. -r prints
# the recursions instead: the files of each component that stands in more than one; -u which file calls which.
# Exits with 1 where there is a circle.
use strict;
use warnings;
no warnings 'recursion';

my $option = @ARGV && $ARGV[0] =~ /^-[ru]$/ ? shift : '';
die "usage: circles.pl [-r | -u] OBJECT...\n" unless @ARGV;
my $section = qr/\.(?:text|data\.rel\.ro(?:\.local)?|data|rodata|bss)/;
my (%file, %calls, %is_table);

# lines OPTION OBJECT: what objdump says
sub lines {
  my ($option, $object) = @_;
  open my $pipe, '-|', 'objdump', $option, $object or die "objdump: $!\n";
  my @lines = <$pipe>;
  close $pipe or die "objdump cannot read $object\n";
  return @lines;
}

# The name of an object as a file, and of a symbol that may be the object's own.
sub stem { my ($object) = @_; $object =~ s{.*/}{}; $object =~ s{\.o$}{}; return $object }
sub known { my ($stem, $name) = @_; return exists $file{"$stem:$name"} ? "$stem:$name" : $name }

for my $object (@ARGV) {
  my $stem = stem($object);
  for (lines('-t', $object)) {
    next unless /^\S+ ([gl]).{5}([FO]) $section\.\S+\s+\S+ (?:\.hidden )?([^.\s]\S*)$/;
    my $name = $1 eq 'g' ? $3 : "$stem:$3";
    $file{$name} = $stem;
    $is_table{$name} = $2 eq 'O';
  }
}
for my $object (@ARGV) {
  my ($stem, $from) = (stem($object));
  for (lines('-r', $object)) {
    if (/^RELOCATION RECORDS FOR \[(\S+)\]/) {
      $from = $1 =~ /^$section\.(\S+)$/ ? known($stem, $1) : undef;
      undef $from unless defined $from && $file{$from};
    } elsif (defined $from && /^\S+ R_\S+\s+(\S+?)(?:[-+]0x\S+)?$/) {
      my $to = $1;
      $to =~ s/^$section\.//;
      $to = known($stem, $to);
      $calls{$from}{$to} = 1 if $file{$to} && $to ne $from;
    }
  }
}

# The component of each node of a graph, by Tarjan's algorithm.
sub components {
  my ($next) = @_;
  my (%index, %low, %stands, %component, @stack);
  my ($indices, $count) = (0, 0);
  my $visit;
  $visit = sub {
    my ($v) = @_;
    $index{$v} = $low{$v} = $indices++;
    push @stack, $v;
    $stands{$v} = 1;
    for my $w (sort keys %{$next->{$v}}) {
      if (!defined $index{$w}) {
        $visit->($w);
        $low{$v} = $low{$w} if $low{$w} < $low{$v};
      } elsif ($stands{$w} && $index{$w} < $low{$v}) {
        $low{$v} = $index{$w};
      }
    }
    return if $low{$v} != $index{$v};
    $count++;
    my $w;
    do {
      $w = pop @stack;
      $stands{$w} = 0;
      $component{$w} = $count;
    } while ($w ne $v);
  };
  for my $v (sort keys %$next) {
    $visit->($v) unless defined $index{$v};
  }
  return \%component;
}

my %code = map { $_ => $calls{$_} } grep { !$is_table{$_} } keys %calls;
my $recursion = components(\%code);
if ($option eq '-r') {
  my %files;
  $files{$recursion->{$_}}{$file{$_}} = 1 for grep { $file{$_} } keys %$recursion;
  print map { "$_\n" } sort map { join ' ', sort keys %$_ } grep { keys %$_ > 1 } values %files;
  exit 0;
}

my (%uses, %why);
for my $from (keys %calls) {
  for my $to (keys %{$calls{$from}}) {
    my ($a, $b) = ($file{$from}, $file{$to});
    next if $a eq $b || ($recursion->{$from} // 0) == ($recursion->{$to} // -1);
    $uses{$a}{$b} = 1;
    $why{$a}{$b}{$to}{$from} = 1;
  }
}
if ($option eq '-u') {
  for my $from (sort keys %uses) {
    print map { "$from $_\n" } sort keys %{$uses{$from}};
  }
  exit 0;
}
my ($circle, %members) = (components(\%uses));
push @{$members{$circle->{$_}}}, $_ for sort keys %$circle;
my $found = 0;
for my $files (sort { @$b <=> @$a || $a->[0] cmp $b->[0] } grep { @$_ > 1 } values %members) {
  $found = 1;
  print "circle of ", scalar @$files, ": @$files\n";
  for my $a (@$files) {
    for my $b (grep { $uses{$a}{$_} } @$files) {
      my $by = $why{$a}{$b};
      print "  $a calls $b: ", join(', ', map { my $to = $_; "$to (" . join(' ', map { s/.*://r } sort keys %{$by->{$to}}) . ')' } sort keys %$by), "\n";
    }
  }
}
exit $found;
