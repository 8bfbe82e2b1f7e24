#!/bin/sh
# The programs of docs/language.md: each is generated, built and run, and its kernel
# `example` prints what stands under it.
. "${SN_SRCDIR:-.}/t/lib.sh"
page=$SN_SRCDIR/docs/language.md
cd "$work" || exit 1

# blocks KIND: the page's, into KIND1, KIND2 ...
blocks() {
  awk -v kind="$1" '/^```/ { inside = $0 == "```" kind; if (inside) n++; next }
    inside { print > (kind n) }' "$page"
}
blocks sn
blocks text
count=$(ls sn[0-9]* | wc -l)
is "each program has its output" "$(ls text[0-9]* | wc -l)" "$count"
ok "there are programs" test "$count" -gt 8

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
  echo "  sn_context_destroy(context);"
  echo "  return 0;"
  echo "}"
}

# t/lang.t has every construct in every configuration
for c in serial-tcc host-clang; do
  if ! why=$(available $c); then skip "$c" "$why"; continue; fi
  for n in $(seq "$count"); do
    cp "sn$n" "manual$n.sn"
    if ! ok "$c: program $n: generated" "$snodegen" -q --target="$(target_of $c)" "manual$n.sn"; then continue; fi
    driver "manual$n" >main.c
    if ok "$c: program $n: built" sh -c "$(compiler_of $c) $(cflags_of $c) $include -I. -c manual$n.c -o one.o &&
         $(compiler_of $c) -std=c11 $include -I. -c main.c -o main.o &&
         $(compiler_of $c) one.o main.o $(ldflags_of $c) -o example"; then
      run_as $c "$(ways_of $c | awk '{ print $NF }')" ./example >out 2>&1
      same "$c: program $n: prints" out "text$n"
    fi
  done
done
done_testing
