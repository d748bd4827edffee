/* SPDX-License-Identifier: Apache-2.0 */
/* file_write.c - beside the place, then renamed. */
#include "lib/base/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status fail(const char *path, struct err *err)
{
    return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
}

/* The place is there, and does not take what is to go into it: no fault of the command line. */
static enum status fail_writing(const char *path, struct err *err)
{
    return err_set(err, ST_FAILED, "%s: %s", path, strerror(errno));
}

static enum status write_all(int fd, const char *path, const void *data, size_t bytes, struct err *err)
{
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_writing(path, err);
        data = (const char *)data + n;
        bytes -= (size_t)n;
    }
    return ST_OK;
}

static enum status write_pieces(int fd, const char *path, const struct file_piece *pieces, size_t n, struct err *err)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < n && !st; i++)
        st = write_all(fd, path, pieces[i].data, pieces[i].bytes, err);
    /* Some file systems report a full disk no sooner than here. */
    if (close(fd) && !st)
        st = fail_writing(path, err);
    return st;
}

/* What is no regular file (a pipe, /dev/full) is written in place. */
static bool in_place(const char *path)
{
    struct stat info;

    return !stat(path, &info) && !S_ISREG(info.st_mode);
}

/* The file beside `path` that will take its place; -1 where it cannot be made. */
static int open_beside(const char *path, char temp[PATH_MAX], struct err *err)
{
    static atomic_uint number; /* threads may write at the same time */
    int fd;

    if (snprintf(temp, PATH_MAX, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&number, 1)) >= PATH_MAX) {
        err_set(err, ST_IO, "%.100s…: path is too long", path);
        return -1;
    }
    if ((fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        fail(path, err);
    return fd;
}

enum status file_write(const char *path, const struct file_piece *pieces, size_t n, struct err *err)
{
    char temp[PATH_MAX];
    enum status st;
    int fd;

    if (in_place(path)) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
        return fd < 0 ? fail(path, err) : write_pieces(fd, path, pieces, n, err);
    }
    if ((fd = open_beside(path, temp, err)) < 0)
        return ST_IO;
    st = write_pieces(fd, path, pieces, n, err);
    if (!st && rename(temp, path))
        st = fail_writing(path, err);
    if (st)
        unlink(temp);
    return st;
}

enum status file_try_write(const char *path, struct err *err)
{
    char temp[PATH_MAX];
    struct stat info;
    int fd;

    /* A pipe must not be opened twice: its reader would see an end. */
    if (in_place(path)) {
        errno = !stat(path, &info) && S_ISDIR(info.st_mode) ? EISDIR : 0;
        return errno || access(path, W_OK) ? fail(path, err) : ST_OK;
    }
    if ((fd = open_beside(path, temp, err)) < 0)
        return ST_IO;
    close(fd);
    unlink(temp);
    return ST_OK;
}
