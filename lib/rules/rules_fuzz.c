/* SPDX-License-Identifier: Apache-2.0 */
/* rules_fuzz.c - any bytes are a rule set that answers about a small graph, or end in one message. */
#include "lib/testing/fuzz.h"

#include <stdlib.h>

#include "lib/rules/rules.h"

static struct node node_of(int32_t builtin, const char *name, struct tensor **in, uint32_t n_in, struct tensor **out)
{
    return (struct node){.builtin = builtin, .name = name, .version = 1, .in = in, .n_in = n_in, .out = out, .n_out = 1};
}

/* x and a constant, added, and an operator that nobody knows. */
static void ask(const struct rules *r)
{
    static int32_t values[3] = {1, -2, 3};
    struct tensor t[4] = {
        {.name = "x", .index = 0, .type = TYPE_FLOAT32, .rank = 2, .dim = {2, 3}},
        {.name = "c", .index = 1, .type = TYPE_INT32, .rank = 1, .dim = {3}, .is_const = true, .data = values, .bytes = 12},
        {.name = "y", .index = 2, .type = TYPE_FLOAT32, .rank = 2, .dim = {2, 3}},
        {.name = "", .index = 3, .type = TYPE_INT8, .rank = 0, .quant.n = 1}};
    struct model_subgraph filed = {.name = "", .tensors = t, .n_tensors = 4};
    struct model m = {.subgraphs = &filed, .n_subgraphs = 1};
    struct tensor *in[2] = {&t[0], &t[1]}, *mid[1] = {&t[2]}, *out[1] = {&t[3]};
    struct node nodes[2] = {node_of(BUILTIN_ADD, "ADD", in, 2, mid), node_of(BUILTIN_CUSTOM, "Mine", mid, 1, out)};
    struct graph g = {.model = &m, .tensors = t, .n_tensors = 4, .nodes = nodes, .n_nodes = 2};
    struct ruling answers[2];
    struct err err;

    if (rules_judge(r, &g, answers, &err))
        abort();
    for (int i = 0; i < 2; i++)
        if ((answers[i].answer == RULES_YES) != (answers[i].why.code == REASON_NONE))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct rules *r;
    struct err err = {""};
    enum status st = rules_parse((const char *)data, bytes, "file", &r, &err);

    if ((st != ST_OK) != (*err.msg != '\0') || (st != ST_OK) != (r == NULL))
        abort();
    if (r)
        ask(r);
    rules_free(r);
    return 0;
}
