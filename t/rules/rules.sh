# The modules of t/rules, made for each kind of SNode: what t/35-rules.t and t/36-breaks.t share.
# Read after t/lib.sh.
#
#   rules_module KIND FOLDER        FOLDER/rules.sn, .c and .h; KIND pointer bitmasked dynamic hash
#   deep_module KIND FOLDER         FOLDER/deep.sn, .c and .h; KIND pointer bitmasked hash
#   rules_program MODULE KIND CONFIGURATION FOLDER    FOLDER/MODULE, of the module in FOLDER
rules_kinds="pointer bitmasked dynamic hash"
deep_kinds="pointer bitmasked hash"

rules_module() {
  rules_count='(is_active(a.cell, c) ? 8 : 0)' rules_active='is_active(a.cell, c)' rules_empty='deactivate(a.leaf, c)'
  case $1 in
    hash) rules_cell='hash cell[i] { dense element[j: 8] { place x, y; } dense wide[k: 64] { place w; } }'
          rules_leaf='hash leaf[i]' ;;
    dynamic) rules_cell='dense row[i: 32 * N] { dynamic cell[j: 8] chunk 4 { place x, y; } dense wide[k: 64] { place w; } }'
             rules_leaf='dynamic leaf[i: 4 * N]'
             rules_count='length(a.cell, c)'
             rules_active='length(a.cell, c) > 0' rules_empty='deactivate(a.leaf)' ;;
    *) rules_cell="$1 cell[i: 32 * N] { dense element[j: 8] { place x, y; } dense wide[k: 64] { place w; } }"
       rules_leaf="$1 leaf[i: 4 * N]" ;;
  esac
  mkdir -p "$2"
  sed -e "s|@COUNT@|$rules_count|" -e "s|@CELL@|$rules_cell|" -e "s|@ACTIVE@|$rules_active|" -e "s|@LEAF@|$rules_leaf|" \
    -e "s|@EMPTY@|$rules_empty|" -e '1,/^\/\/ it, for/s|^// rules.sn.in|// rules.sn|' \
    "$SN_SRCDIR/t/rules/rules.sn.in" >"$2/rules.sn"
  generate "$2" "$2/rules.sn" --target="${3:-omp}" -q
}

deep_module() {
  case $1 in hash) rules_top='hash top[i]' ;; *) rules_top="$1 top[i: N]" ;; esac
  mkdir -p "$2"
  sed -e "s|@TOP@|$rules_top|" "$SN_SRCDIR/t/rules/deep.sn.in" >"$2/deep.sn"
  generate "$2" "$2/deep.sn" --target="${3:-omp}" -q
}

rules_program() {
  compile_flags="-I$4 -I$SN_SRCDIR -DKIND=\"$2\""
  compile "$3" "$4/$1.c" "$4/$1.o" &&
    compile_driver "$3" "$SN_SRCDIR/t/rules/$1.c" "$4/driver-$1.o" &&
    link "$3" "$4/$1" "$4/driver-$1.o" "$4/$1.o"
}
