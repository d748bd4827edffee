/* SPDX-License-Identifier: Apache-2.0 */
/* npy_write.c - a tensor as a .npy file of version 1.0. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/file_write.h"
#include "lib/tensor/npy.h"

/* Elements begin at a multiple of this, as NumPy writes them: whoever maps the file finds them aligned. */
#define ALIGN 64

/* NULL for what the format cannot hold. */
static const char *descr_of(enum tensor_type type)
{
    switch (type) {
    case TYPE_FLOAT32: return "<f4";
    case TYPE_FLOAT16: return "<f2";
    case TYPE_FLOAT64: return "<f8";
    case TYPE_BFLOAT16: return "|V2";
    case TYPE_COMPLEX64: return "<c8";
    case TYPE_COMPLEX128: return "<c16";
    case TYPE_BOOL: return "|b1";
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8: return "|i1";
    case TYPE_UINT4:
    case TYPE_UINT8: return "|u1";
    case TYPE_INT16: return "<i2";
    case TYPE_UINT16: return "<u2";
    case TYPE_INT32: return "<i4";
    case TYPE_UINT32: return "<u4";
    case TYPE_INT64: return "<i8";
    case TYPE_UINT64: return "<u8";
    default: return NULL;
    }
}

static enum status write_array(const char *path, const char *descr, const struct tensor *t, const void *data, size_t bytes,
                               struct err *err)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    uint8_t head[320];
    char *text = (char *)head + 10;
    size_t n = (size_t)snprintf(text, 300, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr), total;

    for (int32_t d = 0; d < t->rank; d++)
        n += (size_t)snprintf(text + n, 300 - n, "%d%s", t->dim[d], t->rank == 1 ? "," : d + 1 < t->rank ? ", " : "");
    n += (size_t)snprintf(text + n, 300 - n, "), }");
    total = (10 + n + 1 + ALIGN - 1) / ALIGN * ALIGN;
    memset(text + n, ' ', total - 10 - n);
    head[total - 1] = '\n';
    memcpy(head, magic, sizeof magic);
    head[8] = (uint8_t)((total - 10) & 255);
    head[9] = (uint8_t)((total - 10) >> 8);
    return file_write(path, (struct file_piece[]){{head, total}, {data, bytes}}, 2, err);
}

/* A byte for each element of less. */
static enum status write_small(const char *path, const struct tensor *t, struct err *err)
{
    uint32_t bits = type_bits(t->type), mask = (1u << bits) - 1, sign = t->type == TYPE_UINT4 ? 0 : 1u << (bits - 1);
    size_t elems = tensor_elems(t);
    uint8_t *wide = malloc(elems + 1);
    const uint8_t *data = t->data;
    enum status st;

    if (!wide)
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu elements", path, elems);
    for (size_t i = 0; i < elems; i++)
        wide[i] = (uint8_t)(((data[i * bits / 8] >> (i * bits % 8) & mask) ^ sign) - sign);
    st = write_array(path, descr_of(t->type), t, wide, elems, err);
    free(wide);
    return st;
}

/* The layout of a STRING tensor is told in tensor.h. */
static enum status write_strings(const char *path, const struct tensor *t, struct err *err)
{
    const int32_t *table = t->data;
    size_t n = t->bytes ? (size_t)table[0] : 0, widest = 1;
    enum status st;
    char descr[24], *fixed;

    for (size_t i = 0; i < n; i++) {
        size_t length = (size_t)(table[i + 2] - table[i + 1]);

        if (length && !((const char *)t->data)[table[i + 2] - 1])
            return err_set(err, ST_UNSUPPORTED, "%s: string %zu of '%.100s' ends in a zero byte, which .npy files do not keep",
                           path, i, t->name);
        widest = length > widest ? length : widest;
    }
    if (!(fixed = calloc(n + 1, widest)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu strings of %zu bytes", path, n, widest);
    for (size_t i = 0; i < n; i++)
        memcpy(fixed + i * widest, (const char *)t->data + table[i + 1], (size_t)(table[i + 2] - table[i + 1]));
    snprintf(descr, sizeof descr, "|S%zu", widest);
    st = write_array(path, descr, t, fixed, n * widest, err);
    free(fixed);
    return st;
}

enum status npy_write(const char *path, const struct tensor *t, struct err *err)
{
    const char *descr = descr_of(t->type);

    if (t->type == TYPE_STRING)
        return write_strings(path, t, err);
    if (!descr)
        return err_set(err, ST_UNSUPPORTED, "%s: '%.100s' is %s, for which .npy files have no type", path, t->name, TENSOR_TEXT(t));
    if (type_bits(t->type) < 8)
        return write_small(path, t, err);
    return write_array(path, descr, t, t->data, t->bytes, err);
}
