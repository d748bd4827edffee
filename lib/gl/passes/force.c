/* SPDX-License-Identifier: Apache-2.0 */
/* force.c - variants asked for by name: see choose.h */
#include "lib/gl/passes/choose.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/flag.h"

static void add_name(struct err *err, const char *name, bool first)
{
    size_t n = strlen(err->msg);

    snprintf(err->msg + n, sizeof err->msg - n, "%s%s", first ? " " : ", ", name);
}

static enum status no_kind(const char *name, size_t n, struct err *err)
{
    bool first = true;

    err_set(err, ST_USAGE, "--gpu_variant: there is no kind of operation \"%.*s\"; with several variants:", (int)n, name);
    for (size_t i = 0; err && gl_kinds[i]; i++)
        if (gl_kinds[i]->n_variants > 1) {
            add_name(err, gl_kinds[i]->name, first);
            first = false;
        }
    return ST_USAGE;
}

static enum status no_variant(const struct ir_kind *kind, const char *name, size_t n, struct err *err)
{
    err_set(err, ST_USAGE, "--gpu_variant: %s has no variant \"%.*s\" but", kind->name, (int)n, name);
    for (uint32_t i = 0; err && i < kind->n_variants; i++)
        add_name(err, kind->variants[i].name, !i);
    return ST_USAGE;
}

static bool is_name(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && !memcmp(name, text, n);
}

/* One "kind:variant" of n characters. */
static enum status read_one(const char *text, size_t n, struct gl_forced_one *out, struct err *err)
{
    const char *colon = memchr(text, ':', n);
    size_t length = colon ? (size_t)(colon - text) : n, rest = colon ? n - length - 1 : 0, i = 0;
    const struct gl_variant *v, *end;

    while (gl_kinds[i] && !is_name(gl_kinds[i]->name, text, length))
        i++;
    if (!gl_kinds[i])
        return no_kind(text, length, err);
    v = gl_kinds[i]->variants;
    for (end = v + gl_kinds[i]->n_variants; v < end && !(colon && is_name(v->name, colon + 1, rest));)
        v++;
    if (v == end)
        return no_variant(gl_kinds[i], text + n - rest, rest, err);
    *out = (struct gl_forced_one){.kind = gl_kinds[i], .variant = v};
    return ST_OK;
}

enum status gl_forced_read(const char *text, struct gl_forced *out, struct err *err)
{
    enum status st = ST_OK;

    *out = (struct gl_forced){0};
    while (text && *text && !st) {
        size_t n = strcspn(text, ",");

        if (out->n == GL_MAX_FORCED)
            return err_set(err, ST_USAGE, "--gpu_variant: more than %d variants", GL_MAX_FORCED);
        st = read_one(text, n, &out->list[out->n++], err);
        text = flag_skip_blanks(text + n + (text[n] == ','));
    }
    return st;
}

void gl_forced_say_unused(const struct gl_forced *f, const char *dir, struct delegate *d)
{
    for (const struct gl_forced_one *one = f->list; one < f->list + f->n; one++)
        if (!one->used)
            delegate_warn(d, "--gpu_variant=%s:%s fits %s", one->kind->name, one->variant->name,
                          one->behind ? "only where one that stands before it is taken" : "no operation");
    if (f->n && dir)
        delegate_warn(d, "--gpu_variant: no start is stored in %s or taken from it", dir);
}
