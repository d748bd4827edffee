/* SPDX-License-Identifier: Apache-2.0 */
/* generation.c - prompts read and tokens made, each part timed. */
#include "cmd/benchmark/generation.h"

#include <math.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"
#include "lib/base/outcome.h"
#include "lib/delegate/assignment.h"
#include "lib/generate/generator.h"
#include "lib/measure/samples.h"

enum { USUAL_ROUNDS = 5, SHOWN_TOKENS = 16 };

/* One kind of time. */
struct timed {
    struct samples samples;
    struct stats stats;
};

struct generation {
    struct generator *generator;
    struct generator_facts facts;
    int32_t *prompt, *made; /* [n_prompt], [n_made] */
    uint32_t n_prompt, n_made, rounds;
    bool other_tokens;                   /* a round made other tokens than the first */
    struct timed prefill, first, decode; /* the prompt; the prompt and the first token; each further token */
    double init_us;
    struct arena arena;
};

/* ---- flags ---- */

static enum status check_flags(const struct benchmark *b, struct err *err)
{
    static const char *const without[] = {"html",      "markdown",        "signature_to_run_for", "cycles",     "gpu_io",
                                          "run_delay", "warmup_min_secs", "warmup_max_secs",      "percentiles"};
    const enum status st = generation_refuse(&b->tool.cli, without, sizeof without / sizeof *without, err);

    if (st)
        return st;
    if (b->flags.cpu_kernels == CPU_REFERENCE && delegates_wanted(&b->tool.delegates))
        say_info("--cpu_kernels=reference: for the nodes that no delegate takes");
    return benchmark_check_single(b, "--prefill and --decode", err);
}

/* ---- rounds ---- */

static enum status open_generator(struct benchmark *b, struct generation *g, struct err *err)
{
    const uint64_t began = clock_ns();
    struct generator_options o = {.prefill = b->generation.prefill, .decode = b->generation.decode};
    enum status st = tool_open_model(&b->tool, "graph", b->flags.graph, err);

    if (st || (st = delegates_open(&b->tool.delegates, err)))
        return st;
    delegates_say(&b->tool.delegates);
    o.session = benchmark_session_options(b, b->flags.cpu_kernels, b->tool.delegates.all);
    if ((st = generator_new(b->tool.model, &o, &g->generator, err)))
        return st;
    g->init_us = (double)(clock_ns() - began) / 1e3;
    generator_facts(g->generator, &g->facts);
    g->n_made = (uint32_t)b->generation.decode_tokens;
    if (!(g->made = ARENA_ARRAY(&g->arena, g->n_made, int32_t)))
        return err_set(err, ST_NOMEM, "out of memory for %u tokens", g->n_made);
    if ((st = generation_prompt(&b->generation, b->input_flags.seed, g->facts.vocabulary, &g->arena, &g->prompt, &g->n_prompt,
                                err)))
        return st;
    if ((uint64_t)g->n_prompt + g->n_made - 1 > g->facts.capacity)
        return err_set(err, ST_USAGE, "a prompt of %u tokens and %u made ones do not fit in the state of %u", g->n_prompt,
                       g->n_made, g->facts.capacity);
    return ST_OK;
}

static enum status add_time(struct timed *to, uint64_t since, struct err *err)
{
    return to ? samples_add(&to->samples, (double)(clock_ns() - since) / 1e3, err) : ST_OK;
}

/* The prompt and all tokens once; warm-ups are not timed. */
static enum status run_round(struct generation *g, bool timed, struct err *err)
{
    struct generator *of = g->generator;
    enum status st = generator_begin(of, err);
    const uint64_t began = clock_ns();

    if (st || (st = generator_prefill(of, g->prompt, g->n_prompt, err)) ||
        (st = add_time(timed ? &g->prefill : NULL, began, err)) || (st = generator_decode(of, g->prompt[g->n_prompt - 1], err)) ||
        (st = add_time(timed ? &g->first : NULL, began, err)))
        return st;
    for (uint32_t i = 0; i < g->n_made && !st && !interrupted(); i++) {
        const int32_t token = generator_greedy(of);
        const uint64_t step = clock_ns();

        g->other_tokens |= timed && g->rounds && g->made[i] != token;
        g->made[i] = token;
        if (i + 1 < g->n_made && !(st = generator_decode(of, token, err)))
            st = add_time(timed ? &g->decode : NULL, step, err);
    }
    g->rounds += timed;
    return st;
}

static enum status time_rounds(struct benchmark *b, struct generation *g, struct err *err)
{
    const bool given = cli_find(&b->tool.cli, "num_runs")->given;
    const uint32_t least = given ? (uint32_t)b->flags.num_runs : USUAL_ROUNDS;
    struct progress progress = {
        .what = "prompts", .min_runs = (int32_t)least, .min_secs = b->flags.min_secs, .max_secs = b->flags.max_secs};
    enum status st = ST_OK;
    uint64_t began;
    double secs = 0;

    for (int32_t i = 0; i < b->flags.warmup_runs && !st && !interrupted(); i++)
        st = run_round(g, false, err);
    b->machine_start = machine_now(b->measure.machine_root);
    began = clock_ns();
    while (!st && !interrupted() && (g->rounds < least || secs < b->flags.min_secs) && (secs < b->flags.max_secs || !g->rounds)) {
        st = run_round(g, true, err);
        secs = (double)(clock_ns() - began) / 1e9;
        progress_show(&progress, g->rounds, secs);
    }
    progress_end(&progress);
    b->machine_end = machine_now(b->measure.machine_root);
    b->at_end = memory_now();
    return st == ST_LATER ? ST_OK : st;
}

static enum status find_figures(struct generation *g, struct err *err)
{
    struct timed *all[] = {&g->prefill, &g->first, &g->decode};
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof all / sizeof *all && !st; i++)
        st = stats_of(all[i]->samples.us, all[i]->samples.n, &all[i]->stats, err);
    return st;
}

/* ---- what is printed ---- */

/* 1e6 * tokens / us. */
static double per_second(double tokens, double us)
{
    return us > 0 ? 1e6 * tokens / us : NAN;
}

static void say_time(struct result_section *to, const char *what, const struct timed *t, double tokens)
{
    char median[SUMMARY_MS_SIZE], low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE];

    result_line(to, RESULT_TITLE, "  %s %s ms", what, summary_ms(t->stats.median, median));
    if (!isnan(t->stats.median_interval.low))
        result_more(to, " (95 %%: %s to %s)", summary_ms(t->stats.median_interval.low, low),
                    summary_ms(t->stats.median_interval.high, high));
    if (tokens > 0)
        result_more(to, "  %.4g tokens/s", per_second(tokens, t->stats.median));
}

static void say_nodes(struct result_section *to, const char *what, const char *key, const struct session *s)
{
    const struct assignment sum = assignment_of(session_graph(s), session_partitioning(s));

    result_line(to, RESULT_TITLE, "  %s: %u of %u nodes delegated (signature %.60s)", what, sum.n_delegated,
                sum.n_delegated + sum.n_cpu, key);
}

static void say_tokens(struct result_section *to, const struct generation *g)
{
    char list[SHOWN_TOKENS * 12] = "";

    for (uint32_t i = 0; i < g->n_made && i < SHOWN_TOKENS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %d", (int)g->made[i]);
    result_wrapped(to, RESULT_TITLE, 9, "  tokens%s%s", list, g->n_made > SHOWN_TOKENS ? " ..." : "");
    if (g->other_tokens)
        result_line(to, RESULT_TITLE | RESULT_BAD, "  UNSTEADY: rounds of the same prompt made other tokens");
}

static void add_lines(struct result_section *to, const struct benchmark *b, const struct generation *g)
{
    const struct generator_facts *f = &g->facts;
    const struct delegate *d = b->tool.delegates.opened;
    char rounds[SAY_COUNT_SIZE];

    result_line(to, RESULT_TITLE, "RESULT %s: %u tokens read, %u made, %s, on the %s", b->flags.graph, g->n_prompt, g->n_made,
                say_count(g->rounds, "round", rounds), d ? d->type->label : "CPU");
    if (d) {
        say_nodes(to, "prefill", b->generation.prefill, generator_prefill_session(g->generator));
        say_nodes(to, "decode", b->generation.decode, generator_decode_session(g->generator));
    }
    if (!g->rounds) {
        result_line(to, RESULT_TITLE, "  no round was timed");
        return;
    }
    say_time(to, "first token", &g->first, 0);
    say_time(to, "prefill", &g->prefill, g->n_prompt);
    if (g->decode.stats.count)
        say_time(to, "decode", &g->decode, 1);
    result_line(to, RESULT_TITLE, "  state %.3g MB, %u of %u tensors on the device; chunks of %u tokens, room for %u",
                2 * (double)f->state_bytes / 1e6, f->n_on_device, f->n_states, f->chunk, f->capacity);
    if (f->masked > f->capacity)
        result_line(to, RESULT_TITLE, "  the mask has %u columns, more than any dimension of the state, whose %u bound the tokens",
                    f->masked, f->capacity);
    if (b->at_end.peak_bytes)
        result_line(to, RESULT_TITLE, "  memory %.0f MB peak", memory_mb(b->at_end.peak_bytes));
    say_tokens(to, g);
}

static void put_phase(struct report *out, const char *name, const char *key, const struct session *s)
{
    struct json *o = json_object(out, report_root(out), name);

    json_string(out, o, "signature", key);
    report_assignment(out, o, session_graph(s), session_partitioning(s));
}

static void add_json(struct results *r, const struct benchmark *b, const struct generation *g)
{
    const struct generator_facts *f = &g->facts;
    struct report *out = r->report;
    struct json *root = report_root(out), *list;

    report_origin(out, &b->tool, "benchmark_generation");
    json_string(out, root, "model_path", b->flags.graph);
    put_phase(out, "prefill", b->generation.prefill, generator_prefill_session(g->generator));
    put_phase(out, "decode", b->generation.decode, generator_decode_session(g->generator));
    JSON_NUMBERS(out, root, {"prompt_tokens", g->n_prompt}, {"decode_tokens", g->n_made}, {"rounds", g->rounds},
                 {"chunk", f->chunk}, {"capacity", f->capacity}, {"mask_columns", f->masked}, {"vocabulary", f->vocabulary},
                 {"state_tensors", f->n_states}, {"state_on_device", f->n_on_device}, {"state_bytes", 2 * (double)f->state_bytes},
                 {"init_us", g->init_us},
                 {"prefill_tokens_per_sec", per_second(g->n_prompt, g->rounds ? g->prefill.stats.median : 0)},
                 {"decode_tokens_per_sec", per_second(1, g->decode.stats.count ? g->decode.stats.median : 0)});
    report_stats(out, root, "first_token_us", &g->first.stats, g->first.samples.us);
    report_stats(out, root, "prefill_us", &g->prefill.stats, g->prefill.samples.us);
    report_stats(out, root, "decode_us", &g->decode.stats, g->decode.samples.us);
    list = json_array(out, root, "tokens");
    for (uint32_t i = 0; i < g->n_made && g->rounds; i++)
        json_number(out, list, NULL, g->made[i]);
    json_bool(out, root, "steady_tokens", !g->other_tokens);
    json_bool(out, root, "interrupted", interrupted());
}

static enum status say_results(const struct benchmark *b, const struct generation *g, struct err *err)
{
    struct results r;
    enum status st;

    results_init(&r, NULL, 1, *b->tool.json != '\0');
    add_lines(r.parts[0], b, g);
    if (r.report)
        add_json(&r, b, g);
    st = results_say(r.parts[0], RESULT_TEXT, err);
    if (!st && r.report)
        st = report_write(r.report, b->tool.json, err);
    results_fini(&r);
    return st;
}

int generation_main(struct benchmark *b)
{
    struct generation g = {.rounds = 0};
    struct err err;
    enum status st = check_flags(b, &err);
    int code;

    interrupt_catch();
    if (!st)
        tool_echo(&b->tool);
    if (st || (st = open_generator(b, &g, &err)) || (st = time_rounds(b, &g, &err)) || (st = find_figures(&g, &err)) ||
        (st = say_results(b, &g, &err)))
        code = say_error(st, &err);
    else
        code = outcome_exit_code(outcome_of(!g.other_tokens, interrupted()));
    generator_free(g.generator);
    samples_free(&g.prefill.samples);
    samples_free(&g.first.samples);
    samples_free(&g.decode.samples);
    arena_free(&g.arena);
    return code;
}
