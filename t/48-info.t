#!/bin/sh
# snode-info: what is in files that programs have saved; files that are broken; its pictures, and its
# .vti and .vtu files, which hold what the tree held.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/io/setup.sh"
info=$SN_BUILDDIR/snode-info
io_program write "$SN_BUILDDIR/.libs/libsnode_io.a" "$library" $IO_LIBS
ok "files of all kinds of trees" ./write

"$info" grid.tree >out 2>&1
is "a tree in tiles" "$?" 0
same_text() {
  printf '%s\n' "$2" >expected
  sed -e 's/snodegen [0-9.]*/snodegen N/' -e 's/, [0-9]* bytes of memory here//' "$3" >got
  same "$1" got expected
}
same_text "is shown as" "tree grid, written by snodegen N
  pointer tile[i: 4, j: 4, k: 2]: 4 active cells
    dense cell[i: 4, j: 4, k: 4]: 256 existing cells
      f32 u[i, j, k] = 0.5
      i16 kind[i, j, k] = 0
      f32 v.x[i, j, k] = 0
      f32 v.y[i, j, k] = 0
      f32 v.z[i, j, k] = 0

256 active cells of u: i from 0 to 15, j from 0 to 15, first index down:
  @@@@            |
  @@@@            |
  @@@@            |
  @@@@            |
          @@@@    |
          @@@@    |
          @@@@    |
          @@@@    |
      @@@@        |
      @@@@        |
      @@@@        |
      @@@@        |
              @@@@|
              @@@@|
              @@@@|
              @@@@|" out
"$info" lists.tree >out 2>&1
same_text "nested lists, bits and a hash" "tree lists, written by snodegen N
  u32 steps = 0
  hash sheet[i]: 2 active cells
    pointer side[i: 2]: 2 active cells
      dynamic list[l: 2000]: 3 active cells
        f64 weight[i, l] = 1.5
      bitmasked mark[k: 70]: 1 active cell
        u8 m[i, k from -3] = 3

3 active cells of weight: i from -4 to 3, l from 0 to 1, first index down:
  @@|
    |
    |
    |
    |
    |
    |
  @ |" out
"$info" --field m lists.tree >out 2>&1
contains "the picture of another field" out "1 active cell of m: i from -4 to -4, k from 7 to 7"
for tree in plane pages line; do
  ok "$tree" "$info" $tree.tree
done

# ---- files ----

ok "image data" "$info" --vtk=own.vti --field u grid.tree
ok "image data of all fields" "$info" --vtk all.vti grid.tree
ok "an unstructured grid" "$info" --vtk own.vtu grid.tree
ok "of a hash" "$info" --vtk pages2.vti pages.tree
# the program writes the same where it is asked for the same
same "are what the program writes" all.vti same.vti
same "and the unstructured grid" own.vtu same.vtu
same "and of a hash" pages2.vti pages.vti
ok "one field for NumPy" "$info" --write own.npy --field u grid.tree
same "is what the program writes" own.npy u.npy
ok "--write has VTK's too" "$info" --write=again.vtu grid.tree
same "as --vtk writes it" again.vtu own.vtu
"$info" --write own_mixed.vtu mixed.tree >said 2>&1
is "fields with other indices are left out, and told" "$? $(cat said)" "0 snode-info: mixed.tree: \
own_mixed.vtu has the fields with the indices of own alone; --field=NAME writes another: moved turned"
same "of the others it is what the program writes" own_mixed.vtu mixed.vtu
"$info" --write own_mixed.npy mixed.tree >said 2>&1
is "a file of one field tells all others" "$? $(cat said)" "0 snode-info: mixed.tree: own_mixed.npy has own \
alone; --field=NAME writes another: moved turned flow.x flow.y"
ok "a box of active cells" "$info" --write=own_box.vtu --box=2:5,0:4 mixed.tree
same "is what the program writes of it" own_box.vtu mixed_box.vtu
ok "a box of a field, in its own order" "$info" --field turned --box 2:5,0:4 --write=own_box.npy mixed.tree
same "is what the program writes, too" own_box.npy turned_box.npy
# written and refused, as it was built
for built in "h5 $HDF5_LIBS" "vdb $OPENVDB_LIBS" "nvdb $BUILD_NVDB"; do
  end=${built%% *}
  "$info" --write "own.$end" grid.tree >said 2>&1
  status=$?
  if [ -n "${built#* }" ]; then
    is "$end is written" "$status $(cat said)$(test -s "own.$end" || echo none)" "0 "
  else
    is "$end is refused" "$status $(cat said)" "1 snode-info: grid.tree: --write: this snode-info \
was built without the library that writes such files"
  fi
done
ok "a picture" "$info" --svg own.svg grid.tree
contains "is SVG" own.svg '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"'
is "a square for each place" "$(grep -c fill-opacity own.svg)" 64

is "it is installed as it lies, and has no path of the build to look for libraries in" \
  "$(grep -c "$SN_BUILDDIR/.libs" "$info")" 0

# ---- what is wrong ----

says() {
  says_name=$1 says_status=$2 says_text=$3
  shift 3
  "$info" "$@" >said 2>&1
  is "$says_name" "$? $(cat said)" "$says_status $says_text"
}
says "a file that is not there" 1 "snode-info: none.tree: No such file or directory" none.tree
echo "no tree" >text.tree
says "no file of a tree" 1 "snode-info: text.tree: is no file of a tree (docs/checkpoint.md)" text.tree
dd if=grid.tree of=short.tree bs=60 count=1 2>/dev/null
says "cut off in the first block" 1 "snode-info: short.tree: is cut off in its first block" short.tree
size=$(wc -c <grid.tree)
dd if=grid.tree of=short.tree bs=$((size - 30)) count=1 2>/dev/null
"$info" short.tree >said 2>&1
is "cut off later" "$? $(grep -c "snode-info: short.tree: .* is cut off at byte" said)" "1 1"
# damaged AT: one byte there is changed; every byte of the first block, and some of the others
damaged() {
  cp grid.tree bad.tree
  printf '\377' | dd of=bad.tree bs=1 seek="$1" conv=notrunc 2>/dev/null
  cmp -s grid.tree bad.tree && return 0
  "$info" bad.tree >said 2>&1
  [ $? -eq 1 ] && grep '^snode-info: bad.tree: ' said >/dev/null
}
odd=
at=0
while [ $at -lt "$size" ]; do
  damaged $at || odd="$odd $at"
  if [ $at -lt 200 ]; then at=$((at + 3)); else at=$((at + 997)); fi
done
is "each byte that is changed is found" "$odd" ""
# a description that its checksum holds for, of what no tree can be: u[i, i, k]
python=$(python_with zlib)
if [ -n "$python" ]; then
  "$python" - <<'END_PY'
import struct
import zlib
d = bytearray(open('grid.tree', 'rb').read())
length, = struct.unpack_from('<Q', d, 24)
u = d.index(b'\1\0\0\0u')            # then type, SNode, default, number of indices
struct.pack_into('<I', d, u + 5 + 4 + 4 + 8 + 4 + 12, 0)


def store(name, d):
    struct.pack_into('<I', d, 32, zlib.crc32(bytes(d[40:40 + length])))
    struct.pack_into('<I', d, 36, zlib.crc32(bytes(d[16:36])))
    open(name, 'wb').write(d)


store('odd.tree', d)
# a table of 2^42 pointers
d = bytearray(open('grid.tree', 'rb').read())
tile = d.index(b'\4\0\0\0tile') + 8 + 12          # then axis and extent of each
for k in range(3):
    struct.pack_into('<Q', d, tile + 12 * k + 4, 1 << 14)
store('wide.tree', d)
END_PY
  says "more cells than such a file has" 1 "snode-info: wide.tree: a node has so many cells that the \
file is damaged, or the tree is too sparse for snode-info" wide.tree
  says "what no tree can be" 1 \
    "snode-info: odd.tree: block 0 is damaged: it describes no tree" odd.tree
else
  skip "what no tree can be" "no python3"
fi
says "no such field" 1 "snode-info: grid.tree: --field: there is no such field with indices" --field w grid.tree
says "no kind of file to write" 2 "snode-info: --write: the name of the file ends in .vti, .vtu, .npy, \
.h5, .vdb or .nvdb: a.txt
snode-info --help says how it is used" --write a.txt grid.tree
says "no kind of file" 2 "snode-info: --vtk: the name of the file ends in .vti or .vtu: a.npy
snode-info --help says how it is used" --vtk a.npy grid.tree
says "more cells than an array can have" 1 "snode-info: space.tree: space: the box of star has too \
many cells: write a part of it (options.box; snode-info: --box)" --write own_star.npy space.tree
says "nor a box of all indices" 1 "snode-info: space.tree: space: the box of star has too many cells: \
write a part of it (options.box; snode-info: --box)" --write own_star.npy \
  --box=-9223372036854775808:9223372036854775807,0:1 space.tree
says "cells that there are not" 1 "snode-info: grid.tree: grid: the box of u goes from 0 to 99 on \
index 0, which goes from 0 to 16" --write no.npy --box=0:99,0:1,0:1 grid.tree
ok "but a part of them" "$info" --write own_star.npy --box=-3:2,1099511627776:1099511627778 space.tree
is "has the values of these" "$(tail -c 20 own_star.npy | od -An -v -t d2 | tr -s ' \n' ' ')" \
  " 0 0 0 0 0 0 0 0 2 0 "
says "a box of other indices" 1 "snode-info: space.tree: --box has LO:HI for 1 of the indices of star, \
which has 2" --write no.npy --box=0:4 space.tree
for box in 4 0: :4 4:0 0:4,, 0:4x 0:9223372036854775808; do
  says "no box: $box" 2 "snode-info: --box takes LO:HI for each index, LO below HI, with commas between \
them: $box
snode-info --help says how it is used" --write no.npy --box="$box" grid.tree
done
says "a box of nothing" 2 "snode-info: --box says what --vtk and --write write, and neither is given
snode-info --help says how it is used" --box=0:4,0:4,0:4 grid.tree
says "no such option" 2 "snode-info: no such option, or it lacks its value: --colour
snode-info --help says how it is used" --colour grid.tree
says "no file" 2 "snode-info: no file is named
snode-info --help says how it is used"
cp grid.tree ./--help
"$info" --field=kind -- --help >out 2>&1
is "what follows -- is a file" "$? $(grep -c 'active cells of kind' out)" "0 1"
"$info" --field=kind grid.tree -- >said 2>&1
is "where there is one" "$?" 0
says "one alone" 2 "snode-info: one file at a time: --help
snode-info --help says how it is used" grid.tree -- --help
if [ -c /dev/full ]; then
  "$info" --help >/dev/full 2>said
  is "a help that could not be written" "$? $(cat said)" "1 snode-info: the output could not be written"
fi
"$info" --version >out
contains "its release" out "snode-info $SN_VERSION"
contains "the manual page's too" "$SN_SRCDIR/docs/snode-info.1" "snode $SN_VERSION"
"$info" --help >out
is "each option of the help is in the manual page" \
  "$(sed -n -e 's/^  --\([a-z]*\).*/\1/p' out | while read -r o; do
       grep -F -e "\\-\\-$o" "$SN_SRCDIR/docs/snode-info.1" >/dev/null || echo "$o"; done)" ""
done_testing
