/* SPDX-License-Identifier: Apache-2.0 */
/* abi.h - TFLite's C ABI by sizes and offsets, for the delegates of this folder.
 *
 * It is written without a header of this project, so that both cannot be wrong in the same way. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct ints {
    int size, data[];
};

/* 88 bytes now, 64 in the past. */
struct old_kind {
    void *(*init)(char *c, const char *data, size_t bytes);
    void (*free)(char *c, void *user);
    int (*prepare)(char *c, char *node), (*invoke)(char *c, char *node);
    void *string;
    int32_t builtin;
    const char *custom;
    int version;
};
struct kind {
    struct old_kind old;
    void *external, *async;
    uint64_t inplace;
};

/* The member of a struct of the ABI that begins so many bytes behind its start. */
#define AT(type, base, offset) (*(type *)((char *)(base) + (offset)))
#define TENSOR(c, i)           (AT(char *, c, 16) + 112L * (i))
typedef int (*plan_fn)(char *, struct ints **);
typedef int (*node_fn)(char *, int, char **, struct kind **);
typedef int (*replace_fn)(char *, struct kind, const struct ints *, char *);
typedef int (*resize_fn)(char *, char *, struct ints *);

static struct ints *copy_of(const struct ints *l)
{
    return memcpy(malloc(sizeof *l + (size_t)l->size * sizeof(int)), l, sizeof *l + (size_t)l->size * sizeof(int));
}
