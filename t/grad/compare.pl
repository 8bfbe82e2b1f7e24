# compare.pl EXPECTED GOT: lines of driver.c; prints adjoints that differ by more than 1e-12 of
# their field's magnitude, and fails where there are some.
use strict;
use warnings;

my (%expected, $bad, $seen);

# the lines "kernel field sum magnitude"
sub lines_of {
  my ($file) = @_;
  open my $in, '<', $file or die "$file: $!\n";
  my %found;
  while (<$in>) { $found{"$1 $2"} = [$3, $4] if /^(k\d+) (\w+) (\S+) (\S+)$/ }
  return %found;
}

%expected = lines_of($ARGV[0]);
my %got = lines_of($ARGV[1]);
($bad, $seen) = (0, 0);
for my $name (sort keys %expected) {
  my ($sum, $magnitude) = @{ $expected{$name} };
  my $other = $got{$name};
  $seen++;
  next if $other && abs($sum - $other->[0]) <= 1e-12 * ($magnitude + 1e-3) && abs($magnitude - $other->[1]) <= 1e-12 * ($magnitude + 1e-3);
  $bad++;
  printf "%s: %s (of %s), %s\n", $name, $sum, $magnitude, $other ? $other->[0] : 'nothing' if $bad <= 10;
}
print "no adjoints\n" if !$seen;
exit($bad || !$seen || %expected != %got ? 1 : 0);
