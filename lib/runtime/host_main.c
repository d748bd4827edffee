/* SPDX-License-Identifier: Apache-2.0 */
/* host_main.c - the process that has the library: maps the shared memory, obeys commands, ends with the tool. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/runtime/host_impl.h"
#include "lib/runtime/runtime.h"

/* ---- for runtimes ---- */

void runtime_call(struct runtime_host *h, const char *name)
{
    snprintf(h->shared->call, sizeof h->shared->call, "%s", name);
}

void runtime_note(struct runtime_host *h, const char *name, int32_t node, bool delegated, uint64_t ns)
{
    struct runtime_event *e = &h->shared->events[h->shared->n_events];

    if (h->shared->n_events == RUNTIME_MAX_EVENTS)
        return;
    h->shared->n_events++;
    snprintf(e->name, sizeof e->name, "%s", name ? name : "");
    e->node = node;
    e->delegated = delegated;
    e->ns = ns;
}

/* What is dynamic goes behind the rest, where the file grows. */
static enum status append(struct runtime_host *h, struct runtime_tensor *t, const void *data, size_t bytes, struct err *err)
{
    size_t done = 0;

    t->offset = h->bytes;
    t->bytes = bytes;
    while (done < bytes) {
        const ssize_t n = pwrite(HOST_MEMORY, (const char *)data + done, bytes - done, (off_t)(h->bytes + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(err, ST_NOMEM, "no %.1f MB of memory for an output: %s", (double)bytes / 1e6, strerror(errno));
        done += (size_t)n;
    }
    h->bytes += bytes;
    return ST_OK;
}

enum status runtime_put(struct runtime_host *h, uint32_t i, const void *data, size_t bytes, const int32_t *dim, int32_t rank,
                        struct err *err)
{
    struct runtime_tensor *t = &h->outputs[i];

    if (!t->dynamic) {
        if (bytes != t->bytes)
            return err_set(err, ST_FAILED, "output %u \"%.80s\" has %zu bytes, and %llu by the model's shapes", i, t->name, bytes,
                           (unsigned long long)t->bytes);
        memcpy((char *)h->shared + t->offset, data, bytes);
        return ST_OK;
    }
    if (rank < 0 || rank > TENSOR_MAX_RANK)
        return err_set(err, ST_FAILED, "output %u \"%.80s\" has %d dimensions", i, t->name, rank);
    t->rank = rank;
    memcpy(t->dim, dim, (size_t)rank * sizeof *dim);
    return append(h, t, data, bytes, err);
}

static enum status add_option(const char *flag, const char *prefix, const char *line, char *options, size_t size, struct err *err)
{
    const size_t at = strlen(options), length = strcspn(line, "=");

    while (*line == ' ')
        line++;
    if (!*line || *line == '#')
        return ST_OK;
    if (!line[length] || !length)
        return err_set(err, ST_USAGE, "--%s: '%.60s' is no key=value", flag, line);
    if ((size_t)snprintf(options + at, size - at, "%s%s\n", prefix, line) >= size - at)
        return err_set(err, ST_USAGE, "--%s: the options are longer than %zu bytes", flag, size);
    return ST_OK;
}

enum status runtime_add_options(const char *flag, const char *prefix, const char *text, char *options, size_t size, struct err *err)
{
    const bool is_file = *text && !strchr(text, '=');
    char *copy, *rest, *line;
    enum status st = ST_OK;

    if (is_file) {
        FILE *f = fopen(text, "r");
        const size_t most = 1 << 16;
        size_t n = 0;

        if (!f)
            return err_set(err, ST_IO, "--%s=%.200s: no key=value, and no file that can be read", flag, text);
        if ((copy = malloc(most + 1)))
            copy[n = fread(copy, 1, most, f)] = '\0';
        fclose(f);
    } else {
        copy = strdup(text);
    }
    if (!copy)
        return err_set(err, ST_NOMEM, "out of memory for options");
    for (rest = copy; !st && (line = strtok_r(rest, is_file ? "\r\n" : ";", &rest));)
        st = add_option(flag, prefix, line, options, size, err);
    free(copy);
    return st;
}

const char *runtime_option(const char *options, const char *key, char *out, size_t size)
{
    const size_t n = strlen(key);

    *out = '\0';
    for (const char *line = options; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, key, n) && line[n] == '=')
            snprintf(out, size, "%.*s", (int)strcspn(line + n + 1, "\n"), line + n + 1);
    return out;
}

uint32_t runtime_section(const char *options, const char *section, void (*see)(void *arg, const char *key, const char *value),
                         void *arg)
{
    const size_t n = strlen(section);
    uint32_t lines = 0;

    for (const char *line = options; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char key[256], value[2048];
        const size_t length = strcspn(line, "=\n");

        if (strncmp(line, section, n) != 0 || line[n] != '.' || line[length] != '=' || length - n - 1 >= sizeof key)
            continue;
        snprintf(key, sizeof key, "%.*s", (int)(length - n - 1), line + n + 1);
        snprintf(value, sizeof value, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
        see(arg, key, value);
        lines++;
    }
    return lines;
}

/* ---- the process ---- */

static void answer(struct runtime_host *h, enum status st, const struct err *err)
{
    h->shared->status = st;
    if (st)
        snprintf(h->shared->message, sizeof h->shared->message, "%s", err->msg);
    runtime_call(h, "");
    if (send(HOST_SOCKET, "", 1, MSG_NOSIGNAL) != 1)
        _exit(0);
}

static enum status obey(const struct runtime *r, struct runtime_host *h, char command, struct err *err)
{
    h->bytes = h->fixed_bytes;
    h->profiling = command == HOST_PROFILE;
    h->shared->n_events = 0;
    return command == HOST_RESET ? r->reset(h, err) : r->run(h, err);
}

static const void *map_file(int fd, size_t *bytes, int writable)
{
    struct stat s;
    void *at;

    if (fstat(fd, &s))
        _exit(HOST_NO_START);
    *bytes = (size_t)s.st_size;
    at = mmap(NULL, *bytes, PROT_READ | writable, writable ? MAP_SHARED : MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        _exit(HOST_NO_START);
    return at;
}

void host_main(const struct runtime *r)
{
    struct runtime_host h = {0};
    struct err err = {""};
    char command;
    size_t bytes;
    enum status st;

    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int fd = HOST_FDS; fd < 256; fd++)
        close(fd);
    h.shared = (struct runtime_shared *)map_file(HOST_MEMORY, &bytes, PROT_WRITE);
    h.fixed_bytes = h.bytes = bytes;
    h.inputs = h.shared->tensors;
    h.outputs = h.inputs + h.shared->job.n_inputs;
    st = r->open(&h, &err);
    if (!st && h.shared->job.model_bytes) {
        h.model = map_file(HOST_MODEL, &bytes, 0);
        st = r->compile(&h, &err);
    }
    answer(&h, st, &err);
    while (recv(HOST_SOCKET, &command, 1, 0) == 1)
        answer(&h, obey(r, &h, command, &err), &err);
    _exit(0); /* nothing is closed: some libraries crash there */
}
