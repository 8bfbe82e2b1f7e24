# man.awk: a man page of a public header, from its comments: they are the only source.
#
#   awk -f docs/man.awk -v version=0.1.0 include/snode/tree.h >snode_tree.3
#
# The comment at a header's beginning is NAME and DESCRIPTION, its first line "snode/tree.h: what it
# is.".  A comment "---- title ----" begins a section.  Any other comment belongs to the declarations
# that follow it without an empty line; these stand in the page as they stand in the header, without
# the macros SN_API and SN_NODISCARD and without bodies.  Lines of a comment that are indented stay as
# they are, **words** are bold.  The rows of snode/errors.def stand where they are included,
# and under ERRORS with their texts.

function plain(text) {
  gsub(/\\/, "\\e", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

function bold(text,    before, word) {
  text = plain(text)
  while (match(text, /\*\*[^*]+\*\*/)) {
    before = substr(text, 1, RSTART - 1)
    word = substr(text, RSTART + 2, RLENGTH - 4)
    text = before "\\fB" word "\\fR" substr(text, RSTART + RLENGTH)
  }
  return text
}

function literal(is_wanted) {
  if (is_wanted != is_literal) add(is_wanted ? ".nf" : ".fi")
  is_literal = is_wanted
}

# Paragraphs and lines of a comment.
function add_text(count, lines,    k, is_open) {
  for (k = 1; k <= count; k++) {
    if (lines[k] == "") { literal(0); if (is_open && k < count) add(".PP"); continue }
    literal(lines[k] ~ /^  /)
    add(is_literal ? plain(lines[k]) : bold(lines[k]))
    is_open = 1
  }
  literal(0)
}

function add(line) { body = body line "\n" }

# What has been collected: the declarations, then what is said of them.
function flush_group(    k) {
  if (decl_count) {
    add(".PP"); add(".nf"); add(".ft B")
    for (k = 1; k <= decl_count; k++) add(plain(decl[k]))
    add(".ft R"); add(".fi")
    if (said_count) { add(".RS 4"); add_text(said_count, said); add(".RE") }
  } else if (said_count) {
    add(".PP"); add_text(said_count, said)
  }
  decl_count = said_count = 0
}

function begin_section(title) {
  flush_group()
  add(".SH \"" toupper(plain(title)) "\"")
}

# One line of a comment, without its marks.
function say(line) {
  sub(/ *\*\/ *$/, "", line)
  sub(/^\/\* ?/, "", line)
  sub(/^ \* ?/, "", line)
  if (line == " *") line = ""
  said[++said_count] = line
}

function declare(line,    is_call) {
  is_call = line ~ /SN_API/
  gsub(/SN_API |SN_NODISCARD /, "", line)
  decl[++decl_count] = line
  if (is_call) in_call = 1
  if (in_call) synopsis = synopsis plain(line) "\n"
  if (in_call && line ~ /;/) in_call = 0
}

# Rows as the members of the enumeration that they become.
function declare_errors(file,    row, parts) {
  while ((getline row <file) > 0)
    if (match(row, /^SN_ERROR\(/)) {
      split(substr(row, RLENGTH + 1), parts, /, */)
      declare("  " parts[1] " = " parts[2] ",")
    }
  close(file)
}

function add_errors(file,    row, parts) {
  while ((getline row <file) > 0)
    if (match(row, /^SN_ERROR\(/)) {
      split(substr(row, RLENGTH + 1), parts, /, */)
      sub(/^[^"]*"/, "", row); sub(/".*/, "", row)
      add(".TP"); add("\\fB" parts[1] "\\fR (" parts[2] ")"); add(plain(row))
    }
  close(file)
}

FNR == 1 { next }                      # the licence
FNR == 2 {
  line = $0
  sub(/^\/\* */, "", line)
  header = line; sub(/:.*/, "", header)
  title = line; sub(/^[^:]*: */, "", title); sub(/ *\*\/ *$/, "", title); sub(/\.$/, "", title)
  in_comment = $0 !~ /\*\//
  in_head = 1
  next
}
in_head && in_comment {
  ends = $0 ~ /\*\/ *$/
  say($0)
  if (ends) { in_comment = 0 }
  next
}
in_head && /^#ifndef/ {
  in_head = 0
  # a title may go on in the next line, up to the first empty one
  first = 1
  while (first <= said_count && said[first] != "") {
    title = title " " said[first]; first++
  }
  sub(/\.$/, "", title)
  if (index(title, ". ")) title = substr(title, 1, index(title, ". ") - 1)
  head_count = 0
  for (k = first; k <= said_count; k++) head[++head_count] = said[k]
  while (head_count && head[1] == "") { for (k = 1; k < head_count; k++) head[k] = head[k + 1]; head_count-- }
  said_count = 0
  add_text(head_count, head)
  next
}
in_body { if (/^}/) in_body = 0; next }
in_comment { if (said_count || $0 !~ /^ \*\/$/) say($0); if (/\*\/ *$/) in_comment = 0; next }
depth == 0 && /^\/\* ---- .* ----/ {
  name = $0
  sub(/^\/\* ---- /, "", name); rest = name
  sub(/ ----.*/, "", name); sub(/^.* ---- ?/, "", rest); sub(/^.*----$/, "", rest)
  begin_section(name)
  in_comment = $0 !~ /\*\/ *$/
  if (in_comment && rest != "" && rest !~ /^ *$/) said[++said_count] = rest
  next
}
depth == 0 && /^\/\*/ { flush_group(); in_comment = $0 !~ /\*\/ *$/; say($0); next }
/^# *include <snode\/errors.def>/ { errors = 1; declare_errors(errors_file); next }
/^# *(define|undef) SN_ERROR/ { next }
/^# *else/ { skipping = 1; next }
/^# *endif/ { skipping = 0; next }
skipping || /^# *(ifndef|ifdef|if|elif|undef|include)/ || /^#define .*_H$/ { next }
/^SN_(BEGIN|END)_DECLS/ { next }
/^$/ { if (depth == 0) flush_group(); else declare(""); next }
/^{$/ { in_body = 1; decl[decl_count] = decl[decl_count] ";"; next }   # of an inline function
{
  line = $0
  sub(/^static inline /, "", line)
  declare(line)
  opens = gsub(/{/, "{", line); closes = gsub(/}/, "}", line)
  depth += opens - closes
}
END {
  flush_group()
  page = header; sub(/^snode\//, "snode_", page); sub(/\..*/, "", page)
  print ".\\\" SPDX-License-Identifier: BSD-3-Clause"
  print ".\\\" " page ".3: made by docs/man.awk from include/" header
  print ".TH " toupper(page) " 3 \"\" \"snode " version "\" \"Library Functions\""
  print ".SH NAME"
  print page " \\- " title
  print ".SH SYNOPSIS"
  print ".nf"
  print ".B #include <" header ">"
  if (synopsis != "") printf ".PP\n.ft B\n%s.ft R\n", synopsis
  print ".fi"
  print ".SH DESCRIPTION"
  printf "%s", body
  if (errors) { body = ""; add(".SH ERRORS"); add_errors(errors_file); printf "%s", body }
  print ".SH SEE ALSO"
  print ".BR snode (3)"
}
