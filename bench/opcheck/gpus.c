/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.c - one device opened once for each mode and precision. */
#include "bench/opcheck/gpus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gl/passes/choose.h"
#include "lib/graph/op.h"

const char *const gpu_mode_names[GPU_MODES] = {"default", "buffer", "least",    "checked", "texture", "fetched",
                                               "copied",  "halves", "emulated", "exact",   "variants"};

static int mode_called(const char *name, size_t n)
{
    int m = 0;

    while (m < GPU_MODES && (strlen(gpu_mode_names[m]) != n || strncmp(name, gpu_mode_names[m], n)))
        m++;
    return m;
}

static void want_all(struct gpus *g)
{
    for (int m = 0; m < GPU_MODES; m++)
        g->wanted[m] |= m != GPU_EMULATED;
}

bool gpus_choose(struct gpus *g, const char *list)
{
    bool named[GPU_MODES] = {false};

    memset(g->wanted, 0, sizeof g->wanted);
    g->turns = false;
    while (*list) {
        size_t n = strcspn(list, ",");
        int m = mode_called(list, n);

        if (m < GPU_MODES)
            named[m] = g->wanted[m] = true;
        else if (n == strlen("all") && !strncmp(list, "all", n))
            want_all(g);
        else if (n == strlen("turns") && !strncmp(list, "turns", n))
            g->turns = true;
        else
            return false;
        list += n + (list[n] == ',');
    }
    if (g->turns && !memchr(g->wanted, true, sizeof g->wanted))
        want_all(g);
    g->few[GPU_TEXTURE] = !named[GPU_TEXTURE];
    g->few[GPU_FETCHED] = !named[GPU_FETCHED];
    g->few[GPU_COPIED] = !named[GPU_COPIED];
    g->few[GPU_FP16] = !named[GPU_FP16];
    return true;
}

/* Of eight turns one has the next of three modes, so that an operator of 48 cases has them all in both precisions; two others have
 * the default mode in the second precision, too, and every second time its variants there; two more have those in the first. */
static bool is_anothers_turn(enum gpu_mode mode, enum precision p, uint32_t n)
{
    static const enum gpu_mode turns[] = {GPU_BUFFER, GPU_LEAST, GPU_CHECKED};
    const uint32_t count = sizeof turns / sizeof *turns, round = n / 8;

    if (mode == GPU_DEFAULT)
        return p != PRECISION_FP32 && n % 4 != 1;
    if (mode == GPU_VARIANTS)
        return p == PRECISION_FP32 ? n % 4 != 3 : n % 8 != 1;
    for (uint32_t i = 0; i < count; i++)
        if (turns[i] == mode)
            return n % 8 || round % count != i || round / count % 2 != (p != PRECISION_FP32);
    return false;
}

/* Of modes that are for one case of each operator, operators have the one or the other of its two precisions by turns. */
static bool is_anothers_precision(enum gpu_mode mode, enum precision p, uint32_t row)
{
    return (row + mode) % 2 != (p != (mode == GPU_FP16 ? PRECISION_FP16_SUM32 : PRECISION_FP32));
}

bool gpus_passes_over(struct gpus *g, enum gpu_mode mode, enum precision p, const struct op *op, uint32_t n)
{
    const uint32_t row = (uint32_t)(op - op_table);
    bool passes = g->turns && is_anothers_turn(mode, p, row + n);

    if (g->few[mode] && !passes) {
        if (g->had[mode][p] == op)
            return true;
        g->had[mode][p] = op;
        passes = g->turns && is_anothers_precision(mode, p, row);
    }
    g->passed_over[mode] += passes;
    return passes;
}

struct gpu_options gpus_options(enum gpu_mode mode, enum precision p)
{
    static const struct gl_policy emulated = {.emulated_halves = true, .iterations = GL_FEW_ITERATIONS};
    static const struct gl_policy checked = {.inline_uniforms = true, .check_reads = true, .iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {.precision = (enum gpu_precision)(GPU_PRECISION_FP32 + p),
                            .quant = GPU_QUANT_SIMULATE,
                            .device = -1,
                            .compile_timeout_ms = 60000};

    if (mode == GPU_BUFFER)
        o.objects = GPU_OBJECTS_BUFFER;
    if (mode == GPU_LEAST)
        o.most = &gl_limits_least;
    if (mode == GPU_CHECKED || mode == GPU_TEXTURE) {
        o.policy = &checked;
        o.pick.group = 2;
        o.pick.blends = true;
    }
    if (mode == GPU_EMULATED)
        o.policy = &emulated;
    if (mode == GPU_TEXTURE)
        o.objects = GPU_OBJECTS_TEXTURE;
    if (mode == GPU_FETCHED) {
        o.pick.reads = GL_READS_TEXELS;
        o.pick.constants = GL_READS_UNIFORMS;
    }
    if (mode == GPU_COPIED)
        o.pick.constants = GL_READS_FOUR;
    if (mode == GPU_EXACT)
        o.quant = GPU_QUANT_EXACT;
    return o;
}

static void name_driver(struct gpus *g, const char *device)
{
    size_t n = 0;

    for (; isalnum((unsigned char)device[n]) && n + 1 < sizeof g->driver; n++)
        g->driver[n] = (char)tolower((unsigned char)device[n]);
    g->driver[n] = 0;
}

/* In the others there would be nothing new. */
static bool is_for(enum gpu_mode mode, enum precision p)
{
    return (mode == GPU_FP16 || mode == GPU_EMULATED) == (p > PRECISION_FP16_STORAGE) && (mode != GPU_EXACT || p == PRECISION_FP32);
}

/* What all modes have. */
static void open_on(const struct gpus *g, struct gpu_options *o)
{
    o->device = g->device;
    o->met = g->met;
    o->dump_shaders = g->dump_shaders;
    o->trust_fp16 = g->trust_fp16;
}

static void open_mode(struct gpus *g, enum gpu_mode mode, enum precision p)
{
    struct gpu_options o = gpus_options(mode, p);
    struct delegate **d = &g->modes[mode][p];

    open_on(g, &o);
    if (delegate_gpu.open(&o, d, &g->none)) {
        *d = NULL;
        return;
    }
    name_driver(g, (*d)->device);
    if ((*d)->precision.why) {
        size_t n = strlen(g->left_out);

        snprintf(g->left_out + n, sizeof g->left_out - n, "%s%s.%s: %s", n ? "; " : "", gpu_mode_names[mode], precision_name(p),
                 (*d)->precision.why);
        delegate_close(*d);
        *d = NULL;
    }
}

void gpus_open(struct gpus *g)
{
    struct gpu_options any = gpus_options(GPU_DEFAULT, PRECISION_FP32), exact = gpus_options(GPU_EXACT, PRECISION_FP32);

    if (delegate_gpu.open_static(&any, &g->judge, &g->none) || delegate_gpu.open_static(&exact, &g->exact_judge, &g->none))
        return;
    if (!(g->met = calloc(gl_variant_rows(), sizeof *g->met))) {
        err_set(&g->none, ST_NOMEM, "out of memory");
        return;
    }
    /* The default mode tells how many variants there are. */
    g->wanted[GPU_DEFAULT] |= g->wanted[GPU_VARIANTS];
    for (int mode = 0; mode < GPU_VARIANTS; mode++)
        for (int p = 0; p < PRECISION_COUNT && g->wanted[mode] && !g->none.msg[0]; p++)
            if (is_for((enum gpu_mode)mode, (enum precision)p))
                open_mode(g, (enum gpu_mode)mode, (enum precision)p);
}

const char *gpus_device(const struct gpus *g)
{
    for (int mode = 0; mode < GPU_VARIANTS; mode++)
        for (int p = 0; p < PRECISION_COUNT; p++)
            if (g->modes[mode][p])
                return g->modes[mode][p]->device;
    return "";
}

struct delegate *gpus_variant(struct gpus *g, uint32_t i, enum precision p, struct err *err)
{
    struct gpu_options o = gpus_options(GPU_VARIANTS, p);

    if (i >= GPU_MAX_VARIANTS) {
        err_set(err, ST_FAILED, "variant %u: at most %d are tried; raise GPU_MAX_VARIANTS", i, GPU_MAX_VARIANTS);
        return NULL;
    }
    open_on(g, &o);
    o.pick.variant = (uint16_t)i;
    if (!g->variants[i][p] && delegate_gpu.open(&o, &g->variants[i][p], err))
        g->variants[i][p] = NULL;
    return g->variants[i][p];
}

struct delegate *gpus_way(struct gpus *g, const char *way, enum precision p, struct err *err)
{
    struct gpu_options o = gpus_options(GPU_VARIANTS, p);
    struct delegate *d = NULL;

    open_on(g, &o);
    o.dynamic_batch = !strcmp(way, "dynamic_batch");
    o.variants = o.dynamic_batch ? NULL : way;
    return delegate_gpu.open(&o, &d, err) ? NULL : d;
}

void gpus_close(struct gpus *g)
{
    delegate_close(g->judge);
    delegate_close(g->exact_judge);
    for (int p = 0; p < PRECISION_COUNT; p++) {
        for (int i = 0; i < GPU_MAX_VARIANTS; i++)
            delegate_close(g->variants[i][p]);
        for (int mode = 0; mode < GPU_MODES; mode++)
            delegate_close(g->modes[mode][p]);
    }
    free(g->met);
    *g = (struct gpus){0};
}
