/* SPDX-License-Identifier: Apache-2.0 */
/* accuracy.c - see accuracy.h */
#include "bench/opcheck/accuracy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The row for all others is the last, wherever the table has it. */
static const struct accuracy rows[] = {
#define PRODUCTS(op, fp32, fp16_storage, fp16_sum32, fp16) {#op, {fp32, fp16_storage, fp16_sum32, fp16}},
#define ACCURACY(op, fp32, fp16_storage, fp16)             PRODUCTS(op, fp32, fp16_storage, fp16, fp16)
#define ALL_OTHERS(fp32, fp16_storage, fp16)
#include "bench/opcheck/accuracy.def"
#undef PRODUCTS
#undef ALL_OTHERS
#define PRODUCTS(op, fp32, fp16_storage, fp16_sum32, fp16)
#define ALL_OTHERS(fp32, fp16_storage, fp16) {NULL, {fp32, fp16_storage, fp16, fp16}},
#include "bench/opcheck/accuracy.def"
#undef PRODUCTS
#undef ACCURACY
#undef ALL_OTHERS
};

struct accuracy accuracy_of(const char *op)
{
    size_t i = 0;

    while (rows[i].op && strcmp(rows[i].op, op) != 0)
        i++;
    return rows[i];
}

enum status accuracy_met_new(struct accuracy_met *m, struct err *err)
{
    if (!(m->most = calloc(op_table_n, sizeof *m->most)))
        return err_set(err, ST_NOMEM, "out of memory");
    for (size_t i = 0; i < op_table_n; i++)
        for (int p = 0; p < PRECISION_COUNT; p++)
            m->most[i][p] = -1;
    return ST_OK;
}

void accuracy_met_free(struct accuracy_met *m)
{
    free(m->most);
    *m = (struct accuracy_met){0};
}

void accuracy_note(struct accuracy_met *m, const struct op *op, enum precision p, double distance)
{
    double *most = m->most ? &m->most[op - op_table][p] : NULL;

    if (most && distance > *most)
        *most = distance;
}

void accuracy_print(const struct accuracy_met *m)
{
    printf("%-36s", "largest distance / allowed");
    for (int p = 0; p < PRECISION_COUNT; p++)
        printf("%20s", precision_name(p));
    printf("\n");
    for (size_t i = 0; i < op_table_n; i++) {
        if (m->most[i][PRECISION_FP32] < 0)
            continue;
        printf("%-36s", op_table[i].name);
        for (int p = 0; p < PRECISION_COUNT; p++)
            if (m->most[i][p] < 0)
                printf("%20s", "-");
            else
                printf("%10.2g /%8.2g", m->most[i][p], accuracy_of(op_table[i].name).tol[p]);
        printf("\n");
    }
}
