#if defined(__linux__)
#define _GNU_SOURCE
#include <features.h>
#endif
#include "CInterposition.h"

#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *_Atomic authorities;

void replace_certificate_authorities(const char *path) {
    authorities = strdup(path);
}

static const char *replaced(const char *path) {
    const char *other = authorities;
    return other && !strcmp(path, "/etc/ssl/certs/ca-certificates.crt") ? other : path;
}

FILE *fopen(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
    return next(replaced(path), mode);
}

FILE *fopen64(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
    return next(replaced(path), mode);
}

// Looking up the host `slow.invalid` takes five seconds and fails.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    if (node && !strcmp(node, "slow.invalid")) {
        sleep(5);
        return EAI_NONAME;
    }
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        dlsym(RTLD_NEXT, "getaddrinfo");
    return next(node, service, hints, result);
}
#else
void replace_certificate_authorities(const char *path) { (void)path; }
#endif
