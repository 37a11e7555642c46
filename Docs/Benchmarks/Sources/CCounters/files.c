#define _GNU_SOURCE
#include "CCounters.h"

#include <unistd.h>

#if defined(__GLIBC__)

#include <stdatomic.h>
#include <sys/syscall.h>

// These functions replace those of the C library in this program, and count their calls.

static atomic_long writes;
static atomic_long syncs;

ssize_t write(int file, const void *bytes, size_t count) {
    atomic_fetch_add_explicit(&writes, 1, memory_order_relaxed);
    return syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    atomic_fetch_add_explicit(&writes, 1, memory_order_relaxed);
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return pwrite(file, bytes, count, offset);
}

int fsync(int file) {
    atomic_fetch_add_explicit(&syncs, 1, memory_order_relaxed);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    atomic_fetch_add_explicit(&syncs, 1, memory_order_relaxed);
    return (int)syscall(SYS_fdatasync, file);
}

long counters_writes(void) {
    return atomic_load_explicit(&writes, memory_order_relaxed);
}

long counters_syncs(void) {
    return atomic_load_explicit(&syncs, memory_order_relaxed);
}

#else

long counters_writes(void) {
    return -1;
}

long counters_syncs(void) {
    return -1;
}

#endif
