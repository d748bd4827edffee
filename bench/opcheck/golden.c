/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c - the text of a golden file, read whole and searched by case. */
#include "bench/opcheck/golden.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/opcheck/compare.h"
#include "lib/tensor/element.h"

enum status golden_open(const char *path, struct golden *out, struct err *err)
{
    FILE *f = fopen(path, "rb");
    size_t n = 0, room = 0, got;

    *out = (struct golden){.path = path};
    if (!f)
        return errno == ENOENT ? ST_OK : err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    do {
        char *more;

        room = room ? 2 * room : 65536;
        if (!(more = realloc(out->text, room))) {
            fclose(f);
            return err_set(err, ST_NOMEM, "%s: out of memory", path);
        }
        out->text = more;
        got = fread(out->text + n, 1, room - 1 - n, f);
        n += got;
    } while (got);
    out->text[n] = 0;
    fclose(f);
    return ST_OK;
}

void golden_close(struct golden *g)
{
    free(g->text);
    g->text = NULL;
}

/* The text after the case's header line, or NULL. */
static const char *find_case(const struct golden *g, const struct case_ref *ref)
{
    char head[512];
    size_t n = (size_t)snprintf(head, sizeof head, "case %s %s\n", ref->op->name, ref->c->name);

    for (const char *p = g->text; p && n < sizeof head; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (!strncmp(p, head, n))
            return p + n;
        if (!*p)
            break;
    }
    return NULL;
}

static enum status broken(const struct golden *g, const char *at, const char *what, struct err *err)
{
    size_t line = 1;

    for (const char *p = g->text; p < at; p++)
        line += *p == '\n';
    return err_set(err, ST_IO, "%s:%zu: %s", g->path, line, what);
}

/* Reads "out 0 FLOAT32 [1,5,4,8]\n" at *p. */
static enum status read_head(const struct golden *g, const char **p, struct case_output *o, struct err *err)
{
    char name[32], shape[128], *s = shape;
    uint32_t index;
    int used = 0;

    if (sscanf(*p, "out %" SCNu32 " %31s [%126[^]\n]%n", &index, name, shape, &used) < 2)
        return broken(g, *p, "expected \"out N TYPE [shape]\"", err);
    if (!used) { /* "[]" */
        sscanf(*p, "out %*u %*s [%n", &used);
        shape[0] = 0;
    }
    if (!used || (*p)[used] != ']' || (o->type = type_from_name(name)) == TYPE_NONE)
        return broken(g, *p, "no type and shape that can be read", err);
    for (; *s; s += *s == ',') {
        if (o->rank == TENSOR_MAX_RANK || !isdigit((unsigned char)*s))
            return broken(g, *p, "no shape that can be read", err);
        o->dim[o->rank++] = (int32_t)strtol(s, &s, 10);
    }
    *p += used + 1;
    return ST_OK;
}

static void put_float(struct case_output *o, size_t i, double v)
{
    switch (o->type) {
    case TYPE_FLOAT16: ((uint16_t *)o->data)[i] = half_from_float((float)v); break;
    case TYPE_BFLOAT16: ((uint16_t *)o->data)[i] = bfloat_from_float((float)v); break;
    default: ((double *)o->data)[i] = v;
    }
}

/* One value at *p into number i of the output; false where there is none. */
static bool read_value(const char **p, struct case_output *o, size_t i)
{
    uint32_t bits = type_bits(o->type);
    char *end;

    while (isspace((unsigned char)**p))
        ++*p;
    if (o->type == TYPE_FLOAT32 || o->type == TYPE_COMPLEX64)
        ((float *)o->data)[i] = strtof(*p, &end);
    else if (element_is_float(o->type))
        put_float(o, i, strtod(*p, &end));
    else {
        uint64_t v = **p == '-' ? (uint64_t)strtoll(*p, &end, 10) : strtoull(*p, &end, 10);

        if (bits < 8)
            ((uint8_t *)o->data)[i * bits / 8] |= (uint8_t)((v & ((1u << bits) - 1)) << (i * bits % 8));
        else
            memcpy((uint8_t *)o->data + i * (bits / 8), &v, bits / 8);
    }
    if (end == *p)
        return false;
    *p = end;
    return true;
}

/* One quoted string at *p, its characters appended at out[*n]. */
static bool read_string(const char **p, char *out, size_t *n)
{
    while (isspace((unsigned char)**p))
        ++*p;
    if (*(*p)++ != '"')
        return false;
    while (**p != '"') {
        unsigned byte;

        if (!**p || **p == '\n')
            return false;
        if (**p != '\\')
            out[(*n)++] = *(*p)++;
        else if ((*p)[1] == 'x' && isxdigit((unsigned char)(*p)[2]) && isxdigit((unsigned char)(*p)[3]) &&
                 sscanf(*p + 2, "%2x", &byte) == 1) {
            out[(*n)++] = (char)byte;
            *p += 4;
        } else
            return false;
    }
    ++*p;
    return true;
}

/* All strings at *p, in TFLite's layout: count, offsets, characters. */
static bool read_strings(const char **p, struct case_output *o, size_t elems)
{
    size_t head = 4 * (elems + 2), n = head;
    int32_t *offsets;

    if (!(o->data = calloc(1, head + strlen(*p))))
        return false;
    offsets = o->data;
    offsets[0] = (int32_t)elems;
    offsets[1] = (int32_t)n;
    for (size_t i = 0; i < elems; i++) {
        if (!read_string(p, o->data, &n))
            return false;
        offsets[i + 2] = (int32_t)n;
    }
    o->bytes = n;
    return true;
}

static enum status read_output(const struct golden *g, const char **p, struct case_output *o, struct err *err)
{
    const char *head = *p;
    enum status st = read_head(g, p, o, err);
    size_t elems, numbers;

    if (st || (st = shape_elems(o->dim, o->rank, &elems, err)))
        return st;
    if (elems > strlen(head))
        return broken(g, head, "the shape has more elements than the file", err);
    if (o->type == TYPE_STRING)
        return read_strings(p, o, elems) ? ST_OK : broken(g, *p, "expected a quoted string", err);
    if (!type_bits(o->type))
        return broken(g, head, "a type without values", err);
    numbers = output_numbers(o);
    o->bytes = type_bytes(o->type, elems);
    if (!(o->data = calloc(1, o->bytes + 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory", g->path);
    for (size_t i = 0; i < numbers; i++)
        if (!read_value(p, o, i))
            return broken(g, *p, "expected a number", err);
    return ST_OK;
}

static bool is_refusal(const char *section)
{
    return section && !strncmp(section, "refused ", 8);
}

enum status golden_read(const struct golden *g, const struct case_ref *ref, struct case_outputs *out, struct err *err)
{
    const char *p = find_case(g, ref);

    *out = (struct case_outputs){0};
    if (is_refusal(p))
        return err_set(err, ST_FAILED, "runs, but TensorFlow Lite refuses it (%.*s)", (int)strcspn(p, "\n"), p);
    while (p && !strncmp(p, "out ", 4)) {
        enum status st;

        if (out->n == CASE_OUTPUTS)
            return broken(g, p, "more outputs than a case can have", err);
        if ((st = read_output(g, &p, &out->out[out->n++], err)))
            return st;
        while (isspace((unsigned char)*p))
            p++;
    }
    return ST_OK;
}

bool golden_is_refused(const struct golden *g, const struct case_ref *ref)
{
    return is_refusal(find_case(g, ref));
}
