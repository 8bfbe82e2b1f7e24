/* Which host threads get which blocks of a loop: each begins with its share, the same in every
 * loop, and takes from the others' when its own is empty. */
#include "look.h"

#include <sched.h>

enum { ITERATIONS = 1 << 16, MOST_THREADS = 70 };

static const node_spec nodes[] = { ROOT, { SND_SNODE_DENSE, 0, 7, 0, 4, 0 } };

typedef struct share_params {
  int64_t n;
  sn_addr first;                 /* int64_t[threads]: the first iteration of each */
  sn_addr taken;                 /* uint64_t[threads]: how many each has taken */
  sn_addr met;                   /* uint64_t: threads that have begun; iterations taken */
} share_params;

SND_INLINE SND_GLB uint64_t *met_of(const snd_thread *thread)
{
  return SND_POINTER(uint64_t, SND_PARAMS(thread, share_params)->met);
}

static void wait_for(SND_GLB uint64_t *count, uint64_t wanted)
{
  while (snd_load_u64(count) < wanted) sched_yield();
}

SND_INLINE void note(const snd_thread *thread, const snd_block *block)
{
  const SND_GLB share_params *p = SND_PARAMS(thread, share_params);
  const uint64_t n = (uint64_t)(block->last - block->first);

  if (SND_POINTER(uint64_t, p->taken)[thread->number] == 0)
    SND_POINTER(int64_t, p->first)[thread->number] = block->first;
  SND_POINTER(uint64_t, p->taken)[thread->number] += n;
}

/* Nobody goes on before all have begun. */
SND_INLINE void snd_all_begin(snd_thread *thread)
{
  snd_block block;

  while (snd_next_block(thread, &block)) {
    note(thread, &block);
    if (SND_POINTER(uint64_t, SND_PARAMS(thread, share_params)->taken)[thread->number] !=
        (uint64_t)(block.last - block.first))
      continue;
    snd_fetch_add_u64(met_of(thread), 1);
    wait_for(met_of(thread), (uint64_t)thread->threads);
  }
}
SND_LOOP_HOST(snd_all_begin, snd_all_begin,
              snd_blocks_of_range(SND_PARAMS(thread, share_params)->n))

/* The first thread waits in its first block until all others have been taken. */
SND_INLINE void snd_one_is_slow(snd_thread *thread)
{
  const uint64_t all = (uint64_t)SND_PARAMS(thread, share_params)->n;
  snd_block block;

  while (snd_next_block(thread, &block)) {
    const uint64_t n = (uint64_t)(block.last - block.first);
    if (thread->number == 0 && thread->threads > 1) {
      note(thread, &block);
      wait_for(met_of(thread), all - n);
    }
    snd_fetch_add_u64(met_of(thread), n);
  }
}
SND_LOOP_HOST(snd_one_is_slow, snd_one_is_slow,
              snd_blocks_of_range(SND_PARAMS(thread, share_params)->n))

typedef struct course {
  int64_t first[MOST_THREADS];
  uint64_t taken[MOST_THREADS], met;
} course;

static void run(tree *t, snd_task_fn loop, course *c)
{
  const share_params params = { ITERATIONS, address_of(c->first), address_of(c->taken),
                                address_of(&c->met) };
  const snd_args args = tree_args(t, 0, &params);

  memset(c, 0, sizeof *c);
  t->launch->views = address_of(t->views);
  t->launch->params = address_of(&params);
  if (loop(&args) != SN_OK) bail("a task did not start");
}

static int began(const course *c)
{
  int count = 0;

  while (count < MOST_THREADS && c->taken[count] > 0) count++;
  return count;
}

static void test_begin(int threads)
{
  tree *t = tree_make(nodes, 2, &(tree_options){ .chunk = 4, .threads = threads });
  const int64_t block = ITERATIONS / SND_DRAWS;
  int count, wrong = 0, moved = 0;
  course c, again;

  run(t, snd_all_begin_host, &c);
  run(t, snd_all_begin_host, &again);
  count = began(&c);
  for (int k = 0; k < count; k++) {
    const int64_t shares = count < SND_SHARES ? count : SND_SHARES, share = k * shares / count;
    const int64_t each = SND_DRAWS / shares, more = SND_DRAWS % shares;
    const int64_t first = (share * each + (share < more ? share : more)) * block;
    wrong += c.first[k] < first || c.first[k] > first + 2 * block;
    moved += count <= SND_SHARES && (c.first[k] != first || again.first[k] != first);
  }
  is_int(wrong, 0, "%d threads: each begins with its share", threads);
  is_int(moved, 0, "%d threads: the same in each loop", threads);
  tree_free(t);
}

static void test_slow(int threads)
{
  tree *t = tree_make(nodes, 2, &(tree_options){ .chunk = 4, .threads = threads });
  course c;

  run(t, snd_one_is_slow_host, &c);
  is_int((int64_t)c.met, ITERATIONS, "%d threads, one of them slow: all is done", threads);
  ok(c.taken[0] <= ITERATIONS / SND_DRAWS, "%d threads: by the others", threads);
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 3, 16, MOST_THREADS };

  for (int k = 0; k < 4; k++) {
    test_begin(threads[k]);
    test_slow(threads[k]);
  }
  return done_testing();
}
