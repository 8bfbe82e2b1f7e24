#!/bin/sh
# The programs of docs/language.md: each is generated, built and run.
#
# A block of the language is a program; its first line may name it: "// rows.sn". The block
# of text behind it is what its kernel `example` prints, or what the block of C between
# the two prints, which is then its main program. One without either is there to be imported.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
page=$SN_SRCDIR/docs/language.md
cd "$work" || exit 1

# The blocks, as NAME.sn, NAME.main and NAME.text, NAME into the file names; without its name
# a program is called manual1, manual2 ...
awk '
  /^```/ { kind = inside ? "" : substr($0, 4); inside = !inside; first = 1; next }
  !inside { next }
  kind == "sn" && first {
    name = match($0, /^\/\/ [a-z_]+\.sn/) ? substr($0, 4, RLENGTH - 6) : "manual" ++n
    print name > "names"
  }
  { first = 0 }
  kind == "sn" { print > (name ".sn") }
  kind == "c" { print > (name ".main") }
  kind == "text" { print > (name ".text") }' "$page"
ok "there are programs" test "$(ls ./*.text | wc -l)" -gt 8
for name in $(cat names); do
  [ -e "$name.text" ] || ok "$name, which prints nothing, is imported" grep -q "import \"$name.sn\"" ./*.sn
done

# driver NAME: calls NAME_example with the instances that its prototype asks for
driver() {
  echo "#include \"$1.h\""
  echo "#include <stdio.h>"
  echo "#define TRY(e) if (e) return puts(sn_context_error(context)), 1"
  echo "int main(void)"
  echo "{"
  echo "  sn_context *context = NULL;"
  echo "  if (sn_context_create(NULL, &context)) return 1;"
  sed -n -e "s/^.*int $1_example(\(.*\));.*/\1/p" "$1.h" | tr , '\n' | sed 's/^ *//' |
    while read -r type name; do
      name=${name#\*}
      case $type in
        sn_context) echo "  TRY($1_example(context));" ;;
        *) echo "  $type *$name; TRY(${type}_create(context, NULL, &$name));"
           echo "  TRY($1_example($name));"
           echo "  ${type}_destroy($name);" ;;
      esac
    done
  echo "  return sn_context_destroy(context);"
  echo "}"
}

# build CONFIGURATION NAME: as ./example, with the modules that it imports
build_example() {
  objects=
  for module in $(sed -n -e 's/^import "\(.*\)\.sn";.*/\1/p' "$2.sn") "$2"; do
    "$snodegen" -q --target="$(target_of $1)" "$module.sn" &&
      compile_flags=-O0 compile "$1" "$module.c" "$module.o" || return 1
    objects="$objects $module.o"
  done
  if [ -e "$2.main" ]; then cp "$2.main" main.c; else driver "$2" >main.c; fi
  compile_driver "$1" main.c main.o && link "$1" example $objects main.o
}

# t/lang.t has every construct in every configuration
for c in serial-tcc host-clang; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  for name in $(cat names); do
    [ -e "$name.text" ] || continue
    if ok "$c: $name: built" build_example $c "$name"; then
      run_as $c "$(ways_of $c | awk '{ print $NF }')" ./example >out 2>&1
      same "$c: $name: prints" out "$name.text"
    fi
  done
done

# ---- warnings: each name has a row ----
for name in $(sed -n -e 's/^DIAG([A-Z_0-9]*, [WP][ARNEIGF]*, "\([a-z-]*\)".*/\1/p' "$SN_SRCDIR/gen/base/diag.def" | sort -u); do
  contains "-W$name is described" "$page" "| \`$name\`"
done
done_testing
