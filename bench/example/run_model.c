/* SPDX-License-Identifier: Apache-2.0 */
/* run_model.c - the library as another program uses it: runs a model on the CPU, then on the GPU where there is one.
 *
 *   cc run_model.c $(pkg-config --cflags --libs delegauge) -o run_model && ./run_model m.tflite
 *
 * Inputs hold 0, 1, 2 ... modulo 7, bytes for what is not float. Prints what ran where and the first elements of each output. */
#include <delegauge.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the message and returns what main returns. */
static int fail(const char *what, const struct dg_error *err)
{
    fprintf(stderr, "run_model: %s: %s\n", what, err->message);
    return 1;
}

static enum dg_status fill_inputs(struct dg_session *s, struct dg_error *err)
{
    enum dg_status st = DG_OK;

    for (uint32_t i = 0; i < dg_session_n_inputs(s) && !st; i++) {
        struct dg_tensor t;
        unsigned char *data;

        dg_session_input(s, i, &t);
        if (!(data = (unsigned char *)calloc(1, t.bytes + 1))) {
            snprintf(err->message, sizeof err->message, "out of memory for input %u", (unsigned)i);
            return DG_NO_MEMORY;
        }
        for (size_t k = 0; t.type == DG_FLOAT32 && k < t.bytes / sizeof(float); k++)
            ((float *)(void *)data)[k] = (float)(k % 7);
        for (size_t k = 0; t.type != DG_FLOAT32 && t.type != DG_BOOL && k < t.bytes; k++)
            data[k] = (unsigned char)(k % 7);
        st = dg_session_set_input(s, i, data, t.bytes, err);
        free(data);
    }
    return st;
}

static void print_outputs(const struct dg_session *s, const char *where)
{
    for (uint32_t i = 0; i < dg_session_n_outputs(s); i++) {
        struct dg_tensor t;

        dg_session_output(s, i, &t);
        printf("%s: output %u '%s' %s[", where, (unsigned)i, t.name, dg_type_name(t.type));
        for (int32_t d = 0; d < t.rank; d++)
            printf("%s%d", d ? "," : "", (int)t.dims[d]);
        printf("]");
        for (size_t k = 0; t.type == DG_FLOAT32 && k < t.bytes / sizeof(float) && k < 4; k++)
            printf(" %g", (double)((const float *)t.data)[k]);
        for (size_t k = 0; t.type != DG_FLOAT32 && k < t.bytes && k < 8; k++)
            printf(" %02x", ((const unsigned char *)t.data)[k]);
        printf("\n");
    }
}

static void print_assignment(const struct dg_session *s, const char *where)
{
    struct dg_assignment a;
    struct dg_node node;

    if (!dg_session_assignment(s, &a))
        return;
    printf("%s: nodes=%u delegated=%u partitions=%u cpu=%u folded=%u\n", where, (unsigned)a.n_nodes, (unsigned)a.n_delegated,
           (unsigned)a.n_partitions, (unsigned)a.n_cpu, (unsigned)a.n_folded);
    for (uint32_t i = 0; dg_session_node(s, i, &node); i++)
        if (*node.reason)
            printf("%s: node %u %s stays on the CPU: %s: %s\n", where, (unsigned)node.index, node.name, node.reason, node.detail);
}

static int run(const struct dg_model *model, struct dg_delegate *delegate, const char *where)
{
    struct dg_session_options options = {0};
    struct dg_session *s;
    struct dg_error err;
    int code = 0;

    options.num_threads = 2;
    options.delegate = delegate;
    if (dg_session_new(model, &options, &s, &err))
        return fail("session", &err);
    if (dg_session_prepare(s, &err) || fill_inputs(s, &err) || dg_session_run(s, &err)) {
        code = fail(where, &err);
    } else {
        print_assignment(s, where);
        print_outputs(s, where);
    }
    dg_session_free(s);
    return code;
}

int main(int argc, char **argv)
{
    const char *const gpu_options[] = {"gpu_precision_loss_allowed=false", NULL};
    struct dg_model *model;
    struct dg_delegate *gpu;
    struct dg_error err;
    enum dg_status st;
    int code;

    if (argc != 2) {
        fprintf(stderr, "usage: run_model MODEL.tflite\n");
        return 2;
    }
    if (dg_version() < DG_VERSION) {
        fprintf(stderr, "run_model: built with delegauge %s, running with an older one\n", DG_VERSION_STRING);
        return 1;
    }
    if (dg_model_open(argv[1], &model, &err))
        return fail("model", &err);
    code = run(model, NULL, "CPU");
    st = dg_delegate_open("gpu", gpu_options, &gpu, &err);
    if (st == DG_OK)
        code |= run(model, gpu, "GPU");
    else if (st == DG_NO_GPU)
        printf("GPU: none: %s\n", err.message);
    else
        code |= fail("GPU", &err);
    dg_delegate_close(gpu);
    dg_model_close(model);
    return code;
}
