// What glibc knows of the heap, for tests of memory; other systems have no such header.
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
