#!/bin/sh
# examples/life: ten patterns have, after 10,000 generations, the populations that golly's own program
# gives (bgolly 3.3 of Debian 12: bgolly -m 10000 FILE.rle, its last line); and that it gives again,
# where it is installed.
. "${SN_SRCDIR:-.}/t/lib.sh"
life=$SN_BUILDDIR/examples/life/life
[ -x "$life" ] || skip_all "examples/life is not built: see configure's summary"

# grown NAME POPULATION CELLS: by the name of golly's file, in Patterns/Life; cells in RLE
grown() {
  printf 'x = 0, y = 0, rule = B3/S23\n%s\n' "$3" >"$work/$1.rle"
  run_as host-gcc threads=1 "$life" --generations=10000 --every=10000 "$work/$1.rle" >"$work/said" 2>&1
  is "$1" "$(awk '$1 == 10000 { print $2 }' "$work/said")" "$2" || diag "$(cat "$work/said")"
  if ! command -v bgolly >/dev/null; then skip "$1 by bgolly" "no bgolly (Debian: golly)"; return; fi
  is "$1 by bgolly" "$(bgolly -m 10000 "$work/$1.rle" 2>"$work/errors" | tr -d , | sed -n -e 's/^10000: //p')" "$2" ||
    diag "$(cat "$work/errors")"
}
grown acorn 633 'bo$3bo$2o2b3o!'
grown rabbits 1267 'o3b3o$3o2bo$bo!'
grown rabbits-relation-17423 1383 'bo$2obo$4b2o$o2bo$o$o!'
grown natural-LWSS 1181 '4b3o$3bo$o5bo$b2o2bobo$bobo!'
grown blom 1336 'o10bo$b4o6bo$2b2o7bo$10bo$8bobo!'
grown lidka-predecessor 1400 'bo$obo$bo8$8bo$6bobo$5b2obo2$4b3o!'
grown iwona 1504 '14b3o6$2bo$3b2o$3bo14bo$18bo$18bo$19bo$18b2o$7b2o$8bo5$2o$bo!'
grown justyna 2046 '17bo$16bo2bo$17b3o$17bo2bo2$2o16bo$bo16bo$18bo8$19b3o$11b3o!'
grown temp-pulsars-big-s 1604 \
  'obo3b2o$3ob2o$obobobo$3bo3bo$o2bob2o$obo4bo$3o2b3o$2o3bobo!'
grown die658 0 '6bo3bo4bo3bo$bo3bobob3o2bo$obo8bobo$2bo3bo2bo6bo$b2o2bo7bo4b2o$b2o5b2o2bo2b2ob2o$
b2o6bo2bo3b2o$2bo2bob2o5bobo$3b2o2b2obo6bo$bo4b2o2bobo5bo$2bo3bobo$bobo3b2ob3o3bo$3bo3bo2b2o2bo$
2bo4bo3bo2bo$3bo2bo2bobobob2o2bo$o2bo15bo$b2o4b2obo2bo3b3o$4bo4bo2b4o2bo$bo4bobo2bo5b2o$
o2bo6bo2bo!'
done_testing
