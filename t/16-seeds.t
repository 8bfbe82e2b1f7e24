#!/bin/sh
# The examples of the papers that the design began with, by what snodegen shows of them:
# the tasks of a struct-for, containers and cells of a tree, maps of indices to axes.
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$work" || exit 1

# shows NAME OPTION FILE: what is expected comes in
shows() {
  cat >expected
  "$snodegen" "$2" "$3" >got 2>said
  is "$1: exit status" $? 0 || diag "$(head -n 5 said)"
  same "$1" got expected
}

# ---- list generation: two generations of lists, then the loop ----

cat >listgen.sn <<'END_OF_PROGRAM'
field i32 x;
tree root {
  dense S1[i: 4] {
    bitmasked S2[i: 4] { place x; }
  }
}
kernel void show() {
  foreach (i in x)
    print("%d\n", i);
}
END_OF_PROGRAM

shows "five tasks as split" --emit=ir=split listgen.sn <<'END_OF_IR'
module "listgen.sn" prefix listgen bounds trap

tree root() {
  S0root @2:6 {
    S1dense S1[i: 4] @3:9 {
      S2bitmasked S2[i: 4] @4:15 {
        S3place 0: i32 x[i] = 0 @1:11
      }
    }
  }
}

kernel void show(tree root root) @7:13 {
  $0 = offloaded clear_list S1dense root @8:3
  $1 = offloaded listgen S0root->S1dense root @8:3
  $2 = offloaded clear_list S2bitmasked root @8:3
  $3 = offloaded listgen S1dense->S2bitmasked root @8:3
  $4 = offloaded struct_for(S2bitmasked root) block_dim=0 [i32 i] @8:3 {
    <i32> $5 = loop $4 index 0
    print "%d\n" $5 site 0 @9:5
  }
}
END_OF_IR

# no later pass adds or drops one
"$snodegen" --emit=ir listgen.sn | grep -o 'offloaded.*root' >got
cat >expected <<'END_OF_TASKS'
offloaded clear_list S1dense root
offloaded listgen S0root->S1dense root
offloaded clear_list S2bitmasked root
offloaded listgen S1dense->S2bitmasked root
offloaded struct_for(S2bitmasked root
END_OF_TASKS
same "five tasks, by default" got expected

shows "--emit=tasks" --emit=tasks listgen.sn <<'END_OF_TASKS'
kernel show
   0  clear_list S1dense of root  (line 8)
   1  listgen S0root->S1dense of root  (line 8)
   2  clear_list S2bitmasked of root  (line 8)
   3  listgen S1dense->S2bitmasked of root  (line 8)
   4  struct_for S2bitmasked of root  (line 8)
  may read topology S2bitmasked of root
  may read, write list S1dense of root
  may read, write list S2bitmasked of root
  prints
END_OF_TASKS

# ---- what the host decides between tasks ----

cat >host.sn <<'END_OF_PROGRAM'
kernel void turns(i32 n) {
  for (k in 0 .. n) {
    if (k == 7) foreach (i in 0 .. k) print("%d", i);
    else continue;
    while (true) { foreach (i in 0 .. 2) print("%d", k); if (n > 3) break; }
  }
}
END_OF_PROGRAM

shows "if and while around tasks" --emit=tasks host.sn <<'END_OF_TASKS'
kernel turns
   0  serial  (line 2)
      while goes_on  (line 2)
   1    serial  (line 3)
        if test  (line 3)
   2      range_for  (line 3)
        else
          continue  (line 4)
        while true  (line 5)
   3      range_for  (line 5)
   4      serial  (line 5)
          if breaks  (line 5)
            break  (line 5)
   5    serial  (line 2)
  prints
END_OF_TASKS

# ---- containers and cells: the places are numbered too ----

cat >layout.sn <<'END_OF_PROGRAM'
field i32 x, y, z;
tree t {
  pointer S1[i: 4] {
    dense S2[i: 2] { place x, y; }
    dense S5[i: 2] { place z; }
  }
}
END_OF_PROGRAM

shows "containers and cells" --emit=layout layout.sn <<'END_OF_LAYOUT'
tree t
  S0root: 1x container, 1x cell
    S1pointer S1[i: 4]: 1x container, 4x cells, a slot each
      S2dense S2[i: 2]: 4x containers, 8x cells
        S3place_x: 8x containers, each i32 x[i] = 0
          physical_index_position {0: 0}
        S4place_y: 8x containers, each i32 y[i] = 0
          physical_index_position {0: 0}
      S5dense S5[i: 2]: 4x containers, 8x cells
        S6place_z: 8x containers, each i32 z[i] = 0
          physical_index_position {0: 0}
END_OF_LAYOUT

# ---- virtual and physical indices: an index is that of an axis; the axis that is divided
# first comes first in memory, whatever its name.  A field may name its own order.

cat >maps.sn <<'END_OF_PROGRAM'
field f32 a;
field f32 b;
field f32 c (j, i);
tree shape { dense all[i: 128, j: 32, k: 8] { place a; } }
tree columns { dense outer[j: 32] { dense inner[i: 16] { place b, c; } } }
END_OF_PROGRAM

shows "maps of indices" --emit=layout maps.sn <<'END_OF_LAYOUT'
tree shape
  S0root: 1x container, 1x cell
    S1dense all[i: 128, j: 32, k: 8]: 1x container, 32768x cells
      S2place_a: 32768x containers, each f32 a[i, j, k] = 0
        physical_index_position {0: 0, 1: 1, 2: 2}
tree columns
  S0root: 1x container, 1x cell
    S1dense outer[j: 32]: 1x container, 32x cells
      S2dense inner[i: 16]: 32x containers, 512x cells
        S3place_b: 512x containers, each f32 b[i, j] = 0
          physical_index_position {0: 1, 1: 0}
        S4place_c: 512x containers, each f32 c[j, i] = 0
          physical_index_position {0: 0, 1: 1}
END_OF_LAYOUT

# ---- every kind, and what is not known before there is an instance ----

cat >kinds.sn <<'END_OF_PROGRAM'
field f32 v = 1.5 offset (-8, 0, 3);
field i64 p;
field u8 m;
field bool top = true;
tree t(i32 n) {
  hash far[i, j] { bitmasked near[i: 4, k: 2] { place v; } }
  dynamic list[l: 100] chunk 300 { place p; }
  dense rows[i: n] { dynamic keys[l: 1 << 20] { place m; } }
  bitmasked alive[i: 64, j: 64];
  place top;
}
END_OF_PROGRAM

shows "every kind" --emit=layout kinds.sn <<'END_OF_LAYOUT'
tree t
  S0root: 1x container, 1x cell
    S1place_top: 1x container, each bool top = 1
      physical_index_position {}
    S2hash far[i, j]: 1x container, any number of cells, a key each
      S3bitmasked near[i: 4, k: 2]: any number of containers, any number of cells, a bit each
        S4place_v: any number of containers, each f32 v[i, j, k] = 1.5 offset (-8, 0, 3)
          physical_index_position {0: 0, 1: 1, 2: 2}
    S5dynamic list[l: 100]: 1x container, 100x cells, in chunks of 100
      S6place_p: 100x containers, each i64 p[l] = 0
        physical_index_position {0: 0}
    S7dense rows[i: n]: 1x container, cells counted at creation
      S8dynamic keys[l: 1048576]: containers counted at creation, cells counted at creation, in chunks that grow
        S9place_m: containers counted at creation, each u8 m[i, l] = 0
          physical_index_position {0: 0, 1: 1}
    S10bitmasked alive[i: 64, j: 64]: 1x container, 4096x cells, a bit each
END_OF_LAYOUT

done_testing
