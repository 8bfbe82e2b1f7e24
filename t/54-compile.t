#!/bin/sh
# Code that is compiled while a program runs: off unless configured, batches, the cache and what
# becomes of it when a process is killed, errors, a .sn program.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_GCC" ] || skip_all "no gcc"

compile_flags="-I$SN_SRCDIR"
for name in steps alive; do
  ok "$name builds" compile_driver serial-gcc "$SN_SRCDIR/t/compile/$name.c" "$work/$name.o"
  ok "and links" $TEST_GCC $SANITIZER_CFLAGS -rdynamic -o "$work/$name" "$work/$name.o" \
    -Wl,--whole-archive "$library" -Wl,--no-whole-archive -lm -pthread
done

# a compiler that counts how often it is asked, and can be told to die in between
cat >"$work/cc" <<END
#!/bin/sh
echo asked >>"$work/asked"
if [ -e "$work/die" ]; then kill -9 \$PPID; fi
exec $TEST_GCC "\$@"
END
chmod +x "$work/cc"
mkdir "$work/cache"

asked() { wc -l <"$work/asked" 2>/dev/null | tr -d ' '; }
steps() { (cd "$work" && ./steps "$@" 2>&1); }
alive() { (cd "$work" && ./alive "$@" 2>&1); }

unset SNODE_CC SNODE_SNODEGEN SNODE_CACHE SNODE_CFLAGS
is "off unless configured" "$(steps batch)" "not supported
compile: no compiler is configured: name one in the options or in SNODE_CC"

SNODE_CC=$work/cc
SNODE_CFLAGS="-O1 $include -DSN_SERIAL $SANITIZER_CFLAGS"
TMPDIR=$work
export SNODE_CC SNODE_CFLAGS TMPDIR
is "a batch, one entry left out" "$(steps batch)" "routines 1 0 1: 3"
is "without a cache nothing is left" "$(ls -d "$work"/partial-* 2>/dev/null)" ""

SNODE_CACHE=$work/cache
export SNODE_CACHE
: >"$work/asked"
is "with a cache" "$(steps batch)" "routines 1 0 1: 3"
is "the batch is one object" "$(ls "$work/cache" | sed 's/.*\.//' | sort | tr '\n' ' ')" "key so "
is "again" "$(steps batch)" "routines 1 0 1: 3"
is "it was compiled once" "$(asked)" 1
is "for another device" "$(steps device)" "routines 1 0 1: 3"
is "once more" "$(asked)" 2
is "with other flags" "$(SNODE_CFLAGS="$SNODE_CFLAGS -DOTHER" steps batch)" "routines 1 0 1: 3"
is "once more" "$(asked)" 3

is "with a flag in front" "$(SNODE_CFLAGS="-DOTHER $SNODE_CFLAGS" steps batch)" "routines 1 0 1: 3"
is "for a device whose name reads as that flag" "$(steps forged)" "routines 1 0 1: 3"
is "each is compiled" "$(asked)" 5

for f in "$work"/cache/*.so; do : >"$f"; done
is "objects that are spoilt" "$(steps batch)" "routines 1 0 1: 3"
is "are made again" "$(asked)" 6

# killed half-way: nothing of it counts
rm -f "$work"/cache/*
touch "$work/die"
( (cd "$work" && ./steps batch) >/dev/null 2>&1 ) 2>/dev/null
rm "$work/die"
is "killed half-way there is no entry" "$(ls "$work"/cache/*.so "$work"/cache/*.key 2>/dev/null)" ""
is "the next one is whole" "$(steps batch)" "routines 1 0 1: 3"
f=$(ls "$work"/cache/*.key)
head -c 40 "$f" >"$f.cut" && mv "$f.cut" "$f"
: >"$work/asked"
is "a key that was cut" "$(steps batch)" "routines 1 0 1: 3"
is "counts for nothing" "$(asked)" 1

# errors
steps mistake >"$work/said"
contains "a mistake is an argument that is not valid" "$work/said" "an argument is not valid"
contains "the compiler's own words" "$work/said" "nothing"
contains "with the entry's name and line" "$work/said" "twice:2:"
is "a text without its function" "$(steps other)" "an argument is not valid
compile: entry 'twice': its text defines no function of that name"
is "an entry that is no function's name" "$(steps name)" "an argument is not valid
compile: entry 0 is named 'no name', which is no name of a function"
is "no folder" "$(steps folder)" "a file could not be read or written
compile: there/is/none: No such file or directory"
is "a program's name that no path has room for" "$(SNODE_SNODEGEN=true steps long)" "a file could not be read or written
compile: $(printf '%60s' '' | tr ' ' p)...: a path with it would have more than 4095 bytes"
is "no more room for a cache, whose name is cut between characters" "$(steps cut)" "a file could not be read or written
compile: $(printf '%59s' '' | tr ' ' p)...: a path with it would have more than 4095 bytes"
is "structs of a caller of before, which end sooner" "$(SNODE_CACHE= steps before)" "routines 1 1 1: 3"
is "no such compiler" "$(SNODE_CACHE= steps absent)" "a file could not be read or written
compile: no-such-compiler could not be run: No such file or directory"
is "no folder for temporary files" "$(SNODE_CACHE= TMPDIR=there/is/none steps batch)" "a file could not be read or written
compile: there/is/none: No such file or directory"
is "a flag that is NULL" "$(SNODE_SNODEGEN=true alive null)" "an argument is not valid
compile: flag 1 is NULL, of 2"
is "an entry that is not there" "$(alive bad)" "an argument is not valid
link: the code has entries 0 to 0, and no entry 1"
is "flags of the environment, cut at tabs" \
  "$(SNODE_CACHE= SNODE_CFLAGS="$(echo "$SNODE_CFLAGS" | tr ' ' '\t')" steps batch)" "routines 1 0 1: 3"
is "nothing is left of them" "$(ls "$work" | grep partial)" ""

# each has an object of its own, in which its names are its own
for cache in "" "$work/cache" "$work/cache"; do
  SNODE_CACHE=$cache
  is "two codes at once, and one without its function" "$(alive two)" "9 4 9
an argument is not valid
compile: entry 'step': its text defines no function of that name"
  is "two of one text" "$(alive same)" "1 2, 1"
  is "names that the program has too, and one that it has alone" "$(alive names)" 321
done
is "functions of a library and of the program are no text's" "$(alive missing)" "an argument is not valid
compile: entry 'send': its text defines no function of that name
an argument is not valid
compile: entry 'helper': its text defines no function of that name"

# whatever the program makes of its children and signals
SNODE_CACHE=
is "SIGCHLD is ignored" "$(steps batch ignored)" "routines 1 0 1: 3"
is "another thread waits for its children" "$(steps batch reaped)" "routines 1 0 1: 3"
for how in ignored reaped; do
  steps mistake $how >"$work/said"
  contains "a mistake is found all the same: $how" "$work/said" "nothing"
done
is "inside the work of a queue" "$(steps batch inside)" "routines 1 0 1: 3"
if [ -r /proc/self/status ]; then
  cat >"$work/signals" <<END
#!/bin/sh
while read -r name value; do
  case \$name in SigBlk:|SigIgn:) echo "\$name \$value" ;; esac
done </proc/\$\$/status >"$work/mask"
exec $TEST_GCC "\$@"
END
  chmod +x "$work/signals"
  for how in inside ignored; do
    : >"$work/mask"
    SNODE_CC=$work/signals steps batch $how >/dev/null
    is "the compiler has no signal blocked: $how" "$(sed -n 's/SigBlk: 0*//p' "$work/mask")" ""
    # 13: SIGPIPE, 17: SIGCHLD
    is "and hears of its children: $how" $((0x$(sed -n 's/SigIgn: //p' "$work/mask") & 0x11000)) 0
  done
else
  skip "the compiler's signals" "no /proc"
fi
SNODE_CACHE=$work/cache

# a program
is "a program needs snodegen" "$(steps program)" "not supported
compile: no snodegen is configured for a .sn program: name it in the options or in SNODE_SNODEGEN"
SNODE_SNODEGEN=$snodegen
export SNODE_SNODEGEN
: >"$work/asked"
is "a program's kernel" "$(steps program)" "routines 1 0 1: 6"
is "from the cache" "$(steps program)" "routines 1 0 1: 6"
is "compiled once" "$(asked)" 1
is "with options of snodegen" "$(steps given)" "routines 1 0 1: 12"
is "from the cache" "$(steps given)" "routines 1 0 1: 12"
is "and without them" "$(steps program)" "routines 1 0 1: 6"
is "each was compiled once" "$(asked)" 2
is "an option that is none of a program's" "$(steps wrong)" "an argument is not valid
compile: '--emit=ir' is no option that a program is compiled with: -DNAME=VALUE, -O0 to -O3, --bounds=MODE, --trace, --most-local"
cat >"$work/snodegen" <<END
#!/bin/sh
if [ "\$1" = --version ]; then echo another; else exec $snodegen "\$@"; fi
END
chmod +x "$work/snodegen"
SNODE_SNODEGEN=$work/snodegen
is "by another snodegen" "$(steps program)" "routines 1 0 1: 6"
is "it is compiled anew" "$(asked)" 3
SNODE_SNODEGEN=$snodegen
for cache in "" "$work/cache" "$work/cache"; do
  is "programs one after the other, one of them named entries" "$(SNODE_CACHE=$cache alive programs)" "111
222
333"
done
is "a program that cannot be destroyed stays whole" "$(SNODE_CACHE= alive refused)" "not possible in this state
node 'a' cannot be destroyed: a context holds it
1 1 1
1"
is "with the option that makes fields local" "$(SNODE_CACHE= alive most-local)" "local
7"
many=$SNODE_CFLAGS
while [ "$(echo $many | wc -w)" -lt 64 ]; do many="$many -DMANY"; done
is "with as many flags as there may be" "$(SNODE_CFLAGS=$many steps program)" "routines 1 0 1: 6"
is "with one more" "$(SNODE_CFLAGS="$many -DMANY" steps program)" "an argument is not valid
compile: more than 64 flags, or 4096 bytes of them"
done_testing
