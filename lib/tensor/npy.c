/* SPDX-License-Identifier: Apache-2.0 */
/* npy.c - the header's dictionary, read as the little Python that it is, and the elements brought into order. */
#include "lib/tensor/npy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    char kind;
    uint32_t bytes;
    enum tensor_type type;
} dtypes[] = {
    {'b', 1, TYPE_BOOL},    {'i', 1, TYPE_INT8},    {'i', 2, TYPE_INT16},     {'i', 4, TYPE_INT32},       {'i', 8, TYPE_INT64},
    {'u', 1, TYPE_UINT8},   {'u', 2, TYPE_UINT16},  {'u', 4, TYPE_UINT32},    {'u', 8, TYPE_UINT64},      {'f', 2, TYPE_FLOAT16},
    {'f', 4, TYPE_FLOAT32}, {'f', 8, TYPE_FLOAT64}, {'c', 8, TYPE_COMPLEX64}, {'c', 16, TYPE_COMPLEX128}, {'V', 2, TYPE_BFLOAT16},
};

/* What is left of the header. */
struct cursor {
    const char *at, *end;
};

static void skip_space(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Takes the character if it is next, after blanks. */
static bool take(struct cursor *c, char wanted)
{
    skip_space(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t n = strlen(word);

    skip_space(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* 'text' or "text", which is cut to fit `out`: whoever compares it then finds that it is none of what is known. */
static bool take_text(struct cursor *c, char *out, size_t size)
{
    char quote;
    size_t n = 0;

    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    quote = *c->at++;
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if ((unsigned char)*c->at < ' ' || *c->at == '\\')
            return false;
        if (n + 1 < size)
            out[n++] = *c->at;
    }
    out[n] = '\0';
    return take(c, quote);
}

/* A number without sign, below 2^31; Python 2 wrote an L behind some. */
static bool take_number(struct cursor *c, int32_t *out)
{
    int64_t v = 0;
    const char *first;

    skip_space(c);
    first = c->at;
    for (; c->at < c->end && isdigit((unsigned char)*c->at); c->at++)
        if ((v = v * 10 + (*c->at - '0')) > INT32_MAX)
            return false;
    *out = (int32_t)v;
    if (c->at == first)
        return false;
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    return true;
}

static enum status take_shape(struct cursor *c, const char *what, struct npy *out, struct err *err)
{
    bool comma = true;

    if (!take(c, '('))
        return err_set(err, ST_USAGE, "%s: the header's shape is no tuple of numbers", what);
    while (!take(c, ')')) {
        if (out->rank == TENSOR_MAX_RANK)
            return err_set(err, ST_USAGE, "%s has more than %d dimensions", what, TENSOR_MAX_RANK);
        if (!comma || !take_number(c, &out->dim[out->rank]))
            return err_set(err, ST_USAGE, "%s: dimension %d of the header's shape is no number from 0 to %d", what, out->rank,
                           INT32_MAX);
        out->rank++;
        comma = take(c, ',');
    }
    return ST_OK;
}

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static enum status take_member(struct cursor *c, const char *what, struct npy *out, unsigned *seen, struct err *err)
{
    unsigned which = 0;
    char key[32];

    if (!take_text(c, key, sizeof key) || !take(c, ':'))
        return err_set(err, ST_USAGE, "%s: the header is no dictionary of Python", what);
    if (!strcmp(key, "descr"))
        which = HAS_DESCR;
    if (!strcmp(key, "fortran_order"))
        which = HAS_ORDER;
    if (!strcmp(key, "shape"))
        which = HAS_SHAPE;
    if (!which || *seen & which)
        return err_set(err, ST_USAGE, "%s: '%s' in the header: descr, fortran_order and shape are expected, once each", what, key);
    *seen |= which;
    if (which == HAS_SHAPE)
        return take_shape(c, what, out, err);
    if (which == HAS_ORDER) {
        out->fortran = take_word(c, "True");
        if (out->fortran || take_word(c, "False"))
            return ST_OK;
        return err_set(err, ST_USAGE, "%s: fortran_order in the header is neither True nor False", what);
    }
    if (take_text(c, out->descr, sizeof out->descr))
        return ST_OK;
    return err_set(err, ST_USAGE, "%s holds no plain numbers: descr in the header is no text", what);
}

/* The descr: byte order, kind, bytes of an element. */
static enum status find_type(const char *what, struct npy *out, struct err *err)
{
    const char order = out->descr[0], kind = order ? out->descr[1] : '\0';
    struct cursor c = {out->descr + 2, strchr(out->descr, '\0')};
    int32_t bytes;

    if (kind && strchr("<>|=", order) && take_number(&c, &bytes) && bytes && c.at == c.end) {
        out->item_bytes = (uint32_t)bytes;
        out->swapped = order == '>';
        out->number_bytes = kind == 'c' ? out->item_bytes / 2 : out->item_bytes;
        if (kind == 'S') {
            out->type = TYPE_STRING;
            out->swapped = false;
            return ST_OK;
        }
        for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
            if (dtypes[i].kind == kind && dtypes[i].bytes == out->item_bytes) {
                out->type = dtypes[i].type;
                return ST_OK;
            }
    }
    return err_set(err, ST_USAGE, "%s holds elements of NumPy's type '%s', which no tensor has", what, out->descr);
}

static enum status parse_header(const char *text, size_t bytes, const char *what, struct npy *out, struct err *err)
{
    struct cursor c = {text, text + bytes};
    enum status st = ST_OK;
    unsigned seen = 0;
    bool comma = true;

    if (!take(&c, '{'))
        return err_set(err, ST_USAGE, "%s: the header is no dictionary of Python", what);
    while (!st && !take(&c, '}')) {
        if (!comma)
            return err_set(err, ST_USAGE, "%s: the header is no dictionary of Python", what);
        if (!(st = take_member(&c, what, out, &seen, err)))
            comma = take(&c, ',');
    }
    if (st)
        return st;
    skip_space(&c);
    if (seen != HAS_ALL || c.at != c.end)
        return err_set(err, ST_USAGE, "%s: the header lacks descr, fortran_order or shape, or does not end behind them", what);
    return find_type(what, out, err);
}

/* Where the header is: [*at, *at + *length) of the file. */
static enum status find_header(const uint8_t *file, size_t bytes, const char *what, size_t *at, size_t *length, struct err *err)
{
    if (bytes < 10 || memcmp(file, "\x93NUMPY", 6) != 0)
        return err_set(err, ST_USAGE, "%s is no .npy file: it does not begin with 93 'NUMPY'", what);
    if (file[6] < 1 || file[6] > 3 || file[7] != 0)
        return err_set(err, ST_USAGE, "%s is a .npy file of version %u.%u; 1.0, 2.0 and 3.0 can be read", what, file[6], file[7]);
    *at = file[6] == 1 ? 10 : 12;
    *length = (size_t)file[8] | (size_t)file[9] << 8;
    if (file[6] > 1 && bytes >= 12)
        *length |= (size_t)file[10] << 16 | (size_t)file[11] << 24;
    if (bytes < *at || *length > bytes - *at)
        return err_set(err, ST_USAGE, "%s ends within its header of %zu bytes", what, *length);
    if (*length > NPY_MAX_HEADER)
        return err_set(err, ST_USAGE, "%s has a header of %zu bytes; at most %d are read", what, *length, NPY_MAX_HEADER);
    return ST_OK;
}

enum status npy_parse(const void *file, size_t bytes, const char *what, struct npy *out, struct err *err)
{
    size_t at = 0, length = 0, rest;
    enum status st;
    struct err e = {""};

    *out = (struct npy){0};
    if ((st = find_header(file, bytes, what, &at, &length, err)) ||
        (st = parse_header((const char *)file + at, length, what, out, err)))
        return st;
    if (shape_elems(out->dim, out->rank, &out->elems, &e))
        return err_set(err, ST_USAGE, "%s: %.200s", what, e.msg);
    out->data = (const uint8_t *)file + at + length;
    rest = bytes - at - length;
    /* 2^40 elements at most, each below 2^31 bytes: the product may pass 64 bits. */
    if (out->elems > SIZE_MAX / out->item_bytes)
        return err_set(err, ST_USAGE, "%s: %zu elements of %u bytes are more than fits any memory", what, out->elems,
                       out->item_bytes);
    if (rest != out->elems * out->item_bytes) {
        char shape[100];

        return err_set(err, ST_USAGE, "%s has %zu bytes of content, its header says %zu: %s elements of %u bytes", what, rest,
                       out->elems * out->item_bytes, shape_text(out->dim, out->rank, shape, sizeof shape), out->item_bytes);
    }
    return ST_OK;
}

static void copy_item(const struct npy *a, const uint8_t *from, uint8_t *to)
{
    if (!a->swapped) {
        memcpy(to, from, a->item_bytes);
        return;
    }
    for (uint32_t n = 0; n < a->item_bytes; n += a->number_bytes)
        for (uint32_t b = 0; b < a->number_bytes; b++)
            to[n + b] = from[n + a->number_bytes - 1 - b];
}

void npy_copy(const struct npy *a, void *out)
{
    size_t stride[TENSOR_MAX_RANK], from = 0, step = 1;
    int32_t at[TENSOR_MAX_RANK] = {0};
    uint8_t *to = out;

    if (!a->swapped && !a->fortran) {
        if (a->elems && a->item_bytes)
            memcpy(out, a->data, a->elems * a->item_bytes);
        return;
    }
    for (int32_t d = 0; d < a->rank; d++, step *= (size_t)a->dim[a->fortran ? d - 1 : a->rank - d])
        stride[a->fortran ? d : a->rank - 1 - d] = step;
    for (size_t i = 0; i < a->elems; i++, to += a->item_bytes) {
        copy_item(a, a->data + from * a->item_bytes, to);
        for (int32_t d = a->rank - 1; d >= 0; d--) {
            from += stride[d];
            if (++at[d] < a->dim[d])
                break;
            from -= stride[d] * (size_t)a->dim[d];
            at[d] = 0;
        }
    }
}

/* Bytes of a sub-byte tensor: the type of its .npy file; else the type itself. */
static enum tensor_type file_type(enum tensor_type type)
{
    if (type == TYPE_INT4 || type == TYPE_INT2)
        return TYPE_INT8;
    return type == TYPE_UINT4 ? TYPE_UINT8 : type;
}

static enum status pack(const uint8_t *from, const char *what, const struct tensor *t, struct err *err)
{
    uint32_t bits = type_bits(t->type), mask = (1u << bits) - 1;
    int lo = t->type == TYPE_UINT4 ? 0 : -(1 << (bits - 1)), hi = lo + (int)mask;
    size_t elems = tensor_elems(t);
    uint8_t *to = t->data;

    for (size_t i = 0; i < elems; i++) {
        int v = t->type == TYPE_UINT4 ? from[i] : (int8_t)from[i];

        if (v < lo || v > hi)
            return err_set(err, ST_USAGE, "%s: element %zu is %d, which is not within %d to %d, as %s '%.100s' needs", what, i, v,
                           lo, hi, type_name(t->type), t->name);
    }
    memset(to, 0, t->bytes);
    for (size_t i = 0; i < elems; i++)
        to[i * bits / 8] |= (uint8_t)((from[i] & mask) << (i * bits % 8));
    return ST_OK;
}

static enum status check_same(const struct npy *a, const char *what, const struct tensor *t, struct err *err)
{
    bool same = a->rank == t->rank;
    char shape[100];

    for (int32_t d = 0; same && d < a->rank; d++)
        same = a->dim[d] == t->dim[d];
    if (!same)
        return err_set(err, ST_USAGE, "%s has shape %s, '%.100s' is %s", what, shape_text(a->dim, a->rank, shape, sizeof shape),
                       t->name, TENSOR_TEXT(t));
    if (a->type != file_type(t->type))
        return err_set(err, ST_USAGE, "%s holds %s ('%s'), '%.100s' is %s", what, type_name(a->type), a->descr, t->name,
                       TENSOR_TEXT(t));
    return ST_OK;
}

enum status npy_to_tensor(const struct npy *a, const char *what, const struct tensor *t, struct err *err)
{
    struct tensor flat = *t;
    enum status st = check_same(a, what, t, err);

    if (st || (type_bits(t->type) >= 8 && t->type != TYPE_BOOL)) {
        if (!st)
            npy_copy(a, t->data);
        return st;
    }
    if (!(flat.data = malloc(a->elems + 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu elements", what, a->elems);
    npy_copy(a, flat.data);
    if (t->type != TYPE_BOOL)
        st = pack(flat.data, what, t, err);
    else if ((st = tensor_check_bools(&flat, err)))
        err_prefix(err, st = ST_USAGE, "%s", what);
    else
        memcpy(t->data, flat.data, t->bytes);
    free(flat.data);
    return st;
}
