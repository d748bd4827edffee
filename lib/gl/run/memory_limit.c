/* SPDX-License-Identifier: Apache-2.0 */
/* memory_limit.c - sums over plans; the largest dispatches go first. */
#include "lib/gl/run/memory_limit.h"

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t gl_plan_own_bytes(const struct gl_plan *p)
{
    return plus(plus(p->store_bytes[GL_STORE_CONSTANTS], p->store_bytes[GL_STORE_UNIFORMS]),
                plus(p->store_bytes[GL_STORE_STATE], gl_plan_copy_bytes(p)));
}

uint64_t gl_plans_bytes(const struct gl_plan *const *ps, uint32_t n, uint32_t sets, const struct gl_shared *s)
{
    uint64_t own = 0, want[GL_SHARED_KINDS] = {0}, sum;

    for (uint32_t i = 0; i < n; i++) {
        own = plus(own, gl_plan_own_bytes(ps[i]));
        want[GL_SHARED_VALUES] = larger(want[GL_SHARED_VALUES], ps[i]->store_bytes[GL_STORE_VALUES]);
        for (uint32_t k = 0; k < sets; k++)
            want[GL_SHARED_STAGING + k] = larger(want[GL_SHARED_STAGING + k], ps[i]->store_bytes[GL_STORE_STAGING]);
    }
    sum = n ? plus(own, ps[0]->texture_bytes) : 0;
    for (int kind = 0; kind < GL_SHARED_KINDS; kind++)
        sum = plus(sum, want[kind] > s->bytes[kind] ? want[kind] : 0);
    return sum;
}

/* ---- the nodes to leave out ---- */

/* Bytes that a dispatch binds of constants, and of all else while it runs. */
struct dispatch_bytes {
    uint64_t constants, values;
};

static struct dispatch_bytes bytes_of(const struct gl_plan *p, const struct gl_plan_dispatch *d)
{
    const struct gl_plan_binding *b = (const struct gl_plan_binding *)gl_plan_array(p, GL_PLAN_BINDINGS) + d->first_binding;
    const struct gl_plan_texture *t = gl_plan_array(p, GL_PLAN_TEXTURES);
    struct dispatch_bytes sum = {0, 0};

    for (uint32_t i = 0; i < d->n_bindings; i++)
        if (b[i].store == GL_STORE_CONSTANTS)
            sum.constants += b[i].bytes;
        else if (b[i].store == GL_STORE_TEXTURES)
            sum.values += (uint64_t)t[b[i].offset].width * t[b[i].offset].height * t[b[i].offset].layers *
                          gl_plan_texel_bytes(t[b[i].offset].format);
        else
            sum.values += b[i].bytes;
    return sum;
}

static bool is_left_out(const struct gl_plan *p, const struct gl_plan_dispatch *d, const bool *leave_out)
{
    const uint32_t *node = (const uint32_t *)gl_plan_array(p, GL_PLAN_NODES) + d->first_node;

    for (uint32_t i = 0; i < d->n_nodes; i++)
        if (leave_out[node[i]])
            return true;
    return false;
}

/* What is left: the sum of constants and the largest values of a dispatch; *largest is the dispatch that needs most, or NULL. */
static struct dispatch_bytes sum_up(const struct gl_plan *const *ps, uint32_t n, const bool *leave_out, uint32_t *plan,
                                    const struct gl_plan_dispatch **largest)
{
    struct dispatch_bytes sum = {0, 0};
    uint64_t most = 0;

    *largest = NULL;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < gl_plan_n(ps[i], GL_PLAN_DISPATCHES); k++) {
            const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(ps[i], GL_PLAN_DISPATCHES) + k;
            const struct dispatch_bytes b = bytes_of(ps[i], d);

            if (!d->n_nodes || is_left_out(ps[i], d, leave_out))
                continue;
            sum.constants = plus(sum.constants, b.constants);
            sum.values = larger(sum.values, b.values);
            if (*largest && plus(b.constants, b.values) <= most)
                continue;
            most = plus(b.constants, b.values);
            *largest = d;
            *plan = i;
        }
    return sum;
}

/* Values share memory and transfers have theirs: `bytes` counts both, and their part of it is taken to shrink as the largest
 * dispatch does. */
uint32_t gl_plans_leave_out(const struct gl_plan *const *ps, uint32_t n, uint64_t bytes, uint64_t room, bool *leave_out)
{
    const struct gl_plan_dispatch *largest;
    uint32_t plan = 0, left_out = 0;
    struct dispatch_bytes now = sum_up(ps, n, leave_out, &plan, &largest);
    const double rest = bytes > now.constants ? (double)(bytes - now.constants) : 0;
    const double share = now.values ? rest / (double)now.values : 0;

    while (largest && (!left_out || (double)now.constants + share * (double)now.values > (double)room)) {
        const uint32_t *node = (const uint32_t *)gl_plan_array(ps[plan], GL_PLAN_NODES) + largest->first_node;

        for (uint32_t i = 0; i < largest->n_nodes; i++) {
            left_out += !leave_out[node[i]];
            leave_out[node[i]] = true;
        }
        now = sum_up(ps, n, leave_out, &plan, &largest);
    }
    return left_out;
}
