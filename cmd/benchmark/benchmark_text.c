/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_text.c - lines as TFLite's benchmark_model prints them while runs go on: scripts look for them. */
#include "cmd/benchmark/benchmark.h"
#include "cmd/host/say.h"

void benchmark_say_loop(const struct loop_limits *l)
{
    say_info_known("Running benchmark for at least %d iterations and at least %g seconds but terminate if exceeding %g seconds.",
                   l->min_runs, l->min_secs, l->max_secs);
}

void benchmark_say_phase(const struct stats *us)
{
    char line[320];

    say_info_known("%s\n", stats_line(us, true, line, sizeof line));
}

void benchmark_say_async(const struct benchmark *b)
{
    const struct async_runs *u = &b->async;
    const struct delegate *d = b->tool.delegates.opened;
    char runs[SAY_COUNT_SIZE], waits[SAY_COUNT_SIZE];

    say_info("Submitted %s, %s; all were done after %.6gus: throughput, no latency\n", say_count(u->runs, "run", runs),
             async_outputs(u), u->total_us);
    if (u->waits)
        say_warn("each run waits for %s all the same, as the CPU goes on with what %s makes",
                 say_count(u->waits, "partition", waits), u->waits == 1 ? "it" : "each of them");
    else if (!session_submits(b->session))
        say_warn("nothing is left to be waited for at the end of a run: %s runs one after the other", d->type->label);
}

void benchmark_say_dynamic(const struct benchmark *b)
{
    const struct session_dynamic *l = &b->dynamic;
    char nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE], sets[SAY_COUNT_SIZE], names[64];

    if (l->groups)
        say_info(
            "%s on the CPU had shapes that are known only while running: the %s ran %u of them all the same, in %s, planned for %s "
            "of shapes\n",
            say_count(l->nodes, "node", nodes), delegates_label(b->tool.delegates.all, names), l->delegated,
            say_count(l->partitions, "partition", parts), say_count(l->plans, "set", sets));
}

void benchmark_say_called(const struct benchmark *b)
{
    const struct session_called *c = &b->called;
    char nodes[SAY_COUNT_SIZE], graphs[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE], names[64];
    char not_run[64] = "";

    if (c->not_run)
        snprintf(not_run, sizeof not_run, "; %s not run", say_count(c->not_run, "subgraph", graphs));
    if (c->subgraphs && b->tool.delegates.opened)
        say_info("Called subgraphs: %u of %s of %s on the %s, in %s%s%s", c->delegated, say_count(c->nodes, "node", nodes),
                 say_count(c->subgraphs, "subgraph", graphs), delegates_label(b->tool.delegates.all, names),
                 say_count(c->partitions, "partition", parts), not_run,
                 c->ahead ? "; what loops' conditions count the CPU finds ahead, so that no round waits" : "");
}

void benchmark_say_warmup_end(const struct benchmark *b)
{
    static const char *const why[] = {[LOOP_MINIMA] = "the least that was asked for",
                                      [LOOP_STEADY] = "the medians of its last two quarters are within 5 %",
                                      [LOOP_UNSTEADY] = "its time is over (--warmup_max_secs), and run times are not steady yet",
                                      [LOOP_MAX_SECS] = "its time is over (--max_secs)",
                                      [LOOP_STOPPED] = "interrupted"};
    char runs[SAY_COUNT_SIZE];

    say_info("Warm-up ended after %s and %.3g s: %s", say_count(b->times.warmup.n, "run", runs), b->warmup_result.secs,
             why[b->warmup_result.end]);
}
