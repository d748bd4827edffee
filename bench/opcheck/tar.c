/* SPDX-License-Identifier: Apache-2.0 */
/* tar.c - headers of 512 bytes, each before the content of its member, which is filled up to 512 bytes. */
#include "bench/opcheck/tar.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK 512

/* Offsets and sizes of POSIX.1-1988's ustar header. Numbers are octal text. */
enum { NAME = 0, NAME_LENGTH = 100, SIZE = 124, CHECKSUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345, PREFIX_LENGTH = 155 };

static const char magic[8] = {'u', 's', 't', 'a', 'r', 0, '0', '0'};

struct tar tar_open(const char *name, const void *data, size_t bytes)
{
    return (struct tar){.name = name, .data = data, .bytes = bytes};
}

static enum status broken(const struct tar *t, const char *what, struct err *err)
{
    return err_set(err, ST_BAD_MODEL, "%s: at byte %zu: %s", t->name, t->at, what);
}

static bool all_zero(const uint8_t *p, size_t n)
{
    while (n && !*p)
        p++, n--;
    return !n;
}

/* `digits` octal digits with a NUL or a blank behind them. */
static bool octal(const uint8_t *p, size_t digits, size_t *out)
{
    *out = 0;
    for (size_t i = 0; i < digits; i++) {
        if (p[i] < '0' || p[i] > '7')
            return false;
        *out = *out * 8 + (size_t)(p[i] - '0');
    }
    return p[digits] == 0 || p[digits] == ' ';
}

/* The sum of all bytes of the header, with its own field counted as blanks. */
static size_t checksum(const uint8_t *header)
{
    size_t sum = 8 * ' ';

    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + 8 ? 0 : header[i];
    return sum;
}

/* Letters, digits and "._-", the first a letter or a digit: no folder, nothing hidden. */
static bool good_name(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    return *name && strchr(first, *name) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name);
}

static enum status read_header(struct tar *t, const uint8_t *h, struct tar_member *m, struct err *err)
{
    size_t sum;

    if (memcmp(h + MAGIC, magic, sizeof magic))
        return broken(t, "no ustar header", err);
    if (!octal(h + CHECKSUM, 6, &sum) || sum != checksum(h))
        return broken(t, "the header's checksum is wrong", err);
    if (h[TYPE] != '0' || !all_zero(h + PREFIX, PREFIX_LENGTH))
        return broken(t, "not a regular file with a short name", err);
    memcpy(m->name, h + NAME, NAME_LENGTH);
    m->name[NAME_LENGTH] = 0;
    if (!good_name(m->name))
        return broken(t, "a name that is empty or has other characters than letters, digits and \"._-\"", err);
    if (!octal(h + SIZE, 11, &m->bytes))
        return broken(t, "the size is no octal number", err);
    return ST_OK;
}

enum status tar_next(struct tar *t, struct tar_member *m, struct err *err)
{
    const uint8_t *h = t->data + t->at;
    size_t left = t->bytes - t->at;
    enum status st;

    *m = (struct tar_member){.bytes = 0};
    if (left < BLOCK)
        return broken(t, "the archive ends without an end", err);
    if (all_zero(h, BLOCK))
        return left < 2 * BLOCK || !all_zero(h, left) ? broken(t, "something other than zeros after the end", err) : ST_OK;
    if ((st = read_header(t, h, m, err)) ||
        (m->bytes > left - BLOCK && (st = broken(t, "the member is longer than the archive", err)))) {
        *m = (struct tar_member){.bytes = 0};
        return st;
    }
    m->data = h + BLOCK;
    left -= BLOCK + m->bytes;
    if (left < (BLOCK - m->bytes % BLOCK) % BLOCK) {
        *m = (struct tar_member){.bytes = 0};
        return broken(t, "the archive ends within a member", err);
    }
    t->at += BLOCK + (m->bytes + BLOCK - 1) / BLOCK * BLOCK;
    return ST_OK;
}
