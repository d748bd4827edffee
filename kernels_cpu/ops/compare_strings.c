/* SPDX-License-Identifier: Apache-2.0 */
/* compare_strings.c - EQUAL and NOT_EQUAL of strings: their indices broadcast, since strings differ in size. */
#include "kernels_cpu/ops/compare_strings.h"

#include <string.h>

#include "kernels_cpu/common/strings.h"

struct pair {
    const struct tensor *a, *b;
    bool same;
};

static bool is_same(const struct pair *p, int32_t i, int32_t j)
{
    size_t a_length, b_length;
    const char *a = strings_get(p->a, (size_t)i, &a_length), *b = strings_get(p->b, (size_t)j, &b_length);

    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

BINARY_ROW(compare_numbers, int32_t, uint8_t, const struct pair *p = arg, is_same(p, a, b) == p->same)

enum status compare_strings_prepare(struct cpu_call *c, struct err *err)
{
    c->scratch_bytes = (tensor_elems(c->node->in[0]) + tensor_elems(c->node->in[1])) * sizeof(int32_t);
    return broadcast_types(c->node, TYPE_BOOL, err);
}

/* A tensor of t's shape that holds 0, 1, 2, ... at `at`. */
static struct tensor numbers_of(const struct tensor *t, int32_t *at)
{
    struct tensor numbers = *t;
    const size_t elems = tensor_elems(t);

    for (size_t i = 0; i < elems; i++)
        at[i] = (int32_t)i;
    numbers.type = TYPE_INT32;
    numbers.data = at;
    return numbers;
}

enum status compare_strings_run(struct cpu_call *c, bool same, struct err *err)
{
    const struct tensor *a = c->node->in[0], *b = c->node->in[1];
    int32_t *scratch = c->scratch;
    struct tensor a_numbers, b_numbers, *in[] = {&a_numbers, &b_numbers};
    struct node node = *c->node;
    struct cpu_call call = *c;
    enum status st;

    if ((st = strings_check(a, err)) || (st = strings_check(b, err)))
        return st;
    a_numbers = numbers_of(a, scratch);
    b_numbers = numbers_of(b, scratch + tensor_elems(a));
    node.in = in;
    call.node = &node;
    broadcast_run(&call, 2, compare_numbers, &(struct pair){a, b, same});
    return ST_OK;
}
