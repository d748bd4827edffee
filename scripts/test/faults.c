/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - a library to preload, in which one call of the C library fails: faults_test.py.
 *
 * Only calls by the program itself count, told by the return address, and by the libraries that FAULTS_FROM names. Variables:
 *
 *   FAULTS_KIND   alloc, open (for writing), write, sync, close or rename: the calls that count; any: all of them
 *   FAULTS_AT     number of the call that fails, the first is 1; 0: none
 *   FAULTS_ON     1: all from that one on
 *   FAULTS_ERRNO  the error's number; 0: a write is cut to half, and does not fail
 *   FAULTS_FROM   libraries whose calls count too, parts of their names with a comma between
 *   FAULTS_LOG    a file that gets, at the end, a line for each call that counted: its kind, then its callers, the innermost first,
 *                 as offsets in the program */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { ALLOC, OPEN, WRITE, SYNC, CLOSE, RENAME, ANY, NONE };

static const char *const kinds[] = {"alloc", "open", "write", "sync", "close", "rename", "any"};

#define MAX_CALLS  (1 << 18)
#define MAX_FRAMES 12
#define MAX_RANGES 8

struct range {
    uintptr_t from, to;
};

static struct {
    enum kind kind;
    long at;
    bool on, logs;
    int error;
    struct range ranges[MAX_RANGES]; /* the first is the program's */
    int n_ranges;
    atomic_long n;
} faults = {.kind = NONE};

static struct {
    enum kind kind;
    void *callers[MAX_FRAMES];
} calls[MAX_CALLS];

/* The function that a name stands for without this library. */
#define NEXT(function)                                                                                                             \
    static __typeof__(&(function)) next;                                                                                           \
    if (!next)                                                                                                                     \
    next = (__typeof__(next))dlsym(RTLD_NEXT, #function)

static bool counts(const void *caller)
{
    for (int i = 0; i < faults.n_ranges; i++)
        if ((uintptr_t)caller - faults.ranges[i].from < faults.ranges[i].to - faults.ranges[i].from)
            return true;
    return false;
}

/* Whether this call is to fail. */
static bool fails(enum kind kind, const void *caller)
{
    long n;

    if ((kind != faults.kind && faults.kind != ANY) || !counts(caller))
        return false;
    n = atomic_fetch_add(&faults.n, 1) + 1;
    if (faults.logs && n <= MAX_CALLS) {
        calls[n - 1].kind = kind;
        backtrace(calls[n - 1].callers, MAX_FRAMES);
    }
    if (!faults.at || (faults.on ? n < faults.at : n != faults.at))
        return false;
    errno = faults.error;
    return true;
}

#define FAILS(kind) fails(kind, __builtin_return_address(0))

void *malloc(size_t size)
{
    NEXT(malloc);
    return FAILS(ALLOC) ? NULL : next(size);
}

void *calloc(size_t n, size_t size)
{
    NEXT(calloc);
    return FAILS(ALLOC) ? NULL : next(n, size);
}

void *realloc(void *p, size_t size)
{
    NEXT(realloc);
    return FAILS(ALLOC) ? NULL : next(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    NEXT(aligned_alloc);
    return FAILS(ALLOC) ? NULL : next(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
    NEXT(posix_memalign);
    return FAILS(ALLOC) ? ENOMEM : next(p, align, size);
}

char *strdup(const char *text)
{
    NEXT(strdup);
    return FAILS(ALLOC) ? NULL : next(text);
}

char *strndup(const char *text, size_t size)
{
    NEXT(strndup);
    return FAILS(ALLOC) ? NULL : next(text, size);
}

FILE *open_memstream(char **text, size_t *bytes)
{
    NEXT(open_memstream);
    return FAILS(ALLOC) ? NULL : next(text, bytes);
}

int open(const char *path, int flags, ...)
{
    NEXT(open);
    va_list ap;
    int mode;

    va_start(ap, flags);
    mode = flags & O_CREAT ? va_arg(ap, int) : 0;
    va_end(ap);
    return (flags & O_ACCMODE) != O_RDONLY && FAILS(OPEN) ? -1 : next(path, flags, mode);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    NEXT(write);
    if (!FAILS(WRITE))
        return next(fd, data, bytes);
    return faults.error ? -1 : next(fd, data, (bytes + 1) / 2);
}

int fsync(int fd)
{
    NEXT(fsync);
    return FAILS(SYNC) ? -1 : next(fd);
}

/* As on a full disk: the file is closed all the same. */
int close(int fd)
{
    NEXT(close);
    const bool bad = FAILS(CLOSE);
    const int n = next(fd);

    if (bad)
        errno = faults.error;
    return bad ? -1 : n;
}

int rename(const char *from, const char *to)
{
    NEXT(rename);
    return FAILS(RENAME) ? -1 : next(from, to);
}

static bool named(const char *library, const char *names)
{
    char name[64];

    for (size_t n; names && *names; names += n + (names[n] == ',')) {
        n = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        if (strstr(library, name))
            return true;
    }
    return false;
}

static int add_range(struct dl_phdr_info *info, size_t size, void *names)
{
    struct range *r = &faults.ranges[faults.n_ranges];

    (void)size;
    if ((faults.n_ranges && !named(info->dlpi_name, names)) || faults.n_ranges == MAX_RANGES)
        return 0;
    *r = (struct range){.from = UINTPTR_MAX};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;

        if (p->p_type != PT_LOAD)
            continue;
        r->from = from < r->from ? from : r->from;
        r->to = from + p->p_memsz > r->to ? from + p->p_memsz : r->to;
    }
    faults.n_ranges++;
    return 0;
}

static long number(const char *name)
{
    const char *text = getenv(name);

    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *kind = getenv("FAULTS_KIND");
    enum kind k = 0;
    void *first[1];

    while (k < NONE && !(kind && !strcmp(kind, kinds[k])))
        k++;
    dl_iterate_phdr(add_range, getenv("FAULTS_FROM"));
    faults.at = number("FAULTS_AT");
    faults.on = number("FAULTS_ON");
    faults.error = (int)number("FAULTS_ERRNO");
    if ((faults.logs = getenv("FAULTS_LOG")))
        backtrace(first, 1); /* loads its library now */
    faults.kind = k;
}

__attribute__((destructor)) static void end(void)
{
    const long n = atomic_load(&faults.n) < MAX_CALLS ? atomic_load(&faults.n) : MAX_CALLS;
    FILE *f = faults.logs ? fopen(getenv("FAULTS_LOG"), "w") : NULL;

    faults.kind = NONE;
    if (!f)
        return;
    for (long i = 0; i < n; i++) {
        fputs(kinds[calls[i].kind], f);
        for (int k = 0; k < MAX_FRAMES && calls[i].callers[k]; k++) {
            const uintptr_t at = (uintptr_t)calls[i].callers[k];

            if (at >= faults.ranges[0].from && at < faults.ranges[0].to)
                fprintf(f, " %zx", (size_t)(at - faults.ranges[0].from));
        }
        fputc('\n', f);
    }
    fclose(f);
}
