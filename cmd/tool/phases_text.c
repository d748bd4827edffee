/* SPDX-License-Identifier: Apache-2.0 */
/* phases_text.c - parts of a whole, in milliseconds. */
#include "cmd/tool/phases_text.h"

#include <math.h>

#include "cmd/host/say.h"

void phases_print(FILE *to, const char *title, const struct phases *p)
{
    const double all = p->total_us > 0 ? p->total_us : 1;

    fprintf(to, "============================== %s ==============================\n", title);
    fprintf(to, "\t%16s\t%10s\t%8s\t%s\n", "[part]", "[ms]", "[%]", "[what]");
    for (uint32_t i = 0; i < p->n; i++)
        if (p->parts[i].us != 0)
            fprintf(to, "\t%16s\t%10.3f\t%7.3f%%\t%s\n", p->parts[i].name, p->parts[i].us / 1e3, 100 * p->parts[i].us / all,
                    p->parts[i].what);
    fprintf(to, "\t%16s\t%10.3f\t%7.3f%%\n\n", "total", p->total_us / 1e3, 100 * p->total_us / all);
}

void programs_print(FILE *to, const struct session *s)
{
    struct delegate_program program;
    char label[96];

    if (!session_program(s, 0, &program))
        return;
    fputs("============================== Programs ==============================\n", to);
    fprintf(to, "\t%10s\t%8s\t%s\n", "[ms]", "[from]", "[program]");
    for (uint32_t i = 0; session_program(s, i, &program); i++)
        fprintf(to, "\t%10.3f\t%8s\t%s\n", (double)program.ns / 1e6, program.loaded ? "store" : "source",
                say_clean(program.label, label, sizeof label));
    fputs("\n", to);
}

void profile_share_print(FILE *to, const struct op_profile *p, double timed_us)
{
    if (timed_us > 0)
        fprintf(to, "A profiled run takes %.3f ms, %.2f times as long as the %.3f ms of a timed one%s.\n\n", p->wall.avg / 1e3,
                p->wall.avg / timed_us, timed_us / 1e3, p->wall.avg > timed_us ? ": shares hold, times are too long" : "");
}
