/* SPDX-License-Identifier: Apache-2.0 */
/* refusals.c - see refusals.h */
#include "bench/opcheck/refusals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODES      2
#define MOST_OPS   256
#define MOST_CODES 32

struct refusals {
    uint32_t cases;
    const char *ops[MOST_OPS]; /* in the order in which they came */
    uint32_t n_ops;
    char codes[MOST_CODES][64]; /* "runs", "folded", codes of refusals */
    uint32_t n_codes;
    uint32_t count[MODES][MOST_OPS][MOST_CODES];
};

static const char *const modes[MODES] = {"simulate", "exact"};

struct refusals *refusals_new(void)
{
    return calloc(1, sizeof(struct refusals));
}

void refusals_free(struct refusals *r)
{
    free(r);
}

bool refusals_concern(const struct case_model *m)
{
    const struct model_subgraph *g = &m->model->subgraphs[0];

    for (uint32_t i = 0; i < g->n_tensors; i++) {
        const struct tensor *t = &g->tensors[i];

        if (!t->is_const && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16))
            return true;
    }
    return false;
}

static uint32_t op_of(struct refusals *r, const char *op)
{
    uint32_t i = 0;

    while (i < r->n_ops && strcmp(r->ops[i], op) != 0)
        i++;
    if (i == r->n_ops && i < MOST_OPS)
        r->ops[r->n_ops++] = op;
    return i;
}

/* "runs 2 of 3, CODE" counts as CODE. */
static uint32_t code_of(struct refusals *r, const char *says)
{
    const char *comma = strchr(says, ','), *code = comma ? comma + 2 : says;
    uint32_t i = 0;

    while (i < r->n_codes && strcmp(r->codes[i], code) != 0)
        i++;
    if (i == r->n_codes && i < MOST_CODES)
        snprintf(r->codes[r->n_codes++], sizeof r->codes[0], "%s", code);
    return i;
}

void refusals_add(struct refusals *r, const char *op, const char *simulated, const char *exact)
{
    const char *const says[MODES] = {simulated, exact};
    const uint32_t row = op_of(r, op);

    r->cases++;
    for (int mode = 0; mode < MODES; mode++) {
        const uint32_t code = code_of(r, says[mode]);

        if (row < MOST_OPS && code < MOST_CODES)
            r->count[mode][row][code]++;
    }
}

static uint32_t sum(const struct refusals *r, int mode, uint32_t code)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->n_ops; i++)
        n += r->count[mode][i][code];
    return n;
}

/* What another type or quantization would change. */
static bool is_of_type(const char *code)
{
    return strstr(code, "TYPE") || strstr(code, "QUANTIZATION");
}

static void print(const struct refusals *r, FILE *f)
{
    fprintf(f, "%u cases have tensors of INT8, UINT8 or INT16 that are made at run time\n", r->cases);
    for (int mode = 0; mode < MODES; mode++)
        for (uint32_t code = 0; code < r->n_codes; code++) {
            const uint32_t n = sum(r, mode, code);

            if (n)
                fprintf(f, "%-10s%6u %s\n", modes[mode], n, r->codes[code]);
            for (uint32_t i = 0; is_of_type(r->codes[code]) && i < r->n_ops; i++)
                if (r->count[mode][i][code])
                    fprintf(f, "%16s %6u %s\n", "", r->count[mode][i][code], r->ops[i]);
        }
}

static enum status write_file(const char *text, size_t n, struct err *err)
{
    FILE *f = fopen(REFUSALS_PATH, "w");
    const bool written = f && fwrite(text, 1, n, f) == n;

    if ((f && fclose(f)) || !written)
        return err_set(err, ST_IO, "%s: not written", REFUSALS_PATH);
    return ST_OK;
}

/* Reads no more than tells whether it is the same. */
static enum status compare_file(const char *text, size_t n, bool *same, struct err *err)
{
    FILE *f = fopen(REFUSALS_PATH, "r");
    char *old = malloc(n + 1);
    enum status st = !old ? err_set(err, ST_NOMEM, "out of memory")
                     : f  ? ST_OK
                          : err_set(err, ST_IO, "%s: not there", REFUSALS_PATH);

    if (!st)
        *same = fread(old, 1, n + 1, f) == n && !memcmp(old, text, n);
    if (!st && ferror(f))
        st = err_set(err, ST_IO, "%s: not readable", REFUSALS_PATH);
    if (f)
        fclose(f);
    free(old);
    return st;
}

enum status refusals_hold(const struct refusals *r, bool write_anew, bool *same, struct err *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    enum status st = ST_OK;

    if (f)
        print(r, f);
    if (!f || fclose(f)) {
        free(text);
        return err_set(err, ST_NOMEM, "out of memory");
    }
    fputs(text, stdout);
    *same = write_anew;
    st = write_anew ? write_file(text, n, err) : compare_file(text, n, same, err);
    if (!st && !*same)
        printf("FAIL %s has something else: make gpu-record, and read the diff\n", REFUSALS_PATH);
    free(text);
    return st;
}
