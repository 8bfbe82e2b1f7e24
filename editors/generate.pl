#!/usr/bin/perl
# What editors and shells know of the language and of snodegen's options, from the compiler's tables.
#
#   editors/generate.pl            writes the files again
#   editors/generate.pl --check    says which of them differ from what the tables say, and exits with 1
#
# Each file has a template in editors/templates, in which @NAME@ stands for a list of words.
use strict;
use warnings;

my $check = @ARGV && $ARGV[0] eq '--check';
(my $root = $0) =~ s{[^/]*$}{};
$root = ($root eq '' ? '.' : $root) . '/..';

sub text {
  my ($path) = @_;
  open my $in, '<', "$root/$path" or die "$path: $!\n";
  local $/;
  return scalar <$in>;
}

# The given column of each row of a table, quotes taken off.
sub column {
  my ($path, $macro, $column) = @_;
  my @found;
  for (text($path) =~ /^$macro\((.*)\)$/mg) {
    my @cells = /\s*("(?:[^"\\]|\\.)*"|[^,]*),?/g;
    (my $cell = $cells[$column - 1]) =~ s/^"|"?\s*$//g;
    push @found, $cell;
  }
  die "$path: no $macro\n" unless @found;
  return @found;
}

sub unique { my %seen; return grep { !$seen{$_}++ } @_ }

# ---- the language ----

my %declares = map { $_ => 1 } qw(param const field tree func kernel instance import struct);
my %controls = map { $_ => 1 } qw(if else while do for foreach break continue return);
my %constants = map { $_ => 1 } qw(true false);
my @keywords = column('gen/front/tokens.def', 'KEYWORD', 2);
my @borders = text('gen/model/snode.c') =~ /\[BORDER_\w+\] = "(\w+)"/g;
my %words = (
  DECLARES => [grep { $declares{$_} } @keywords],
  CONTROLS => [grep { $controls{$_} } @keywords],
  CONSTANTS => [grep { $constants{$_} } @keywords],
  OTHERS => [grep { !$declares{$_} && !$controls{$_} && !$constants{$_} } @keywords],
  KINDS => [grep { $_ ne 'root' } column('gen/model/kinds.def', 'KIND', 1)],
  WORDS => [unique(column('gen/front/words.def', 'WORD', 1),
                   column('gen/model/field_modes.def', 'MODE', 1), grep { $_ ne 'none' } @borders)],
  ATTRIBUTES => [column('gen/front/attributes.def', 'ATTRIBUTE', 1)],
  BUILTINS => [sort(unique(column('gen/model/builtins.def', 'BUILTIN', 1),
                           column('gen/front/shaped.def', 'SHAPED', 1),
                           column('gen/front/factors.def', 'FACTOR', 1),
                           column('gen/front/specials.def', 'SPECIAL', 1)))],
);

# ---- the options ----

my @passes = column('gen/passes/passes.def', 'PASS', 1);
my @warnings = sort(unique(text('gen/base/diag.def') =~ /^DIAG\(\w+, (?:WARNING|PERF), "([a-z-]+)"/mg));
my (%values, $setter);
for (split /\n/, text('gen/option_setters.c')) {
  $setter = $1 if /^(?:SETTER\(|static const char \*add_)(\w+)/;
  $values{$setter} .= $_ if defined $setter && (/words\[\] = \{/ .. /\};/) && !/^#/;
}
$values{$_} = [$values{$_} =~ /"([^"]+)"/g] for keys %values;
push @{$values{emit}}, column('gen/bind/bindings.def', 'BINDING', 1);
$values{$_} = \@passes for qw(stop_after run_pass);
$values{dump} = ['all', @passes];
$values{pass} = [@passes, map { "no-$_" } @passes];
$values{level} = [0 .. 3];
$values{warning} = [qw(all extra error perf), @warnings, map { "no-$_" } @warnings];
$values{stats} = ['json'];
$values{print_cflags} = [text('gen/builds.def') =~ /^BUILD\((\w+)/mg];
my %lists = map { $_ => 1 } qw(emit check);

my @options;
for (text('gen/options.def') =~ /^OPTION\((.*)\)$/mg) {
  /^(\w+), "([^"]*)", (\w+), \w+, "([^"]*)", "(.*)"$/ or die "gen/options.def: $_\n";
  push @options, { id => $1, spelling => $2, argument => $3, value => $4, help => $5 };
}

# What stands behind an option for which there is no list of words.
sub kind {
  my ($o) = @_;
  return $o->{value} eq 'DIR' ? 'folders' : $o->{value} =~ /^(?:BASE|FILE)$/ ? 'files' : 'nothing';
}

# A whole option for each value of one that has it joined: -O2, -Wperf.
sub spellings {
  my ($o) = @_;
  return map { "$o->{spelling}$_" } @{$values{$o->{id}}} if $o->{argument} eq 'JOINED';
  return $o->{spelling} if $o->{argument} eq 'FLAG' || $o->{spelling} !~ /^--/;
  return ($o->{spelling}, "$o->{spelling}=") if $o->{argument} eq 'OPTIONAL';
  return "$o->{spelling}=";
}

sub bash_case {
  my $text = '';
  for my $o (@options) {
    next if $o->{argument} eq 'FLAG' || $o->{argument} eq 'JOINED';
    my $what = $values{$o->{id}} ? ($lists{$o->{id}} ? 'list' : 'words') . " '@{$values{$o->{id}}}'"
             : kind($o);
    $text .= "    $o->{spelling}) _snodegen_$what ;;\n";
  }
  return $text;
}

sub zsh_specs {
  my $text = '';
  for my $o (@options) {
    (my $help = $o->{help}) =~ s/([\[\]:'\\])/$1 eq "'" ? "'\\''" : "\\$1"/ge;
    my $values = $values{$o->{id}} ? "(@{$values{$o->{id}}})"
               : { folders => '_files -/', files => '_files', nothing => ' ' }->{kind($o)};
    $values = "_values -s , value @{$values{$o->{id}}}" if $lists{$o->{id}};
    if ($o->{argument} eq 'FLAG') {
      $text .= "  '$o->{spelling}\[$help\]' \\\n";
    } elsif ($o->{argument} eq 'JOINED') {
      $text .= "  '*$o->{spelling}-\[$help\]:$o->{value}:$values' \\\n";
    } else {
      my $join = $o->{spelling} =~ /^--/ ? '=' : '+';
      my $colon = $o->{argument} eq 'OPTIONAL' ? '::' : ':';
      (my $name = $o->{value}) =~ s/([\[\]:])/\\$1/g;
      $text .= "  '*$o->{spelling}$join\[$help\]$colon$name:$values' \\\n";
    }
  }
  return $text;
}

# ---- the files ----

# Words in lines of at most 96 columns behind the same indentation.
sub wrapped {
  my ($indent, $between, @all) = @_;
  my @lines = ('');
  for (@all) {
    push @lines, '' if length($indent . $lines[-1] . $between . $_) > 96;
    $lines[-1] .= ($lines[-1] eq '' ? '' : $between) . $_;
  }
  return map { "$indent$_" } @lines;
}

my %put = (
  bash_options => sub { join ' ', map { spellings($_) } @options },
  bash_case => \&bash_case,
  zsh_specs => \&zsh_specs,
);

sub filled {
  my ($template) = @_;
  $template =~ s/^( *\\ )\@vim (\w+)\@\n/join('', map { "$_\n" } wrapped($1, ' ', @{$words{$2}}))/gme;
  $template =~ s/^( *)\@lisp (\w+)\@/join("\n", wrapped($1, ' ', map { "\"$_\"" } @{$words{$2}}))/gme;
  $template =~ s/\@vimor (\w+)\@/join("\\|", @{$words{$1}})/ge;
  $template =~ s/\@or (\w+)\@/join('|', @{$words{$1}})/ge;
  $template =~ s/\@(\w+)\@\n?/$put{$1} ? $put{$1}->() : die "no list $1\n"/ge;
  return $template;
}

my %files = (
  'vim.vim' => 'vim/syntax/snode.vim', 'emacs.el' => 'emacs/snode-mode.el',
  'textmate.json' => 'vscode/syntaxes/snode.tmLanguage.json',
  'bash' => 'completion/snodegen', 'zsh' => 'completion/_snodegen',
);
my $differ = 0;
for (sort keys %files) {
  my ($new, $path) = (filled(text("editors/templates/$_")), "editors/$files{$_}");
  if (!$check) {
    open my $out, '>', "$root/$path" or die "$path: $!\n";
    print $out $new;
    close $out or die "$path: $!\n";
  } elsif ($new ne text($path)) {
    print "$path\n";
    $differ = 1;
  }
}
exit $differ;
