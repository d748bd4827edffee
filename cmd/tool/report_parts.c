/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.c - the JSON that all tools share: delegate, environment, tensors, partitions, figures. */
#include "cmd/tool/report_parts.h"

#include <math.h>

#include "cmd/host/environment.h"
#include "cmd/host/machine.h"
#include "cmd/host/say.h"
#include "commit.h"
#include "lib/base/sha256.h"
#include "lib/delegate/assignment.h"
#include "lib/model/weights.h"

/* A list that grows with each limit that a delegate tells. */
struct limit_list {
    struct report *report;
    struct json *in;
};

static void put_limit(void *arg, const char *name, uint64_t value)
{
    const struct limit_list *list = arg;
    struct json *o = json_object(list->report, list->in, NULL);

    json_string(list->report, o, "name", name);
    json_number(list->report, o, "value", (double)value);
}

static void put_precision(struct report *r, struct json *in, const struct delegate_precision *p)
{
    struct json *o;

    if (!json_given(r, in, "precision", p->asked))
        return;
    o = json_object(r, in, "precision");
    JSON_STRINGS(r, o, {"asked", p->asked}, {"in_force", p->in_force}, {"stored", p->stored}, {"arithmetic", p->arithmetic},
                 {"by", p->by}, {"sums", p->sums}, {"why", p->why}, {"fp32_nodes", p->fp32_nodes});
}

static double mean_us(uint64_t ns, uint64_t runs)
{
    return runs ? (double)ns / 1e3 / (double)runs : NAN;
}

static void put_library(struct report *r, struct json *in, const struct delegate_library *l)
{
    struct json *o;

    if (!l) {
        json_null(r, in, "library");
        return;
    }
    o = json_object(r, in, "library");
    JSON_STRINGS(r, o, {"path", l->path}, {"sha256", l->sha256}, {"version", l->version}, {"accelerators_offered", l->offered},
                 {"accelerators_asked", l->asked}, {"accelerators_used", *l->used ? l->used : NULL},
                 {"precision", *l->precision ? l->precision : NULL}, {"options", l->options},
                 {"not_taken", *l->left ? l->left : NULL}, {"cache", *l->cache ? l->cache : NULL});
    json_number(r, o, "taken", l->n_taken < 0 ? NAN : (double)l->n_taken);
    JSON_NUMBERS(r, o, {"process_bytes", l->process_bytes ? (double)l->process_bytes : NAN}, {"load_us", (double)l->load_ns / 1e3},
                 {"compile_us", (double)l->compile_ns / 1e3}, {"first_run_us", l->first_ns ? (double)l->first_ns / 1e3 : NAN},
                 {"write_us", mean_us(l->times.write_ns, l->times.runs)}, {"run_us", mean_us(l->times.run_ns, l->times.runs)},
                 {"read_us", mean_us(l->times.read_ns, l->times.runs)},
                 {"handover_us", mean_us(l->times.handover_ns, l->times.runs)});
}

static void put_delegate(struct report *r, struct json *in, const struct delegate *d)
{
    struct limit_list limits = {.report = r};
    struct json *o;

    if (!json_given(r, in, "delegate", d))
        return;
    o = json_object(r, in, "delegate");
    JSON_STRINGS(r, o, {"name", d->type->name}, {"device", d->device});
    json_bool(r, o, "software", d->software);
    json_string(r, o, "quirks", d->quirks);
    put_precision(r, o, &d->precision);
    limits.in = json_array(r, o, "limits");
    if (d->ops->limits)
        d->ops->limits(d, put_limit, &limits);
    put_library(r, o, d->library);
}

static void put_environment(struct report *r, struct json *in, const struct tool *t)
{
    struct environment e = environment_read();
    struct json *env = json_object(r, in, "environment");

    JSON_STRINGS(r, env, {"time", e.time}, {"cpu", e.cpu});
    json_number(r, env, "cores", e.cores);
    JSON_STRINGS(r, env, {"governor", *e.governor ? e.governor : NULL}, {"kernel", e.kernel});
    json_number(r, env, "load_average", machine_now("").load_average);
    json_string(r, env, "commit", *DG_COMMIT ? DG_COMMIT : NULL);
    json_string(r, env, "adb", NULL); /* scripts/android/adb_run.sh puts in what it knows of the device */
    put_delegate(r, env, t->delegates.opened);
}

static void put_model(struct report *r, struct json *in, const struct model *m, uint32_t subgraph, const char *path)
{
    const struct model_subgraph *s = subgraph < m->n_subgraphs ? &m->subgraphs[subgraph] : NULL;
    struct json *model = json_object(r, in, "model"), *list;
    char hash[SHA256_HEX_SIZE], outside[SHA256_HEX_SIZE];

    json_string(r, model, "path", path);
    json_number(r, model, "bytes", (double)m->file_bytes);
    JSON_STRINGS(r, model, {"sha256", sha256_hex(m->file, m->file_bytes, hash)}, {"weights_sha256", weights_sha256(m, outside)},
                 {"description", m->description});
    JSON_NUMBERS(r, model, {"subgraph_count", m->n_subgraphs}, {"node_count", s ? s->n_ops : 0});
    list = json_array(r, model, "inputs");
    for (uint32_t i = 0; s && i < s->n_inputs; i++)
        report_tensor(r, list, NULL, &s->tensors[s->inputs[i]]);
    list = json_array(r, model, "outputs");
    for (uint32_t i = 0; s && i < s->n_outputs; i++)
        report_tensor(r, list, NULL, &s->tensors[s->outputs[i]]);
}

static void put_parameter(struct report *r, struct json *all, const struct cli_row *row)
{
    void *value = (char *)row->options + row->flag->offset;

    if (flag_is_fixed(row->flag))
        return;
    switch (row->flag->type) {
    case FLAG_BOOL:
        if (*flag_name_given(row->flag, row->options))
            json_string(r, all, row->flag->name, flag_name_given(row->flag, row->options));
        else
            json_bool(r, all, row->flag->name, *(bool *)value);
        break;
    case FLAG_INT: json_number(r, all, row->flag->name, *(int32_t *)value); break;
    case FLAG_DOUBLE: json_number(r, all, row->flag->name, *(double *)value); break;
    case FLAG_STRING: json_string(r, all, row->flag->name, *(const char **)value); break;
    case FLAG_WORD: json_string(r, all, row->flag->name, row->flag->words[*(int32_t *)value]); break;
    }
}

void report_parameters(struct report *r, struct json *in, const struct cli *c)
{
    struct json *all = json_object(r, in, "parameters"), *given = json_array(r, in, "flags_given");

    for (uint32_t i = 0; i < c->n_rows; i++)
        put_parameter(r, all, &c->rows[i]);
    for (uint32_t turn = 1; turn <= c->n_given; turn++) {
        const struct cli_row *row = cli_given(c, turn);

        if (row && !flag_is_fixed(row->flag))
            json_string(r, given, NULL, row->flag->name);
    }
}

void report_tool(struct report *r, const struct tool *t, const char *kind)
{
    struct json *root = report_root(r), *command;

    json_number(r, root, "schema_version", REPORT_SCHEMA_VERSION);
    JSON_STRINGS(r, root, {"tool", kind}, {"tool_version", DG_VERSION_STRING});
    command = json_array(r, root, "command");
    for (int i = 0; i < t->argc; i++)
        json_string(r, command, NULL, t->argv[i]);
}

void report_origin(struct report *r, const struct tool *t, const char *kind)
{
    report_tool(r, t, kind);
    put_environment(r, report_root(r), t);
    report_parameters(r, report_root(r), &t->cli);
}

void report_head(struct report *r, const struct tool *t, const char *model_path)
{
    report_origin(r, t, t->cli.tool);
    put_model(r, report_root(r), t->model, t->subgraph, model_path);
}

void report_stats(struct report *r, struct json *in, const char *key, const struct stats *s, const double *samples)
{
    const double none = s->count ? 0 : NAN;
    struct json *o = json_object(r, in, key), *list;

    JSON_NUMBERS(r, o, {"count", (double)s->count}, {"first", s->first + none}, {"last", s->last + none}, {"min", s->min + none},
                 {"max", s->max + none}, {"avg", s->avg + none}, {"std", s->std + none}, {"p5", s->p5 + none},
                 {"p25", s->p25 + none}, {"p50", s->p50 + none}, {"p75", s->p75 + none}, {"p90", s->p90 + none},
                 {"p95", s->p95 + none}, {"p99", s->p99 + none}, {"median", s->median + none},
                 {"median_low", s->median_interval.low + none}, {"median_high", s->median_interval.high + none},
                 {"mad", s->mad + none}, {"cv", s->cv + none}, {"drift", s->drift + none}, {"trend_p", s->trend.p + none},
                 {"outliers", (double)s->outliers + none});
    list = json_array(r, o, "samples");
    for (size_t i = 0; i < s->count; i++)
        json_number(r, list, NULL, samples[i]);
}

void report_tensor(struct report *r, struct json *in, const char *key, const struct tensor *t)
{
    struct json *o = json_object(r, in, key), *shape;

    JSON_STRINGS(r, o, {"name", t->name}, {"type", type_name(t->type)});
    shape = json_array(r, o, "shape");
    for (int32_t i = 0; i < t->rank; i++)
        json_number(r, shape, NULL, t->dim[i]);
}

static void put_tensors(struct report *r, struct json *in, const char *key, struct tensor *const *tensors, uint32_t n)
{
    struct json *list = json_array(r, in, key);

    for (uint32_t i = 0; i < n; i++)
        report_tensor(r, list, NULL, tensors[i]);
}

static void put_partitions(struct report *r, struct json *in, const struct partitioning *p)
{
    struct json *list = json_array(r, in, "partitions");

    for (uint32_t i = 0; i < p->n_parts; i++) {
        struct json *one = json_object(r, list, NULL), *nodes;

        json_string(r, one, "delegate", p->parts[i].delegate->type->label);
        nodes = json_array(r, one, "nodes");
        for (uint32_t k = 0; k < p->parts[i].n_nodes; k++)
            json_number(r, nodes, NULL, p->parts[i].nodes[k]->index);
        put_tensors(r, one, "inputs", p->parts[i].inputs, p->parts[i].n_inputs);
        put_tensors(r, one, "outputs", p->parts[i].outputs, p->parts[i].n_outputs);
    }
}

static void put_not_delegated(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p)
{
    struct json *list = json_array(r, in, "not_delegated");

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct json *one;

        if (p->reasons[i].code == REASON_NONE)
            continue;
        one = json_object(r, list, NULL);
        json_number(r, one, "node", g->nodes[i].index);
        JSON_STRINGS(r, one, {"op", g->nodes[i].name}, {"reason_code", reason_name(p->reasons[i].code)},
                     {"reason", p->reasons[i].text});
    }
}

void report_partitioning(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p)
{
    struct json *o;

    if (!json_given(r, in, "partitioning", p))
        return;
    o = json_object(r, in, "partitioning");
    json_number(r, o, "partition_count_before_limits", p->n_before_limits);
    put_partitions(r, o, p);
    put_not_delegated(r, o, g, p);
}

void report_assignment(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p)
{
    struct assignment sum = assignment_of(g, p);
    struct json *o = json_object(r, in, "assignment");

    JSON_NUMBERS(r, o, {"node_count", sum.n_nodes}, {"delegated", sum.n_delegated}, {"cpu", sum.n_cpu}, {"folded", sum.n_folded});
    report_partitioning(r, o, g, p);
}

/* Facts that the report has a member for. */
static const char *const fact_members[] = {
    "memory.tensors",         "memory.in_textures",    "memory.lower_bound",     "memory.unshared",         "memory.constants",
    "memory.staging",         "memory.weights.bits_8", "memory.weights.float16", "memory.weights.float32",  "memory.weights.int32",
    "work.programs",          "work.dispatches",       "work.barriers",          "start.programs_compiled", "start.programs_loaded",
    "start.nodes_lowered",    "start.packed_bytes",    "start.tuning.trials",    "start.tuning.nodes",      "start.tuning.us",
    "start.tuning.beyond_us", "start.tuning.bound_us", "start.tuning.cut",       "start.tuning.stored"};

void report_facts(struct report *r, struct json *in, const char *group, const struct delegate_facts *f)
{
    const size_t n = strlen(group);

    for (size_t i = 0; i < sizeof fact_members / sizeof *fact_members; i++) {
        const struct delegate_fact *fact = fact_find(f, fact_members[i]);

        if (!strncmp(fact_members[i], group, n) && !strchr(fact_members[i] + n, '.'))
            json_number(r, in, fact_members[i] + n, fact ? (double)fact->value / (!strcmp(fact->unit, "ns") ? 1e3 : 1) : NAN);
    }
}

void report_delegate_memory(struct report *r, struct json *in, const char *name, const struct delegate_facts *f)
{
    struct json *o = json_object(r, in, name);

    report_facts(r, o, "memory.", f);
    report_facts(r, json_object(r, o, "weights"), "memory.weights.", f);
}

void report_delegates(struct report *r, struct json *in, const struct session *s, struct delegate *const *ds)
{
    struct json *list = json_array(r, in, "delegates");

    for (uint32_t i = 0; ds[i]; i++) {
        struct json *o = json_object(r, list, NULL);
        struct delegate_facts facts;
        uint32_t n_nodes, n_partitions;

        assignment_share(session_partitioning(s), ds[i], &n_nodes, &n_partitions);
        session_facts(s, ds[i], &facts);
        JSON_STRINGS(r, o, {"name", ds[i]->type->name}, {"label", ds[i]->type->label}, {"device", ds[i]->device});
        JSON_NUMBERS(r, o, {"nodes", n_nodes}, {"partitions", n_partitions});
        report_delegate_memory(r, o, "memory_bytes", &facts);
    }
}

void report_dynamic(struct report *r, struct json *in, const struct session_dynamic *l)
{
    struct json *o = json_object(r, in, "late");

    JSON_NUMBERS(r, o, {"groups", l->groups}, {"nodes", l->nodes}, {"delegated", l->delegated}, {"cpu", l->cpu},
                 {"partitions", l->partitions}, {"plans", l->plans}, {"group_runs", l->runs}, {"node_runs", (double)l->node_runs},
                 {"cpu_node_runs", (double)l->cpu_node_runs});
}

void report_called(struct report *r, struct json *in, const struct session_called *c)
{
    struct json *o = json_object(r, in, "called");

    JSON_NUMBERS(r, o, {"subgraphs", c->subgraphs}, {"nodes", c->nodes}, {"delegated", c->delegated}, {"partitions", c->partitions},
                 {"ahead", c->ahead}, {"not_run", c->not_run});
}

static void warn_of(const char *label, const char *what, const struct device_tensor *t, uint32_t n)
{
    char why[2 * sizeof t->why];

    for (uint32_t i = 0; i < n; i++)
        if (t[i].why[0])
            say_warn("%s I/O: an %s stays in host memory: %s", label, what, say_clean(t[i].why, why, sizeof why));
}

void device_io_say(const struct device_io *io)
{
    const char *label = io->session ? io->delegate->type->label : "";
    struct delegate_crossing c;
    char name[256];

    if (!io->session)
        return;
    say_info("%s I/O: %u of %u inputs and %u of %u outputs are in buffers of the device, %u of them without a conversion; no run "
             "brings or fetches these",
             label, device_io_count(io->inputs, io->n_inputs, false), io->n_inputs,
             device_io_count(io->outputs, io->n_outputs, false), io->n_outputs,
             device_io_count(io->inputs, io->n_inputs, true) + device_io_count(io->outputs, io->n_outputs, true));
    warn_of(label, "input", io->inputs, io->n_inputs);
    warn_of(label, "output", io->outputs, io->n_outputs);
    for (uint32_t i = 0; device_io_inner(io, i, &c); i++)
        say_warn("%s I/O: '%s' %s crosses %s the CPU in each run", label, say_clean(c.tensor->name, name, sizeof name),
                 TENSOR_TEXT(c.tensor), c.output ? "to" : "from");
}

static void put_list(struct report *r, struct json *in, const struct device_io *io, bool output)
{
    static const char *const ways[] = {[DELEGATE_CONVERTED] = "converted", [DELEGATE_DIRECT] = "direct"};
    struct json *list = json_array(r, in, output ? "outputs" : "inputs");

    for (uint32_t i = 0; i < (output ? io->n_outputs : io->n_inputs); i++) {
        const struct tensor *t = output ? session_output(io->session, i) : session_input(io->session, i);
        const struct device_tensor *d = output ? &io->outputs[i] : &io->inputs[i];
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "name", t ? t->name : "");
        json_number(r, o, "bytes", t ? (double)t->bytes : 0);
        json_string(r, o, "way", d->buffer ? ways[d->way] : "host");
        if (d->why[0])
            json_string(r, o, "why", d->why);
        else
            json_null(r, o, "why");
    }
}

void device_io_put(struct report *r, struct json *in, const struct device_io *io)
{
    struct delegate_crossing c;
    struct json *o, *inner;

    if (!json_given(r, in, "device_io", io->session))
        return;
    o = json_object(r, in, "device_io");
    put_list(r, o, io, false);
    put_list(r, o, io, true);
    inner = json_array(r, o, "crossing");
    for (uint32_t i = 0; device_io_inner(io, i, &c); i++) {
        struct json *one = json_object(r, inner, NULL);

        json_string(r, one, "name", c.tensor->name);
        json_number(r, one, "bytes", (double)c.tensor->bytes);
        json_string(r, one, "to", c.output ? "cpu" : "delegate");
    }
}
