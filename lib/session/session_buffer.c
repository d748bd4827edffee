/* SPDX-License-Identifier: Apache-2.0 */
/* session_buffer.c - inputs and outputs of a session in memory of its caller: buffers on the device of its delegate, or on the
 * host. */
#include "lib/session/session_impl.h"

static enum status refuse(struct err *err, const char *what, uint32_t i, const struct tensor *t, const struct step *step,
                          const char *how)
{
    if (step->kernel)
        return err_set(err, ST_UNSUPPORTED, "%s %u '%.100s' is %s partition %d too", what, i, t->name, how, (int)step->part_index);
    return err_set(err, ST_UNSUPPORTED, "%s %u '%.100s' is %s node %u %s on the CPU", what, i, t->name, how, step->call.node->index,
                   step->call.node->name);
}

static enum status check(const struct session *s, const char *what, uint32_t i, uint32_t n, const struct tensor *t, struct err *err)
{
    if (!s->prepared)
        return err_set(err, ST_USAGE, "the session is not prepared");
    if (i >= n || !t)
        return err_set(err, ST_USAGE, "%s %u, the model has %u", what, i, n);
    return ST_OK;
}

/* Of all partitions that read it, or none. */
static enum status bind_readers(struct session *s, const struct tensor *t, const struct delegate_buffer *b, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t k = 0; k < s->plan.n_steps && !st; k++) {
        const struct step *step = &s->plan.steps[k];

        if (step->kernel && tensor_is_among(t, step->part->inputs, step->part->n_inputs))
            st = step->kernel->ops->bind(step->kernel, t, false, b, err);
    }
    return st;
}

enum status session_bind_input(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err)
{
    const struct tensor *t = i < s->graph->n_inputs ? s->graph->inputs[i] : NULL;
    enum status st = check(s, "input", i, s->graph->n_inputs, t, err);

    if (st)
        return st;
    if (tensor_is_among(t, s->graph->outputs, s->graph->n_outputs))
        return err_set(err, ST_UNSUPPORTED, "input %u '%.100s' is an output too", i, t->name);
    for (uint32_t k = 0; k < s->plan.n_steps; k++) {
        const struct step *step = &s->plan.steps[k];

        if (!step->kernel && tensor_is_among(t, step->call.node->in, step->call.node->n_in))
            return refuse(err, "input", i, t, step, "read by");
        if (step->kernel && !step->kernel->ops->bind)
            return err_set(err, ST_UNSUPPORTED, "delegate %s takes no buffers", step->part->delegate->type->name);
    }
    if ((st = bind_readers(s, t, b, err)) && b)
        bind_readers(s, t, NULL, NULL);
    return st;
}

enum status session_bind_output(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err)
{
    const struct tensor *t = i < s->graph->n_outputs ? s->graph->outputs[i] : NULL;
    enum status st = check(s, "output", i, s->graph->n_outputs, t, err);
    const struct step *maker = NULL;

    if (st)
        return st;
    for (uint32_t k = 0; k < s->plan.n_steps; k++) {
        const struct step *step = &s->plan.steps[k];
        const struct node *n = step->call.node;

        if (step->kernel ? tensor_is_among(t, step->part->inputs, step->part->n_inputs) : tensor_is_among(t, n->in, n->n_in))
            return refuse(err, "output", i, t, step, "read by");
        if (!step->kernel && tensor_is_among(t, n->out, n->n_out))
            return refuse(err, "output", i, t, step, "made by");
        if (step->kernel && tensor_is_among(t, step->part->outputs, step->part->n_outputs))
            maker = step;
    }
    if (!maker)
        return err_set(err, ST_UNSUPPORTED, "output %u '%.100s' is made by no node that runs", i, t->name);
    if (!maker->kernel->ops->bind)
        return err_set(err, ST_UNSUPPORTED, "delegate %s takes no buffers", maker->part->delegate->type->name);
    if ((st = maker->kernel->ops->bind(maker->kernel, t, true, b, err)) && b)
        maker->kernel->ops->bind(maker->kernel, t, true, NULL, NULL);
    return st;
}

static enum status lend(struct session *s, bool output, uint32_t i, void *data, struct err *err)
{
    const struct graph *g = s->graph;
    struct tensor *const *list = output ? g->outputs : g->inputs;
    const uint32_t n = output ? g->n_outputs : g->n_inputs;
    const char *what = output ? "output" : "input";
    struct tensor *t = i < n ? list[i] : NULL;

    if (!t)
        return err_set(err, ST_USAGE, "%s %u, the model has %u", what, i, n);
    if (t->is_dynamic || t->type == TYPE_STRING || t->is_const || t->is_variable)
        return err_set(err, ST_UNSUPPORTED, "%s %u '%.100s' takes no memory of the caller's: it is %s", what, i, t->name,
                       t->is_const      ? "constant"
                       : t->is_variable ? "a variable"
                                        : "known in size only while running");
    if (tensor_is_among(t, output ? g->inputs : g->outputs, output ? g->n_inputs : g->n_outputs))
        return err_set(err, ST_UNSUPPORTED, "%s %u '%.100s' is an input and an output", what, i, t->name);
    t->is_lent = true;
    t->data = data;
    return ST_OK;
}

enum status session_lend_input(struct session *s, uint32_t i, void *data, struct err *err)
{
    return lend(s, false, i, data, err);
}

enum status session_lend_output(struct session *s, uint32_t i, void *data, struct err *err)
{
    return lend(s, true, i, data, err);
}

bool session_crossing(const struct session *s, uint32_t i, struct delegate_crossing *out)
{
    for (uint32_t k = 0; k < s->delegation.n_kernels; k++) {
        const struct delegate_kernel *kernel = s->delegation.kernels[k];
        uint32_t n = 0;

        for (; kernel->ops->crossing && kernel->ops->crossing(kernel, n, out); n++)
            if (n == i)
                return true;
        i -= n;
    }
    return false;
}
