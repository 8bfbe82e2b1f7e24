# The programs and commands of a page of docs/, as they stand there.  Read behind t/lib.sh.
#
# On such a page a block of code whose first line is a comment that begins with a file's name
# ("// heat.sn: ...", "/* main.c: ...") is that file; a later block with the name takes its place.
# A block `sh` is commands, which are run in their order, in one folder, by sh -e; a block `text`
# behind it is what they print.  In `text varies` numbers are any numbers, and a line of dots any lines.
# A block `c` or `sn` without a file's name is a part of one, which is shown.

# installed: the build's programs and libraries in $root, a prefix that was moved; PATH has them
installed() {
  ok "make install" installed_in "$work/stage" || return 1
  mv "$work/stage" "$work/moved"
  root=$work/moved$(sed -n -e 's/^prefix=//p' "$SN_BUILDDIR/snode.pc")
  PATH=$root/bin:$PATH
  export PATH
}

# steps PAGE: NUMBER.file, NUMBER.sh, NUMBER.text or NUMBER.varies in $work/page for each block, and $work/page/list
steps() {
  rm -rf "$work/page"
  mkdir "$work/page"
  awk -v folder="$work/page" '
    /^```/ && !inside { inside = 1; kind = substr($0, 4); first = 1; out = ""; next }
    /^```/ { inside = 0; if (out) close(out); next }
    !inside { next }
    first && match($0, /^(\/\/|\/\*|#) [A-Za-z0-9_]+\.[a-z0-9]+/) && kind != "sh" && kind !~ /^text/ {
      name = substr($0, RSTART, RLENGTH); sub(/^[^ ]* /, "", name)
      out = folder "/" ++n ".file"; print n, "file", name >(folder "/list")
    }
    first && kind == "sh" { out = folder "/" ++n ".sh"; print n, "sh", NR - 1 >(folder "/list") }
    first && kind ~ /^text/ {
      out = folder "/" ++n ".text"; print n, kind ~ / varies/ ? "varies" : "text", NR - 1 >(folder "/list")
    }
    { first = 0 }
    out { print >out }' "$1"
}

# any_numbers FILE: with # for each number and one blank for several
any_numbers() {
  sed -E -e 's/[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/#/g' -e 's/ +/ /g' -e 's/ $//' "$1"
}

# follows FILE PATTERN: the lines of FILE are those of PATTERN, in which "..." is any lines
follows() {
  awk 'FNR == NR { want[++n] = $0; next } { got[++m] = $0 }
    END {
      j = 1
      for (i = 1; i <= n; i++) {
        if (want[i] == "...") { if (i == n) exit 0; while (j <= m && got[j] != want[i + 1]) j++; continue }
        if (got[j] != want[i]) { print "expected: " want[i] "\ngot:      " got[j]; exit 1 }
        j++
      }
      if (j <= m) { print "not expected: " got[j]; exit 1 }
    }' "$2" "$1"
}

# run_page PAGE: in the current folder
run_page() {
  page_name=$(basename "$1")
  steps "$1"
  ok "$page_name has programs and commands" test -s "$work/page/list"
  while read -r number what name <&3; do
    case $what in
      file) cp "$work/page/$number.file" "$name" ;;
      sh)
        if timeout 120 sh -e "$work/page/$number.sh" >said 2>&1; then
          pass "$page_name:$name: the commands run"
        else
          fail "$page_name:$name: the commands run"
          diag "$(cat "$work/page/$number.sh")"
          diag "$(head -n 20 said)"
        fi ;;
      text) same "$page_name:$name: and print what stands there" said "$work/page/$number.text" ;;
      varies)
        any_numbers said >"$work/got"
        any_numbers "$work/page/$number.text" >"$work/want"
        ok "$page_name:$name: and print what stands there, with other numbers" \
          follows "$work/got" "$work/want" ;;
    esac
  done 3<"$work/page/list"
}
