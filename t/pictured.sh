# An example that leaves pictures by libsnode_io, built in $work with gcc, each file without a
# warning. Read after t/lib.sh by the tests of such examples, which then stand in $work.

why=$(available host-gcc) || skip_all "$why"
case $IO_LIBS in *-lpng*) ;; *) skip_all "libsnode_io writes no pictures: no libpng" ;; esac
one_backend=yes
cd "$work" || exit 1

# build_pictured NAME OPTION...: ./NAME, of all C in examples/NAME and of NAME.sn, which snodegen
# compiles with these options
build_pictured() {
  pictured_name=$1 pictured_from=$SN_SRCDIR/examples/$1
  shift
  is "the program has less than 100 lines" "$(awk 'END { print (NR < 100) }' "$pictured_from/main.c")" 1
  ok "generate" generate . "$pictured_from/$pictured_name.sn" -q -O3 "$@"
  ok "compile" compile host-gcc "$pictured_name.c" "$pictured_name.o"
  pictured_objects=$pictured_name.o
  compile_flags="-I. -D_GNU_SOURCE"
  for f in "$pictured_from"/*.c; do
    ok "$(basename "$f")" compile_driver host-gcc "$f" "$(basename "$f" .c).o"
    pictured_objects="$pictured_objects $(basename "$f" .c).o"
  done
  compile_flags=
  ok "link" link host-gcc "$pictured_name" $pictured_objects "$SN_BUILDDIR/.libs/libsnode_io.a" \
    "$library" $(sed -n -e 's/^Libs.private: //p' "$SN_BUILDDIR/snode-io.pc")
}
