# many.pl FIRST LAST KERNELS FOLDER: kernels made of chance (generate.pl, with its GENERATE_WILD), of the seeds FIRST to LAST so many
# each, compiled by tcc and run by driver.c. A kernel that the compiler refuses is left out and counted; one that
# fails is run alone, and its program stays in FOLDER. Needs: SNODEGEN, CC_GENERATED (a compiler and its flags),
# DRIVER (driver.c), LINK (objects, libraries and options), INCLUDE (a -I option).
#
# OTHERS, where it is set, names a file with other ways to compile and run, whose sums have to be the same up to
# their order: a name, of how many seeds one is taken, snodegen's options, compiler and flags, what is linked, what
# stands before the program, with "|" between.
use strict;
use warnings;
use File::Basename;

my ($first, $last, $kernels, $folder) = @ARGV;
my $here = dirname($0);
my $work = "$folder/work-$first";
my @others = others();
my %count = map { $_ => 0 } qw(kernels refused directions skipped bad);
system('mkdir', '-p', $work) == 0 or die "$work\n";

sub others {
  return () if !$ENV{OTHERS};
  open my $in, '<', $ENV{OTHERS} or die "$ENV{OTHERS}: $!\n";
  return map { chomp; [split /\s*\|\s*/] } grep { /\|/ } <$in>;
}

# The same kernels in another way: compared with the serial run's sums, in `expected`.
sub run_other {
  my ($seed, $other) = @_;
  my ($name, $every, $options, $cc, $link, $how) = @$other;
  return if $seed % $every;
  my ($text, $status);
  for my $command ("timeout 120 $ENV{SNODEGEN} -w $options --prefix=p -o p --output-dir=$work $work/p.sn",
                   "$cc $ENV{INCLUDE} -c $work/p.c -o $work/other.o",
                   "gcc -O0 -w -I$work $ENV{INCLUDE} -c $ENV{DRIVER} -o $work/other-driver.o",
                   "$link -o $work/other $work/other.o $work/other-driver.o",
                   "$how timeout 200 $work/other sums >$work/got",
                   "perl $here/compare.pl $work/expected $work/got") {
    ($text, $status) = output($command);
    next if !$status;
    my $bad = `grep -E '^ *(BAD|ERROR)' $work/got | head -5`;
    print "seed $seed $name: ", substr($command, 0, 40), ": $text$bad\n";
    $count{bad}++;
    system("mkdir -p $folder/$seed-$name; cp $work/p.sn $work/table.h $work/got $work/expected $folder/$seed-$name");
    return;
  }
  $count{$name} += () = `cat $work/p.sn` =~ /^kernel \w+ k\d+\(/mg;
}

# all that the command says, and its status
sub output {
  my ($command) = @_;
  my $text = `$command 2>&1`;
  return ($text, $?);
}

# the kernel at each line of the program
sub kernels_by_line {
  open my $in, '<', "$work/p.sn" or die "$work/p.sn: $!\n";
  my ($at, @by) = (undef);
  while (<$in>) {
    $at = $1 if /^kernel \w+ k(\d+)/;
    $by[$.] = $at;
  }
  return @by;
}

# Generates; leaves out what is refused. What remains, or nothing and why.
sub generate {
  my ($seed, @chosen) = @_;
  while (@chosen) {
    my $list = join ',', @chosen;
    system("perl $here/generate.pl $seed $kernels $work $list") == 0 or return (undef, 'generate.pl');
    my ($text, $status) = output("timeout 120 $ENV{SNODEGEN} -w -O2 --prefix=p -o p --output-dir=$work $work/p.sn");
    return ([@chosen], '') if $status == 0;
    my @by = kernels_by_line();
    my %refused = map { defined $by[$_] ? ($by[$_] => 1) : () } $text =~ m{p\.sn:(\d+):[\d:]* error}g;
    return (undef, "compiler: $text") if $text =~ /internal/ || $status & 127 || !%refused;
    $count{refused} += keys %refused;
    for ($text =~ m{error: (.*)}g) { s/'\w+'/'..'/g; $count{"refused: $_"}++ }
    @chosen = grep { !$refused{$_} } @chosen;
  }
  return ([], '');
}

# The driver's output on these kernels, or undef and why there is none.
sub run {
  my ($seed, @chosen) = @_;
  my ($left, $why) = generate($seed, @chosen);
  return (undef, $why) if !$left;
  return ('', '') if !@$left;
  for my $command ("$ENV{CC_GENERATED} $ENV{INCLUDE} -c $work/p.c -o $work/p.o",
                   "${\($ENV{CC_DRIVER} || 'gcc -O1')} -w -I$work $ENV{INCLUDE} -c $ENV{DRIVER} -o $work/driver.o",
                   "${\($ENV{CC_LINK} || 'gcc')} -z noexecstack -o $work/run $work/p.o $work/driver.o $ENV{LINK}") {
    my ($text, $status) = output($command);
    return (undef, "$command: $text") if $status;
  }
  my ($text, $status) = output("timeout 120 $work/run");
  return ($text, $text =~ /^ *(BAD|ERROR)/m || $text !~ /^TOTAL/m ? "status $status" : '');
}

sub note_total {
  my ($text) = @_;
  @count{qw(kernels directions skipped)} = ($count{kernels} + $1, $count{directions} + $2, $count{skipped} + $3)
    if $text =~ /^TOTAL (\d+) kernels, (\d+) directions, (\d+) skipped/m;
}

sub one {
  my ($seed) = @_;
  my ($text, $why) = run($seed, 0 .. $kernels - 1);
  if (!$why) {
    note_total($text);
    open my $out, '>', "$work/expected" or die "$work/expected: $!\n";
    print $out $text;
    close $out;
    run_other($seed, $_) for @others;
    return;
  }
  for my $k (0 .. $kernels - 1) {
    my $before = $count{refused};
    ($text, $why) = run($seed, $k);
    note_total($text) if defined $text;
    next if !$why;
    $count{bad}++;
    system("mkdir -p $folder/$seed-$k; cp $work/p.sn $work/table.h $folder/$seed-$k");
    my @lines = split /\n/, (defined $text ? join("\n", $text =~ /^( *(?:BAD|ERROR).*)$/mg) : '') . "\n$why";
    print "seed $seed kernel $k: ", join("\n  ", @lines[0 .. ($#lines < 8 ? $#lines : 8)]), "\n";
  }
}

$| = 1;
for my $seed ($first .. $last) {
  one($seed);
  next if $seed % 10 && $seed != $last;
  print "to seed $seed: ", join(', ', map { "$count{$_} $_" } sort keys %count), "\n";
}
exit($count{bad} > 0);
