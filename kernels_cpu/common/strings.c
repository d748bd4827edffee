/* SPDX-License-Identifier: Apache-2.0 */
/* strings.c - STRING tensors: their offsets checked, one string found, a new content put together. */
#include "kernels_cpu/common/strings.h"

#include <string.h>

static int32_t word(const struct tensor *t, size_t i)
{
    int32_t v;

    memcpy(&v, (const uint8_t *)t->data + i * sizeof v, sizeof v);
    return v;
}

enum status strings_check(const struct tensor *t, struct err *err)
{
    size_t n = tensor_elems(t), head = (n + 2) * sizeof(int32_t);

    if (t->bytes < head || word(t, 0) < 0 || (size_t)word(t, 0) != n)
        return err_set(err, ST_BAD_MODEL, "%s has %zu bytes that hold %d strings, expected %zu", TENSOR_TEXT(t), t->bytes,
                       t->bytes < sizeof(int32_t) ? 0 : word(t, 0), n);
    for (size_t i = 0; i <= n; i++) {
        int32_t at = word(t, i + 1);

        if (at < 0 || (size_t)at < head || (size_t)at > t->bytes || (i && at < word(t, i)))
            return err_set(err, ST_BAD_MODEL, "%s: string %zu is at %d of %zu bytes", TENSOR_TEXT(t), i, at, t->bytes);
    }
    return ST_OK;
}

const char *strings_get(const struct tensor *t, size_t i, size_t *length)
{
    int32_t begin = word(t, i + 1), end = word(t, i + 2);

    *length = (size_t)(end - begin);
    return (const char *)t->data + begin;
}

static const char *picked(const struct tensor *x, int32_t index, size_t *length)
{
    *length = 0;
    return index < 0 ? "" : strings_get(x, (size_t)index, length);
}

enum status strings_pick(struct cpu_call *c, uint32_t out, const struct tensor *x, const int32_t *pick, struct err *err)
{
    struct tensor *y = c->node->out[out];
    size_t n = tensor_elems(y), bytes = (n + 2) * sizeof(int32_t), length;
    enum status st;

    for (size_t i = 0; i < n; i++) {
        picked(x, pick[i], &length);
        bytes += length;
    }
    if (bytes > INT32_MAX)
        return err_set(err, ST_NOMEM, "the strings take %zu bytes, the most possible is %d", bytes, INT32_MAX);
    if ((st = cpu_resize_output(c, out, y->dim, y->rank, bytes, err)))
        return st;
    int32_t *head = y->data, at = (int32_t)((n + 2) * sizeof(int32_t));
    *head++ = (int32_t)n;
    for (size_t i = 0; i < n; i++) {
        const char *s = picked(x, pick[i], &length);

        *head++ = at;
        memcpy((char *)y->data + at, s, length);
        at += (int32_t)length;
    }
    *head = at;
    return ST_OK;
}
