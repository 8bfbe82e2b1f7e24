# shrink.pl FILE COMMAND...: makes the program in FILE smaller while the command, called with a file's name behind it,
# succeeds ("it still fails"). Takes out blocks and lines, the braces around a block, and parts of
# expressions; stops where nothing more can go. Prints how long the program is.
use strict;
use warnings;

my ($file, @command) = @ARGV;
open my $in, '<', $file or die "$file: $!\n";
my @lines = <$in>;
close $in;
my $tried = 0;

sub is_wanted {
  my ($text) = @_;
  $tried++;
  open my $out, '>', "$file.try" or die "$file.try: $!\n";
  print $out $text;
  close $out;
  return system("@command $file.try >/dev/null 2>&1") == 0;
}

# the last line of the block that the line opens, or undef
sub end_of {
  my ($first) = @_;
  my $depth = 0;
  for my $k ($first .. $#lines) {
    $depth-- while $lines[$k] =~ /\}/g;
    return $k if $k > $first && $depth <= 0;
    $depth++ while $lines[$k] =~ /\{/g;
    return undef if $k == $first && $depth <= 0;
  }
  return undef;
}

sub take {
  my (@left) = @_;
  return 0 if !is_wanted(join '', @left);
  @lines = map { "$_\n" } split /\n/, join '', @left;
  open my $out, '>', $file or die "$file: $!\n";
  print $out @lines;
  close $out;
  return 1;
}

sub try_lines {
  my ($found, $size) = (0, 16);
  for (my $k = $#lines; $k >= 0; $k--) {
    next if $k > $#lines;
    my $end = $lines[$k] =~ /\{\s*$/ ? end_of($k) : undef;
    if (defined $end) {
      $found += 1, next if take(@lines[0 .. $k - 1], @lines[$end + 1 .. $#lines]);
      $found += 1, next if take(@lines[0 .. $k - 1], @lines[$k + 1 .. $end - 1], @lines[$end + 1 .. $#lines]);
    } else { $found++ if take(@lines[0 .. $k - 1], @lines[$k + 1 .. $#lines]) }
  }
  return $found;
}

# what may stand for the balanced "( ... )" of the text, from the position on
sub smaller {
  my ($inside) = @_;
  my ($depth, @parts, $part) = (0, (), '');
  for my $c (split //, $inside) {
    $depth++ if $c =~ /[(\[{]/;
    $depth-- if $c =~ /[)\]}]/;
    if ($c eq ',' && $depth == 0) { push @parts, $part; $part = ''; next }
    $part .= $c;
  }
  return ('0.5', map { "($_)" } @parts, $part);
}

sub try_expressions {
  my $found = 0;
  for my $k (0 .. $#lines) {
    next if $lines[$k] =~ /^\s*(kernel|func|field|tree|place|for|while|foreach|\[\[)/;
    my $from = 0;
    while ($k <= $#lines && substr($lines[$k], $from) =~ /(\b[a-z_]\w*)?(\((?:[^()]|(?2))*\))/) {
      my ($start, $end) = ($from + $-[0], $from + $+[0]);
      my $inside = substr $2, 1, -1;
      my $taken = 0;
      for my $by (smaller($inside)) {
        my $line = $lines[$k];
        next if $by eq substr $line, $start, $end - $start;
        substr($line, $start, $end - $start) = $by;
        $taken = take(@lines[0 .. $k - 1], $line, @lines[$k + 1 .. $#lines]) and last;
      }
      $found += $taken;
      $from = $taken ? $start : $start + ($1 ? length $1 : 0) + 1;
      last if $from >= length $lines[$k];
    }
    for my $pattern (qr/\b[gh]\.\w+(?:\[[^\[\]]*\])?(?:\.[xyab]\b)*/, qr/\[[^\[\]]*[a-z][^\[\]]*\]/) {
      my $line = $lines[$k];
      while ($line =~ /=.*?($pattern)/g) {
        my ($start, $end) = ($-[1], $+[1]);
        my $try = $lines[$k];
        last if $end > length $try;
        substr($try, $start, $end - $start) = substr($1, 0, 1) eq '[' ? '[1]' : '0.5';
        $found++, last if $try ne $lines[$k] && take(@lines[0 .. $k - 1], $try, @lines[$k + 1 .. $#lines]);
      }
    }
  }
  return $found;
}

is_wanted(join '', @lines) or die "$file: the command does not succeed\n";
while (try_lines() + try_expressions()) { printf "%d lines, tried %d\n", scalar @lines, $tried }
