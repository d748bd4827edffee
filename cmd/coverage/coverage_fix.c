/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_fix.c - a rewritten model: made, verified, written, and told of. */
#include "cmd/coverage/coverage_fix.h"

#include <math.h>

#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"
#include "lib/base/file_write.h"

struct watching {
    struct progress line;
    uint64_t began_ns;
};

static void see(void *arg, uint64_t done, uint64_t all)
{
    struct watching *w = arg;

    w->line.min_runs = all < INT32_MAX ? (int32_t)all : INT32_MAX;
    progress_show(&w->line, (size_t)done, (double)(clock_ns() - w->began_ns) / 1e9);
}

static enum status verify(struct coverage_fix *f, const struct model *m, uint32_t subgraph, struct err *err)
{
    struct watching w = {.line = {.what = "Verifying the rewritten model", .unit = "nodes", .max_secs = INFINITY},
                         .began_ns = clock_ns()};
    const enum status st = fix_verify(m, subgraph, &f->fix, &(struct fix_watch){see, &w}, err);

    progress_end(&w.line);
    return st;
}

static enum status make(struct coverage_fix *f, const struct model *m, uint32_t subgraph, const struct fix_judge *judge,
                        struct err *err)
{
    struct file_piece piece;
    enum status st;

    if ((st = fix_model(m, subgraph, judge, false, &f->fix, err)))
        return st;
    st = verify(f, m, subgraph, err);
    if (st == ST_FAILED && f->fix.arithmetic) { /* what follows may make more of a rounding than is allowed */
        f->moves_only = true;
        f->off = *err;
        fix_free(&f->fix);
        if (!(st = fix_model(m, subgraph, judge, true, &f->fix, err)))
            st = verify(f, m, subgraph, err);
    }
    if (st || !f->fix.file)
        return st;
    piece = (struct file_piece){f->fix.file, f->fix.bytes};
    st = file_write(f->path, &piece, 1, err);
    f->written = !st;
    return st;
}

enum status coverage_fix_make(struct coverage_fix *f, const struct model *m, uint32_t subgraph, const struct fix_judge *judge,
                              struct err *err)
{
    const enum status st = make(f, m, subgraph, judge, err);

    f->asked = true;
    if (st) {
        f->failed = *err;
        f->written = false;
    }
    return st;
}

void coverage_fix_free(struct coverage_fix *f)
{
    fix_free(&f->fix);
    *f = (struct coverage_fix){0};
}

bool coverage_fix_helped(const struct coverage_fix *f)
{
    return !f->asked || !f->fix.refused_after || f->fix.refused_after < f->fix.refused_before;
}

static const char *kind_name(enum fix_kind kind)
{
    return kind == FIX_MOVES ? "same bits" : "up to rounding";
}

static void say_done(const struct fix *x)
{
    char op[64], why[256];

    for (uint32_t i = 0; i < x->n_done; i++)
        say_text("  node %u %s is now %s, %s (was refused: %s)\n", x->done[i].node, say_clean(x->done[i].op, op, sizeof op),
                 x->done[i].what, kind_name(x->done[i].kind), say_clean(x->done[i].was.text, why, sizeof why));
    for (uint32_t i = 0; i < x->n_pinned; i++)
        say_text("  input %s has that shape for good now\n", say_clean(x->pinned[i], why, sizeof why));
    for (uint32_t i = 0; i < x->n_left; i++)
        say_text("  left: node %u %s: %s: %s; %s\n", x->left[i].node, say_clean(x->left[i].op, op, sizeof op),
                 reason_name(x->left[i].why.code), say_clean(x->left[i].why.text, why, sizeof why), x->left[i].hint);
}

void coverage_fix_say(const struct coverage_fix *f)
{
    const struct fix *x = &f->fix;
    char path[1024];

    if (!f->asked || *f->failed.msg)
        return;
    say_text("\nFix for %s: of %u nodes %u were refused, of %u nodes %u are\n", f->whose, x->nodes_before, x->refused_before,
             x->nodes_after, x->refused_after);
    if (f->moves_only)
        say_text("  Arithmetic stays as it is: %s\n", say_clean(f->off.msg, path, sizeof path));
    say_done(x);
    if (!f->written)
        say_text("Nothing is written: %s\n",
                 x->refused_before ? "no node that is refused has a form that is taken" : "all is taken");
    else if (x->max_error > 0 || x->output_error > 0)
        say_text("Written: %s (bytes=%zu), in %u runs of random inputs each rewrite within %.2g of the old values, where %.0e is "
                 "allowed, and the outputs within %.2g\n",
                 say_clean(f->path, path, sizeof path), x->bytes, x->runs, x->max_error, FIX_TOLERANCE, x->output_error);
    else
        say_text("Written: %s (bytes=%zu), equal to the old model in every bit in %u runs of random inputs\n",
                 say_clean(f->path, path, sizeof path), x->bytes, x->runs);
}

static void put_lists(struct report *r, struct json *in, const struct fix *x)
{
    struct json *list = json_array(r, in, "done"), *o;

    for (uint32_t i = 0; i < x->n_done; i++) {
        o = json_object(r, list, NULL);
        json_number(r, o, "node", x->done[i].node);
        JSON_STRINGS(r, o, {"op", x->done[i].op}, {"now", x->done[i].what});
        json_bool(r, o, "same_bits", x->done[i].kind == FIX_MOVES);
        JSON_STRINGS(r, o, {"reason_code", reason_name(x->done[i].was.code)}, {"reason", x->done[i].was.text});
    }
    list = json_array(r, in, "left");
    for (uint32_t i = 0; i < x->n_left; i++) {
        o = json_object(r, list, NULL);
        json_number(r, o, "node", x->left[i].node);
        JSON_STRINGS(r, o, {"op", x->left[i].op}, {"reason_code", reason_name(x->left[i].why.code)},
                     {"reason", x->left[i].why.text}, {"hint", x->left[i].hint});
    }
    list = json_array(r, in, "fixed_inputs");
    for (uint32_t i = 0; i < x->n_pinned; i++)
        json_string(r, list, NULL, x->pinned[i]);
}

void coverage_fix_put(struct report *r, struct json *in, const struct coverage_fix *f)
{
    struct json *o;

    if (!json_given(r, in, "fix", f->asked))
        return;
    o = json_object(r, in, "fix");
    JSON_STRINGS(r, o, {"whose", f->whose}, {"failed", *f->failed.msg ? f->failed.msg : NULL},
                 {"written", f->written ? f->path : NULL});
    json_bool(r, o, "arithmetic_refused", f->moves_only);
    JSON_NUMBERS(r, o, {"nodes_before", f->fix.nodes_before}, {"refused_before", f->fix.refused_before},
                 {"nodes_after", f->fix.nodes_after}, {"refused_after", f->fix.refused_after}, {"runs", f->fix.runs},
                 {"max_error", f->written ? f->fix.max_error : NAN}, {"output_error", f->written ? f->fix.output_error : NAN});
    put_lists(r, o, &f->fix);
}
