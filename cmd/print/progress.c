/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - a line that is written over: carriage return before it, and nothing else of terminals but "erase to the end". */
#include "cmd/print/progress.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double SHOW_EVERY_SECS = 0.1;

static bool on_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
}

double progress_left(const struct progress *p, size_t runs, double secs)
{
    double of_runs = runs ? secs / (double)runs * fmax((double)p->min_runs - (double)runs, 0) : 0;

    return fmax(fmin(fmax(p->min_secs - secs, of_runs), p->max_secs - secs), 0);
}

void progress_show(void *progress, size_t runs, double secs)
{
    struct progress *p = progress;

    if (secs < p->shown_secs + SHOW_EVERY_SECS || !on_terminal())
        return;
    p->shown_secs = secs;
    fprintf(stderr, "\r%s: %zu %s in %.1f s, about %.0f s left\033[K", p->what, runs, p->unit ? p->unit : "runs", secs,
            ceil(progress_left(p, runs, secs)));
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->shown_secs > 0)
        fputs("\r\033[K", stderr);
    p->shown_secs = 0;
}
