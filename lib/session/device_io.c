/* SPDX-License-Identifier: Apache-2.0 */
/* device_io.c - see device_io.h */
#include "lib/session/device_io.h"

#include <stdlib.h>

static const struct tensor *tensor_of(const struct device_io *io, bool output, uint32_t i)
{
    return output ? session_output(io->session, i) : session_input(io->session, i);
}

/* Of an input that several partitions read, the way that takes most. */
static enum delegate_way way_of(const struct device_io *io, const struct tensor *t, bool output)
{
    enum delegate_way way = DELEGATE_DIRECT;
    struct delegate_crossing c;

    for (uint32_t i = 0; session_crossing(io->session, i, &c); i++)
        if (c.tensor == t && c.output == output && c.way < way)
            way = c.way;
    return way;
}

static enum status open_one(const struct device_io *io, bool output, uint32_t i, struct err *err)
{
    struct device_tensor *at = output ? &io->outputs[i] : &io->inputs[i];
    const struct tensor *t = tensor_of(io, output, i);
    struct delegate_buffer b = {.layout = DELEGATE_DENSE};
    struct err why = {""};
    enum status st;

    if (!t || !t->bytes || t->is_dynamic)
        return ST_OK;
    b.bytes = delegate_dense_bytes(t);
    if ((st = io->delegate->ops->buffer_new(io->delegate, b.bytes, &b.id, err)))
        return st;
    st = output ? session_bind_output(io->session, i, &b, &why) : session_bind_input(io->session, i, &b, &why);
    if (!st) {
        at->buffer = b.id;
        at->way = way_of(io, t, output);
        return ST_OK;
    }
    io->delegate->ops->buffer_free(io->delegate, b.id);
    if (st != ST_UNSUPPORTED)
        return err_set(err, st, "%s", why.msg);
    snprintf(at->why, sizeof at->why, "%.*s", (int)sizeof at->why - 1, why.msg);
    return ST_OK;
}

enum status device_io_open(struct device_io *io, struct session *s, struct delegate *d, struct err *err)
{
    enum status st = ST_OK;

    *io = (struct device_io){0};
    if (!d || !d->io_in_buffers)
        return ST_OK;
    *io = (struct device_io){.session = s, .delegate = d, .n_inputs = session_n_inputs(s), .n_outputs = session_n_outputs(s)};
    io->inputs = calloc((size_t)io->n_inputs + 1, sizeof *io->inputs);
    io->outputs = calloc((size_t)io->n_outputs + 1, sizeof *io->outputs);
    if (!io->inputs || !io->outputs)
        return err_set(err, ST_NOMEM, "out of memory for %u inputs and outputs", io->n_inputs + io->n_outputs);
    for (uint32_t i = 0; i < io->n_inputs && !st; i++)
        st = open_one(io, false, i, err);
    for (uint32_t i = 0; i < io->n_outputs && !st; i++)
        st = open_one(io, true, i, err);
    return st;
}

enum status device_io_write(const struct device_io *io, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < io->n_inputs && !st; i++) {
        const struct tensor *t = tensor_of(io, false, i);

        if (io->inputs[i].buffer)
            st = io->delegate->ops->buffer_write(io->delegate, io->inputs[i].buffer, t->data, t->bytes, err);
    }
    return st;
}

enum status device_io_read(const struct device_io *io, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < io->n_outputs && !st; i++) {
        const struct tensor *t = tensor_of(io, true, i);

        if (io->outputs[i].buffer)
            st = io->delegate->ops->buffer_read(io->delegate, io->outputs[i].buffer, t->data, t->bytes, err);
    }
    return st;
}

uint32_t device_io_count(const struct device_tensor *t, uint32_t n, bool direct)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        count += t[i].buffer && (!direct || t[i].way == DELEGATE_DIRECT);
    return count;
}

static bool is_models(const struct device_io *io, const struct tensor *t)
{
    for (uint32_t i = 0; i < io->n_inputs; i++)
        if (tensor_of(io, false, i) == t)
            return true;
    for (uint32_t i = 0; i < io->n_outputs; i++)
        if (tensor_of(io, true, i) == t)
            return true;
    return false;
}

bool device_io_inner(const struct device_io *io, uint32_t i, struct delegate_crossing *out)
{
    for (uint32_t k = 0; io->session && session_crossing(io->session, k, out); k++)
        if (out->way == DELEGATE_BY_HOST && !is_models(io, out->tensor) && !i--)
            return true;
    return false;
}

void device_io_free(struct device_io *io)
{
    for (uint32_t i = 0; io->inputs && i < io->n_inputs; i++)
        if (io->inputs[i].buffer)
            io->delegate->ops->buffer_free(io->delegate, io->inputs[i].buffer);
    for (uint32_t i = 0; io->outputs && i < io->n_outputs; i++)
        if (io->outputs[i].buffer)
            io->delegate->ops->buffer_free(io->delegate, io->outputs[i].buffer);
    free(io->inputs);
    free(io->outputs);
    *io = (struct device_io){0};
}
