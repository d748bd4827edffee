/* SPDX-License-Identifier: Apache-2.0 */
/* api.c - the public interface, delegauge.h, on top of the library's own.
 *
 * A dg_model is a struct model and a dg_session a struct session under another name; a dg_delegate holds what opening one needs. */
#include "lib/api/delegauge.h"

#include <stdlib.h>
#include <string.h>

#include "lib/delegate/assignment.h"
#include "lib/session/session.h"

struct dg_delegate {
    struct delegate *opened;
    const struct delegate_type *type;
    void *options;
    char **texts; /* copies of the option texts, which the fields of `options` point into; ends with NULL */
};

_Static_assert((int)DG_USAGE == (int)ST_USAGE && (int)DG_BAD_MODEL == (int)ST_BAD_MODEL, "numbers of enum dg_status");
_Static_assert((int)DG_UNSUPPORTED == (int)ST_UNSUPPORTED && (int)DG_NO_MEMORY == (int)ST_NOMEM, "numbers of enum dg_status");
_Static_assert((int)DG_IO == (int)ST_IO && (int)DG_NO_GPU == (int)ST_NO_GPU, "numbers of enum dg_status");
_Static_assert((int)DG_FAILED == (int)ST_FAILED && (int)DG_FAILED + 1 == (int)ST_COUNT, "numbers of enum dg_status");
_Static_assert((int)DG_FLOAT32 == (int)TYPE_FLOAT32 && (int)DG_INT4 == (int)TYPE_INT4, "numbers of enum dg_type");
_Static_assert((int)DG_FLOAT8_E5M2 + 1 == (int)TYPE_COUNT, "numbers of enum dg_type");

static const struct model *model_of(const struct dg_model *m)
{
    return (const struct model *)m;
}

static struct session *session_of(const struct dg_session *s)
{
    return (struct session *)s;
}

/* Hands status and message to the caller. */
static enum dg_status answer(enum status st, const struct err *from, struct dg_error *to)
{
    if (to) {
        *to = (struct dg_error){{0}};
        if (st)
            snprintf(to->message, sizeof to->message, "%s", from->msg);
    }
    return (enum dg_status)st;
}

int dg_version(void)
{
    return DG_VERSION;
}

enum dg_status dg_model_open(const char *path, struct dg_model **out, struct dg_error *err)
{
    struct model *m;
    struct err e;
    enum status st = model_open(path, &m, &e);

    *out = (struct dg_model *)m;
    return answer(st, &e, err);
}

enum dg_status dg_model_parse(const void *data, size_t bytes, const char *name, struct dg_model **out, struct dg_error *err)
{
    struct model *m;
    struct err e;
    enum status st = model_parse(data, bytes, name, &m, &e);

    *out = (struct dg_model *)m;
    return answer(st, &e, err);
}

void dg_model_close(struct dg_model *m)
{
    model_close((struct model *)m);
}

const char *dg_delegate_name(size_t i)
{
    for (size_t k = 0; delegate_types[k]; k++)
        if (k == i)
            return delegate_types[k]->name;
    return NULL;
}

/* Those that the tools have, too; and those of programs alone, or NULL. */
static const struct flag *flags_of(const struct delegate_type *type, bool of_programs)
{
    return of_programs ? type->embedded_flags : type->flags;
}

bool dg_delegate_option(const char *delegate, size_t i, struct dg_option *out)
{
    const struct delegate_type *type = delegate_find(delegate);

    for (int of_programs = 0; of_programs < 2; of_programs++)
        for (const struct flag *f = type ? flags_of(type, of_programs) : NULL; f && f->name; f++)
            if (!i--) {
                *out = (struct dg_option){.name = f->name, .value = f->value, .help = f->help};
                return true;
            }
    return false;
}

/* Sets the option that `text`, "name=value", names; text stays. */
static enum status set_option(const struct dg_delegate *d, char *text, struct err *err)
{
    char *equals = strchr(text, '=');
    enum status st;

    if (!equals)
        return err_set(err, ST_USAGE, "option '%.100s': expected name=value", text);
    for (int of_programs = 0; of_programs < 2; of_programs++)
        for (const struct flag *f = flags_of(d->type, of_programs); f && f->name; f++)
            if (strlen(f->name) == (size_t)(equals - text) && !strncmp(f->name, text, (size_t)(equals - text))) {
                st = flag_set(f, d->options, equals + 1, err);
                return st ? err_prefix(err, st, "option %s", f->name) : ST_OK;
            }
    return err_set(err, ST_USAGE, "delegate %s has no option '%.*s'", d->type->name, (int)(equals - text), text);
}

static enum status set_options(struct dg_delegate *d, const char *const *options, struct err *err)
{
    size_t n = 0;
    enum status st = ST_OK;

    while (options && options[n])
        n++;
    d->options = calloc(1, d->type->options_size + 1);
    d->texts = calloc(n + 1, sizeof *d->texts);
    if (!d->options || !d->texts)
        return err_set(err, ST_NOMEM, "out of memory for %zu options", n);
    flag_set_defaults(d->type->flags, d->options);
    if (d->type->embedded_flags)
        flag_set_defaults(d->type->embedded_flags, d->options);
    for (size_t i = 0; i < n && !st; i++) {
        d->texts[i] = strdup(options[i]);
        st = d->texts[i] ? set_option(d, d->texts[i], err) : err_set(err, ST_NOMEM, "out of memory for an option");
    }
    return st;
}

enum dg_status dg_delegate_open(const char *name, const char *const *options, struct dg_delegate **out, struct dg_error *err)
{
    const struct delegate_type *type = delegate_find(name);
    struct dg_delegate *d = NULL;
    struct err e;
    enum status st;

    *out = NULL;
    if (!type)
        return answer(err_set(&e, ST_USAGE, "there is no delegate '%.60s' in this build", name), &e, err);
    if (!(d = calloc(1, sizeof *d)))
        return answer(err_set(&e, ST_NOMEM, "out of memory"), &e, err);
    d->type = type;
    if ((st = set_options(d, options, &e)) || (st = type->open(d->options, &d->opened, &e)))
        dg_delegate_close(d);
    else
        *out = d;
    return answer(st, &e, err);
}

const char *dg_delegate_device(const struct dg_delegate *d)
{
    return d->opened->device;
}

bool dg_delegate_is_software(const struct dg_delegate *d)
{
    return d->opened->software;
}

void dg_delegate_close(struct dg_delegate *d)
{
    if (!d)
        return;
    delegate_close(d->opened);
    for (size_t i = 0; d->texts && d->texts[i]; i++)
        free(d->texts[i]);
    free(d->texts);
    free(d->options);
    free(d);
}

enum dg_status dg_session_new(const struct dg_model *m, const struct dg_session_options *options, struct dg_session **out,
                              struct dg_error *err)
{
    struct dg_session_options o = options ? *options : (struct dg_session_options){0};
    struct session_options own = {
        .num_threads = o.num_threads,
        .mode = o.kernels == DG_KERNELS_REFERENCE ? CPU_REFERENCE : CPU_FAST,
        .delegates = {o.delegate ? o.delegate->opened : NULL},
        .partition = {.max_partitions = o.max_delegated_partitions, .min_nodes = o.min_nodes_per_partition},
    };
    struct session *s = NULL;
    struct err e;
    enum status st;

    *out = NULL;
    if (o.kernels != DG_KERNELS_FAST && o.kernels != DG_KERNELS_REFERENCE)
        st = err_set(&e, ST_USAGE, "there are no CPU kernels of number %d", (int)o.kernels);
    else if (!model_of(m)->n_subgraphs)
        st = err_set(&e, ST_BAD_MODEL, "the model has no subgraph, so there is nothing to run");
    else
        st = session_new(model_of(m), &own, &s, &e);
    *out = (struct dg_session *)s;
    return answer(st, &e, err);
}

void dg_session_free(struct dg_session *s)
{
    session_free(session_of(s));
}

const char *dg_type_name(enum dg_type type)
{
    return type_name((enum tensor_type)type);
}

static bool describe(const struct dg_session *s, const struct tensor *t, struct dg_tensor *out)
{
    if (!t)
        return false;
    *out = (struct dg_tensor){
        .name = t->name,
        .type = (enum dg_type)t->type,
        .rank = t->rank,
        .dims = t->dim,
        .bytes = t->bytes,
        .data = session_prepared(session_of(s)) ? t->data : NULL,
        .n_scales = t->quant.n,
        .scales = t->quant.scale,
        .zero_points = t->quant.zero_point,
        .quantized_dim = t->quant.dim,
    };
    return true;
}

uint32_t dg_session_n_inputs(const struct dg_session *s)
{
    return session_n_inputs(session_of(s));
}

uint32_t dg_session_n_outputs(const struct dg_session *s)
{
    return session_n_outputs(session_of(s));
}

bool dg_session_input(const struct dg_session *s, uint32_t i, struct dg_tensor *out)
{
    return i < dg_session_n_inputs(s) && describe(s, session_input(session_of(s), i), out);
}

bool dg_session_output(const struct dg_session *s, uint32_t i, struct dg_tensor *out)
{
    return i < dg_session_n_outputs(s) && describe(s, session_output(session_of(s), i), out);
}

/* ST_USAGE where there is no input i. */
static enum status check_input(const struct dg_session *s, uint32_t i, struct err *err)
{
    if (i < dg_session_n_inputs(s))
        return ST_OK;
    return err_set(err, ST_USAGE, "input %u: the model has %u", i, dg_session_n_inputs(s));
}

enum dg_status dg_session_resize_input(struct dg_session *s, uint32_t i, const int32_t *dims, int32_t rank, struct dg_error *err)
{
    struct err e;
    enum status st = check_input(s, i, &e);

    return answer(st ? st : session_resize_input(session_of(s), i, dims, rank, &e), &e, err);
}

enum dg_status dg_session_prepare(struct dg_session *s, struct dg_error *err)
{
    struct err e;
    enum status st = session_prepare(session_of(s), &e);

    return answer(st, &e, err);
}

enum dg_status dg_session_set_input(struct dg_session *s, uint32_t i, const void *data, size_t bytes, struct dg_error *err)
{
    struct err e;
    enum status st = check_input(s, i, &e);

    return answer(st ? st : session_set_input(session_of(s), i, data, bytes, &e), &e, err);
}

/* ST_USAGE for a layout that is none. *out is all 0 where `b` is NULL. */
static enum status buffer_of(const struct dg_buffer *b, struct delegate_buffer *out, struct err *err)
{
    *out = (struct delegate_buffer){0};
    if (!b)
        return ST_OK;
    if (b->layout != DG_LAYOUT_DENSE && b->layout != DG_LAYOUT_SLICES)
        return err_set(err, ST_USAGE, "a buffer of layout %d: %d is dense, %d is slices", (int)b->layout, DG_LAYOUT_DENSE,
                       DG_LAYOUT_SLICES);
    *out = (struct delegate_buffer){b->id, b->offset, b->bytes, b->layout == DG_LAYOUT_SLICES ? DELEGATE_SLICES : DELEGATE_DENSE};
    return ST_OK;
}

enum dg_status dg_session_bind_input(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err)
{
    struct delegate_buffer buffer;
    struct err e;
    enum status st = buffer_of(b, &buffer, &e);

    return answer(st ? st : session_bind_input(session_of(s), i, b ? &buffer : NULL, &e), &e, err);
}

enum dg_status dg_session_bind_output(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err)
{
    struct delegate_buffer buffer;
    struct err e;
    enum status st = buffer_of(b, &buffer, &e);

    return answer(st ? st : session_bind_output(session_of(s), i, b ? &buffer : NULL, &e), &e, err);
}

enum dg_status dg_session_run(struct dg_session *s, struct dg_error *err)
{
    struct err e;
    enum status st = session_run(session_of(s), &e);

    return answer(st, &e, err);
}

void dg_session_reset_state(struct dg_session *s)
{
    session_reset_variables(session_of(s));
}

bool dg_session_assignment(const struct dg_session *s, struct dg_assignment *out)
{
    const struct session *own = session_of(s);
    struct assignment a;

    if (!session_prepared(own))
        return false;
    a = assignment_of(session_graph(own), session_partitioning(own));
    *out = (struct dg_assignment){a.n_nodes, a.n_delegated, a.n_partitions, a.n_cpu, a.n_folded};
    return true;
}

bool dg_session_node(const struct dg_session *s, uint32_t i, struct dg_node *out)
{
    const struct session *own = session_of(s);
    const struct graph *g = session_graph(own);
    const struct partitioning *p = session_partitioning(own);
    const struct reason *why;

    if (!session_prepared(own) || i >= g->n_nodes)
        return false;
    why = p && p->reasons[i].code != REASON_NONE ? &p->reasons[i] : NULL;
    *out = (struct dg_node){
        .index = g->nodes[i].index,
        .name = g->nodes[i].name,
        .partition = p ? p->part_of[i] : -1,
        .folded = g->nodes[i].folded,
        .reason = why ? reason_name(why->code) : "",
        .detail = why ? why->text : "",
    };
    return true;
}
