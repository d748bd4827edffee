/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.c - a dispatch of a plan: what it binds, who hands it over, and programs compiled before they are dispatched. */
#include "lib/gl/run/bind.h"
#include "lib/gl/run/executable_impl.h"

#include <stdlib.h>

static struct gl_program *program_of(const struct gl_executable *x, uint32_t dispatch)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);

    return x->programs.list[d[dispatch].program];
}

/* Binding i of the plan. */
static void bind(const struct gl_executable *x, uint32_t i, struct gl_state *now)
{
    const struct gl_plan_binding *b = (const struct gl_plan_binding *)gl_plan_array(x->plan, GL_PLAN_BINDINGS) + i;
    const struct gl_external_buffer *u = x->user_of && x->user_of[i] ? &x->users[x->user_of[i] - 1] : NULL;
    const struct gl_plan_view *views = gl_plan_array(x->plan, GL_PLAN_VIEWS);
    const struct gl_plan_texture *textures = gl_plan_array(x->plan, GL_PLAN_TEXTURES);

    switch ((enum gl_through)b->through) {
    case GL_THROUGH_IMAGE:
        gl_bind_image(now, b->point, u ? u->image : x->images[b->view], GL_READ_ONLY, views[b->view].format);
        break;
    case GL_THROUGH_TEXTURE: gl_bind_texture(now, b->point, GL_TEXTURE_2D_ARRAY, x->arrays[b->offset]); break;
    case GL_THROUGH_COPY: gl_bind_texture(now, b->point, GL_TEXTURE_2D_ARRAY, x->images[b->view]); break;
    case GL_THROUGH_FOUR:
        for (uint32_t n = 0; n < 4; n++)
            gl_bind_texture(now, b->point + n, GL_TEXTURE_2D_ARRAY, x->images[b->view + n]);
        break;
    case GL_THROUGH_TEXEL: gl_bind_texture(now, b->point, GL_TEXTURE_BUFFER_EXT, u ? u->image : x->images[b->view]); break;
    case GL_THROUGH_UNIFORM: gl_bind_range(now, GL_UNIFORM_BUFFER, b->point, x->buffers[b->store], b->offset, b->bytes); break;
    case GL_THROUGH_STORE: gl_bind_image(now, b->point, x->arrays[b->offset], GL_WRITE_ONLY, textures[b->offset].format); break;
    default:
        gl_bind_range(now, GL_SHADER_STORAGE_BUFFER, b->point, u ? u->is.id : x->buffers[b->store], u ? u->is.offset : b->offset,
                      u ? u->bytes : b->bytes);
    }
}

/* What the dispatches before wrote is seen by all ways to read it. */
static void wait_for_writes(const struct gl_executable *x)
{
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                    (x->fetches ? GL_TEXTURE_FETCH_BARRIER_BIT : 0));
}

/* Program, numbers and bindings of dispatch i; the context of `who` is current. */
static void set_up(const struct gl_executable *x, uint32_t i, uint32_t who)
{
    const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(x->plan, GL_PLAN_DISPATCHES) + i;
    struct gl_state *now = &x->set.context->now[who];

    gl_bind_program(now, program_of(x, i)->program);
    if (d->n_uniforms)
        gl_bind_range(now, GL_UNIFORM_BUFFER, 0, x->buffers[GL_STORE_UNIFORMS], d->numbers, 16 * (uint64_t)d->n_uniforms);
    for (uint32_t j = 0; j < d->n_bindings; j++)
        bind(x, d->first_binding + j, now);
}

void gl_dispatch_turn(struct gl_executable *x, uint32_t i)
{
    gl_helpers_turn(&x->set.context->programs.helpers, program_of(x, i)->who);
}

void gl_dispatch(struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(x->plan, GL_PLAN_DISPATCHES) + i;

    gl_dispatch_turn(x, i);
    program_of(x, i)->warm = true;
    if (d->barrier || x->owes_barrier || gl_assigns_there(x, i)) /* what it assigns was read before, from the same buffer */
        wait_for_writes(x);
    x->owes_barrier = false;
    set_up(x, i, x->set.context->programs.helpers.turn);
    glDispatchCompute(d->groups[0], d->groups[1], d->groups[2]);
}

void gl_dispatch_end(struct gl_executable *x)
{
    gl_helpers_turn(&x->set.context->programs.helpers, 0);
    gl_bind_first_unit(x->set.context->now);
}

/* ---- compiling ahead ---- */

/* A program that nobody has compiled yet. */
struct cold {
    uint32_t dispatch; /* the first one of it */
    uint64_t ns;       /* gl_program.ns: what takes long to build takes long to compile */
};

struct ahead {
    struct gl_executable *x;
    const struct cold *cold;
    GLuint nothing; /* a buffer with the size of a dispatch without workgroups */
};

/* No workgroup runs. Bound is what will be, which the code may depend on. */
static void compile_one(void *arg, uint32_t i, uint32_t who)
{
    const struct ahead *a = arg;

    program_of(a->x, a->cold[i].dispatch)->who = who;
    set_up(a->x, a->cold[i].dispatch, who);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, a->nothing);
    glDispatchComputeIndirect(0);
}

static int longest_first(const void *a, const void *b)
{
    const struct cold *x = a, *y = b;

    return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : x->dispatch < y->dispatch ? -1 : 1;
}

/* Fills cold[], which has room for all; they count as warm from then on. */
static uint32_t take_cold(struct gl_executable *x, struct cold *cold)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DISPATCHES); i++) {
        struct gl_program *p = program_of(x, i);

        if (p->warm || gl_is_skipped(x, i) || gl_is_moved_by_cpu(x, i))
            continue;
        p->warm = true;
        cold[n++] = (struct cold){i, p->ns};
    }
    qsort(cold, n, sizeof *cold, longest_first);
    return n;
}

/* Their code is the context's or a helper's from then on. */
static void compile_all(struct gl_executable *x, const struct cold *cold, uint32_t n)
{
    static const uint32_t no_groups[3] = {0};
    struct ahead a = {.x = x, .cold = cold};

    gl_context_forget(x->set.context);
    glGenBuffers(1, &a.nothing);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, a.nothing);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof no_groups, no_groups, GL_STATIC_DRAW);
    gl_helpers_share(&x->set.context->programs.helpers, n, compile_one, &a);
    glDeleteBuffers(1, &a.nothing);
    gl_dispatch_end(x);
}

enum status gl_compile_ahead(struct gl_executable *x, struct err *err)
{
    const struct gl_helpers *h = &x->set.context->programs.helpers;
    struct cold *cold;
    uint32_t n;

    if (!gl_helpers_any(h) || x->compiled_ahead == 1 + h->dismissals)
        return ST_OK;
    if (!(cold = calloc(1 + gl_plan_n(x->plan, GL_PLAN_DISPATCHES), sizeof *cold)))
        return err_set(err, ST_NOMEM, "out of memory");
    x->compiled_ahead = 1 + h->dismissals;
    if ((n = take_cold(x, cold)) > 1)
        compile_all(x, cold, n);
    free(cold);
    return gl_context_check(x->set.context, "compiling programs", err);
}
