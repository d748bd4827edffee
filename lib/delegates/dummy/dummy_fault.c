/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_fault.c - planted errors that any operator may have, and how users name them; those of one operator: dummy_op_faults.c. */
#include "lib/delegates/dummy/dummy_fault.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"
#include "lib/delegates/dummy/dummy_op_faults.h"

static const char *refuse_not_float(const struct graph *g, const struct node *n)
{
    (void)g;
    return n->out[0]->type == TYPE_FLOAT32 && n->out[0]->bytes ? NULL : "its output is not FLOAT32";
}

static const char *refuse_no_window(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_CONV_2D && n->builtin != BUILTIN_DEPTHWISE_CONV_2D)
        return "it is no convolution";
    return n->in[0]->rank == 4 && type_bits(n->in[0]->type) >= 8 ? NULL : "its input is not of whole bytes and rank 4";
}

/* The input moved by a row and a column, zeros before it: so the window meets one more row of padding. */
static void shift_input(const struct tensor *x, char *to)
{
    const size_t pixel = (size_t)x->dim[3] * type_bits(x->type) / 8, row = (size_t)x->dim[2] * pixel;
    const int zero = x->quant.n && type_bits(x->type) == 8 ? (int)x->quant.zero_point[0] : 0;

    memset(to, zero, x->bytes);
    for (int32_t n = 0; n < x->dim[0]; n++)
        for (int32_t h = 1; h < x->dim[1]; h++) {
            const size_t at = ((size_t)n * (size_t)x->dim[1] + (size_t)h) * row;

            memcpy(to + at + pixel, (const char *)x->data + at - row, row - pixel);
        }
}

/* Computes them again. */
static enum status spoil_padding(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    struct tensor *x = c->node->in[0];
    char *shifted = malloc(x->bytes + 1);
    void *data = x->data;
    enum status st;

    (void)f, (void)kept;
    if (!shifted)
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes", x->bytes);
    shift_input(x, shifted);
    x->data = shifted;
    st = cpu_run(c, err);
    x->data = data;
    free(shifted);
    return st;
}

static enum status spoil_overflow(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    float *v = y->data, largest = 0, unit = 1;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof *v; i++)
        largest = fmaxf(largest, fabsf(v[i]));
    if (largest > 0 && largest < 65536)
        unit = 65536 / largest;
    for (size_t i = 0; i < y->bytes / sizeof *v; i++)
        v[i] = half_to_float(half_from_float(v[i] * unit)) / unit;
    return ST_OK;
}

static enum status spoil_nan(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    (void)f, (void)kept, (void)err;
    *(float *)c->node->out[0]->data = NAN;
    return ST_OK;
}

static const char *refuse_one_channel(const struct graph *g, const struct node *n)
{
    const struct tensor *y = n->out[0];

    (void)g;
    return y->rank && y->dim[y->rank - 1] > 1 && type_bits(y->type) >= 8 ? NULL : "its output has one channel";
}

static enum status spoil_swap(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    const size_t size = type_bits(y->type) / 8, pixel = (size_t)y->dim[y->rank - 1] * size;

    (void)f, (void)kept, (void)err;
    for (char *at = y->data; at < (char *)y->data + y->bytes; at += pixel) {
        char first[16];

        memcpy(first, at, size);
        memcpy(at, at + size, size);
        memcpy(at + size, first, size);
    }
    return ST_OK;
}

static enum status spoil_stale(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    char *before = *kept;

    (void)f;
    if (!before && !(*kept = before = calloc(1, y->bytes + 1)))
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes", y->bytes);
    for (size_t i = 0; i < y->bytes; i++) {
        const char now = ((char *)y->data)[i];

        ((char *)y->data)[i] = before[i];
        before[i] = now;
    }
    return ST_OK;
}

static enum status spoil_offset(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof(float); i++)
        ((float *)y->data)[i] += f->value;
    return ST_OK;
}

/* As of memory that another writes meanwhile: now and then an element is wrong. */
static enum status spoil_race(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    uint64_t *runs = *kept;

    if (!runs && !(*kept = runs = calloc(1, sizeof *runs)))
        return err_set(err, ST_NOMEM, "out of memory for a number of runs");
    if (++*runs % (f->value > 1 ? (uint64_t)f->value : 1) == 0 && c->node->out[0]->bytes)
        ((float *)c->node->out[0]->data)[0] += 1;
    return ST_OK;
}

static const struct dummy_fault_kind kinds[] = {
    {"padding", NULL, refuse_no_window, spoil_padding},
    {"overflow", NULL, refuse_not_float, spoil_overflow},
    {"nan", NULL, refuse_not_float, spoil_nan},
    {"swap", NULL, refuse_one_channel, spoil_swap},
    {"stale", NULL, NULL, spoil_stale},
    {"offset", "NUMBER", refuse_not_float, spoil_offset},
    {"race", "RUNS", refuse_not_float, spoil_race},
};

/* Kind i of both tables; the last has no name. */
static const struct dummy_fault_kind *kind_at(size_t i)
{
    const size_t n = sizeof kinds / sizeof *kinds;

    return i < n ? &kinds[i] : &dummy_op_faults[i - n];
}

static const struct dummy_fault_kind *find_kind(const char *name, size_t n)
{
    for (size_t i = 0; kind_at(i)->name; i++)
        if (strlen(kind_at(i)->name) == n && !memcmp(kind_at(i)->name, name, n))
            return kind_at(i);
    return NULL;
}

static enum status refuse_text(const char *text, size_t n, struct err *err)
{
    char names[512] = "";

    for (size_t i = 0; kind_at(i)->name; i++) {
        const struct dummy_fault_kind *k = kind_at(i);
        const size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s%s%s%s", i ? ", " : "", k->name, k->value ? "=" : "",
                 k->value ? k->value : "");
    }
    return err_set(err, ST_USAGE,
                   "plant:%.*s: a fault is FAULT@NODE, FAULT one of %s, NODE an index, an operator or the name of a node's first "
                   "output",
                   (int)(n < 60 ? n : 60), text, names);
}

enum status dummy_fault_read(const char *text, size_t n, struct dummy_fault *out, struct err *err)
{
    const char *at = memchr(text, '@', n), *value = at ? memchr(text, '=', (size_t)(at - text)) : NULL;
    const char *end = value ? value : at;
    char number[32];
    double v = 0;

    *out = (struct dummy_fault){.kind = at ? find_kind(text, (size_t)(end - text)) : NULL};
    if (!out->kind || at + 1 == text + n || (size_t)(text + n - at) > sizeof out->at)
        return refuse_text(text, n, err);
    snprintf(number, sizeof number, "%.*s", value ? (int)(at - value - 1) : 0, value ? value + 1 : "");
    if (!!out->kind->value != !!value || (value && !flag_read_double(number, &v)))
        return err_set(err, ST_USAGE, "plant:%.*s: %s takes %s", (int)(n < 60 ? n : 60), text, out->kind->name,
                       out->kind->value ? "a number: offset=0.5@3" : "no number");
    out->value = (float)v;
    memcpy(out->at, at + 1, (size_t)(text + n - at - 1));
    return ST_OK;
}

bool dummy_fault_is_at(const struct dummy_fault *f, const struct node *n)
{
    int64_t index;

    if (flag_read_int(f->at, 0, UINT32_MAX, &index))
        return n->index == index;
    return !strcmp(f->at, n->name) || (node_out(n, 0) && !strcmp(f->at, n->out[0]->name));
}

enum status dummy_fault_check(const struct dummy_fault *f, const struct graph *g, const struct node *n, struct err *err)
{
    const char *why = f->kind->refuse ? f->kind->refuse(g, n) : NULL;

    return why ? node_err(n, err_set(err, ST_USAGE, "the fault %s cannot be planted here: %s", f->kind->name, why), err) : ST_OK;
}

enum status dummy_fault_run(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const enum status st = cpu_run(c, err);

    return st ? st : f->kind->spoil(f, c, kept, err);
}
