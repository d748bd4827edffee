/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_kernel.c - a partition of the delegate "gpu": compiled or restored, prepared, and run for its session. Each call from the
 * session makes the context current, and then the caller's again. */
#include "lib/gl/gpu/gpu_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gl/run/memory_limit.h"
#include "lib/gl/tune/tune.h"

static struct gpu_kernel *self(struct delegate_kernel *k)
{
    return (struct gpu_kernel *)k;
}

/* ---- from partitions to executables ---- */

/* Costs before gpu_kernels_prepare; of `t` nothing is set unless the partition was tuned. */
static void add_start(struct gpu_kernel *k, const struct gl_tuned *t, uint64_t lowered)
{
    const bool cut = t->tuning && t->tuning->is_cut, restored = k->tuning_entry[0];

    FACTS(&k->facts, {"start.programs_compiled", "programs", t->compiled}, {"start.programs_loaded", "programs"},
          {"start.nodes_lowered", "nodes", lowered}, {"start.packed_bytes", "bytes"}, {"start.tuning.trials", "trials", t->trials},
          {"start.tuning.nodes", "nodes", k->restored ? k->restored->nodes_tuned : t->nodes}, {"start.tuning.us", "ns", t->ns},
          {"start.tuning.beyond_us", "ns", t->beyond_ns}, {"start.tuning.bound_us", "ns", t->bound_ns},
          {"start.tuning.cut", "partitions", cut},
          {"start.tuning.stored", "partitions", restored, restored ? k->tuning_entry : NULL},
          {"tuning_trial", "ns", t->trial_ns, .longest = true}, {"tuning_program", "ns", t->program_ns, .longest = true});
}

static enum status compile(struct gpu_kernel *k, struct reason *refused, struct err *err)
{
    struct gl_settings set = k->set;
    struct gl_tuned tuned = {0};
    enum status st = set.tuning ? gl_tune(&set, k->graph, k->part, &tuned, err) : ST_OK;

    set.recipe.picks = tuned.nodes ? tuned.picks : NULL;
    if (!st)
        st = gl_compile(&set, k->graph, k->part, refused, &k->draft, err);
    add_start(k, &tuned, k->part->n_nodes);
    if (!st && set.tuning) {
        k->draft->tuning = tuned.tuning;
        tuned.tuning = NULL;
    }
    gl_tuned_free(set.run.context, &tuned);
    return st;
}

/* What is shown has sources and operations, which a stored start has not. */
static enum status restore(struct gpu_kernel *k, struct err *err)
{
    enum status st;

    if (k->set.dump_dir || k->set.recipe.dump_ir)
        return ST_OK;
    st = gl_restore(k->set.stored, k->set.run.context, k->set.tuning, k->graph, k->part, &k->restored, err);
    if (!k->restored)
        return st;
    snprintf(k->tuning_entry, sizeof k->tuning_entry, "%s", k->restored->tuning_entry);
    add_start(k, &(struct gl_tuned){0}, 0);
    return ST_OK;
}

/* All but the executable. */
static void forget(struct gpu_kernel *k)
{
    gl_restored_free(k->set.run.context, k->restored);
    gl_draft_free(k->set.run.context, k->draft);
    k->restored = NULL;
    k->draft = NULL;
}

enum status gpu_kernel_new(const struct gl_settings *set, const struct graph *g, const struct partition *part,
                           struct reason *refused, struct gpu_kernel **out, struct err *err)
{
    struct gpu_kernel *k = calloc(1, sizeof *k);
    enum status st;

    *out = NULL;
    if (!k)
        return ir_nomem(err);
    *k = (struct gpu_kernel){.head.ops = &gpu_kernel_ops, .set = *set, .graph = g, .part = part, .refused = refused};
    if (!(st = restore(k, err)) && !k->restored)
        st = compile(k, refused, err);
    if (!st) {
        *out = k;
        return ST_OK;
    }
    forget(k);
    free(k);
    return st;
}

/* In place of what was restored. That there is a plan of it shows that the driver takes it. */
static enum status compile_again(struct gpu_kernel *k, struct err *err)
{
    struct reason *refused = calloc(k->graph->n_nodes + 1, sizeof *refused);
    enum status st;

    forget(k);
    k->facts.n = 0;
    k->tuning_entry[0] = '\0';
    st = refused ? compile(k, refused, err) : ir_nomem(err);
    for (uint32_t i = 0; !st && i < k->graph->n_nodes; i++)
        if (refused[k->graph->nodes[i].index].code)
            st = node_err(&k->graph->nodes[i], err_set(err, ST_FAILED, "%s", refused[k->graph->nodes[i].index].text), err);
    free(refused);
    return st;
}

/* All that a graph's kernels are made of, side by side. */
struct together {
    struct gl_plan **plans;
    struct gl_restored **restored;
    struct gl_draft **drafts;
    struct gl_executable **made;
};

/* ---- the limit of memory ---- */

/* "3,7-9", as far as there is room. */
static void list_nodes(const struct graph *g, const bool *which, char *text, size_t size)
{
    size_t n = 0;

    *text = '\0';
    for (uint32_t i = 0; i < g->n_nodes && n < size - 32; i++) {
        const uint32_t first = i;

        if (!which[i])
            continue;
        while (i + 1 < g->n_nodes && which[i + 1])
            i++;
        n += (size_t)snprintf(text + n, size - n, "%s%u", n ? "," : "", g->nodes[first].index);
        if (i > first)
            n += (size_t)snprintf(text + n, size - n, "-%u", g->nodes[i].index);
        if (n >= size - 32)
            snprintf(text + n, size - n, ",...");
    }
}

/* Marks the nodes of all partitions, and returns their number. */
static uint32_t mark_all(struct gpu_kernel *const *ks, uint32_t n, bool *which)
{
    uint32_t marked = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < ks[i]->part->n_nodes; k++, marked++)
            which[ks[i]->part->nodes[k] - ks[i]->graph->nodes] = true;
    return marked;
}

static uint32_t count_nodes(struct gpu_kernel *const *ks, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += ks[i]->part->n_nodes;
    return sum;
}

/* The partitions need `bytes`: refuses the nodes that take most of it, and all if no dispatch is left to any of them. */
static enum status refuse_largest(struct gpu_kernel *const *ks, uint32_t n, const struct gl_plan *const *plans, uint64_t bytes,
                                  struct err *err)
{
    const struct gl_memory_limit *limit = ks[0]->set.limit;
    const struct graph *g = ks[0]->graph;
    const uint64_t room = limit->held < limit->most ? limit->most - limit->held : 0;
    const uint32_t n_nodes = count_nodes(ks, n);
    bool *leave_out = calloc((size_t)g->n_nodes + 1, sizeof *leave_out);
    char nodes[160], need[160];
    uint32_t left_out;

    if (!leave_out)
        return ir_nomem(err);
    if (!(left_out = gl_plans_leave_out(plans, n, bytes, room, leave_out)))
        left_out = mark_all(ks, n, leave_out);
    list_nodes(g, leave_out, nodes, sizeof nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (leave_out[i])
            reason_set(&ks[0]->refused[g->nodes[i].index], REASON_PARTITION_LIMIT,
                       "among the largest in memory, and --gpu_max_memory allows %.3f MB", (double)limit->most / 1e6);
    free(leave_out);
    snprintf(need, sizeof need, "%u node%s %.3f MB of GPU memory, --gpu_max_memory allows %.3f MB", n_nodes,
             n_nodes == 1 ? " needs" : "s need", (double)bytes / 1e6, (double)limit->most / 1e6);
    if (left_out >= n_nodes && !limit->held)
        return err_set(err, ST_NOMEM, "%s, and no part of the model fits", need);
    delegate_warn(ks[0]->part->delegate, "%s (%.3f MB are held): %u on the CPU: %s", need, (double)limit->held / 1e6, left_out,
                  nodes);
    return ST_OK;
}

/* Before anything is allocated. *fits is false if nodes were refused. */
static enum status fit_memory(struct gpu_kernel *const *ks, uint32_t n, struct gl_plan *const *plans, bool *fits, struct err *err)
{
    const struct gl_run_settings *run = &ks[0]->set.run;
    const struct gl_memory_limit *limit = ks[0]->set.limit;
    const struct gl_plan *const *ps = (const struct gl_plan *const *)plans;
    const uint64_t bytes = gl_plans_bytes(ps, n, run->ahead ? 2 : 1, run->shared);

    *fits = limit->held <= limit->most && bytes <= limit->most - limit->held;
    return *fits ? ST_OK : refuse_largest(ks, n, ps, bytes, err);
}

/* ---- making all of a graph ready ---- */

/* Partitions share memory: either all of them are as they were stored together, or none. */
static bool take_restored(struct gpu_kernel *const *ks, uint32_t n, const struct together *all)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!(all->restored[i] = ks[i]->restored))
            return false;
        all->plans[i] = ks[i]->restored->plan;
    }
    return gl_restored_together(ks[0]->set.stored, &ks[0]->set.run.context->limits, all->restored, n);
}

static enum status plan_compiled(struct gpu_kernel *const *ks, uint32_t n, const struct together *all, struct err *err)
{
    const bool stored = gl_cache_on(ks[0]->set.stored, ks[0]->graph);
    enum status st = ST_OK;

    memset(all->plans, 0, n * sizeof *all->plans);
    for (uint32_t i = 0; i < n && !st; i++) {
        if (ks[i]->restored)
            st = compile_again(ks[i], err);
        if ((all->drafts[i] = ks[i]->draft))
            ks[i]->draft->keeps_packed = stored;
    }
    return st ? st : gl_make_plans(&ks[0]->set.run, all->drafts, n, all->plans, err);
}

static enum status prepare_compiled(struct gpu_kernel *const *ks, uint32_t n, const struct together *all, bool *fits,
                                    struct err *err)
{
    struct gl_cache *stored = ks[0]->set.stored;
    enum status st = plan_compiled(ks, n, all, err);

    if (!st && !(st = fit_memory(ks, n, all->plans, fits, err)) && *fits)
        st = gl_load_plans(&ks[0]->set.run, all->drafts, n, all->plans, all->made, err);
    for (uint32_t i = 0; i < n; i++)
        free(all->plans[i]);
    if (!st && *fits && gl_cache_on(stored, ks[0]->graph))
        gl_keep(stored, all->made, all->drafts, n);
    return st;
}

/* Return true if the next start goes on with tuning. */
static bool goes_on(const struct gpu_kernel *k)
{
    return k->draft && k->draft->tuning && k->draft->tuning->is_cut && gl_cache_on(k->set.stored, k->graph) &&
           !(k->set.stored->told & GL_CACHE_UNWRITABLE);
}

/* What the partition has on the device, and what making it took. Memory that all partitions share counts in the first. Programs
 * of trials count, but their time is not that of compiling. */
static void add_device(struct gpu_kernel *k, bool first, uint64_t staging)
{
    const struct gl_plan *p = k->executable->plan;
    struct gl_program_set *set = &k->executable->programs;
    const uint64_t packed = k->draft ? p->store_bytes[GL_STORE_CONSTANTS] : 0, textures = first ? p->texture_bytes : 0;
    uint64_t programs = set->first, load_ns = 0;

    for (uint32_t i = 0; i < set->n; i++)
        if (set->list[i]->builder == set && set->list[i]->loaded)
            load_ns += set->list[i]->ns;
    if (fact_value(&k->facts, "start.tuning.us"))
        programs += gl_programs_adopt(set);
    FACTS(&k->facts, {"memory.tensors", "bytes", first ? p->store_bytes[GL_STORE_VALUES] + textures : 0},
          {"memory.in_textures", "bytes", textures}, {"memory.lower_bound", "bytes", first ? p->lower_bound : 0},
          {"memory.unshared", "bytes", first ? p->unshared : 0},
          {"memory.constants", "bytes",
           p->store_bytes[GL_STORE_CONSTANTS] + p->store_bytes[GL_STORE_UNIFORMS] + gl_plan_copy_bytes(p)},
          {"memory.staging", "bytes", p->store_bytes[GL_STORE_STATE] + staging},
          {"memory.weights.bits_8", "bytes", p->weights[GL_STORED_8_BITS]},
          {"memory.weights.float16", "bytes", p->weights[GL_STORED_FLOAT16]},
          {"memory.weights.float32", "bytes", p->weights[GL_STORED_FLOAT32]},
          {"memory.weights.int32", "bytes", p->weights[GL_STORED_INT32]},
          {"textures", "textures", first ? gl_plan_n(p, GL_PLAN_TEXTURES) : 0}, {"work.programs", "programs", programs},
          {"work.dispatches", "dispatches", gl_plan_n(p, GL_PLAN_DISPATCHES)}, {"work.barriers", "barriers", p->barriers},
          {"start.programs_compiled", "programs", set->compiled}, {"start.programs_loaded", "programs", set->loaded},
          {"start.packed_bytes", "bytes", packed}, {"tuning_goes_on", "partitions", goes_on(k)}, {"compile", "ns", set->build_ns},
          {"load", "ns", load_ns}, {"pack", "ns", k->executable->pack_ns});
}

static enum status prepare(struct gpu_kernel *const *ks, uint32_t n, const struct together *all, struct err *err)
{
    bool fits = true;
    enum status st = ST_OK;

    if (!take_restored(ks, n, all) || (!(st = fit_memory(ks, n, all->plans, &fits, err)) && fits &&
                                       !gl_restored_prepare(ks[0]->set.stored, &ks[0]->set.run, all->restored, n, all->made)))
        st = prepare_compiled(ks, n, all, &fits, err);
    for (uint32_t i = 0; i < n; i++) {
        ks[i]->executable = all->made[i];
        ks[i]->refused = NULL;
    }
    if (st || !fits)
        return st;
    for (uint32_t i = 0; i < n; i++)
        add_device(ks[i], i == 0, i ? 0 : gl_staging_bytes(all->made, n));
    for (uint32_t i = 0; i < n; i++)
        forget(ks[i]);
    return ST_OK;
}

enum status gpu_kernels_prepare(struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    struct arena a = {0};
    struct gpu_kernel **ks = ARENA_ARRAY(&a, n, struct gpu_kernel *);
    const struct together all = {ARENA_ARRAY(&a, n, struct gl_plan *), ARENA_ARRAY(&a, n, struct gl_restored *),
                                 ARENA_ARRAY(&a, n, struct gl_draft *), ARENA_ARRAY(&a, n, struct gl_executable *)};
    enum status st = ks && all.plans && all.restored && all.drafts && all.made ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < n && !st; i++)
        ks[i] = self(kernels[i]);
    if (!st)
        st = prepare(ks, n, &all, err);
    arena_free(&a);
    return st;
}

/* ---- for the session ---- */

static const struct gl_executable *executable(const struct delegate_kernel *k)
{
    return ((const struct gpu_kernel *)k)->executable;
}

/* With the context current. */
static enum status within(struct delegate_kernel *kernel, enum status (*step)(struct gl_executable *x, struct err *err),
                          struct err *err)
{
    struct gl_executable *x = self(kernel)->executable;
    struct gl_current before;
    enum status st = gl_context_enter(x->set.context, &before, err);

    return st ? st : gl_context_leave(x->set.context, &before, step(x, err), err);
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
    return gl_ahead(executable(k));
}

static enum status gpu_fetch(struct delegate_kernel *kernel, struct err *err)
{
    return within(kernel, gl_fetch, err);
}

static enum status gpu_profile(struct delegate_kernel *kernel, const struct delegate_timing **rows, size_t *n,
                               struct delegate_overhead *overhead, struct err *err)
{
    struct gl_executable *x = self(kernel)->executable;
    enum status st = within(kernel, gl_run_timed, err);

    *n = 0;
    if (st)
        return st;
    *rows = x->shown;
    *n = x->n_shown;
    overhead->write_ns += x->overhead.write_ns;
    overhead->wait_ns += x->overhead.wait_ns;
    overhead->read_ns += x->overhead.read_ns;
    return ST_OK;
}

static enum status gpu_bind(struct delegate_kernel *kernel, const struct tensor *t, bool output, const struct delegate_buffer *b,
                            struct err *err)
{
    struct gl_executable *x = self(kernel)->executable;
    struct gl_current before;
    enum status st = gl_context_enter(x->set.context, &before, err);

    return st ? st : gl_context_leave(x->set.context, &before, gl_use_buffer(x, t, output, b, err), err);
}

static bool gpu_crossing(const struct delegate_kernel *k, uint32_t i, struct delegate_crossing *out)
{
    return gl_crossing(executable(k), i, out);
}

static bool gpu_program(const struct delegate_kernel *kernel, uint32_t i, struct delegate_program *out)
{
    const struct gl_program_set *set = &executable(kernel)->programs;

    for (uint32_t j = 0; j < set->n; j++) {
        const struct gl_program *p = set->list[j];

        if (p->builder == set && !i--) {
            *out = (struct delegate_program){p->label, p->ns, p->loaded};
            return true;
        }
    }
    return false;
}

static void gpu_facts(const struct delegate_kernel *k, struct delegate_facts *to)
{
    const struct delegate_facts *own = &((const struct gpu_kernel *)k)->facts;

    facts_add(to, own->list, own->n);
}

static void gpu_reset(struct delegate_kernel *k)
{
    gl_begin_anew(self(k)->executable);
}

static void gpu_free(struct delegate_kernel *k)
{
    struct gl_context *c = self(k)->set.run.context;
    struct gl_current before;
    enum status st = gl_context_enter(c, &before, NULL);

    gl_executable_free(self(k)->executable);
    forget(self(k));
    free(k);
    if (!st)
        gl_context_leave(c, &before, st, NULL);
}

const struct delegate_kernel_ops gpu_kernel_ops = {
    .invoke = gpu_invoke,
    .submit = gpu_submit,
    .wait = gpu_wait,
    .read = gpu_read,
    .ahead = gpu_ahead,
    .fetch = gpu_fetch,
    .profile = gpu_profile,
    .facts = gpu_facts,
    .reset = gpu_reset,
    .bind = gpu_bind,
    .crossing = gpu_crossing,
    .program = gpu_program,
    .free = gpu_free,
};
