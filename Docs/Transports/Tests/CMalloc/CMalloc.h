// The heap statistics of glibc, for tests that measure memory. Other systems have no malloc.h.
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
