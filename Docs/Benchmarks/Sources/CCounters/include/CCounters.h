#ifndef CCOUNTERS_H
#define CCOUNTERS_H

#include <stddef.h>

/// How many blocks of memory this process has asked for; -1 where nobody counts (not glibc).
long counters_allocations(void);

/// The bytes that are in use on the heap; 0 where nobody tells.
size_t counters_heap_in_use(void);

/// Gives back to the system what the heap keeps for later.
void counters_trim_heap(void);

/// Begins to count jobs that are handed to the global executor.
void counters_watch_hops(void);

/// How many jobs were handed to it since.
long counters_hops(void);

/// Looks at a value, so that the compiler must compute it.
void counters_look_at(const void *value);

/// Answers every request on 127.0.0.1 with the same JSON until the standard input ends.
///
/// The port is the first line of the standard output. A path with "/late/" in it is answered 2 ms
/// late, one with "/never/" never, and one that ends in "/products" with a page of 50. Who has the
/// answer, and asks whether it is still good, is told so without a body.
///
/// Returns nonzero when no port could be opened.
int serve_loopback(const char *json);

#endif
