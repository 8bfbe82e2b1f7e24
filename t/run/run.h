/* What every driver of t/run includes. */
#ifndef SN_T_RUN_H
#define SN_T_RUN_H

#include <inttypes.h>
#include <snode/snode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where allocations fail (t/58-run-memory.t): the name of a function that ends the program at the
 * first call that comes to something else than it should. */
#ifdef RUN_STOP
void RUN_STOP(void);
#else
# define RUN_STOP() (void)0
#endif

/* A call that must succeed: says what did not, and leaves the driver. */
#define CHECK(call)                                                           \
  do {                                                                        \
    int check_code = (call);                                                  \
    if (check_code != SN_OK) {                                                \
      printf("%s: %s: %s\n", #call, sn_strerror(check_code),                  \
             sn_context_error(ctx));                                          \
      RUN_STOP();                                                             \
      return 1;                                                               \
    }                                                                         \
  } while (0)

/* A call that must fail with this code; its text is left in the context. */
#define CHECK_FAILS(code, call)                                               \
  do {                                                                        \
    int check_code = (call);                                                  \
    if (check_code != (code)) {                                               \
      printf("%s: %s instead of %s\n", #call, sn_strerror(check_code),        \
             sn_strerror(code));                                              \
      RUN_STOP();                                                             \
      return 1;                                                               \
    }                                                                         \
  } while (0)

/* What iterations do at once, and what the runtime does: everywhere. */
#define PROGRAMS_OF_TREES(P)                                                  \
  P(dense) P(pointer) P(deep) P(twice) P(reduce) P(activity) P(churn) P(trap) \
  P(lists) P(misuse) P(checkpoint) P(whirl) P(taichi_counts) P(reuse)         \
  P(exchange) P(submit) P(forked) P(indices) P(soa) P(region) P(touch) P(tape)  \
  P(march)  P(noted)

/* What the compiler makes of a program: not with RUN_TREES (programs.sh). */
#define PROGRAMS_OF_LANGUAGE(P)                                               \
  P(scalars) P(vectors) P(structs) P(axes) P(extents) P(defaults) P(arrays)   \
  P(modules) P(imports) P(control) P(flow) P(order) P(random) P(say) P(mpm)   \
  P(short) P(tables) P(boxes) P(under) P(factor) P(details) P(attributes)     \
  P(generics) P(borders) P(merged) P(modes) P(half) P(parameters) P(large)     \
  P(ranges) P(updates) P(ahead) P(strips) P(beside) P(adjoint) P(slopes) P(tangent)  \
  P(descent) P(chance) P(gang) P(pulled) P(stacks) P(corners)

#if defined(RUN_ONLY)                  /* those that programs.sh says */
# define PROGRAMS(P) RUN_ONLY(P)
#elif defined(RUN_TREES)
# define PROGRAMS(P) PROGRAMS_OF_TREES(P)
#elif defined(RUN_ATTRIBUTES)          /* alone, at -O3 (lang.t) */
# define PROGRAMS(P) P(attributes)
#else
# define PROGRAMS(P) PROGRAMS_OF_TREES(P) PROGRAMS_OF_LANGUAGE(P)
#endif

#define DECLARE(name) int run_##name(sn_context *ctx);
PROGRAMS(DECLARE)
#undef DECLARE

#endif
