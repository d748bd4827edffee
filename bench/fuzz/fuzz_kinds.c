/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_kinds.c - see fuzz_kinds.h */
#include "bench/fuzz/fuzz_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/opcheck/op_cases.h"

unsigned long long fuzz_number(uint64_t n)
{
    return n;
}

/* Write the cases of operators that the GPU has, unless `list` is NULL, and return their number. */
static size_t list_cases(const struct fuzz_flags *f, struct case_ref *list)
{
    size_t n = 0;

    for (size_t row = 0; row < op_table_n; row++)
        for (uint32_t i = 0; op_table[row].gl && op_cases[row].cases[i].name; i++) {
            const struct op_case *c = &op_cases[row].cases[i];

            if (c->fails || c->build || c->large || (f->op && strcmp(op_table[row].name, f->op) != 0))
                continue;
            if (list)
                list[n] = (struct case_ref){.op = &op_table[row], .kernel = op_cases[row].kernel, .c = c, .n = i};
            n++;
        }
    return n;
}

struct case_ref *fuzz_cases(const struct fuzz_flags *f, size_t *n)
{
    struct case_ref *cases = calloc((*n = list_cases(f, NULL)) + 1, sizeof *cases);

    if (cases)
        list_cases(f, cases);
    return cases;
}

int fuzz_stopped(enum status st, const struct err *err, uint64_t skipped)
{
    if (st == ST_NO_GPU) {
        printf("NOT RUN (gpu): %s\n0 passed, 0 failed, %llu skipped\n", err->msg, fuzz_number(skipped));
        return 0;
    }
    fprintf(stderr, "gpu_fuzz: %s\n", err->msg);
    return status_exit_code(st);
}
