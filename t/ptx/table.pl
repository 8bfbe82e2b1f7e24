#!/usr/bin/env perl
# A table of the NVIDIA kernels in files of PTX, a row for each:
#
#   perl table.pl MODULE.ptx ...          what the PTX says
#   perl table.pl -v MODULE.ptx ...       and what ptxas makes of each: MODULE.log is what
#                                         ptxas -v said
#
#   mode     how the device's runtime runs it: spmd (all threads from the start), single (one
#            thread) or generic (one thread, which wakes the others by a state machine)
#   atom     atomics that give back what was there, red: that do not, cas: of both, those that
#            compare and swap
#   loop     short loops around a compare and swap: what the hardware has no atomic for
#   local    bytes of a thread's own arrays that do not fit into registers
#   shared   bytes of the team's memory that the kernel's own code uses
#   calls    of functions, indirect ones too
#   regs     registers of a thread; spill: bytes that went out of them; teams: of 256 threads, at
#            once on a multiprocessor of 64 Ki registers and 2,048 threads (occupancy: of 8)
use strict;
use warnings;

my $verbose = @ARGV && $ARGV[0] eq '-v' ? shift : 0;

# name => what ptxas said of it
sub assembled {
  my ($log) = @_;
  my (%of, $name);
  open my $in, '<', $log or die "table.pl: $log: $!\n";
  while (<$in>) {
    $name = $1 if /Compiling entry function '(\w+)'/;
    $of{$name}{spill} = $1 + $2 if $name && /(\d+) bytes spill stores, (\d+) bytes spill loads/;
    $of{$name}{regs} = $1 if $name && /Used (\d+) registers/;
  }
  return \%of;
}

# Registers are given to a warp of 32 in units of 256.
sub teams {
  my ($regs) = @_;
  my $warp = int(($regs * 32 + 255) / 256) * 256;
  my $teams = int(65536 / ($warp * 8));
  return $teams > 8 ? 8 : $teams;
}

# Loops of at most so many lines whose way back, from a branch to a label before it, goes over a
# compare and swap.
my $short = 30;

sub swap_loops {
  my ($body) = @_;
  my ($loops, $n) = (0, 0);
  my (%label, @swaps);
  for (split /\n/, $body) {
    $n++;
    $label{$1} = $n if /^(\$\w+):/;
    push @swaps, $n if /\batom\.\S*\bcas\b/;
    next unless /\bbra(?:\.uni)?\s+(\$\w+)/ && defined $label{$1};
    my $from = $label{$1};
    next unless $n - $from <= $short && grep { $_ >= $from } @swaps;
    $loops++;
    @swaps = grep { $_ < $from } @swaps;
  }
  return $loops;
}

# The runtime's record of a kernel begins with bytes: has a state machine, may nest, mode.
sub mode_of {
  my ($text, $name) = @_;
  return 'unknown' unless $text =~ /\b\Q$name\E_kernel_environment\[\d+\] = \{(\d+),/;
  return $1 & 0xff ? 'generic' : $1 >> 16 & 2 ? 'spmd' : 'single';
}

sub bytes_of {
  my ($body, $space) = @_;
  my $bytes = 0;
  $bytes += $1 while $body =~ /^\s*\.$space\s+\.align\s+\d+\s+\.b8\s+\w+\[(\d+)\];/mg;
  return $bytes;
}

sub count { my ($text, $pattern) = @_; return scalar(() = $text =~ /$pattern/mg) }

# Of the module's shared variables those that the kernel names; the runtime's own aside.
sub shared_of {
  my ($text, $body) = @_;
  my $bytes = 0;
  while ($text =~ /^\.(?:\w+ )?\s*\.?shared\s+\.align\s+\d+\s+\.b8\s+(\w+)\[(\d+)\];/mg) {
    my ($name, $size) = ($1, $2);
    next if $name =~ /^_ZN|^__omp|^IsSPMDMode|^__kmpc/;
    $bytes += $size if $body =~ /\b\Q$name\E\b/;
  }
  return $bytes + bytes_of($body, 'shared');
}

my $columns = '%-22s %-32s %-7s %5s %4s %4s %5s %6s %7s %6s';
printf "$columns%s\n", '# module', 'kernel', 'mode', 'atom', 'red', 'cas', 'loop', 'local', 'shared',
  'calls', $verbose ? '  regs  spill  teams' : '';
for my $file (@ARGV) {
  (my $stem = $file) =~ s/\.ptx$//;
  (my $module = $stem) =~ s{.*/}{};
  my $log = $verbose ? assembled("$stem.log") : {};
  my $text = do { local (@ARGV, $/) = $file; <> };
  my %row;
  while ($text =~ /^\.(?:weak |visible )*\.?entry\s+(\w+)\((.*?)^\}/msg) {
    my ($name, $body) = ($1, $2);
    (my $short = $name) =~ s/^__omp_offloading_[0-9a-f]+_[0-9a-f]+_//;
    $short =~ s/_l(\d+)$//;
    my $line = $1 // 0;
    my $assembled = $log->{$name};
    $row{sprintf '%s %08d', $short, $line} = sprintf "$columns%s", $module, $short,
      mode_of($text, $name), count($body, '\batom\.'), count($body, '\bred\.'),
      count($body, '\batom\.\S*\bcas\b'), swap_loops($body), bytes_of($body, 'local'),
      shared_of($text, $body), count($body, '\bcall(?:\.uni)?\b'),
      $assembled ? sprintf('  %4d  %5d  %5d', $assembled->{regs}, $assembled->{spill},
                           teams($assembled->{regs})) : '';
  }
  print "$row{$_}\n" for sort keys %row;
}
