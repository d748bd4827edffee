/* SPDX-License-Identifier: Apache-2.0 */
/* file_map.c - mmap of whole pages around a range. */
#include "lib/model/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_map_open(const char *path, struct file_map *out, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    enum status st = ST_OK;
    struct stat info;

    *out = (struct file_map){.fd = -1};
    if (fd < 0)
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &info))
        st = err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        st = err_set(err, ST_IO, "%s: is a directory, not a .tflite file", path);
    else if (!S_ISREG(info.st_mode))
        st = err_set(err, ST_IO, "%s: is not a regular file", path);
    if (st) {
        close(fd);
        return st;
    }
    *out = (struct file_map){.fd = fd, .bytes = (uint64_t)info.st_size};
    return ST_OK;
}

void file_map_memory(const void *data, size_t bytes, struct file_map *out)
{
    *out = (struct file_map){.fd = -1, .memory = data, .bytes = bytes};
}

void file_map_close(struct file_map *f)
{
    if (f->fd > 0)
        close(f->fd);
    *f = (struct file_map){.fd = -1};
}

bool file_map_has(const struct file_map *f, uint64_t at, uint64_t bytes)
{
    return at <= f->bytes && bytes <= f->bytes - at;
}

enum status file_map_range(const struct file_map *f, uint64_t at, uint64_t bytes, struct file_range *out, struct err *err)
{
    const uint64_t before = at % (uint64_t)sysconf(_SC_PAGESIZE);

    *out = (struct file_range){.bytes = (size_t)bytes};
    if (!bytes)
        return ST_OK;
    if (f->fd < 0) {
        out->data = f->memory + at;
        return ST_OK;
    }
    if (bytes > SIZE_MAX / 2)
        return err_set(err, ST_NOMEM, "%llu bytes do not fit the address space", (unsigned long long)bytes);
    out->pages_bytes = (size_t)(bytes + before);
    out->pages = mmap(NULL, out->pages_bytes, PROT_READ, MAP_PRIVATE, f->fd, (off_t)(at - before));
    if (out->pages == MAP_FAILED) {
        *out = (struct file_range){0};
        return err_set(err, ST_IO, "%llu bytes at %llu cannot be mapped: %s", (unsigned long long)bytes, (unsigned long long)at,
                       strerror(errno));
    }
    out->data = (const uint8_t *)out->pages + before;
    return ST_OK;
}

void file_unmap(struct file_range *r)
{
    if (r->pages)
        munmap(r->pages, r->pages_bytes);
    *r = (struct file_range){0};
}

bool file_map_copy(const struct file_map *f, uint64_t at, size_t bytes, void *to)
{
    size_t done = 0;

    if (!file_map_has(f, at, bytes))
        return false;
    if (f->fd < 0) {
        memcpy(to, f->memory + at, bytes);
        return true;
    }
    while (done < bytes) {
        ssize_t n = pread(f->fd, (char *)to + done, bytes - done, (off_t)(at + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}
