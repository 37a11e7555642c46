#include "CCounters.h"

#include <stdatomic.h>

// A task that leaves an actor becomes a job of the global executor, for which the runtime has a
// hook. Returning to an actor is not counted.

typedef struct Job Job;
typedef __attribute__((swiftcall)) void (*Enqueue)(Job *);
typedef __attribute__((swiftcall)) void (*Hook)(Job *, Enqueue);

extern Hook swift_task_enqueueGlobal_hook;

static atomic_long hops;

static __attribute__((swiftcall)) void count(Job *job, Enqueue enqueue) {
    atomic_fetch_add_explicit(&hops, 1, memory_order_relaxed);
    enqueue(job);
}

void counters_watch_hops(void) {
    swift_task_enqueueGlobal_hook = count;
}

long counters_hops(void) {
    return atomic_load_explicit(&hops, memory_order_relaxed);
}
