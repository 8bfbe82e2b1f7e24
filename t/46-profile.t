#!/bin/sh
# What the environment asks for at the end of a process: SNODE_PROFILE, a table of all contexts, and
# SNODE_TRACE, one trace of them; whatever the program does with its contexts, and in a child of fork.
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
[ -n "$TEST_GCC" ] || skip_all "no gcc"
cd "$work" || exit 1
unset SNODE_PROFILE SNODE_TRACE

cat >seen.sn <<'END_SN'
field f32 u;
field i32 n, bit;
tree grid { pointer tile[i: 64] { dense cell[i: 64] { place u; } } }
tree lists { dense row[i: 4] { dynamic list[l: 4096] { place n; } } }
tree bits { bitmasked flags[i: 256] { place bit; } }
kernel void fill(i64 m) { foreach (i in 0 .. m) u[i] = f32(i); }
kernel void work(i64 m) {
  block "first part" {
    foreach (i in u) { f32 x = u[i]; for (k in 0 .. 200) x = x * 0.5 + 1; u[i] = x; }
  }
  foreach (i in u) deactivate(tile, i / 64);
}
kernel void more(i32 m) { foreach (k in 0 .. m) n[k % 4, append(list, k % 4)] = k; }
kernel void mark(i32 m) { foreach (k in 0 .. m) bit[2 * k] = 1; }
kernel i64 add() { i64 s = 0; foreach (i, l in n) s += i64(n[i, l]); foreach (i in bit) s += 1; return s; }
END_SN
cat >main.c <<'END_C'
#include "seen.h"
#include <pthread.h>
#include <snode/profile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sn_context *make(const char *option, const char *value)
{
  sn_config *config;
  sn_context *context = NULL;

  if (sn_config_create(&config) || (option && sn_config_set(config, option, value)) ||
      sn_context_create(config, &context))
    exit(3);
  sn_config_destroy(config);
  return context;
}

static void work(sn_context *context)
{
  seen_grid *grid;

  if (seen_grid_create(context, NULL, &grid) || seen_fill(grid, 1000) || seen_work(grid, 10)) {
    printf("%s\n", sn_context_error(context));
    exit(4);
  }
  seen_grid_destroy(grid);
}

static void end(sn_context *context)
{
  const int code = sn_context_destroy(context);

  if (code)
    printf("destroyed: %s: %s\n", sn_strerror(code), sn_context_error(context));
}

static void *run(void *context)
{
  work(context);
  return NULL;
}

static void sums(sn_context *context)
{
  seen_lists *lists;
  seen_bits *bits;
  int64_t sum = 0;

  if (seen_lists_create(context, NULL, &lists) || seen_bits_create(context, NULL, &bits) ||
      seen_more(lists, 4000) || seen_mark(bits, 100) || seen_add(lists, bits, &sum))
    exit(4);
  printf("%d\n", (int)sum);
  seen_lists_destroy(lists);
  seen_bits_destroy(bits);
}

int main(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  sn_context *first = make(strcmp(what, "off") == 0 ? "profile" : NULL, "0"), *second;
  pthread_t thread;

  if (strcmp(what, "sums") == 0)
    sums(first);
  else
    work(first);
  if (strcmp(what, "left") == 0)
    return 0;
  if (strcmp(what, "exit") == 0)
    exit(7);
  if (strcmp(what, "child") == 0 || strcmp(what, "busy child") == 0) {
    fflush(stdout);
    if (fork() == 0) {
      if (strcmp(what, "busy child") == 0)
        work(make("threads", "1"));      /* OpenMP of gcc has no threads in a child */
      exit(0);
    }
    wait(NULL);
    return 0;
  }
  if (strcmp(what, "two") == 0) {
    second = make(NULL, NULL);
    work(second);
    end(first);
    end(second);
    return 0;
  }
  if (strcmp(what, "thread") == 0) {
    second = make(NULL, NULL);
    pthread_create(&thread, NULL, run, second);
    work(first);
    pthread_join(thread, NULL);
    end(second);
  }
  end(first);
  if (strcmp(what, "option") == 0) {
    first = make("profile", "1");
    work(first);
    end(first);
  }
  return 0;
}
END_C
compile_flags="-I$work"
c=host-gcc
ok "the module is generated" "$snodegen" -w -q seen.sn
ok "the module" compile $c seen.c seen.o &&
  ok "the program" compile_driver $c main.c main.o &&
  ok "is linked" link $c run main.o seen.o

# ---- the profile ----

# calls_of FILE TEXT: the calls in the row
calls_of() {
  grep -F -e "$2" "$1" | head -n 1 | awk '{ print $3 }'
}

SNODE_PROFILE=1 ./run one >out 2>table
is "nothing on stdout" "$(cat out)" ""
contains "a table at the end" table "snode profile: 1 context, "
contains "a task with its blocks, its line and its node" table \
  "task        seen_work: first part: struct_for(S2dense), line 9, over cell"
contains "list generation by node" table "listgen     grid: cell"
contains "garbage collection" table "gc          grid: tile"
contains "memory for cells" table "activation  grid: tile"
contains "calls" table "kernel      seen_work"
contains "the share of each kind" table "ms inside calls: kernel "
is "one table" "$(grep -c 'snode profile' table)" 1
awk '/^snode/ { next } /^ *ms/ { part++; next } NF == 0 { next }
     part == 1 { if (seen && $1 > last) print "not sorted: " $0; last = $1; seen = 1; sum += $2 }
     END { if (sum < 98 || sum > 102) print "percentages: " sum }' table >odd
is "sorted by time, and the percentages are of all of it" "$(cat odd)" ""
is "cells a second, of a loop over a list" \
  "$(grep 'line 9, over cell' table | awk '{ print ($5 > 0) }')" 1

# the cells of each kind of list, as the JSON of a context has them
cat >json.c <<'END_C'
#include "seen.h"
#include <snode/profile.h>
#include <stdio.h>
int main(void)
{
  sn_config *config;
  sn_context *context;
  seen_lists *lists;
  seen_bits *bits;
  seen_grid *grid;
  const char *json;
  int64_t sum;

  if (sn_config_create(&config) || sn_config_set(config, "profile", "1") ||
      sn_context_create(config, &context) || seen_lists_create(context, NULL, &lists) ||
      seen_bits_create(context, NULL, &bits) || seen_grid_create(context, NULL, &grid) ||
      seen_more(lists, 4000) || seen_mark(bits, 100) || seen_add(lists, bits, &sum) ||
      seen_fill(grid, 1000) || seen_work(grid, 10) || sn_profile_json(context, &json))
    return 1;
  puts(json);
  seen_lists_destroy(lists);
  seen_bits_destroy(bits);
  seen_grid_destroy(grid);
  sn_config_destroy(config);
  return sn_context_destroy(context);
}
END_C
ok "the program that writes JSON" compile_driver $c json.c json.o && ok "links" link $c json json.o seen.o
./json >json.out 2>json.err
is "without the variable nothing is printed" "$(cat json.err)" ""
# cells_over NODE: of the first row over it
cells_over() {
  tr '{' '\n' <json.out | grep "\"node\":\"$1\"" | head -n 1 | sed -n -e 's/.*"cells":\([0-9.e+]*\),.*/\1/p'
}
is "cells of dense nodes in tiles" "$(cells_over cell)" 1024
is "elements of lists" "$(cells_over list)" 4000
is "bits that are set" "$(cells_over flags)" 100

SNODE_PROFILE=1 ./run two 2>table
contains "two contexts" table "snode profile: 2 contexts"
is "in one table" "$(calls_of table 'kernel      seen_work')" 2
SNODE_PROFILE=1 ./run thread 2>table
is "contexts of two threads" "$(calls_of table 'kernel      seen_work')" 3
SNODE_PROFILE=1 ./run left 2>table
is "a context that is not destroyed" "$(calls_of table 'kernel      seen_work')" 1
SNODE_PROFILE=1 ./run exit 2>table
is "the status of exit stays" "$?" 7
is "and there is a table" "$(grep -c 'snode profile' table)" 1
SNODE_PROFILE=1 ./run child 2>table
is "a child without contexts prints none" "$(grep -c 'snode profile' table)" 1
SNODE_PROFILE=1 ./run 'busy child' 2>table
is "a child prints one" "$(grep -c 'snode profile' table)" 2
is "of its own calls" "$(grep -F 'kernel      seen_work' table | awk '{ print $3 }' | sort -u)" 1
SNODE_PROFILE=1 ./run off 2>table
is "a program that switches the option off has no rows" "$(grep -c seen_ table)" 0
SNODE_PROFILE=1 ./run option 2>table
is "one that sets it has" "$(calls_of table 'kernel      seen_work')" 2
./run option >out 2>&1
is "without the variable nothing is printed" "$(cat out)" ""
SNODE_PROFILE=0 ./run one >out 2>&1
is "nor with 0" "$(cat out)" ""
SNODE_PROFILE=1 ./run one 2>&- >out
is "a closed standard error" "$? $(cat out)" "0 "
# the reader ends before the program does
{ SNODE_PROFILE=1 ./run one 2>&3; echo $? >status; } 3>&1 >/dev/null | :
is "one that nobody reads" "$(cat status)" 0
SNODE_PROFILE=table.txt ./run two >out 2>&1
is "into a file: nothing is printed" "$(cat out)" ""
is "it has the table" "$(calls_of table.txt 'kernel      seen_work')" 2
SNODE_PROFILE=no/where ./run one >out 2>&1
is "a file that cannot be written" "$(cat out)" \
  "snode: the profile is not written: no/where: No such file or directory"
SNODE_PROFILE=2 ./run one >out 2>&1
is "a value that is none" "$(cat out)" "SNODE_PROFILE=2: expected 0 or 1"

# each allocation fails once
odd=
n=1
while [ $n -le 40 ]; do
  SNODE_FAIL_ALLOCATION=$n SNODE_TRACE=each.json SNODE_PROFILE=1 ./run two >out 2>&1
  case $? in 0|3|4) ;; *) odd="$odd $n" ;; esac
  n=$((n + 1))
done
is "allocations that fail end no process" "$odd" ""

# ---- the trace ----

is_json() {
  if command -v perl >/dev/null && perl -MJSON::PP -e 1 2>/dev/null; then
    ok "$1" perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <"$2"
  else
    skip "$1" "no perl with JSON::PP"
  fi
}
SNODE_TRACE=a.json ./run one >out 2>&1
is "a trace prints nothing" "$(cat out)" ""
is_json "of one context: JSON" a.json
contains "the context" a.json '"name":"process_name","ph":"M","pid":1,"args":{"name":"context 1"}'
contains "its thread" a.json \
  '"name":"thread_name","ph":"M","pid":1,"tid":0,"args":{"name":"calling thread 1"}'
contains "a kernel" a.json '"name":"seen_work","cat":"kernel","ph":"X","pid":1,"tid":0,'
contains "a task" a.json '"name":"seen_work: first part: struct_for(S2dense)","cat":"task"'
SNODE_TRACE=b.json ./run left >out 2>&1
is_json "of a context that is not destroyed: JSON" b.json
contains "which has its kernels" b.json '"name":"seen_work","cat":"kernel"'
SNODE_TRACE=c.json ./run two >out 2>&1
is "two contexts share the file" "$(cat out)" ""
is_json "JSON" c.json
is "both are in it" "$(grep '"name":"seen_work","cat":"kernel"' c.json |
  sed -e 's/.*"pid":\([0-9]*\).*/\1/' | tr '\n' ' ')" "1 2 "
SNODE_TRACE=d.json ./run thread >out 2>&1
is "a thread's calls too" "$(grep -c '"name":"seen_work","cat":"kernel"' d.json)" 3
SNODE_TRACE=e.json ./run child >out 2>&1
is "with a child: JSON of the parent's" "$(cat out) $(grep -c '"name":"seen_work","cat":"kernel"' e.json)" " 1"
SNODE_TRACE=no/where.json ./run one >out 2>&1
is "a trace that cannot be written is told before anything runs" "$(cat out)" \
  "the trace cannot be written: no/where.json: No such file or directory"

# ---- names that debuggers and perf show ----

if command -v nm >/dev/null; then
  nm seen.o >names
  contains "a kernel's function" names " T seen_work"
  contains "a task's" names " t work_task_0_host"
else
  skip "names of functions" "no nm"
fi
done_testing
