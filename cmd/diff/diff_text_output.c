/* SPDX-License-Identifier: Apache-2.0 */
/* diff_text_output.c - one output's distances in words: where, how many, which run, and whether that is allowed. */
#include "cmd/diff/inference_diff.h"

#include <math.h>

#include "cmd/host/say.h"

static void say_counts(const char *what, const struct diff *d)
{
    if (d->nan_reference || d->nan_test || d->inf_reference || d->inf_test)
        say_info(
            "%s: NaN reference=%llu test=%llu, Inf reference=%llu test=%llu, not finite in the test alone: %llu, unequal: %llu",
            what, (unsigned long long)d->nan_reference, (unsigned long long)d->nan_test, (unsigned long long)d->inf_reference,
            (unsigned long long)d->inf_test, (unsigned long long)d->broken, (unsigned long long)d->unequal);
    if (d->shapes_differ)
        say_info("%s: another shape or type than the reference in %llu of %llu runs", what, (unsigned long long)d->shapes_differ,
                 (unsigned long long)d->comparisons);
}

/* What is known of the finite pairs comes after "max_error=nan": a script that looks for the figure must not find theirs. */
static void say_unknown(const char *what, const struct diff *d)
{
    if (d->elems)
        say_info("%s: max_error=nan, mean_error=nan; the %llu elements that are finite on both sides differ by up to %g", what,
                 (unsigned long long)d->elems, d->max_abs);
    else
        say_info("%s: max_error=nan, mean_error=nan; no element is finite on both sides", what);
}

static void say_distance(const char *what, const struct tensor *t, const struct diff *d)
{
    char at[128];

    if (isnan(diff_max_abs(d))) {
        say_unknown(what, d);
        return;
    }
    if (!d->different) {
        say_info("%s: equal in all %llu finite elements", what, (unsigned long long)d->elems);
        return;
    }
    say_info("%s: max_error=%g at %s (reference %.9g, test %.9g, run %llu), relative=%g, different=%llu of %llu", what, d->max_abs,
             diff_index_text(t, d->worst, at, sizeof at), d->worst_reference, d->worst_test,
             (unsigned long long)d->worst_comparison, diff_relative(d), (unsigned long long)d->different,
             (unsigned long long)d->elems);
    say_info("%s: mean_error=%g, rms_error=%g, cosine=%.9g, snr=%g dB", what, diff_mean_abs(d), diff_rms(d), diff_cosine(d),
             diff_snr_db(d));
}

static void say_figures(const char *what, const struct diff *d, bool stored)
{
    if (isnan(diff_max_abs(d)) || !d->different)
        return;
    if (stored)
        say_info("%s: max_ulp=%g, mean_ulp=%g, psnr=%g dB, top1 differs in %llu of %llu rows", what, diff_max_ulp(d),
                 diff_mean_ulp(d), diff_psnr_db(d), (unsigned long long)d->top1_different, (unsigned long long)d->rows);
    else
        say_info("%s: psnr=%g dB", what, diff_psnr_db(d));
}

/* The bins that hold something. */
static void say_histogram(const char *what, const struct diff *d)
{
    char text[DIFF_BINS * 32] = "";
    size_t n = 0;

    if (!d->different)
        return;
    for (int b = 0; b < DIFF_BINS; b++) {
        const char *sep = n ? ", " : "";

        if (!d->histogram[b])
            continue;
        if (b == 0 || b == DIFF_BINS - 1)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s: %llu", sep, b ? "from 1000" : "0",
                                  (unsigned long long)d->histogram[b]);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "%sbelow %g: %llu", sep, diff_bin_end(b),
                                  (unsigned long long)d->histogram[b]);
    }
    say_info("%s: errors: %s", what, text);
}

static void say_allowed(const char *what, const struct diff *d)
{
    char allowed[128], failed[DIFF_FAILED_SIZE], beyond[48] = "";

    if (d->beyond)
        snprintf(beyond, sizeof beyond, ", %llu elements beyond", (unsigned long long)d->beyond);
    diff_failed_text(diff_failed_on(d), failed);
    say_info("%s: allowed: %s: %s%s%s", what, tolerance_text(&d->allowed, allowed, sizeof allowed),
             *failed ? "FAILED on " : "within", failed, beyond);
}

/* Said where the figures, which are of the last invocation, would hide it. */
static void say_first(const char *what, const struct output_diff *out)
{
    char failed[DIFF_FAILED_SIZE];

    if (diff_failed_on(&out->first) && !diff_failed_on(&out->raw))
        say_info("%s: not so what the first invocation with an input gave, max_error=%g: FAILED on %s", what,
                 diff_max_abs(&out->first), diff_failed_text(diff_failed_on(&out->first), failed));
}

/* What no distance shows. */
static void say_suspicions(const char *what, const struct output_diff *out)
{
    const struct diff *d = &out->raw;
    const enum diff_silent silent = diff_silent(d);

    if (silent)
        say_warn("%s: every element is %g on the %s side, and on that alone", what, d->low[silent == DIFF_SILENT_TEST],
                 silent == DIFF_SILENT_TEST ? "test" : "reference");
    if (!d->elems && (d->nan_reference || d->inf_reference) && diff_relative_bound(d) == 0)
        say_warn("%s: both sides hold nothing but NaN and infinities: no distance was compared", what);
    if (out->changed > 1 && out->stale == out->changed)
        say_warn("%s: the test side's bits never changed, though the reference's did in %u runs", what, out->changed);
}

static void say_output(const struct trial *t, uint32_t i)
{
    const struct tensor *tensor = session_output(t->diff.reference, i);
    const struct output_diff *out = &t->diff.outputs[i];
    char name[96], what[256];

    snprintf(what, sizeof what, "Output %u '%s' %s", i, say_clean(tensor->name, name, sizeof name), TENSOR_TEXT(tensor));
    say_distance(what, tensor, &out->raw);
    say_figures(what, &out->raw, true);
    say_counts(what, &out->raw);
    if (out->is_quantized && out->raw.different) {
        snprintf(what, sizeof what, "Output %u dequantized", i);
        say_distance(what, tensor, &out->real);
        say_figures(what, &out->real, false);
    }
    snprintf(what, sizeof what, "Output %u", i);
    say_histogram(what, &out->raw);
    say_allowed(what, &out->raw);
    say_first(what, out);
    say_suspicions(what, out);
}

void trial_say_doubts(const struct trial *t)
{
    char what[32];

    for (uint32_t i = 0; i < t->diff.n_outputs; i++) {
        snprintf(what, sizeof what, "Output %u", i);
        say_first(what, &t->diff.outputs[i]);
        say_suspicions(what, &t->diff.outputs[i]);
    }
}

void trial_say_outputs(const struct trial *t)
{
    for (uint32_t i = 0; i < t->diff.n_outputs; i++)
        say_output(t, i);
}
