# compare.pl EXPECTED GOT: lines of driver.c; prints adjoints that differ by more than 1e-12 of
# their field's magnitude, or 1e-5 in kernels with f32, and fails where there are some.
use strict;
use warnings;

my (%expected, %single, $bad, $seen);

# the lines "kernel field sum magnitude"
sub lines_of {
  my ($file) = @_;
  open my $in, '<', $file or die "$file: $!\n";
  my %found;
  while (<$in>) {
    $single{$1} = 1 if /^SINGLE (k\d+)$/;
    $found{"$1 $2"} = [$3, $4] if /^(k\d+) (\w+) (\S+) (\S+)$/;
  }
  return %found;
}

%expected = lines_of($ARGV[0]);
my %got = lines_of($ARGV[1]);
($bad, $seen) = (0, 0);
for my $name (sort keys %expected) {
  my ($sum, $magnitude) = @{ $expected{$name} };
  my $other = $got{$name};
  $seen++;
  my $most = ($name =~ /^(k\d+)/ && $single{$1} ? 1e-5 : 1e-12) * ($magnitude + 1e-3);
  next if $other && abs($sum - $other->[0]) <= $most && abs($magnitude - $other->[1]) <= $most;
  $bad++;
  printf "%s: %s (of %s), %s\n", $name, $sum, $magnitude, $other ? $other->[0] : 'nothing' if $bad <= 10;
}
print "no adjoints\n" if !$seen;
exit($bad || !$seen || %expected != %got ? 1 : 0);
