/* Counts the calls that write to files, and lets the n-th fail, once or from there on. Preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

static int calls, failing, code, sticky;

void arm(int n, int error, int from_there_on) { calls = 0; failing = n; code = error; sticky = from_there_on; }

int disarm(void) { failing = 0; return calls; }

static int fails(void) {
    if (!failing) return 0;
    calls++;
    if (calls == failing || (sticky && calls > failing)) { errno = code; return 1; }
    return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...) {
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest);
    return fails() ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest);
    return fails() ? -1 : REAL(open64)(path, flags, mode);
}
ssize_t write(int file, const void *data, size_t size) { return fails() ? -1 : REAL(write)(file, data, size); }
int fsync(int file) { return fails() ? -1 : REAL(fsync)(file); }
int chmod(const char *path, mode_t mode) { return fails() ? -1 : REAL(chmod)(path, mode); }
int rename(const char *old, const char *new) { return fails() ? -1 : REAL(rename)(old, new); }
int unlink(const char *path) { return fails() ? -1 : REAL(unlink)(path); }
int close(int file) { if (fails()) { REAL(close)(file); errno = code; return -1; } return REAL(close)(file); }
