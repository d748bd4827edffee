/* SPDX-License-Identifier: Apache-2.0 */
/* files.c - raw files in and out, every error reported with the path. */
#include "cmd/host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/host/interrupt.h"

static enum status fail(const char *path, struct err *err)
{
    return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
}

/* Until there is something to read, or the end: a pipe may let one wait for ever, and a signal is to end that, too. */
static enum status wait_for(int fd, const char *path, struct err *err)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n;

    while ((n = poll(&p, 1, 200)) <= 0) {
        if (interrupted())
            return err_set(err, ST_LATER, "%s: interrupted before there was anything to read", path);
        if (n < 0 && errno != EINTR)
            return fail(path, err);
    }
    return ST_OK;
}

/* Up to `bytes` bytes; *got is less only at the end of the file. */
static enum status read_up_to(int fd, const char *path, void *data, size_t bytes, size_t *got, struct err *err)
{
    for (*got = 0; *got < bytes;) {
        enum status st = wait_for(fd, path, err);
        ssize_t n;

        if (st)
            return st;
        n = read(fd, (char *)data + *got, bytes - *got);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return fail(path, err);
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return ST_OK;
}

enum status file_read_exact(const char *path, void *data, size_t bytes, struct err *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    enum status st = ST_OK;
    struct stat info;
    size_t got = 0;
    char more;

    if (fd < 0)
        return fail(path, err);
    if (fstat(fd, &info))
        st = fail(path, err);
    else if (S_ISREG(info.st_mode) && (uint64_t)info.st_size != bytes)
        st = err_set(err, ST_USAGE, "%s has %lld bytes, the tensor needs %zu", path, (long long)info.st_size, bytes);
    else if (!(st = read_up_to(fd, path, data, bytes, &got, err)) && got != bytes)
        st = err_set(err, ST_USAGE, "%s has %zu bytes, the tensor needs %zu", path, got, bytes);
    /* A pipe does not know its size beforehand. */
    else if (!st && !(st = read_up_to(fd, path, &more, 1, &got, err)) && got)
        st = err_set(err, ST_USAGE, "%s has more than the %zu bytes that the tensor needs", path, bytes);
    close(fd);
    return st;
}

enum status file_read_all(const char *path, size_t max, void **out, size_t *bytes, struct err *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    enum status st = ST_OK;
    struct stat info;

    *out = NULL;
    if (fd < 0)
        return fail(path, err);
    if (fstat(fd, &info))
        st = fail(path, err);
    else if (!S_ISREG(info.st_mode))
        st = err_set(err, ST_IO, "%s is no regular file", path);
    else if ((uint64_t)info.st_size > max)
        st = err_set(err, ST_USAGE, "%s has %lld bytes, at most %zu are read", path, (long long)info.st_size, max);
    else if (!(*out = malloc((size_t)info.st_size + 1)))
        st = err_set(err, ST_NOMEM, "%s: out of memory for its %lld bytes", path, (long long)info.st_size);
    else
        st = read_up_to(fd, path, *out, (size_t)info.st_size, bytes, err);
    close(fd);
    if (st) {
        free(*out);
        *out = NULL;
    }
    return st;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of the folder that `path` lies in; *name is what follows. */
static bool stat_folder(const char *path, struct stat *info, const char **name)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    *name = slash ? slash + 1 : path;
    if (!slash)
        return !stat(".", info);
    return snprintf(folder, sizeof folder, "%.*s", (int)(slash + 1 - path), path) < (int)sizeof folder && !stat(folder, info);
}

bool file_is_same(const char *a, const char *b)
{
    const char *a_name, *b_name;
    struct stat a_info, b_info;

    if (!stat(a, &a_info))
        return (S_ISREG(a_info.st_mode) || S_ISDIR(a_info.st_mode)) && !stat(b, &b_info) && same_inode(&a_info, &b_info);
    if (!stat_folder(a, &a_info, &a_name) || !stat_folder(b, &b_info, &b_name))
        return !strcmp(a, b);
    return same_inode(&a_info, &b_info) && !strcmp(a_name, b_name);
}

bool file_ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);

    return n >= m && !strcasecmp(name + n - m, ending);
}

enum status file_make_dir(const char *path, struct err *err)
{
    char part[PATH_MAX];
    struct stat info;

    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return err_set(err, ST_IO, "%.100s…: path is too long", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return fail(part, err);
        *slash = '/';
    }
    if (mkdir(part, 0777) && errno != EEXIST)
        return fail(part, err);
    if (stat(part, &info))
        return fail(part, err);
    if (!S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return fail(part, err);
    }
    return ST_OK;
}

enum status file_try_write_dir(const char *path, struct err *err)
{
    enum status st = file_make_dir(path, err);
    char inside[PATH_MAX];

    if (st)
        return st;
    if (snprintf(inside, sizeof inside, "%s/try", path) >= (int)sizeof inside)
        return err_set(err, ST_IO, "%.100s…: path is too long", path);
    return file_try_write(inside, err);
}
