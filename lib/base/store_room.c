/* SPDX-License-Identifier: Apache-2.0 */
/* store_room.c - which entries go so that another fits: those that were used longest ago. */
#define _GNU_SOURCE
#include "lib/base/store_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct old_entry {
    char name[NAME_MAX + 1];
    uint64_t bytes;
    struct timespec used;
};

struct old_entries {
    struct old_entry *list;
    size_t n, cap;
    uint64_t bytes; /* of all */
};

/* TOKEN_KEY.dgs with 32 digits of the key: nothing else in the folder is ours to remove. */
static bool names_entry(const char *name)
{
    const size_t n = strlen(name);
    const char *key;

    if (n <= 37 || *name == '.' || strcmp(name + n - 4, ".dgs") != 0)
        return false;
    key = name + n - 36;
    return key[-1] == '_' && strspn(key, "0123456789abcdef") == 32;
}

static bool add_entry(struct old_entries *all, const char *name, const struct stat *info)
{
    if (all->n == all->cap) {
        size_t more = all->cap ? 2 * all->cap : 64;
        struct old_entry *grown = realloc(all->list, more * sizeof *grown);

        if (!grown)
            return false;
        all->list = grown;
        all->cap = more;
    }
    snprintf(all->list[all->n].name, sizeof all->list->name, "%s", name);
    all->list[all->n].bytes = (uint64_t)info->st_size;
    all->list[all->n++].used = info->st_mtim;
    all->bytes += (uint64_t)info->st_size;
    return true;
}

/* All but that of `path`, which is to be replaced. */
static bool list_entries(DIR *d, const char *path, struct old_entries *all)
{
    struct dirent *e;
    struct stat info;

    while ((e = readdir(d)))
        if (names_entry(e->d_name) && strcmp(e->d_name, strrchr(path, '/') + 1) != 0 &&
            !fstatat(dirfd(d), e->d_name, &info, AT_SYMLINK_NOFOLLOW) && S_ISREG(info.st_mode) && !add_entry(all, e->d_name, &info))
            return false;
    return true;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct old_entry *)a)->used, *y = &((const struct old_entry *)b)->used;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Another process may be quicker: what is gone is gone. */
static void remove_oldest(DIR *d, const struct old_entries *all, uint64_t too_much)
{
    for (size_t i = 0; i < all->n && too_much; i++) {
        unlinkat(dirfd(d), all->list[i].name, 0);
        too_much -= all->list[i].bytes < too_much ? all->list[i].bytes : too_much;
    }
}

static enum status make_room(DIR *d, const char *dir, const struct store_bound *bound, struct old_entries *all, uint64_t bytes,
                             struct err *err)
{
    uint64_t stay = bytes, most = bound->max_bytes;

    if (all->n)
        qsort(all->list, all->n, sizeof *all->list, by_use);
    for (size_t i = 0; i < all->n; i++)
        stay += all->list[i].used.tv_sec >= bound->since ? all->list[i].bytes : 0;
    if (stay > most)
        return err_set(err, ST_IO, "%s: at most %llu bytes may be kept there, and this start and those that go on need %llu", dir,
                       (unsigned long long)most, (unsigned long long)stay);
    remove_oldest(d, all, all->bytes + bytes > most ? all->bytes + bytes - most : 0);
    return ST_OK;
}

enum status store_make_room(const struct store_id *id, uint64_t bytes, const struct store_bound *bound, struct err *err)
{
    struct old_entries all = {NULL, 0, 0, 0};
    char path[4096];
    enum status st = store_path(id, path, sizeof path, err);
    DIR *d;

    if (st || !bound->max_bytes)
        return st;
    if (!(d = opendir(id->dir)))
        return err_set(err, ST_IO, "%s: cannot be read: %s", id->dir, strerror(errno));
    st = list_entries(d, path, &all) ? make_room(d, id->dir, bound, &all, bytes, err) : err_set(err, ST_NOMEM, "out of memory");
    closedir(d);
    free(all.list);
    return st;
}
