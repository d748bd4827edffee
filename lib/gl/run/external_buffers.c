/* SPDX-License-Identifier: Apache-2.0 */
/* external_buffers.c - inputs and outputs in buffers of the caller's: what is taken, and which bindings bind it. */
#include "lib/gl/run/executable_impl.h"

#include <stdlib.h>

static uint32_t n_transfers(const struct gl_executable *x)
{
    return gl_plan_n(x->plan, GL_PLAN_UPLOADS) + gl_plan_n(x->plan, GL_PLAN_DOWNLOADS);
}

/* Transfer i of uploads and then downloads. */
static const struct gl_plan_transfer *transfer(const struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_transfer *up = gl_plan_array(x->plan, GL_PLAN_UPLOADS), *down = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    const uint32_t n_up = gl_plan_n(x->plan, GL_PLAN_UPLOADS);

    return i < n_up ? &up[i] : &down[i - n_up];
}

static const struct tensor *tensor_of(const struct gl_executable *x, uint32_t i)
{
    const bool up = i < gl_plan_n(x->plan, GL_PLAN_UPLOADS);

    return (up ? x->part->inputs : x->part->outputs)[transfer(x, i)->tensor];
}

/* The transfer that dispatch i makes; UINT32_MAX: it makes none. */
static uint32_t transfer_of(const struct gl_executable *x, uint32_t i)
{
    const uint32_t n_up = gl_plan_n(x->plan, GL_PLAN_UPLOADS), n_down = gl_plan_n(x->plan, GL_PLAN_DOWNLOADS);
    const uint32_t first_down = gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n_down;

    if (i < n_up)
        return i;
    return i >= first_down ? n_up + i - first_down : UINT32_MAX;
}

bool gl_is_skipped(const struct gl_executable *x, uint32_t dispatch)
{
    const uint32_t i = x->users ? transfer_of(x, dispatch) : UINT32_MAX;

    return i != UINT32_MAX && x->users[i].is.id && x->users[i].direct;
}

bool gl_assigns_there(const struct gl_executable *x, uint32_t dispatch)
{
    const uint32_t i = x->users ? transfer_of(x, dispatch) : UINT32_MAX;

    return i != UINT32_MAX && i >= gl_plan_n(x->plan, GL_PLAN_UPLOADS) && x->users[i].is.id && tensor_of(x, i)->is_variable;
}

bool gl_is_by_host(const struct gl_executable *x, bool output, uint32_t i)
{
    return !x->users || !x->users[i + (output ? gl_plan_n(x->plan, GL_PLAN_UPLOADS) : 0)].is.id;
}

/* The dispatch that makes transfer i. */
static const struct gl_plan_dispatch *dispatch_of(const struct gl_executable *x, uint32_t i)
{
    const uint32_t n_up = gl_plan_n(x->plan, GL_PLAN_UPLOADS), n_down = gl_plan_n(x->plan, GL_PLAN_DOWNLOADS);
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);

    return &d[i < n_up ? i : gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n_down + i - n_up];
}

/* The memory of an input may be another value's when its dispatches come again; and one of two outputs that are one value may lie
 * in a buffer of the caller's alone. */
bool gl_is_laid_out(const struct gl_executable *x, bool output, uint32_t i)
{
    const uint32_t at = i + (output ? gl_plan_n(x->plan, GL_PLAN_UPLOADS) : 0);
    const struct gl_plan_dispatch *d = dispatch_of(x, at);

    if (!x->set.context->limits.policy.host_layout || x->set.loops > 1 || !transfer(x, at)->n_layouts ||
        !gl_is_by_host(x, output, i))
        return false;
    for (uint32_t j = 0; x->user_of && j < d->n_bindings; j++)
        if (x->user_of[d->first_binding + j])
            return false;
    return true;
}

bool gl_is_moved_by_cpu(const struct gl_executable *x, uint32_t dispatch)
{
    const uint32_t i = transfer_of(x, dispatch), n_up = gl_plan_n(x->plan, GL_PLAN_UPLOADS);

    return i != UINT32_MAX && gl_is_laid_out(x, i >= n_up, i >= n_up ? i - n_up : i);
}

bool gl_crossing(const struct gl_executable *x, uint32_t i, struct delegate_crossing *out)
{
    for (uint32_t t = 0; t < n_transfers(x); t++)
        if (transfer(x, t)->store == GL_STORE_STAGING && !i--) {
            const struct gl_external_buffer *u = x->users ? &x->users[t] : NULL;

            *out = (struct delegate_crossing){.tensor = tensor_of(x, t), .output = t >= gl_plan_n(x->plan, GL_PLAN_UPLOADS)};
            if (u && u->is.id)
                out->way = u->direct ? DELEGATE_DIRECT : DELEGATE_CONVERTED;
            return true;
        }
    return false;
}

/* ---- what is taken ---- */

/* Whole words: shaders read and write no less. */
static uint64_t dense_bytes(const struct gl_plan_transfer *t)
{
    return (t->bytes + 3) / 4 * 4;
}

static uint64_t direct_bytes(const struct gl_executable *x, const struct gl_plan_transfer *t)
{
    const uint32_t *list = gl_plan_array(x->plan, GL_PLAN_DIRECT);
    const struct gl_plan_binding *b = gl_plan_array(x->plan, GL_PLAN_BINDINGS);

    return b[list[t->first_direct]].bytes;
}

static enum status check_range(const struct gl_executable *x, const struct tensor *t, const struct delegate_buffer *b,
                               uint64_t needs, struct err *err)
{
    const uint32_t align = x->set.context->limits.storage_align;
    GLint64 size = 0;

    if (!b->id || !glIsBuffer(b->id))
        return err_set(err, ST_USAGE, "'%.100s': %u is no GL buffer of the delegate's context", t->name, b->id);
    if (b->offset % align)
        return err_set(err, ST_USAGE, "'%.100s': offset %llu in buffer %u, the device wants multiples of %u", t->name,
                       (unsigned long long)b->offset, b->id, align);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b->id);
    glGetBufferParameteri64v(GL_SHADER_STORAGE_BUFFER, GL_BUFFER_SIZE, &size);
    if (b->offset > (uint64_t)size || b->bytes > (uint64_t)size - b->offset)
        return err_set(err, ST_USAGE, "'%.100s': %llu bytes from %llu on, and buffer %u has %lld", t->name,
                       (unsigned long long)b->bytes, (unsigned long long)b->offset, b->id, (long long)size);
    if (b->bytes < needs)
        return err_set(err, ST_USAGE, "'%.100s' (%s) takes %llu bytes%s, the range of buffer %u has %llu", t->name, TENSOR_TEXT(t),
                       (unsigned long long)needs, b->layout == DELEGATE_SLICES ? " in slices of four channels" : "", b->id,
                       (unsigned long long)b->bytes);
    return gl_context_check(x->set.context, "looking at a buffer", err);
}

/* ---- which bindings bind it ---- */

static void let_go(struct gl_executable *x, uint32_t i)
{
    glDeleteTextures(1, &x->users[i].image);
    x->users[i] = (struct gl_external_buffer){.image = 0};
    for (uint32_t b = 0; b < gl_plan_n(x->plan, GL_PLAN_BINDINGS); b++)
        if (x->user_of[b] == i + 1)
            x->user_of[b] = 0;
}

/* Of two outputs that are one value, one has the list. */
static void bind_directly(struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_transfer *t = transfer(x, i);
    const uint32_t *list = (const uint32_t *)gl_plan_array(x->plan, GL_PLAN_DIRECT) + t->first_direct;
    const struct gl_plan_binding *b = gl_plan_array(x->plan, GL_PLAN_BINDINGS);
    const struct gl_plan_view *v = gl_plan_array(x->plan, GL_PLAN_VIEWS);
    struct gl_external_buffer *u = &x->users[i];

    u->direct = true;
    u->bytes = direct_bytes(x, t);
    for (uint32_t j = 0; j < t->n_direct; j++) {
        x->user_of[list[j]] = i + 1;
        if (b[list[j]].view == GL_PLAN_NO_VIEW || u->image)
            continue;
        glGenTextures(1, &u->image);
        glBindTexture(GL_TEXTURE_BUFFER_EXT, u->image);
        glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, v[b[list[j]].view].format, u->is.id, (GLintptr)u->is.offset,
                            (GLsizeiptr)u->bytes);
    }
}

static void bind_to_transfer(struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_dispatch *d = dispatch_of(x, i);
    const struct gl_plan_binding *b = gl_plan_array(x->plan, GL_PLAN_BINDINGS);

    x->users[i].bytes = dense_bytes(transfer(x, i));
    for (uint32_t j = 0; j < d->n_bindings; j++)
        if (b[d->first_binding + j].store == GL_STORE_STAGING)
            x->user_of[d->first_binding + j] = i + 1;
}

static enum status make_room(struct gl_executable *x, struct err *err)
{
    if (x->users)
        return ST_OK;
    x->user_of = calloc((size_t)gl_plan_n(x->plan, GL_PLAN_BINDINGS) + 1, sizeof *x->user_of);
    x->users = x->user_of ? calloc((size_t)n_transfers(x) + 1, sizeof *x->users) : NULL;
    return x->users ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
}

/* The place of tensor t among the transfers; UINT32_MAX: it has none. */
static uint32_t find(const struct gl_executable *x, const struct tensor *t, bool output)
{
    const uint32_t n_up = gl_plan_n(x->plan, GL_PLAN_UPLOADS);

    for (uint32_t i = output ? n_up : 0; i < (output ? n_transfers(x) : n_up); i++)
        if (tensor_of(x, i) == t && transfer(x, i)->store == GL_STORE_STAGING)
            return i;
    return UINT32_MAX;
}

enum status gl_use_buffer(struct gl_executable *x, const struct tensor *t, bool output, const struct delegate_buffer *b,
                          struct err *err)
{
    const uint32_t i = find(x, t, output);
    const struct gl_plan_transfer *move = i == UINT32_MAX ? NULL : transfer(x, i);
    enum status st = ST_OK;

    if (!move)
        return ST_OK;
    if (b && b->layout == DELEGATE_SLICES && !move->n_direct)
        return err_set(err, ST_UNSUPPORTED, "'%.100s' (%s) is not kept in a buffer of 32-bit slices of its own", t->name,
                       TENSOR_TEXT(t));
    if (b && (st = check_range(x, t, b, b->layout == DELEGATE_SLICES ? direct_bytes(x, move) : dense_bytes(move), err)))
        return st;
    if ((st = make_room(x, err)))
        return st;
    let_go(x, i);
    if (!b)
        return ST_OK;
    x->users[i].is = *b;
    if ((move->dense || b->layout == DELEGATE_SLICES) && !t->is_variable) /* which is read and assigned in one buffer */
        bind_directly(x, i);
    else
        bind_to_transfer(x, i);
    if ((st = gl_context_check(x->set.context, "binding a buffer", err)))
        let_go(x, i);
    return st;
}

void gl_drop_users(struct gl_executable *x)
{
    for (uint32_t i = 0; x->users && i < n_transfers(x); i++)
        glDeleteTextures(1, &x->users[i].image);
}
