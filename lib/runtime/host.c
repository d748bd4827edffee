/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - starting the process that has a library, asking it, and telling how it ended. */
#include "lib/runtime/host.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/sha256.h"
#include "lib/runtime/host_impl.h"

/* As the kernel has them: bionic and musl lack some. */
#define SEALING      2u /* MFD_ALLOW_SEALING */
#define CLOEXEC      1u /* MFD_CLOEXEC */
#define ADD_SEALS    (1024 + 9)
#define NO_SHRINKING 2 /* F_SEAL_SHRINK: what is mapped stays there */

extern char **environ;

struct host {
    const struct runtime *runtime;
    double deadline_s;
    pid_t pid; /* 0: it has ended */
    int socket, memory, log;
    size_t bytes; /* mapped */
    struct runtime_shared *shared;
    const struct runtime_tensor *tensors; /* [n_inputs + n_outputs] own copy of what was agreed */
    uint32_t n_inputs, n_outputs;
    struct runtime_facts facts;
    bool ran;
    off_t logged;                            /* bytes of the log that were seen */
    char over[sizeof((struct err *)0)->msg]; /* how it ended */
};

static bool can_start;

void host_serve(int argc, char **argv, const struct runtime *r)
{
    if (argc == 3 && !strcmp(argv[1], HOST_FLAG) && !strcmp(argv[2], r->name))
        host_main(r);
    can_start = true;
}

/* ---- a library, from outside ---- */

static enum status check_machine(const char *flag, const char *path, const unsigned char *head, size_t n, struct err *err)
{
    Elf32_Ehdr library, self; /* the same in its first fields for 64 bits */
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const bool known = fd >= 0 && read(fd, &self, sizeof self) == (ssize_t)sizeof self;

    if (fd >= 0)
        close(fd);
    if (n < sizeof library || memcmp(head, ELFMAG, SELFMAG) != 0)
        return err_set(err, ST_UNSUPPORTED, "--%s=%.300s: no shared library", flag, path);
    memcpy(&library, head, sizeof library);
    if (known && (library.e_machine != self.e_machine || library.e_ident[EI_CLASS] != self.e_ident[EI_CLASS]))
        return err_set(err, ST_UNSUPPORTED, "--%s=%.300s: a library for another machine (%d, ELF machine %d; this program: %d, %d)",
                       flag, path, library.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32, library.e_machine,
                       self.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32, self.e_machine);
    return ST_OK;
}

enum status host_check_library(const char *flag, const char *path, char sha256[65], struct err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    void *map = MAP_FAILED;
    enum status st;

    if (fd >= 0 && !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_size > 0)
        map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    st = map != MAP_FAILED ? check_machine(flag, path, map, (size_t)s.st_size, err)
                           : err_set(err, ST_IO, "--%s=%.300s: %s", flag, path, fd < 0 ? strerror(errno) : "no file with content");
    if (!st)
        sha256_hex(map, (size_t)s.st_size, sha256);
    if (map != MAP_FAILED)
        munmap(map, (size_t)s.st_size);
    if (fd >= 0)
        close(fd);
    return st;
}

/* ---- how it ended ---- */

static char *read_log(const struct host *h, off_t from, off_t *end)
{
    struct stat s;
    char *text;
    ssize_t n;

    *end = from;
    if (fstat(h->log, &s) || s.st_size <= from)
        return NULL;
    if (s.st_size - from > HOST_MOST_LOG)
        from = s.st_size - HOST_MOST_LOG;
    if (!(text = malloc((size_t)(s.st_size - from) + 1)))
        return NULL;
    n = pread(h->log, text, (size_t)(s.st_size - from), from);
    text[n > 0 ? n : 0] = '\0';
    *end = s.st_size;
    return text;
}

/* Its last lines, as many as fit, with " / " between and without what a terminal would obey. */
static void last_words(const struct host *h, char *out, size_t size)
{
    off_t end;
    char *text = read_log(h, 0, &end), *begin;
    size_t n = 0;

    *out = '\0';
    if (!text)
        return;
    for (end = (off_t)strlen(text); end && strchr(" \n\r\t", text[end - 1]);)
        text[--end] = '\0';
    begin = text + ((size_t)end > size / 2 ? (size_t)end - size / 2 : 0);
    if (begin > text && strchr(begin, '\n'))
        begin = strchr(begin, '\n') + 1;
    for (; *begin && n + 4 < size; begin++)
        if (*begin == '\n')
            n += (size_t)snprintf(out + n, size - n, " / ");
        else
            out[n++] = (unsigned char)*begin < ' ' ? ' ' : *begin;
    out[n] = '\0';
    free(text);
}

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"},
                 {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"}, {SIGXCPU, "SIGXCPU"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "a signal";
}

/* The process is gone, or is ended here because the deadline has passed. */
static enum status tell_end(struct host *h, bool late, struct err *err)
{
    char call[sizeof h->shared->call + 3] = "", words[300], how[64];
    int status = 0;

    if (h->pid) {
        memcpy(call, h->shared->call, sizeof h->shared->call);
        snprintf(call + strnlen(call, sizeof h->shared->call - 1), 3, "()");
        if (late)
            kill(h->pid, SIGKILL);
        while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
            ;
        h->pid = 0;
        if (late)
            snprintf(how, sizeof how, "gave no answer in %g s", h->deadline_s);
        else if (WIFSIGNALED(status))
            snprintf(how, sizeof how, "ended by %s (%d)", signal_name(WTERMSIG(status)), WTERMSIG(status));
        else
            snprintf(how, sizeof how, "ended the process with status %d", WEXITSTATUS(status));
        last_words(h, words, sizeof words);
        snprintf(h->over, sizeof h->over, "%s %s in %s%s%s", h->runtime->name, how,
                 strcmp(call, "()") ? call : "no call of the library", *words ? "; its last words: " : "", words);
    }
    return err_set(err, ST_FAILED, "%s", h->over);
}

/* ---- commands ---- */

/* Waits for the answer; a signal of the tool's own does not end that. */
static enum status await(struct host *h, struct err *err)
{
    const uint64_t end = clock_ns() + (uint64_t)(h->deadline_s * 1e9);
    char answer;
    ssize_t n;

    for (;;) {
        const uint64_t now = clock_ns();
        struct pollfd p = {.fd = h->socket, .events = POLLIN};
        const uint64_t left_ms = now < end ? (end - now) / 1000000 + 1 : 0;
        const int ready = left_ms ? poll(&p, 1, left_ms < 1 << 30 ? (int)left_ms : 1 << 30) : 0;

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return tell_end(h, true, err);
        n = recv(h->socket, &answer, 1, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        break;
    }
    if (n != 1)
        return tell_end(h, false, err);
    return ST_OK;
}

static enum status ask(struct host *h, char command, struct err *err)
{
    enum status st;
    int32_t answer;

    if (!h->pid)
        return err_set(err, ST_FAILED, "%s", h->over);
    if (command && send(h->socket, &command, 1, MSG_NOSIGNAL) != 1)
        return tell_end(h, false, err);
    if ((st = await(h, err)))
        return st;
    answer = h->shared->status;
    if (answer <= ST_LATER || answer >= ST_COUNT)
        return answer ? err_set(err, ST_FAILED, "%s: its host gives an impossible answer", h->runtime->name) : ST_OK;
    return err_set(err, (enum status)answer, "%s: %.*s", h->runtime->name, (int)sizeof h->shared->message - 1, h->shared->message);
}

/* ---- starting ---- */

static int memory_file(const char *name)
{
    return (int)syscall(SYS_memfd_create, name, SEALING | CLOEXEC);
}

static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *from = data;

    while (bytes) {
        const ssize_t n = write(fd, from, bytes < 1u << 30 ? bytes : 1u << 30);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

static uint64_t round_up(uint64_t n)
{
    return (n + HOST_ALIGN - 1) / HOST_ALIGN * HOST_ALIGN;
}

/* Sets offsets, and makes the shared memory. */
static enum status share(struct host *h, const struct runtime_job *job, const struct runtime_tensor *tensors, struct err *err)
{
    const uint32_t n = job->n_inputs + job->n_outputs;
    struct runtime_tensor *own = calloc((size_t)n + 1, sizeof *own);
    uint64_t at = round_up(sizeof *h->shared + n * sizeof *tensors);

    if (!(h->tensors = own))
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", n);
    for (uint32_t i = 0; i < n; i++) {
        own[i] = tensors[i];
        own[i].offset = at;
        at = round_up(at + (own[i].dynamic ? 0 : own[i].bytes));
    }
    h->bytes = at;
    if ((h->memory = memory_file("runtime")) < 0 || ftruncate(h->memory, (off_t)at) || fcntl(h->memory, ADD_SEALS, NO_SHRINKING) ||
        (h->shared = mmap(NULL, at, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0)) == MAP_FAILED) {
        h->shared = NULL;
        return err_set(err, ST_NOMEM, "no %.1f MB of memory to share with the host of %s: %s", (double)at / 1e6, h->runtime->name,
                       strerror(errno));
    }
    h->shared->job = *job;
    memcpy(h->shared->tensors, own, n * sizeof *own);
    return ST_OK;
}

/* The environment of the host: that of the tool, where `more` does not say otherwise; NULL: out of memory. */
static const char **merge_environment(const char *const *more)
{
    size_t n = 0, n_more = 0, n_all;
    const char **all;

    while (environ && environ[n])
        n++;
    while (more && more[n_more])
        n_more++;
    if (!(all = calloc(n + n_more + 1, sizeof *all)))
        return NULL;
    for (n_all = 0; n_all < n_more; n_all++)
        all[n_all] = more[n_all];
    for (size_t i = 0; i < n; i++) {
        const size_t length = strcspn(environ[i], "=") + 1;
        size_t k = 0;

        while (k < n_more && strncmp(more[k], environ[i], length) != 0)
            k++;
        if (k == n_more)
            all[n_all++] = environ[i];
    }
    return all;
}

/* In the child: nothing but calls that a signal handler may make. */
static void become_host(const struct runtime *r, const int fds[HOST_FDS], const char *const *environment)
{
    char *const argv[] = {(char *)"delegauge-host", (char *)HOST_FLAG, (char *)r->name, NULL};
    int high[HOST_FDS];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is the tool's alone */
    for (int i = 0; i < HOST_FDS; i++)
        high[i] = fcntl(fds[i], F_DUPFD, HOST_FDS);
    for (int i = 0; i < HOST_FDS; i++)
        if (high[i] < 0 || dup2(high[i], i) < 0)
            _exit(HOST_NO_START);
    execve("/proc/self/exe", argv, (char *const *)environment);
    _exit(HOST_NO_START);
}

static enum status start(struct host *h, int model, const char *const *more, struct err *err)
{
    const char **environment = merge_environment(more);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int pair[2] = {-1, -1};
    enum status st = ST_OK;
    pid_t pid = -1;

    if (environment && null >= 0 && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) &&
        (h->log = memory_file("log")) >= 0 && !fcntl(h->log, F_SETFL, O_APPEND) && (pid = fork()) == 0)
        become_host(h->runtime, (const int[HOST_FDS]){null, h->log, h->log, pair[1], h->memory, model >= 0 ? model : null},
                    environment);
    if (pid < 0)
        st = err_set(err, ST_FAILED, "%s: no process for its library: %s", h->runtime->name, strerror(errno));
    else
        h->pid = pid;
    h->socket = pair[0];
    if (pair[1] >= 0)
        close(pair[1]);
    if (null >= 0)
        close(null);
    free(environment);
    return st;
}

/* The host's texts end within their arrays. */
static void take_facts(struct host *h)
{
    struct runtime_facts *f = &h->facts;

    *f = h->shared->facts;
    f->version[sizeof f->version - 1] = f->accelerators[sizeof f->accelerators - 1] = f->used[sizeof f->used - 1] = '\0';
    f->cache[sizeof f->cache - 1] = f->left[sizeof f->left - 1] = f->refused[sizeof f->refused - 1] = '\0';
    for (char *c = f->refused; *c; c++) /* one sentence */
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
}

enum status host_start(const struct host_options *o, const struct runtime_job *job, const struct runtime_tensor *tensors,
                       const void *model, struct host **out, struct err *err)
{
    struct host *h = *out = calloc(1, sizeof *h);
    int file = -1;
    enum status st;

    if (!h)
        return err_set(err, ST_NOMEM, "out of memory");
    *h = (struct host){.runtime = o->runtime, .deadline_s = o->deadline_s, .socket = -1, .memory = -1, .log = -1};
    h->n_inputs = job->n_inputs;
    h->n_outputs = job->n_outputs;
    if (!can_start)
        st = err_set(err, ST_UNSUPPORTED,
                     "%s runs in a process that the program starts of itself, and this one cannot: the tools can",
                     o->runtime->name);
    else if (job->n_inputs > RUNTIME_MAX_TENSORS || job->n_outputs > RUNTIME_MAX_TENSORS)
        st = err_set(err, ST_UNSUPPORTED, "%s: the model has %u inputs and %u outputs: %d at most", o->runtime->name, job->n_inputs,
                     job->n_outputs, RUNTIME_MAX_TENSORS);
    else if (job->model_bytes && ((file = memory_file("model")) < 0 || !write_all(file, model, job->model_bytes)))
        st = err_set(err, ST_NOMEM, "no %.1f MB of memory for the model: %s", (double)job->model_bytes / 1e6, strerror(errno));
    else if (!(st = share(h, job, tensors, err)) && !(st = start(h, file, o->environment, err)))
        st = ask(h, 0, err);
    if (file >= 0)
        close(file);
    if (st) {
        host_free(h);
        *out = NULL;
        return st;
    }
    take_facts(h);
    return ST_OK;
}

void host_free(struct host *h)
{
    if (!h)
        return;
    if (h->pid) {
        kill(h->pid, SIGKILL);
        while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    for (size_t i = 0; i < 3; i++) {
        const int fd = (const int[]){h->socket, h->memory, h->log}[i];

        if (fd >= 0)
            close(fd);
    }
    if (h->shared)
        munmap(h->shared, h->bytes);
    free((void *)h->tensors);
    free(h);
}

/* ---- what comes of it ---- */

const struct runtime_facts *host_facts(const struct host *h)
{
    return &h->facts;
}

void *host_input(const struct host *h, uint32_t i)
{
    return (char *)h->shared + h->tensors[i].offset;
}

void *host_output(const struct host *h, uint32_t i)
{
    const struct runtime_tensor *t = &h->tensors[h->n_inputs + i];

    return t->dynamic ? NULL : (char *)h->shared + t->offset;
}

enum status host_run(struct host *h, bool profiled, struct err *err)
{
    const enum status st = ask(h, profiled ? HOST_PROFILE : HOST_RUN, err);

    if (!st && !h->ran) /* some are known only then */
        take_facts(h);
    h->ran = true;
    return st;
}

enum status host_reset(struct host *h, struct err *err)
{
    return ask(h, HOST_RESET, err);
}

struct runtime_times host_times(const struct host *h)
{
    return h->shared->times;
}

uint32_t host_n_events(const struct host *h)
{
    const uint32_t n = h->shared->n_events;

    return n < RUNTIME_MAX_EVENTS ? n : RUNTIME_MAX_EVENTS;
}

void host_event(const struct host *h, uint32_t i, struct runtime_event *out)
{
    *out = h->shared->events[i];
    out->name[sizeof out->name - 1] = '\0';
}

enum status host_output_shape(const struct host *h, uint32_t i, struct runtime_tensor *shape, struct err *err)
{
    const struct runtime_tensor *agreed = &h->tensors[h->n_inputs + i];
    struct stat s;
    size_t elems;
    enum status st;

    *shape = h->shared->tensors[h->n_inputs + i];
    if (!agreed->dynamic) {
        *shape = *agreed;
        return ST_OK;
    }
    if ((st = shape_elems(shape->dim, shape->rank, &elems, err)))
        return err_prefix(err, ST_FAILED, "%s: output %u", h->runtime->name, i);
    if (shape->bytes != (elems * type_bits((enum tensor_type)agreed->type) + 7) / 8 || fstat(h->memory, &s) ||
        shape->offset < h->bytes || shape->offset > (uint64_t)s.st_size || shape->bytes > (uint64_t)s.st_size - shape->offset)
        return err_set(err, ST_FAILED, "%s: output %u has an impossible size", h->runtime->name, i);
    return ST_OK;
}

enum status host_output_read(const struct host *h, uint32_t i, const struct runtime_tensor *shape, void *data, struct err *err)
{
    size_t done = 0;

    while (done < shape->bytes) {
        const ssize_t n = pread(h->memory, (char *)data + done, shape->bytes - done, (off_t)(shape->offset + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(err, ST_FAILED, "%s: output %u cannot be read", h->runtime->name, i);
        done += (size_t)n;
    }
    return ST_OK;
}

uint64_t host_memory(const struct host *h)
{
    char path[64];
    unsigned long long pages = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)h->pid);
    if (!h->pid || !(f = fopen(path, "r")))
        return 0;
    if (fscanf(f, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

int64_t host_process(const struct host *h)
{
    return h->pid;
}

void host_log(struct host *h, void (*see)(void *arg, const char *line), void *arg)
{
    char *text = read_log(h, h->logged, &h->logged), *rest = text, *line;

    while (rest && (line = strtok_r(rest, "\n", &rest)))
        see(arg, line);
    free(text);
}
