/* SPDX-License-Identifier: Apache-2.0 */
/* eval_classification.c - how often a classifier is right about a folder of pictures, on a delegate and on the CPU. */
#include "cmd/classification/eval_classification.h"

#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/say_tflite_errors.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"

static enum status check_flags(const struct evaluation *e, struct err *err)
{
    const struct classification_flags *f = &e->flags;

    if (*f->image &&
        (*f->images || *f->truth || *f->denylist || *f->csv || *f->output || *f->proto || *f->answers || *f->merge || *f->shard))
        return err_set(err, ST_USAGE, "--image is about one picture: it goes with no flag of a folder of them");
    if (!*f->image && !*f->images)
        return err_set(err, ST_USAGE, "--ground_truth_images_path=FOLDER is needed: the pictures (or --image=FILE: one)");
    if (*f->real && (*f->truth || f->label_format == LABELS_TEXT))
        return err_set(err, ST_USAGE, "--real_labels has the ground truth, as numbers: it goes with no %s",
                       *f->truth ? "--ground_truth_labels" : "--label_format=text");
    if (*f->merge && (*f->answers || *f->shard || delegates_wanted(&e->tool.delegates)))
        return err_set(err, ST_USAGE, "--merge runs nothing: it goes with no delegate, --answers_file or --shard");
    if (f->min_agreement >= 0 && !*f->merge && (!delegates_wanted(&e->tool.delegates) || !f->compare_cpu))
        return err_set(err, ST_USAGE, "--min_agreement=%g: there is nothing to agree with, without a delegate beside the CPU",
                       f->min_agreement);
    return ST_OK;
}

static enum status open_pictures(struct evaluation *e, struct err *err)
{
    enum status st = classification_list(e, err);

    e->n_ranks = e->among ? e->n_among : e->labels.n;
    if (e->n_ranks > (uint32_t)e->flags.num_ranks)
        e->n_ranks = (uint32_t)e->flags.num_ranks;
    if (st || (st = e->merging ? classification_merge(e, err) : classification_answers_open(e, err)))
        return st;
    return classification_shard(e, err);
}

static enum status open_all(struct evaluation *e, struct err *err)
{
    struct classification_flags *f = &e->flags;
    struct delegates *ds = &e->tool.delegates;
    enum status st;

    if ((st = delegates_choose(ds, f->delegate, err)) || (st = delegates_check(ds, &e->tool.cli, err)) ||
        (st = partition_flags_check(&e->tool.cli, &f->partition,
                                    delegates_wanted(ds) ? DELEGATE_ASKED
                                    : *f->delegate       ? DELEGATE_REFUSED
                                                         : DELEGATE_NOT_ASKED,
                                    err)) ||
        (st = check_flags(e, err)) || (st = tool_take_operand(&e->tool, "model_file", &f->model_file, err)) ||
        (st = tool_open_model(&e->tool, "model_file", classification_model_path(f), err)) ||
        (st = signatures_choose(e->tool.model, "signature", f->signature, &e->tool.subgraph, err)) ||
        (st = classification_preprocess(e, err)) || (st = delegates_open(ds, err)))
        return st;
    delegates_say(ds);
    e->merging = *f->merge != '\0';
    if ((st = classification_open_sides(e, err)))
        return st;
    say_tflite_errors(session_graph(e->sides[0].session));
    return *f->image ? classification_names(e, err) : open_pictures(e, err);
}

/* "; 3 on the denylist" and the like, of what is left out. */
static void say_left(uint32_t n, const char *what, char *out, size_t size)
{
    const size_t used = strlen(out);

    if (n)
        snprintf(out + used, size - used, "%s %u %s", used ? "," : "; left out:", n, what);
}

static void say_data(const struct evaluation *e)
{
    char text[PREPROCESS_TEXT_SIZE], left[192] = "", files[SAY_COUNT_SIZE];
    const struct pictures *p = &e->pictures;

    say_info("Preprocessing (%s): %s", e->flags.preprocess,
             preprocess_text(&e->preprocess, session_input(e->sides[0].session, 0), text));
    if (*e->flags.image)
        return;
    say_left(p->denied, "on the denylist", left, sizeof left);
    say_left(e->flags.unknown_labels == UNKNOWN_IS_SKIPPED ? p->unknown : 0, "with an unknown label", left, sizeof left);
    say_left(p->left, "beyond --num_images", left, sizeof left);
    say_left(p->sharded, "of other shards", left, sizeof left);
    say_left(p->unlabelled, "without a label", left, sizeof left);
    say_left(p->others, "with another ending", left, sizeof left);
    say_info("Pictures: %u of %s in %s%s", p->n, say_count(p->files, "file", files), p->dir, left);
    for (uint32_t i = 0; i < p->n_others; i++)
        say_warn("no picture by its name: %s", p->other[i]);
    if (p->others > p->n_others)
        say_warn("and %u more such files", p->others - p->n_others);
    say_info("Ground truth: %s by %s, %u classes", p->format == LABELS_TEXT ? "names of classes" : "numbers of classes",
             p->by_folder ? "the pictures' folders"
             : p->by_name ? "the pictures' names"
                          : "the order of the pictures",
             e->labels.n);
}

static int evaluate(struct evaluation *e)
{
    struct err err;
    enum status st;

    if ((st = open_all(e, &err)))
        return say_error(st, &err);
    say_data(e);
    if (*e->flags.image) {
        if ((st = classification_run_one(e, &err)) || (st = classification_report_one(e, &err)))
            return say_error(st, &err);
        return 0;
    }
    if ((!e->merging && (st = classification_run(e, &err))) || (st = classification_count(e, &err)) ||
        (st = classification_report(e, &err)) || (st = classification_write_protos(e, &err)))
        return say_error(st, &err);
    if (interrupted())
        say_warn("interrupted: the figures cover the pictures up to then");
    return outcome_exit_code(outcome_of(e->passed, interrupted()));
}

void classification_free(struct evaluation *e)
{
    for (uint32_t i = 0; i < MAX_SIDES; i++) {
        samples_free(&e->sides[i].samples);
        session_free(e->sides[i].session);
    }
    samples_free(&e->decode);
    if (e->answers)
        fclose(e->answers);
    arena_free(&e->arena);
}

int main(int argc, char **argv)
{
    static struct evaluation e = {
        .tool = {.cli = {.tool = "eval_classification",
                         .summary = "how often an image classifier is right about a folder of pictures",
                         .operand = "MODEL.tflite",
                         .help = &classification_help},
                 .delegate_types = delegate_types},
    };
    int code;

    cli_add(&e.tool.cli, classification_flag_table, &e.flags);
    cli_add(&e.tool.cli, partition_flag_table, &e.flags.partition);
    cli_add(&e.tool.cli, tflite_delegate_flag_table, &e.flags.tflite_delegates);
    code = tool_begin(&e.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = evaluate(&e);
    classification_free(&e);
    return tool_end(&e.tool, code);
}
