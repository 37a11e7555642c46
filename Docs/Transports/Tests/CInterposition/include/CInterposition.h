// Replacements of functions of glibc for the process of the tests: clients use them instead of those
// of the C library, because symbols of the program come first.

/// Makes every client of this process read another file instead of the certificate authorities of the
/// system, `/etc/ssl/certs/ca-certificates.crt`.
void replace_certificate_authorities(const char *path);
