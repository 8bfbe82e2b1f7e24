#!/bin/sh
# Memory limits: of dense trees, of a context, of one tree, of a process's address space and of
# control groups; threads beyond what a machine has are refused.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
source=$SN_SRCDIR/t/limits
[ -n "$TEST_GCC" ] || skip_all "no gcc"

cd "$work" || exit 1
ok "the module is generated" "$snodegen" -q --output-dir=. "$source/limits.sn"
for c in serial-gcc host-gcc; do
  compile_flags="-I$work"
  ok "$c: the module" compile $c limits.c module-$c.o &&
    ok "$c: the program" compile_driver $c "$source/limits.c" main-$c.o &&
    ok "$c: is linked" link $c limits-$c main-$c.o module-$c.o
done

# says NAME EXPECTED COMMAND...: in a subshell of its own, where limits can be set
says() {
  says_name=$1 says_expected=$2
  shift 2
  ("$@") >said 2>&1
  is "$says_name" "$(cat said)" "$says_expected"
}
limits() { ./limits-host-gcc "$@"; }
limit="the memory limit (option memory_limit, SNODE_MEMORY_LIMIT, or the tree's own)"

says "dense trees are refused before they are touched" \
"full, 2 MiB of 1: memory has run out
  limits_full: the cells of cell take 2097152 bytes, and $limit leaves 1048576 of 1048576
plain, 2 MiB of 1: memory has run out
  limits_plain: the cells of row take 2097152 bytes, and $limit leaves 1048576 of 1048576
full, half a MiB: no error
its last cell: no error
  1
full, 256 TiB: memory has run out" limits dense

says "the trees of a context keep one limit" \
"8 MiB of 12: no error
a sparse tree: no error
64 tiles of 32 KiB: no error
another sparse tree: no error
200 tiles: memory has run out
the limit is named: 1
200 tiles, without the first tree: no error" limits budget

says "a tree keeps its own" \
"full, 4 MiB of its own 2: memory has run out
  limits_full: the cells of cell take 4194304 bytes, and $limit leaves 2097152 of 2097152
a sparse tree of 2 MiB: no error
a sparse tree: no error
200 tiles in the first: memory has run out
200 tiles in the other: no error" limits tree

# ---- address space ----

small="a kernel: no error
  499500
80 MiB: no error"
says "small trees reserve little" "$small" limits address
# two threads: what a runtime's own threads take is no matter of this library
within() (
  ulimit -v "$1" || exit 3
  shift
  OMP_NUM_THREADS=2 limits "$@"
)
if (ulimit -v 1500000) 2>/dev/null; then
  says "within 1.5 GB of address space" "$small" within 1500000 address
  says "what passes it is an error, and no more" "$small
2 GiB: memory has run out" within 1500000 address 2
  says "it is the limit where none is set" "full, 256 TiB: memory has run out" sh -c \
    "ulimit -v 1500000; OMP_NUM_THREADS=2 ./limits-host-gcc dense | tail -n 1"
else
  skip "within 1.5 GB of address space" "ulimit -v cannot be set here"
fi

# ---- threads ----

says "threads that a machine can have" "a kernel: no error" env SNODE_THREADS=8 \
  ./limits-host-gcc threads
says "100,000 threads" "a kernel: an argument is not valid
  SNODE_THREADS=100000: expected a whole number from 0 to 1024" env SNODE_THREADS=100000 \
  ./limits-host-gcc threads

# ---- control groups ----

compile_flags="-I$SN_SRCDIR -D_GNU_SOURCE"
ok "the reader of control groups builds" compile serial-gcc "$source/groups.c" groups.o &&
  ok "and is linked" link serial-gcc groups groups.o

# group FILE TEXT: in the folder $root
group() {
  mkdir -p "$(dirname "$root/$1")"
  printf '%s\n' "$2" >"$root/$1"
}
allowed() {
  is "$1" "$(./groups "$root")" "$2"
}
root=$work/none && mkdir "$root"
allowed "no control groups" "no limit"
root=$work/two
group proc/self/cgroup "0::/user/job"
group sys/fs/cgroup/user/job/memory.max max
allowed "version 2 without a limit" "no limit"
group sys/fs/cgroup/user/job/memory.max 3000000
allowed "version 2" 3000000
group sys/fs/cgroup/user/memory.max 2000000
allowed "a group around it has less" 2000000
group sys/fs/cgroup/memory.max 1000000
allowed "the topmost one, as a container sees its own" 1000000
root=$work/one
group proc/self/cgroup "12:cpu,memory:/a/b
4:memories:/x
0::/"
group sys/fs/cgroup/memory/x/memory.limit_in_bytes 1
group sys/fs/cgroup/memory/a/b/memory.limit_in_bytes 9223372036854771712
allowed "version 1 without a limit" 9223372036854771712
group sys/fs/cgroup/memory/a/b/memory.limit_in_bytes 5000000
allowed "version 1" 5000000
group sys/fs/cgroup/memory/memory.limit_in_bytes 4000000
allowed "the one around it" 4000000
root=$work/odd
group proc/self/cgroup "nonsense
3:memory
0::relative
5:memory:/$(printf '%05000d' 0)
0::/job"
group sys/fs/cgroup/job/memory.max "many"
allowed "what is no number, and lines that are none" "no limit"
group sys/fs/cgroup/job/memory.max "99999999999999999999999999"
allowed "a number beyond 64 bits" "no limit"
done_testing
