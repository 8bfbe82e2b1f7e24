/* Handles that were destroyed: a use of one is the caller's error, which nothing can find out in a
 * program as it is built; with SN_DEBUG (configure --enable-debug) every handle that is given out
 * is known until it is taken back, and a call on another one is refused as one on NULL is.
 */
#ifndef SNI_EXEC_ALIVE_H
#define SNI_EXEC_ALIVE_H

#ifdef HAVE_CONFIG_H
# include <config.h>
#endif

#ifdef SN_DEBUG
/* Any thread.  Memory that runs out for this is as good as a handle that is alive. */
void sni_alive_begin(const void *handle);
void sni_alive_end(const void *handle);
int sni_is_gone(const void *handle);             /* NULL too */
#else
static inline void sni_alive_begin(const void *handle) { (void)handle; }
static inline void sni_alive_end(const void *handle) { (void)handle; }
static inline int sni_is_gone(const void *handle) { return !handle; }
#endif

#endif
