/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - reads the memory of this process from /proc. */
#include "cmd/host/memory.h"

#include <dirent.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

struct field {
    const char *name;
    uint64_t *bytes;
};

/* Lines "Name:   123 kB". */
static void read_fields(const char *path, const struct field *fields, size_t n)
{
    FILE *f = fopen(path, "re");
    char line[256];

    while (f && fgets(line, sizeof line, f))
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(fields[i].name);
            uint64_t kb;

            if (!strncmp(line, fields[i].name, length) && sscanf(line + length, ": %" SCNu64 " kB", &kb) == 1)
                *fields[i].bytes = kb * 1024;
        }
    if (f)
        fclose(f);
}

struct memory_use memory_now(void)
{
    struct memory_use use = {0};
    /* Not getrusage: its peak is inherited from whatever started this program, so that a large parent hides every change. */
    const struct field status[] = {{"VmRSS", &use.rss_bytes},
                                   {"VmHWM", &use.peak_bytes},
                                   {"RssAnon", &use.anon_bytes},
                                   {"RssFile", &use.file_bytes},
                                   {"RssShmem", &use.shmem_bytes}};
    const struct field rollup[] = {{"Pss", &use.pss_bytes}};

    read_fields("/proc/self/status", status, sizeof status / sizeof *status);
    read_fields("/proc/self/smaps_rollup", rollup, 1);
    return use;
}

static double count_entries(const char *folder)
{
    DIR *d = opendir(folder);
    double n = 0;

    if (!d)
        return NAN;
    for (const struct dirent *e = readdir(d); e; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static struct held held_in(const char *process)
{
    char status[64], files[64], threads[64];
    uint64_t anonymous = 0;

    snprintf(status, sizeof status, "/proc/%s/status", process);
    snprintf(files, sizeof files, "/proc/%s/fd", process);
    snprintf(threads, sizeof threads, "/proc/%s/task", process);
    read_fields(status, &(struct field){"RssAnon", &anonymous}, 1);
    return (struct held){NAN, anonymous ? (double)anonymous : NAN, count_entries(files), count_entries(threads)};
}

struct held held_by(int64_t process)
{
    char number[24];

    snprintf(number, sizeof number, "%" PRId64, process);
    return held_in(number);
}

uint64_t memory_resident_now(void)
{
    FILE *f = fopen("/proc/self/statm", "re");
    uint64_t pages = 0;

    if (f && fscanf(f, "%*u %" SCNu64, &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

struct held held_now(void)
{
    struct held h = held_in("self");

#ifdef SANITIZED
    h.anonymous_bytes = NAN; /* freed blocks stay, and malloc is another one */
#elif defined(HAS_MALLINFO2)
    const struct mallinfo2 info = mallinfo2();

    h.heap_bytes = (double)info.uordblks + (double)info.hblkhd;
#endif
    h.files -= 1; /* the folder itself was open */
    return h;
}

double memory_growth_mb(const struct memory_use *then, const struct memory_use *now)
{
    return now->peak_bytes > then->peak_bytes ? memory_mb(now->peak_bytes - then->peak_bytes) : 0;
}

double memory_mb(uint64_t bytes)
{
    return (double)bytes / 1e6;
}

/* ---- a thread that sleeps on a condition, so that it ends at once ---- */

struct memory_monitor {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int32_t interval_ms;
    bool stop;     /* under the lock */
    uint64_t most; /* the thread's until it is joined */
};

static void look(struct memory_monitor *m)
{
    const uint64_t now = memory_now().rss_bytes;

    if (now > m->most)
        m->most = now;
}

static struct timespec next_look(const struct memory_monitor *m)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += m->interval_ms / 1000;
    t.tv_nsec += m->interval_ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

static void *watch(void *arg)
{
    struct memory_monitor *m = arg;

    pthread_mutex_lock(&m->lock);
    do {
        struct timespec until = next_look(m);

        look(m);
        while (!m->stop && pthread_cond_timedwait(&m->ended, &m->lock, &until) == 0)
            ;
    } while (!m->stop);
    pthread_mutex_unlock(&m->lock);
    look(m);
    return NULL;
}

enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err)
{
    struct memory_monitor *m = *out = calloc(1, sizeof *m);
    pthread_condattr_t monotonic;
    int code;

    if (!m)
        return err_set(err, ST_NOMEM, "out of memory");
    m->interval_ms = interval_ms;
    pthread_mutex_init(&m->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&m->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!(code = pthread_create(&m->thread, NULL, watch, m)))
        return ST_OK;
    pthread_cond_destroy(&m->ended);
    pthread_mutex_destroy(&m->lock);
    free(m);
    *out = NULL;
    return err_set(err, ST_FAILED, "no thread to watch memory with: %s", strerror(code));
}

uint64_t memory_monitor_stop(struct memory_monitor *m)
{
    uint64_t most;

    if (!m)
        return 0;
    pthread_mutex_lock(&m->lock);
    m->stop = true;
    pthread_cond_signal(&m->ended);
    pthread_mutex_unlock(&m->lock);
    pthread_join(m->thread, NULL);
    pthread_cond_destroy(&m->ended);
    pthread_mutex_destroy(&m->lock);
    most = m->most;
    free(m);
    return most;
}
