/* SPDX-License-Identifier: Apache-2.0 */
/* say_tflite_errors.c - see say_tflite_errors.h */
#include "cmd/tool/say_tflite_errors.h"

#include "cmd/host/say.h"
#include "lib/tflite/tflite_errors.h"

/* An error is one text, wherever it is met. */
static bool was_said(const struct graph *g, uint32_t before, const char *error)
{
    for (uint32_t i = 0; i < before; i++)
        if (tflite_error_of(&g->nodes[i]) == error)
            return true;
    return false;
}

static uint32_t count_of(const struct graph *g, const char *error)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += tflite_error_of(&g->nodes[i]) == error;
    return n;
}

void say_tflite_errors(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const char *error = tflite_error_of(n);
        char others[48] = "";

        if (!error || was_said(g, i, error))
            continue;
        if (count_of(g, error) > 1)
            snprintf(others, sizeof others, " and %u others", count_of(g, error) - 1);
        say_warn("node %u %s%s: TensorFlow Lite (LiteRT 2.3.0) %s", n->index, n->name, others, error);
    }
}
