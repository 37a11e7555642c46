#include "CCounters.h"

#include <stdlib.h>

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

// These functions replace those of the C library for the whole process.

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;

static void count(void) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count();
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

long counters_allocations(void) {
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}

size_t counters_heap_in_use(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
#else
    return 0;
#endif
}

void counters_trim_heap(void) {
    malloc_trim(0);
}

#else

void counters_trim_heap(void) {
}

long counters_allocations(void) {
    return -1;
}

size_t counters_heap_in_use(void) {
    return 0;
}

#endif

void counters_look_at(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}
