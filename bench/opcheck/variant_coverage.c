/* SPDX-License-Identifier: Apache-2.0 */
/* variant_coverage.c - see variant_coverage.h */
#include "bench/opcheck/variant_coverage.h"

#include <stdio.h>
#include <string.h>

#include "lib/gl/passes/choose.h"

static bool is_all_wanted(const struct gpus *g)
{
    for (int mode = 0; mode < GPU_MODES; mode++)
        if (!g->wanted[mode] && mode != GPU_EMULATED)
            return false;
    return true;
}

uint32_t variant_coverage_print(const struct gpus *g, bool whole)
{
    const bool judged = !strcmp(g->driver, "llvmpipe");
    uint32_t n = 0;

    if (!is_all_wanted(g) || !g->met)
        return 0;
    for (size_t i = 0; gl_kinds[i]; i++)
        for (uint32_t v = 0; v < gl_kinds[i]->n_variants; v++) {
            const struct gl_variant *variant = &gl_kinds[i]->variants[v];
            const char *kind = gl_kinds[i]->name, *name = variant->name;

            if (g->met[gl_variant_row(gl_kinds[i], variant)])
                continue;
            n++;
            if (!judged)
                printf("%s%s|%s", n == 1 ? "NOT RUN (variants): which no case was computed by on this driver: " : ", ", kind, name);
            else if (whole)
                printf("FAIL %s|%s: no case runs this variant\n", kind, name);
            else
                printf("not run here: %s|%s\n", kind, name);
        }
    if (n && !judged)
        putchar('\n');
    return judged && whole ? n : 0;
}
