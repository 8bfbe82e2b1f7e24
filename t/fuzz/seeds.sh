# What the fuzz targets begin with, for t/fuzz/run and t/23-fuzz.t.  Read after t/lib.sh.
fuzz=$SN_SRCDIR/t/fuzz

# fuzz_missing: why nothing can be built, or nothing
fuzz_missing() {
  [ -n "$TEST_CLANG" ] || { echo "no clang"; return; }
  echo 'int LLVMFuzzerTestOneInput(const char *, unsigned long);
    int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' >"$work/fuzzed.c"
  $TEST_CLANG -fsanitize=fuzzer,address,undefined "$work/fuzzed.c" -o "$work/fuzzed" 2>/dev/null ||
    echo "clang has no libFuzzer here (Debian: libclang-rt-19-dev)"
}

# fuzz_build FOLDER FLAGS [TARGET...]: FOLDER/TARGET, of all where none is named
fuzz_build() {
  fuzz_folder=$1 fuzz_flags=$2
  shift 2
  make -s -f "$fuzz/build.mk" -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" \
    SRC="$SN_SRCDIR" BUILD="$SN_BUILDDIR" OUT="$fuzz_folder" CC="$TEST_CLANG" TCC="$TEST_TCC" \
    GCC="$TEST_GCC" FLAGS="$fuzz_flags" $(for t; do echo "$fuzz_folder/$t"; done)
}

# fuzz_targets: their names
fuzz_targets() { sed -n -e 's/^TARGETS = //p' "$fuzz/build.mk"; }

# fuzz_seeds TARGET FOLDER: the texts of other tests, in the folder; behind fuzz_build
fuzz_seeds() {
  mkdir -p "$2"
  case $1 in
    compiler)
      for f in "$SN_SRCDIR"/t/err/*.sn "$SN_SRCDIR"/t/lang/*.sn "$SN_SRCDIR"/t/run/*.sn; do
        cp "$f" "$2/$(basename "$(dirname "$f")")-$(basename "$f")"
      done ;;
    load) FUZZ_SEED=$2/tree "$fuzz_folder/load" -runs=0 >/dev/null 2>&1 ;;
    ir)
      cp "$SN_SRCDIR"/t/ir/*.ir "$2"
      for f in "$SN_SRCDIR"/t/passes/*/*.ir; do
        sed -e '/^#/d' -e '/^---- /,$d' "$f" >"$2/$(basename "$(dirname "$f")")-$(basename "$f")"
      done ;;
  esac
}

# fuzz_words TARGET: a dictionary, the words of the language
fuzz_words() {
  case $1 in
    compiler) fuzz_tables="front/tokens.def model/builtins.def front/shaped.def front/factors.def \
      front/attributes.def model/field_modes.def options.def" ;;
    ir) fuzz_tables="ir/ops.def model/builtins.def model/field_modes.def" ;;
    *) fuzz_tables= ;;
  esac
  for t in $fuzz_tables; do
    sed -n -e 's/^[A-Z]*(\([a-z_0-9]*\), *"\([^"\\]*\)".*/\1\n\2/p' \
      -e 's/^[A-Z]*(\([a-z_0-9]*\),.*/\1/p' "$SN_SRCDIR/gen/$t"
  done | sort -u | sed -n -e 's/^..*$/"&"/p'
}
