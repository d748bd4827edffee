/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - an inference: inputs to staging, the dispatches, outputs from staging. Variables that stay are written before the first
 * run, and the first after gl_begin_anew. */
#include "lib/base/clock.h"
#include "lib/gl/run/bind.h"
#include "lib/gl/run/executable_impl.h"

#include <string.h>

/* Profiles show it as the dispatch that it is in the place of. */
static void note_time(struct gl_executable *x, uint32_t dispatch, uint64_t start)
{
    if (!x->timings)
        return;
    x->timings[dispatch].ns = clock_ns() - start;
    x->timings[dispatch].begin_ns = start;
    x->timings[dispatch].timed = true;
}

/* A variable was reset since it was computed: its tensor says what the next run begins with. */
static bool is_reset(const struct gl_executable *x, const struct gl_plan_transfer *down)
{
    return !x->begun && x->part->outputs[down->tensor]->is_variable;
}

/* Between host memory and the values of a transfer, one behind the other there. Other values may lie between what is written. */
static enum status move(struct gl_executable *x, const struct gl_plan_transfer *t, bool output, struct err *err)
{
    char *data = (output ? x->part->outputs : x->part->inputs)[t->tensor]->data;
    uint64_t span = 0, bytes;

    for (uint32_t i = 0; i < t->n_layouts; i++, data += bytes) {
        const struct gl_layout *l = &t->layouts[i];
        void *map = NULL;

        gl_bind_buffer(x->set.context->now, x->buffers[GL_STORE_VALUES]);
        if (gl_layout_span(l, &span, &bytes))
            map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)l->offset, (GLsizeiptr)span,
                                   output ? GL_MAP_READ_BIT : GL_MAP_WRITE_BIT);
        if (!map)
            return err_set(err, ST_FAILED, "the driver does not map a value of %llu bytes (GL error 0x%x)",
                           (unsigned long long)span, glGetError());
        if (output)
            gl_layout_read(l, map, data);
        else
            gl_layout_write(l, data, map);
        *(output ? &x->set.traffic->read : &x->set.traffic->written) += bytes;
        if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
            return err_set(err, ST_FAILED, "the driver lost an %s",
                           output ? "output while it was read" : "input while it was written");
    }
    return ST_OK;
}

/* All that the CPU moves itself. */
static enum status move_all(struct gl_executable *x, bool output, struct err *err)
{
    const enum gl_plan_part part = output ? GL_PLAN_DOWNLOADS : GL_PLAN_UPLOADS;
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, part);
    const uint32_t n = gl_plan_n(x->plan, part), first = output ? gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n : 0;
    enum status st;

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t start = x->timings ? clock_ns() : 0;

        if (!gl_is_laid_out(x, output, i) || (output && is_reset(x, &t[i])))
            continue;
        if ((st = move(x, &t[i], output, err)))
            return st;
        note_time(x, first + i, start);
    }
    return ST_OK;
}

/* Writes the inputs that lie in `store`, whose first bytes[] these are. */
static enum status write_inputs(struct gl_executable *x, enum gl_store store, uint64_t bytes, struct err *err)
{
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, GL_PLAN_UPLOADS);
    const bool taken = store == GL_STORE_STAGING && x->set.ahead; /* nothing that is pending reads it */
    char *map;

    if (!bytes || !gl_crosses(x, false, store))
        return ST_OK;
    gl_bind_buffer(x->set.context->now, x->buffers[store]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes,
                           GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | (taken ? GL_MAP_UNSYNCHRONIZED_BIT : 0));
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map the inputs for writing (GL error 0x%x)", glGetError());
    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_UPLOADS); i++)
        if (t[i].store == store && gl_is_by_host(x, false, i) && !gl_is_laid_out(x, false, i)) {
            memcpy(map + t[i].offset, x->part->inputs[t[i].tensor]->data, t[i].bytes);
            x->set.traffic->written += t[i].bytes;
        }
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost the inputs while they were written");
    return ST_OK;
}

/* A variable that does not stay is read and written anew by each run. */
static enum status bring_back_variables(struct gl_executable *x, struct err *err)
{
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    enum status st = ST_OK;

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DOWNLOADS) && x->pending && !st; i++)
        if (t[i].store == GL_STORE_STAGING && x->part->outputs[t[i].tensor]->is_variable && gl_is_by_host(x, true, i) &&
            !(st = gl_finish(x, err)))
            st = gl_read(x, err);
    return st;
}

/* What the deadline of one inference is for all that are pending. */
static struct gl_waiting patience(const struct gl_executable *x)
{
    struct gl_waiting how = x->set.wait;
    const uint32_t pending = x->set.context->pending;

    if (__builtin_mul_overflow(how.timeout_ms, pending ? pending : 1, &how.timeout_ms))
        how.timeout_ms = UINT32_MAX;
    return how;
}

static enum status begin_run(struct gl_executable *x, struct err *err)
{
    const struct gl_waiting how = patience(x);
    enum status st;

    if ((st = bring_back_variables(x, err)) || (st = gl_follow_shared(x, err)) || (st = gl_compile_ahead(x, err)))
        return st;
    return gl_uses_staging(x) ? gl_staging_take(x, &how, err) : ST_OK;
}

static enum status upload(struct gl_executable *x, struct err *err)
{
    enum status st = x->begun ? ST_OK : write_inputs(x, GL_STORE_STATE, x->plan->store_bytes[GL_STORE_STATE], err);

    x->begun = !st;
    if (st || (st = write_inputs(x, GL_STORE_STAGING, x->plan->staging_read, err)))
        return st;
    return move_all(x, false, err);
}

/* From that set of staging. */
static enum status download(struct gl_executable *x, GLuint staging, struct err *err)
{
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    uint32_t n = gl_plan_n(x->plan, GL_PLAN_DOWNLOADS);
    uint64_t from = x->plan->staging_read;
    const char *map;

    if (!gl_crosses(x, true, GL_STORE_STAGING))
        return move_all(x, true, err);
    gl_bind_buffer(x->set.context->now, staging);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)from, (GLsizeiptr)(x->plan->store_bytes[GL_STORE_STAGING] - from),
                           GL_MAP_READ_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map the outputs for reading (GL error 0x%x)", glGetError());
    for (uint32_t i = 0; i < n; i++)
        if (t[i].store == GL_STORE_STAGING && gl_is_by_host(x, true, i) && !gl_is_laid_out(x, true, i) && !is_reset(x, &t[i])) {
            memcpy(x->part->outputs[t[i].tensor]->data, map + (t[i].offset - from), t[i].bytes);
            x->set.traffic->read += t[i].bytes;
        }
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost the outputs while they were read");
    return move_all(x, true, err);
}

/* Left out, as its work is done; what comes after it waits in its place. */
static bool skip(struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(x->plan, GL_PLAN_DISPATCHES) + i;

    if (!gl_is_skipped(x, i) && !gl_is_moved_by_cpu(x, i))
        return false;
    x->owes_barrier |= d->barrier;
    return true;
}

/* The dispatch leaves a variable for the next run. */
static bool leaves_state(const struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_transfer *t = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    const uint32_t n = gl_plan_n(x->plan, GL_PLAN_DOWNLOADS), first = gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n;

    return i >= first && (t[i - first].store == GL_STORE_STATE || gl_assigns_there(x, i));
}

/* `again`: the same inference will be computed once more, from the same state. */
static void dispatch_all(struct gl_executable *x, bool again)
{
    const uint32_t n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES), flush = x->set.context->limits.policy.flush;

    for (uint32_t i = 0; i < n; i++) {
        if (skip(x, i) || (again && leaves_state(x, i)))
            continue;
        gl_dispatch(x, i);
        if (flush && (i + 1) % flush == 0)
            glFlush();
    }
    x->pending++;
    x->set.context->pending++;
}

/* What they wrote is seen by the host, and in buffers of the caller's by whatever reads these. */
static enum status end_dispatches(struct gl_executable *x, struct err *err)
{
    gl_dispatch_end(x);
    glMemoryBarrier(x->users ? GL_ALL_BARRIER_BITS : GL_BUFFER_UPDATE_BARRIER_BIT);
    return gl_uses_staging(x) ? gl_staging_mark(x, err) : ST_OK;
}

enum status gl_submit(struct gl_executable *x, struct err *err)
{
    enum status st = begin_run(x, err);
    const uint64_t start = x->set.submission_ns ? clock_ns()
                                                : 0; /* what an earlier run was waited for is none of this one's time */

    if (st || (st = upload(x, err)))
        return st;
    for (uint32_t i = 0; i == 0 || i < x->set.loops; i++)
        dispatch_all(x, i + 1 < x->set.loops);
    st = end_dispatches(x, err);
    if (x->set.submission_ns) {
        glFlush();
        *x->set.submission_ns += clock_ns() - start;
    }
    return st;
}

enum status gl_finish(struct gl_executable *x, struct err *err)
{
    const struct gl_waiting how = patience(x);
    enum status st;

    x->pending = x->set.context->pending = 0;
    x->set.traffic->waits++;
    if (!(st = gl_wait(x->set.context, &how, err)))
        gl_shared_done(x->set.shared);
    return st;
}

enum status gl_read(struct gl_executable *x, struct err *err)
{
    enum status st = download(x, x->buffers[GL_STORE_STAGING], err);

    return st ? st : gl_context_check(x->set.context, "running", err);
}

enum status gl_fetch(struct gl_executable *x, struct err *err)
{
    const struct gl_waiting how = patience(x);
    enum status st;

    if ((st = gl_staging_wait(x, &how, err)) || (st = download(x, x->earlier, err)))
        return st;
    return gl_context_check(x->set.context, "running", err);
}

enum status gl_run(struct gl_executable *x, struct err *err)
{
    enum status st;

    if ((st = gl_submit(x, err)) || (st = gl_finish(x, err)))
        return st;
    return gl_read(x, err);
}

void gl_begin_anew(struct gl_executable *x)
{
    x->begun = false;
}

/* ---- profiling ---- */

static bool name_timing(struct gl_executable *x, const struct gl_plan_dispatch *d, struct delegate_timing *to)
{
    const uint32_t *index = (const uint32_t *)gl_plan_array(x->plan, GL_PLAN_NODES) + d->first_node;
    const struct node **nodes = ARENA_ARRAY(&x->arena, d->n_nodes, const struct node *);

    for (uint32_t i = 0; nodes && i < d->n_nodes; i++)
        nodes[i] = &x->graph->nodes[index[i]];
    *to = (struct delegate_timing){.kind = gl_plan_string(x->plan, d->kind),
                                   .label = gl_plan_string(x->plan, d->label),
                                   .why_copy = gl_plan_string(x->plan, d->why_copy),
                                   .nodes = nodes,
                                   .n_nodes = d->n_nodes,
                                   .border = d->border ? &x->graph->tensors[d->border - 1] : NULL};
    to->halves = strstr(to->label, GL_IN_FP16) != NULL;
    return nodes != NULL;
}

/* Uploads come first among the dispatches, downloads last, each in the order of the transfers. */
static void name_transfers(struct gl_executable *x, struct delegate_timing *timings)
{
    const struct gl_plan_transfer *up = gl_plan_array(x->plan, GL_PLAN_UPLOADS), *down = gl_plan_array(x->plan, GL_PLAN_DOWNLOADS);
    const uint32_t n_down = gl_plan_n(x->plan, GL_PLAN_DOWNLOADS), last = gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n_down;

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_UPLOADS); i++)
        timings[i].tensor = x->part->inputs[up[i].tensor];
    for (uint32_t i = 0; i < n_down; i++)
        timings[last + i].tensor = x->part->outputs[down[i].tensor];
}

static bool has_timer(const struct gl_executable *x)
{
    return x->set.context->timer_query && x->set.context->limits.policy.timer;
}

uint32_t gl_n_queries(const struct gl_executable *x)
{
    return gl_plan_n(x->plan, GL_PLAN_DISPATCHES) * (x->set.context->timestamps ? 2 : 1);
}

/* Anew where another context has taken the place of the one that had them. */
static void make_queries(struct gl_executable *x)
{
    if (!x->queries || x->queries_of == x->set.context->context)
        return;
    glGenQueriesEXT((GLsizei)gl_n_queries(x), x->queries);
    x->queries_of = x->set.context->context;
}

static enum status prepare_timing(struct gl_executable *x, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);
    uint32_t n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES);
    struct delegate_timing *timings = x->timings ? NULL : ARENA_ARRAY(&x->arena, n, struct delegate_timing);

    make_queries(x);
    if (x->timings)
        return ST_OK;
    x->shown = ARENA_ARRAY(&x->arena, n, struct delegate_timing);
    if (!timings || !x->shown)
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < n; i++)
        if (!name_timing(x, &d[i], &timings[i]))
            return err_set(err, ST_NOMEM, "out of memory");
    name_transfers(x, timings);
    if (has_timer(x)) {
        if (!(x->queries = ARENA_ARRAY(&x->arena, gl_n_queries(x), GLuint)))
            return err_set(err, ST_NOMEM, "out of memory");
        make_queries(x);
    }
    x->timings = timings;
    return ST_OK;
}

/* Without timer queries the clock runs from an idle GPU to an idle GPU, so each time has a round trip in it. */
static enum status dispatch_clocked(struct gl_executable *x, uint32_t i, struct err *err)
{
    enum status st;
    uint64_t start;

    gl_dispatch_turn(x, i);
    if ((st = gl_wait(x->set.context, &x->set.wait, err)))
        return st;
    start = clock_ns();
    gl_dispatch(x, i);
    st = gl_wait(x->set.context, &x->set.wait, err);
    x->timings[i].ns = clock_ns() - start;
    x->timings[i].begin_ns = start;
    x->timings[i].timed = true;
    return st;
}

static enum status dispatch_queried(struct gl_executable *x, uint32_t i, struct err *err)
{
    (void)err;
    if (x->set.context->timestamps)
        glQueryCounterEXT(x->queries[gl_plan_n(x->plan, GL_PLAN_DISPATCHES) + i], GL_TIMESTAMP_EXT);
    glBeginQueryEXT(GL_TIME_ELAPSED_EXT, x->queries[i]);
    gl_dispatch(x, i);
    glEndQueryEXT(GL_TIME_ELAPSED_EXT);
    return ST_OK;
}

/* What rows show of the time that host memory took. */
static uint64_t moved_ns(const struct gl_executable *x, bool output)
{
    const uint32_t n = gl_plan_n(x->plan, output ? GL_PLAN_DOWNLOADS : GL_PLAN_UPLOADS);
    const uint32_t first = output ? gl_plan_n(x->plan, GL_PLAN_DISPATCHES) - n : 0;
    uint64_t ns = 0;

    for (uint32_t i = 0; i < n; i++)
        ns += gl_is_moved_by_cpu(x, first + i) ? x->timings[first + i].ns : 0;
    return ns;
}

/* Set when the GPU changed its clock or lost time since this was asked last: then no result from between can be trusted. */
static bool disjoint(void)
{
    GLint got = 0;

    glGetIntegerv(GL_GPU_DISJOINT_EXT, &got);
    return got != 0;
}

/* Dispatches which[n], NULL for the first n. */
static void dispatch_repeated(struct gl_executable *x, const uint32_t *which, uint32_t n, uint32_t times)
{
    for (uint32_t j = 0; j < times; j++)
        for (uint32_t i = 0; i < n; i++)
            if (!skip(x, which ? which[i] : i))
                gl_dispatch(x, which ? which[i] : i);
    gl_dispatch_end(x);
}

enum status gl_run_repeated(struct gl_executable *x, const uint32_t *which, uint32_t n, uint32_t times, uint64_t *ns,
                            struct err *err)
{
    const bool queried = has_timer(x);
    enum status st = gl_wait(x->set.context, &x->set.wait, err);
    uint64_t start;
    GLuint64 elapsed = 0;
    GLuint query;

    if (st)
        return st;
    if (queried) {
        disjoint(); /* what was before is of no matter */
        glGenQueriesEXT(1, &query);
        glBeginQueryEXT(GL_TIME_ELAPSED_EXT, query);
    }
    start = clock_ns();
    gl_context_forget(x->set.context);
    dispatch_repeated(x, which, n, times);
    if (queried)
        glEndQueryEXT(GL_TIME_ELAPSED_EXT);
    st = gl_wait(x->set.context, &x->set.wait, err);
    *ns = clock_ns() - start;
    if (queried && !st)
        glGetQueryObjectui64vEXT(query, GL_QUERY_RESULT_EXT, &elapsed);
    if (queried)
        glDeleteQueriesEXT(1, &query);
    if (elapsed && !disjoint())
        *ns = elapsed;
    return st ? st : gl_context_check(x->set.context, "tuning", err);
}

/* What the device's clock is behind that of the host, modulo 2^64: in the middle of the time that asking takes. */
static uint64_t device_behind_ns(void)
{
    const uint64_t before = clock_ns();
    GLint64 device = 0;

    glGetInteger64v(GL_TIMESTAMP_EXT, &device);
    return before + (clock_ns() - before) / 2 - (uint64_t)device;
}

/* `behind` is device_behind_ns, of the same run, as the clocks drift. */
static void read_begin(struct gl_executable *x, uint32_t i, uint64_t behind)
{
    GLuint64 at = 0;

    if (!x->set.context->timestamps)
        return;
    glGetQueryObjectui64vEXT(x->queries[gl_plan_n(x->plan, GL_PLAN_DISPATCHES) + i], GL_QUERY_RESULT_EXT, &at);
    x->timings[i].begin_ns = at ? at + behind : 0;
    x->timings[i].device_clock = true;
}

static void read_queries(struct gl_executable *x)
{
    const uint64_t behind = x->set.context->timestamps ? device_behind_ns() : 0;
    uint32_t n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES);
    bool trusted;

    for (uint32_t i = 0; i < n; i++) {
        GLuint64 ns = 0;

        if (gl_is_skipped(x, i) || gl_is_moved_by_cpu(x, i))
            continue;
        glGetQueryObjectui64vEXT(x->queries[i], GL_QUERY_RESULT_EXT, &ns);
        x->timings[i].ns = ns;
        read_begin(x, i, behind);
    }
    trusted = !disjoint();
    for (uint32_t i = 0; i < n; i++)
        x->timings[i].timed = trusted || gl_is_moved_by_cpu(x, i);
}

static enum status finish_timed(struct gl_executable *x, struct err *err)
{
    uint64_t start = clock_ns(), waited;
    enum status st = gl_finish(x, err);

    if (st)
        return st;
    waited = clock_ns();
    st = gl_read(x, err);
    x->overhead.wait_ns = waited - start;
    x->overhead.read_ns = clock_ns() - waited - moved_ns(x, true);
    return st;
}

enum status gl_run_timed(struct gl_executable *x, struct err *err)
{
    enum status st = prepare_timing(x, err), ended;
    uint64_t start;

    if (st || (st = begin_run(x, err)))
        return st;
    start = clock_ns();
    if ((st = upload(x, err)))
        return st;
    x->overhead.write_ns = clock_ns() - start - moved_ns(x, false);
    if (x->queries)
        disjoint(); /* what was before is of no matter */
    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DISPATCHES) && !st; i++)
        if (!skip(x, i))
            st = (x->queries ? dispatch_queried : dispatch_clocked)(x, i, err);
    ended = end_dispatches(x, st ? NULL : err);
    if (st || (st = ended) || (st = finish_timed(x, err)))
        return st;
    if (x->queries)
        read_queries(x);
    x->n_shown = 0;
    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DISPATCHES); i++)
        if (!gl_is_skipped(x, i))
            x->shown[x->n_shown++] = x->timings[i];
    return ST_OK;
}
