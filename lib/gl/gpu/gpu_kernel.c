/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_kernel.c - what a compiled partition does for its session: each call with the context current, and then the caller's again.
 */
#include "lib/gl/plan/compiled.h"

static struct gl_compiled *compiled(struct delegate_kernel *k)
{
    return (struct gl_compiled *)k;
}

/* With the context current. */
static enum status within(struct delegate_kernel *kernel, enum status (*step)(struct gl_compiled *k, struct err *err),
                          struct err *err)
{
    struct gl_compiled *k = compiled(kernel);
    struct gl_current before;
    enum status st = gl_context_enter(k->set.context, &before, err);

    return st ? st : gl_context_leave(k->set.context, &before, step(k, err), err);
}

static enum status gpu_invoke(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_run, err);
}

static enum status gpu_submit(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_submit, err);
}

static enum status gpu_wait(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_finish, err);
}

static enum status gpu_read(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_read, err);
}

static uint32_t gpu_ahead(const struct delegate_kernel *k)
{
    return gl_ahead((const struct gl_compiled *)k);
}

static enum status gpu_fetch(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_fetch, err);
}

static enum status gpu_profile(struct delegate_kernel *kernel, const struct delegate_timing **rows, size_t *n,
                               struct delegate_overhead *overhead, struct err *err)
{
    struct gl_compiled *k = compiled(kernel);
    struct gl_current before;
    enum status st = gl_context_enter(k->set.context, &before, err);

    *n = 0;
    if (st || (st = gl_context_leave(k->set.context, &before, gl_run_timed(k, err), err)))
        return st;
    *rows = k->shown;
    *n = k->n_shown;
    overhead->write_ns += k->overhead.write_ns;
    overhead->wait_ns += k->overhead.wait_ns;
    overhead->read_ns += k->overhead.read_ns;
    return ST_OK;
}

static enum status gpu_bind(struct delegate_kernel *kernel, const struct tensor *t, bool output, const struct delegate_buffer *b,
                            struct err *err)
{
    struct gl_compiled *k = compiled(kernel);
    struct gl_current before;
    enum status st = gl_context_enter(k->set.context, &before, err);

    return st ? st : gl_context_leave(k->set.context, &before, gl_use_buffer(k, t, output, b, err), err);
}

static bool gpu_crossing(const struct delegate_kernel *k, uint32_t i, struct delegate_crossing *out)
{
    return gl_crossing((const struct gl_compiled *)k, i, out);
}

static bool gpu_program(const struct delegate_kernel *kernel, uint32_t i, struct delegate_program *out)
{
    const struct gl_program_set *set = &((const struct gl_compiled *)kernel)->programs;

    for (uint32_t j = 0; j < set->n; j++) {
        const struct gl_program *p = set->list[j];

        if (p->builder == set && !i--) {
            *out = (struct delegate_program){p->label, p->ns, p->loaded};
            return true;
        }
    }
    return false;
}

static void gpu_memory(const struct delegate_kernel *k, struct delegate_memory *out)
{
    *out = ((const struct gl_compiled *)k)->memory;
}

static void gpu_free(struct delegate_kernel *k)
{
    struct gl_context *c = compiled(k)->set.context;
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, NULL);

    gl_compiled_free(compiled(k));
    if (!st)
        gl_context_leave(c, &before, st, NULL);
}

const struct delegate_kernel_ops gl_kernel_ops = {
    .invoke = gpu_invoke,
    .submit = gpu_submit,
    .wait = gpu_wait,
    .read = gpu_read,
    .ahead = gpu_ahead,
    .fetch = gpu_fetch,
    .profile = gpu_profile,
    .memory = gpu_memory,
    .reset = gl_begin_anew,
    .bind = gpu_bind,
    .crossing = gpu_crossing,
    .program = gpu_program,
    .free = gpu_free,
};
