/* SPDX-License-Identifier: Apache-2.0 */
/* devices_test.c - plans and shaders for devices that are not here: limits of real ones, and every alignment that there is.
 *
 * Nodes are claimed, shaders written and plans made as on the device, and held against its limits, without a driver
 * (gpu_dry_compile): the cases of all operators with storage blocks aligned in each way, and the models of $MODELS (else
 * ../shared/models, where they are) in each way, too, and for each device of known_devices.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "bench/opcheck/op_cases.h"
#include "lib/gl/device/known_devices.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/graph/graph_infer.h"
#include "lib/model/model.h"
#include "lib/session/delegation.h"
#include "lib/testing/test.h"

static struct err err;

/* ---- devices ---- */

static struct gl_limits limits_of(size_t i)
{
    struct gl_limits l;

    gl_known_device_limits(&gl_known_devices[i], &l);
    return l;
}

static const uint32_t aligns[] = {4, 8, 16, 64, 256};
#define N_ALIGNS (sizeof aligns / sizeof *aligns)

/* ---- what is planned ---- */

struct tally {
    struct delegate *d;
    uint32_t nodes, shaders, failed;
};

/* Two line continuations in a row are an error to ANGLE. */
static void see_shader(void *arg, const char *label, const char *text)
{
    struct tally *t = arg;

    t->shaders++;
    if (strstr(text, "\n\\\n")) {
        print_error("shader \"%s\" has a line of a backslash alone\n", label);
        t->failed++;
    }
}

/* All that the delegate takes of the graph. */
static enum status plan(struct tally *t, const struct model *m)
{
    struct delegation own = {0};
    struct graph *g = NULL;
    enum status st = graph_new(m, 0, &g, &err);

    if (!st && !(st = graph_infer(g, &err)) &&
        !(st = delegation_partition(&own, g, (struct delegate *const[]){t->d, NULL}, NULL, &(struct partition_options){0}, false,
                                    &err))) {
        t->nodes += own.parts.n_delegated;
        if ((st = gpu_dry_compile(t->d, g, own.parts.parts, own.parts.n_parts, see_shader, t, &err)))
            t->failed++;
    } else {
        st = ST_OK; /* nothing is there to be planned */
    }
    delegation_free(&own);
    graph_free(g);
    return st;
}

static struct delegate *open_for(const struct gl_limits *lim, bool halves, enum gpu_quant quant)
{
    const struct gpu_options o = {
        .device = -1, .precision = halves ? GPU_PRECISION_FP16_STORAGE : GPU_PRECISION_FP32, .quant = quant, .most = lim};
    struct delegate *d;

    TEST_OK(delegate_gpu.open_static(&o, &d, &err), err);
    return d;
}

/* ---- cases ---- */

static void plan_case(struct tally *t, const struct case_ref *ref, uint32_t align)
{
    struct case_model m = {0};

    assert_int_equal(case_model_init(&m, ref, 0, &err), ST_OK);
    if (plan(t, m.model))
        print_error("%s \"%s\", aligned to %u: %s\n", ref->op->name, ref->c->name, align, err.msg);
    case_model_fini(&m);
}

static void plan_cases(struct tally *t, uint32_t align)
{
    for (size_t row = 0; row < op_table_n; row++)
        for (uint32_t i = 0; op_table[row].gl && op_cases[row].cases[i].name; i++) {
            const struct op_case *c = &op_cases[row].cases[i];

            if (!c->fails && !c->large)
                plan_case(t, &(struct case_ref){.op = &op_table[row], .kernel = op_cases[row].kernel, .c = c, .n = i}, align);
        }
}

/* Halves and quantized tensors take turns with the alignments. */
static void cases_are_planned_at_every_alignment(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ALIGNS; i++) {
        struct gl_limits lim = limits_of(i * 2 % gl_n_known_devices);
        struct tally t = {0};

        lim.storage_align = aligns[i];
        t.d = open_for(&lim, i % 2, i % 3 ? GPU_QUANT_SIMULATE : GPU_QUANT_EXACT);
        plan_cases(&t, aligns[i]);
        delegate_close(t.d);
        print_message("aligned to %3u: %u nodes, %u shaders\n", aligns[i], t.nodes, t.shaders);
        assert_int_equal(t.failed, 0);
        assert_true(t.nodes > 2000);
    }
}

/* ---- models ---- */

static bool is_model(const char *name)
{
    const size_t n = strlen(name);

    return n > 7 && !strcmp(name + n - 7, ".tflite");
}

/* Sorted, so that the same ones are taken every time. */
static int list_models(const char *dir, struct dirent ***list)
{
    return scandir(dir, list, NULL, alphasort);
}

static uint32_t plan_for(const struct model *m, const struct gl_limits *lim, bool halves, const char *path, const char *where)
{
    struct tally t = {.d = open_for(lim, halves, GPU_QUANT_SIMULATE)};

    if (plan(&t, m))
        print_error("%s on %s, aligned to %u: %s\n", path, where, lim->storage_align, err.msg);
    delegate_close(t.d);
    return t.failed;
}

/* Number `at`: every third one in halves. */
static uint32_t plan_model(const char *path, uint32_t at)
{
    struct gl_limits lim = limits_of(at % gl_n_known_devices);
    struct model *m = NULL;
    uint32_t failed = 0;

    if (model_open(path, &m, &err))
        return 0;
    for (size_t i = 0; i < N_ALIGNS; i++) {
        lim.storage_align = aligns[i];
        failed += plan_for(m, &lim, at % 3 == 2, path, gl_known_devices[at % gl_n_known_devices].name);
    }
    for (size_t i = 0; i < gl_n_known_devices; i++) {
        lim = limits_of(i);
        failed += plan_for(m, &lim, at % 3 == 2, path, gl_known_devices[i].name);
    }
    model_close(m);
    return failed;
}

static void models_are_planned_for_every_device(void **state)
{
    static const char *const kinds[] = {"float", "quant"};
    const char *root = getenv("MODELS");
    uint32_t failed = 0, n = 0;

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct dirent **list;
        char dir[512];
        int found;

        snprintf(dir, sizeof dir, "%s/%s", root ? root : "../shared/models", kinds[k]);
        found = list_models(dir, &list);
        for (int i = 0; i < found; i++) {
            char path[1024];

            snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
            if (is_model(list[i]->d_name))
                failed += plan_model(path, n++);
            free(list[i]);
        }
        if (found >= 0)
            free(list);
    }
    if (!n) {
        print_message("NOT RUN (models): ../shared/models is not there\n");
        skip();
    }
    print_message("%u models\n", n);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases_are_planned_at_every_alignment),
                                       cmocka_unit_test(models_are_planned_for_every_device)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
