/* SPDX-License-Identifier: Apache-2.0 */
/* diff_reference.c - --reference=NAME:ACCELERATOR: a delegate that runs the whole model, in the place of the reference kernels. */
#include <string.h>

#include "cmd/diff/inference_diff.h"

/* What looks at single nodes of the reference needs its kernels. */
static enum status check_flags(const struct comparison *c, struct err *err)
{
    const struct diff_flags *f = &c->flags;
    const char *what = f->per_op                                ? "per_op"
                       : f->why                                 ? "why"
                       : f->auto_fp32                           ? "auto_fp32"
                       : f->reference_hybrid                    ? "reference_hybrid"
                       : f->reference_precision != SESSION_FP32 ? "reference_precision"
                       : *c->stored.flags.load_outputs          ? "load_outputs"
                       : *c->stored.flags.load_reference        ? "load_reference_outputs"
                                                                : NULL;

    return what ? err_set(err, ST_USAGE, "--reference=%.60s, but --%s needs the reference kernels", f->reference, what) : ST_OK;
}

/* The flag that chooses the accelerator, and its value: NAME_accelerator=WORD, or NAME_WORD. */
static enum status find_flag(struct reference_runtime *r, const char *word, struct err *err)
{
    char one[64], other[64];

    snprintf(one, sizeof one, "%s_accelerator", r->choice->type->name);
    snprintf(other, sizeof other, "%s_%.40s", r->choice->type->name, word);
    for (const struct flag *f = r->choice->type->flags; f->name; f++)
        if (!strcmp(f->name, one) || (f->type == FLAG_BOOL && !strcmp(f->name, other))) {
            r->flag = f;
            r->value = strcmp(f->name, one) ? "true" : word;
            return ST_OK;
        }
    return err_set(err, ST_USAGE, "--reference=%s:%.60s: no flag chooses that", r->choice->type->name, word);
}

enum status diff_reference_read(struct comparison *c, struct err *err)
{
    struct reference_runtime *r = &c->runtime;
    struct delegates *ds = &c->tool.delegates;
    const char *text = c->flags.reference, *word = strchr(text, ':');
    char name[64];
    enum status st;

    if (!*text)
        return ST_OK;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if ((st = check_flags(c, err)) || (st = delegates_find(ds, "reference", name, &r->choice, err)) ||
        (word && (st = find_flag(r, word + 1, err))))
        return st;
    if (!r->choice->type->serve)
        return err_set(err, ST_USAGE, "--reference=%s: only what runs whole models is a reference: litert, tflite", name);
    /* Its library is for the reference alone where another delegate is the test side. */
    for (uint32_t i = 0; i < ds->n_choices; i++)
        if (&ds->choices[i] != r->choice && delegates_uses(&ds->choices[i]))
            r->choice->also = true;
    return ST_OK;
}

enum status diff_reference_open(struct comparison *c, struct session_options *opt, struct err *err)
{
    struct reference_runtime *r = &c->runtime;
    enum status st;

    if (!r->choice)
        return ST_OK;
    if ((st = delegates_open_as(&c->tool.delegates, r->choice, r->flag, r->value, &r->opened, err)))
        return err_prefix(err, st, "--reference");
    opt->delegates[0] = r->opened;
    return ST_OK;
}

enum status diff_reference_check(const struct comparison *c, const struct session *s, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);

    if (!c->runtime.opened || p->n_delegated)
        return ST_OK;
    for (uint32_t i = 0; i < session_graph(s)->n_nodes; i++)
        if (p->reasons[i].code)
            return err_set(err, ST_FAILED, "--reference: %s does not run the model: %s", c->runtime.opened->type->label,
                           p->reasons[i].text);
    return err_set(err, ST_UNSUPPORTED, "--reference: the model has no nodes");
}

void diff_reference_free(struct reference_runtime *r)
{
    delegate_close(r->opened);
    *r = (struct reference_runtime){0};
}
