/* SPDX-License-Identifier: Apache-2.0 */
/* store_write.c - a temporary file beside the place, to the disk, then renamed; and what killed processes left. */
#define _GNU_SOURCE
#include "lib/base/store_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/hash64.h"

static enum status failed(const char *path, const char *doing, struct err *err)
{
    return err_set(err, ST_IO, "%s: %s: %s", path, doing, strerror(errno));
}

/* Nobody who still writes is that slow; should one be, its rename fails, and it says so. */
static void remove_stale(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    struct stat info;

    while (d && (e = readdir(d)))
        if (!strncmp(e->d_name, STORE_TEMPORARY, strlen(STORE_TEMPORARY)) &&
            !fstatat(dirfd(d), e->d_name, &info, AT_SYMLINK_NOFOLLOW) && S_ISREG(info.st_mode) &&
            time(NULL) - info.st_mtime > STORE_STALE_S)
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
}

/* Opens a new file of a name that nobody else has: the number tells this process's threads apart, O_EXCL everybody else. */
static int open_temporary(const char *dir, char *path, size_t size)
{
    static atomic_uint number;
    int fd = -1, n;

    for (int i = 0; i < 100 && fd < 0; i++) {
        n = snprintf(path, size, "%s/" STORE_TEMPORARY "%ld-%u", dir, (long)getpid(), atomic_fetch_add(&number, 1));
        if (n < 0 || (size_t)n >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

static bool write_all(int fd, const void *data, size_t bytes)
{
    const uint8_t *p = data;

    while (bytes) {
        ssize_t n = write(fd, p, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static void fill_head(struct store_head *h, const char *key, const struct store_section *s, uint32_t n)
{
    uint64_t end = STORE_HEAD_BYTES(n);

    memset(h, 0, sizeof *h);
    memcpy(h->magic, STORE_MAGIC, sizeof h->magic);
    h->version = STORE_VERSION;
    h->n_sections = n;
    memcpy(h->key, key, sizeof h->key);
    for (uint32_t i = 0; i < n; i++) {
        h->rows[i] = (struct store_row){
            .kind = s[i].kind, .offset = store_align(end), .bytes = s[i].bytes, .hash = hash64(s[i].data, s[i].bytes)};
        end = h->rows[i].offset + s[i].bytes;
    }
    h->bytes = end;
    h->hash = store_head_hash(h);
}

static bool write_entry(int fd, const struct store_head *h, const struct store_section *s)
{
    static const uint8_t zeros[STORE_ALIGN];
    uint64_t end = STORE_HEAD_BYTES(h->n_sections);

    if (!write_all(fd, h, end))
        return false;
    for (uint32_t i = 0; i < h->n_sections; i++) {
        if (!write_all(fd, zeros, h->rows[i].offset - end) || !write_all(fd, s[i].data, s[i].bytes))
            return false;
        end = h->rows[i].offset + s[i].bytes;
    }
    return fsync(fd) == 0;
}

/* After this, the new name survives a loss of power. Some file systems cannot and say EINVAL. */
static enum status sync_folder(const char *dir, struct err *err)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum status st = ST_OK;

    if (fd < 0)
        return failed(dir, "cannot be opened", err);
    if (fsync(fd) && errno != EINVAL)
        st = failed(dir, "cannot be brought to the disk", err);
    close(fd);
    return st;
}

enum status store_make_dir(const char *dir, struct err *err)
{
    struct stat info;
    int why;

    if (!mkdir(dir, 0700) || errno == EEXIST)
        return ST_OK;
    why = errno;
    if (!stat(dir, &info)) /* as on a disk that is only read */
        return ST_OK;
    errno = why;
    return failed(dir, "the folder cannot be made", err);
}

enum status store_write(const struct store_id *id, const struct store_section *sections, uint32_t n,
                        const struct store_bound *bound, struct err *err)
{
    char path[4096], beside[4096];
    enum status st = store_path(id, path, sizeof path, err);
    struct store_head head;
    int fd;

    if (st || (st = store_make_dir(id->dir, err)))
        return st;
    fill_head(&head, id->key, sections, n);
    remove_stale(id->dir);
    if ((st = store_make_room(id, head.bytes, bound, err)))
        return st;
    if ((fd = open_temporary(id->dir, beside, sizeof beside)) < 0)
        return failed(id->dir, "no file can be made there", err);
    if (!write_entry(fd, &head, sections))
        st = failed(path, "cannot be written", err);
    if (close(fd) && !st)
        st = failed(path, "cannot be written", err);
    if (!st && rename(beside, path))
        st = failed(path, "cannot be put in place", err);
    if (st) {
        unlink(beside);
        return st;
    }
    return sync_folder(id->dir, err);
}
