/* SPDX-License-Identifier: Apache-2.0 */
/* diff_stored.c - which side comes from a folder, and whether the folders go together. */
#include "cmd/diff/inference_diff.h"

#include <string.h>

#define ROW(of_group, flag_name, takes, field, echo, text)                                                                         \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_##of_group, takes, .offset = offsetof(struct stored_flags, field), .value = "",          \
        .label = echo, .help = text                                                                                                \
    }

const struct flag stored_flag_table[] = {
    ROW(INPUT, "save_inputs", FLAG_WRITES_DIR, save_inputs, "Save inputs",
        "Write the inputs of each run to this folder, as .npy files with a manifest."),
    ROW(INPUT, "load_inputs", FLAG_READS_PATH, load_inputs, "Load inputs",
        "Read the inputs from this folder of --save_inputs, and run once for each."),
    ROW(OUTPUT, "save_outputs", FLAG_WRITES_DIR, save_outputs, "Save outputs",
        "Write the outputs of both sides to this folder, in its folders reference and test."),
    ROW(COMPARE, "load_outputs", FLAG_READS_PATH, load_outputs, "Load outputs",
        "Judge the outputs in this folder of --save_outputs again, and run nothing."),
    ROW(COMPARE, "load_reference_outputs", FLAG_READS_PATH, load_reference, "Load reference outputs",
        "Take this stored side (DIR/test, DIR/reference) as the reference, and do not run the reference."),
    ROW(COMPARE, "load_test_outputs", FLAG_READS_PATH, load_test, "Load test outputs",
        "Take this stored side as the test side, and do not run the test side."),
    {0},
};

static enum status below(const char *dir, const char *name, char out[PATH_MAX], struct err *err)
{
    if (snprintf(out, PATH_MAX, "%s/%s", dir, name) < PATH_MAX)
        return ST_OK;
    return err_set(err, ST_IO, "%.100s…: path is too long", dir);
}

static bool has_inputs(const struct input_flags *in)
{
    return *in->files || *in->dir || *in->fills || *in->ranges || inputs_image_flag(in);
}

/* What looks into a side has to run it. */
static enum status check_flags(const struct comparison *c, bool reference, bool test, struct err *err)
{
    const struct stored_flags *f = &c->stored.flags;
    const struct input_flags *in = &c->input_flags;
    const struct diff_flags *d = &c->flags;
    static const struct {
        const char *flag;
        bool of_test; /* else of both sides */
    } of_runs[] = {
        {"cpu_kernels", true}, {"num_interpreter_threads", true}, {"repeat", false}, {"seed", false}, {"max_secs", false}};

    if (*f->load_inputs && has_inputs(in))
        return err_set(err, ST_USAGE,
                       "--load_inputs says what the inputs hold: --input_layer_value_files, --input_dir, --input_fill, "
                       "--input_layer_value_range and flags of images go without it");
    if (*f->load_outputs && (*f->load_reference || *f->load_test))
        return err_set(err, ST_USAGE,
                       "--load_outputs has both sides: --load_reference_outputs and --load_test_outputs go without it");
    if (reference && test && (has_inputs(in) || *f->load_inputs || *f->save_inputs))
        return err_set(err, ST_USAGE,
                       "both sides' outputs are stored, so nothing is run and nothing has inputs: --load_inputs, --save_inputs and "
                       "flags of inputs go without them");
    if ((reference || test) &&
        (d->per_op || d->bisect || *d->extract || d->why || d->auto_fp32 || d->reference_precision != SESSION_FP32))
        return err_set(err, ST_USAGE,
                       "stored outputs are not run: --per_op, --bisect, --extract, --why, --auto_fp32 and --reference_precision "
                       "need both sides to run");
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs; i++)
        if (test && (reference || of_runs[i].of_test) && !cli_is_default(cli_find(&c->tool.cli, of_runs[i].flag)))
            return err_set(err, ST_USAGE, "%s outputs are stored, so --%s changes nothing: leave it away",
                           reference ? "both sides'" : "the test side's", of_runs[i].flag);
    if (test && delegates_wanted(&c->tool.delegates))
        return err_set(err, ST_USAGE, "the test side's outputs are stored, so no delegate runs: leave it away");
    return ST_OK;
}

static enum status check_runs(struct comparison *c, const struct stored_reader *r, bool given, struct err *err)
{
    if (!r->n_runs)
        return ST_OK;
    if (given && r->n_runs < (uint32_t)c->flags.num_runs)
        return err_set(err, ST_USAGE, "--num_runs=%d: %s has %u runs", c->flags.num_runs, r->dir, r->n_runs);
    if (r->n_runs < (uint32_t)c->flags.num_runs)
        c->flags.num_runs = (int32_t)r->n_runs;
    return ST_OK;
}

enum status diff_stored_open(struct comparison *c, struct err *err)
{
    struct stored_sides *s = &c->stored;
    const struct stored_flags *f = &s->flags;
    const bool reference = *f->load_outputs || *f->load_reference, test = *f->load_outputs || *f->load_test;
    const bool given = cli_find(&c->tool.cli, "num_runs")->given, any = reference || test || *f->load_inputs;
    const struct model *m = c->tool.model;
    enum status st = check_flags(c, reference, test, err);

    if (st || !any)
        return st;
    if (*f->load_outputs && ((st = below(f->load_outputs, "reference", s->reference_dir, err)) ||
                             (st = below(f->load_outputs, "test", s->test_dir, err))))
        return st;
    if (!given)
        c->flags.num_runs = STORED_MAX_RUNS;
    if ((*f->load_inputs && (st = stored_open(&s->inputs, STORED_INPUTS, f->load_inputs, m, err))) ||
        (reference &&
         (st = stored_open(&s->reference, STORED_OUTPUTS, *f->load_reference ? f->load_reference : s->reference_dir, m, err))) ||
        (test && (st = stored_open(&s->test, STORED_OUTPUTS, *f->load_test ? f->load_test : s->test_dir, m, err))) ||
        (st = check_runs(c, &s->inputs, given, err)) || (st = check_runs(c, &s->reference, given, err)))
        return st;
    return check_runs(c, &s->test, given, err);
}

/* "GPU: llvmpipe …" or "CPU (fast kernels)". */
static void side_text(const struct comparison *c, char *out, size_t size)
{
    const struct delegate *d = c->test.delegate;

    if (d)
        snprintf(out, size, "%s: %s", d->type->label, d->device ? d->device : "");
    else
        snprintf(out, size, "CPU (%s kernels)", c->flags.cpu_kernels == CPU_FAST ? "fast" : "reference");
}

enum status diff_stored_begin(struct comparison *c, struct err *err)
{
    struct stored_sides *s = &c->stored;
    const struct stored_flags *f = &s->flags;
    const char *reference = s->reference.n_runs ? s->reference.what
                            : c->runtime.opened ? c->runtime.opened->device
                                                : "CPU (reference kernels)";
    enum status st = ST_OK;
    char text[256];

    side_text(c, text, sizeof text);
    if (*f->save_inputs && (st = stored_begin(&s->save_inputs, STORED_INPUTS, f->save_inputs, &c->tool, "", err)))
        return st;
    if (!*f->save_outputs)
        return st;
    if ((st = below(f->save_outputs, "reference", s->save_reference_dir, err)) ||
        (st = below(f->save_outputs, "test", s->save_test_dir, err)) ||
        (st = stored_begin(&s->save_reference, STORED_OUTPUTS, s->save_reference_dir, &c->tool, reference, err)))
        return st;
    return stored_begin(&s->save_test, STORED_OUTPUTS, s->save_test_dir, &c->tool, s->test.n_runs ? s->test.what : text, err);
}

static enum status check_inputs(const struct stored_reader *r, uint32_t run, const char *hash, struct err *err)
{
    if (!r->n_runs || !strcmp(r->inputs[run], hash))
        return ST_OK;
    return err_set(err, ST_USAGE,
                   "%s: the outputs of run %u are of other inputs (%.12s…, these are %.12s…): give the same --seed and "
                   "flags of inputs, or --load_inputs",
                   r->dir, run, r->inputs[run], hash);
}

enum status diff_stored_inputs(struct comparison *c, uint32_t run, struct err *err)
{
    struct stored_sides *s = &c->stored;
    const bool judged_again = s->reference.n_runs && s->test.n_runs;
    enum status st = ST_OK;

    if (judged_again)
        memcpy(s->hash, s->reference.inputs[run], sizeof s->hash);
    else if (s->inputs.n_runs)
        st = stored_load(&s->inputs, run, c->reference.session, err);
    else
        st = inputs_fill(&c->inputs, c->reference.session, run, err);
    if (st || (st = diff_tensors_inputs(c, err)))
        return st;
    if (!judged_again &&
        (s->inputs.n_runs || s->reference.n_runs || s->test.n_runs || s->save_test.manifest || s->save_inputs.manifest))
        stored_hash(c->reference.session, s->hash);
    if ((st = check_inputs(&s->reference, run, s->hash, err)) || (st = check_inputs(&s->test, run, s->hash, err)))
        return st;
    if (s->inputs.n_runs && strcmp(s->inputs.inputs[run], s->hash) != 0)
        return err_set(err, ST_USAGE,
                       "%s: the inputs of run %u are not what was stored (%.12s…, these are %.12s…): --input_dir=%s/run_%u "
                       "takes them as they are",
                       s->inputs.dir, run, s->inputs.inputs[run], s->hash, s->inputs.dir, run);
    return s->save_inputs.manifest ? stored_add(&s->save_inputs, c->reference.session, s->hash, err) : ST_OK;
}

enum status diff_stored_outputs(struct comparison *c, struct err *err)
{
    struct stored_sides *s = &c->stored;
    enum status st;

    if (!s->save_test.manifest)
        return ST_OK;
    if ((st = stored_add(&s->save_reference, c->reference.session, s->hash, err)))
        return st;
    return stored_add(&s->save_test, c->test.session, s->hash, err);
}

enum status diff_stored_end(struct comparison *c, struct err *err)
{
    struct stored_sides *s = &c->stored;
    enum status st = ST_OK;

    if (s->save_inputs.manifest)
        st = stored_end(&s->save_inputs, err);
    if (!st && s->save_reference.manifest)
        st = stored_end(&s->save_reference, err);
    return !st && s->save_test.manifest ? stored_end(&s->save_test, err) : st;
}

void diff_stored_free(struct stored_sides *d)
{
    stored_close(&d->inputs);
    stored_close(&d->reference);
    stored_close(&d->test);
    stored_drop(&d->save_inputs);
    stored_drop(&d->save_reference);
    stored_drop(&d->save_test);
}
