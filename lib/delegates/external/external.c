/* SPDX-License-Identifier: Apache-2.0 */
/* external.c - delegates of shared libraries, as TensorFlow Lite loads them.
 *
 *   --external_delegate_path=libX.so --external_delegate_options='key:value;key:value'
 *
 * Both may stand several times, and have a line for each library then.
 *
 * For `claim` the library is lent the whole graph: what it replaces is what it takes, and the kernels that it makes run, where our
 * partitions are made up of them. A partition that our limits or other delegates have cut otherwise is lent to it as a graph of its
 * own, for other kernels.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/delegate/delegate.h"
#include "lib/delegates/external/external_host.h"

struct external_options {
    const char *path, *options;
};

struct external {
    struct delegate base;
    struct delegate_type type; /* of this one, with a label of its own */
    char label[32];
    struct external_library *library;
    struct external_host *asked; /* of the last `claim`, up to `prepare` */
    char device[320];
};

struct external_kernel {
    struct delegate_kernel head;
    const struct partition *part;
    struct external_host *host;
};

static void pass_on(void *arg, const char *text)
{
    const struct delegate *d = arg;

    delegate_warn(arg, "%s delegate: %s", d->type->label, text);
}

/* What it said while it was made nobody could be told then. */
static void say_once(struct external *d)
{
    if (*d->library->said)
        pass_on(&d->base, d->library->said);
    *d->library->said = '\0';
}

/* ---- which nodes ---- */

static enum status ask(struct external *d, const struct graph *g, const bool *offered, struct claim *claims, struct err *err)
{
    struct external_host *h;
    enum status st = external_host_new(d->library, g, offered, &h, err);

    if (st)
        return st;
    h->report = pass_on;
    h->report_arg = &d->base;
    st = external_host_take(h, err);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        if (offered[i] && h->subset_of[i] >= 0)
            claims[i].owner = &d->base;
        else if (offered[i])
            reason_set(&claims[i].why, REASON_UNSUPPORTED_OPERATOR, "the external delegate leaves it, and has no way to say why");
    if (st)
        external_host_unref(h);
    else
        d->asked = h;
    return st;
}

static void forget_asked(struct external *d)
{
    external_host_unref(d->asked);
    d->asked = NULL;
}

static enum status external_claim(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    struct external *d = (struct external *)base;
    bool *offered = calloc((size_t)g->n_nodes + 1, sizeof *offered), any = false;
    enum status st = offered ? ST_OK : err_set(err, ST_NOMEM, "out of memory for asking about %u nodes", g->n_nodes);

    say_once(d);
    forget_asked(d);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        if (!claims[i].owner && !claims[i].barred)
            any |= offered[i] = external_host_can_say(&g->nodes[i], base->takes_dynamic, &claims[i].why);
    if (!st && any)
        st = ask(d, g, offered, claims, err);
    free(offered);
    return st;
}

/* ---- a partition ---- */

static void external_free(struct delegate_kernel *head)
{
    struct external_kernel *k = (struct external_kernel *)head;

    external_host_unref(k->host);
    free(k);
}

static enum status external_invoke(struct delegate_kernel *head, struct err *err)
{
    struct external_kernel *k = (struct external_kernel *)head;

    return external_host_invoke(k->host, k->part, err);
}

/* What the library has nobody knows. Partitions may share a host, which counts in one of them. */
static void external_facts(const struct delegate_kernel *head, struct delegate_facts *to)
{
    const struct external_kernel *k = (const struct external_kernel *)head;

    if (external_host_counts_in(k->host, k->part) && external_host_bytes(k->host))
        facts_add_tensors(to, external_host_bytes(k->host)); /* else nothing is known: the library's own memory is its own affair */
}

static const struct delegate_kernel_ops kernel_ops = {.invoke = external_invoke, .facts = external_facts, .free = external_free};

static void listen(struct external_host *h, struct delegate *base)
{
    h->report = pass_on;
    h->report_arg = base;
}

/* Kernels for this partition alone. */
static enum status ask_about(struct external *d, const struct graph *g, const struct partition *p, struct reason *refused,
                             struct external_host **out, struct err *err)
{
    bool *offered = calloc((size_t)g->n_nodes + 1, sizeof *offered);
    enum status st = offered ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u nodes", p->n_nodes);
    bool taken = true;

    for (uint32_t i = 0; i < p->n_nodes && !st; i++)
        offered[p->nodes[i] - g->nodes] = true;
    if (!st && !(st = external_host_new(d->library, g, offered, out, err))) {
        listen(*out, &d->base);
        st = external_host_take(*out, err);
    }
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        if (offered[i] && (*out)->subset_of[i] < 0) {
            reason_set(&refused[g->nodes[i].index], REASON_DRIVER,
                       "the external delegate takes it in the whole graph, but not in its partition of %u nodes", p->n_nodes);
            taken = false;
        }
    if (!st && taken && !external_host_assign(*out, p))
        st = err_set(err, ST_NOMEM, "out of memory for a partition of %u nodes", p->n_nodes);
    free(offered);
    return st;
}

static enum status external_init(struct delegate *base, const struct graph *g, const struct partition *p, struct reason *refused,
                                 struct delegate_kernel **out, struct err *err)
{
    struct external *d = (struct external *)base;
    struct external_kernel *k = calloc(1, sizeof *k);
    enum status st = k ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    *out = NULL;
    if (!st && d->asked && d->asked->g == g && external_host_assign(d->asked, p)) {
        k->host = d->asked;
        k->host->users++;
    } else if (!st) {
        st = ask_about(d, g, p, refused, &k->host, err);
    }
    if (st) {
        if (k)
            external_free(&k->head);
        return st;
    }
    listen(k->host, base);
    k->head.ops = &kernel_ops;
    k->part = p;
    *out = &k->head;
    return ST_OK;
}

static enum status external_prepare(struct delegate *base, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    forget_asked((struct external *)base);
    for (uint32_t i = 0; i < n && !st; i++) {
        struct external_kernel *k = (struct external_kernel *)kernels[i];

        st = external_host_prepare(k->host, k->part, err);
    }
    return st;
}

/* ---- the delegate ---- */

static void external_close(struct delegate *base)
{
    struct external *d = (struct external *)base;

    forget_asked(d);
    external_library_close(d->library);
    free(d);
}

static const struct delegate_ops external_ops = {
    .claim = external_claim, .init = external_init, .prepare = external_prepare, .close = external_close};

extern const struct delegate_type delegate_external;

static uint32_t n_lines(const char *text)
{
    uint32_t n = 1;

    while ((text = strchr(text, '\n'))) {
        text++;
        n++;
    }
    return n;
}

/* A copy of that line; NULL without memory. */
static char *copy_line(const char *text, uint32_t line)
{
    while (line--)
        text += strcspn(text, "\n") + 1;
    return strndup(text, strcspn(text, "\n"));
}

static uint32_t external_count(const void *options)
{
    return n_lines(((const struct external_options *)options)->path);
}

static enum status make(uint32_t i, const char *path, const char *options, struct delegate **out, struct err *err)
{
    struct external *d = calloc(1, sizeof *d);
    enum status st;

    if (!d)
        return err_set(err, ST_NOMEM, "out of memory");
    if ((st = external_library_open(path, options, &d->library, err))) {
        free(d);
        return st;
    }
    d->type = delegate_external;
    snprintf(d->label, sizeof d->label, i ? "external %u" : "external", i + 1);
    d->type.label = d->label;
    snprintf(d->device, sizeof d->device, "%s%s%s", path, *options ? ", told " : "", options);
    d->base = (struct delegate){.type = &d->type,
                                .ops = &external_ops,
                                .device = d->device,
                                .takes_dynamic = d->library->delegate->flags & TFLITE_ALLOW_DYNAMIC_TENSORS};
    *out = &d->base;
    return ST_OK;
}

/* Whose options are whose goes by their number: either may stand first. */
static enum status external_open_one(const void *options, uint32_t i, struct delegate **out, struct err *err)
{
    const struct external_options *o = options;
    const uint32_t n = n_lines(o->path), told = n_lines(o->options);
    char *path, *own;
    enum status st;

    *out = NULL;
    if (*o->options && told != n)
        return err_set(
            err, ST_USAGE,
            "there are %u of --external_delegate_path and %u of --external_delegate_options: one for each, in the same order, "
            "and empty for who is told nothing",
            n, told);
    path = copy_line(o->path, i);
    own = *o->options ? copy_line(o->options, i) : strdup("");
    st = path && own ? make(i, path, own, out, err) : err_set(err, ST_NOMEM, "out of memory");
    free(path);
    free(own);
    return st;
}

static enum status external_open(const void *options, struct delegate **out, struct err *err)
{
    *out = NULL;
    if (external_count(options) > 1)
        return err_set(err, ST_USAGE, "--external_delegate_path stands %u times, and one delegate is asked for",
                       external_count(options));
    return external_open_one(options, 0, out, err);
}

static bool external_asked(const void *options)
{
    return *((const struct external_options *)options)->path;
}

#define FLAG_OPTIONS struct external_options

static const struct flag external_flags[] = {
    FLAG_ROW(DELEGATE, "external_delegate_path", FLAG_READS_PATH, path, "", "External delegate path",
             "Use this shared library, a delegate with TensorFlow Lite's C interface. dlopen finds it: write ./libX.so for this "
             "folder. May be repeated.",
             .repeats = true),
    FLAG_ROW(DELEGATE, "external_delegate_options", FLAG_TAKES_TEXT, options, "", "External delegate options",
             "Pass these options to the library: key:value;key:value, or with = between; values may have a colon. May be repeated, "
             "in the order of the paths; empty: none for this path.",
             .repeats = true, .may_be_empty = true),
    {0},
};

const struct delegate_type delegate_external = {
    .name = "external",
    .label = "external",
    .use_flag = "use_external_delegate",
    .kernel = "TfLiteExternalDelegate",
    .options_size = sizeof(struct external_options),
    .flags = external_flags,
    .asked = external_asked,
    .count = external_count,
    .open_one = external_open_one,
    .open = external_open,
    .open_static = external_open,
};
