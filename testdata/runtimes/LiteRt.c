/* SPDX-License-Identifier: Apache-2.0 */
/* LiteRt.c - a library with LiteRT's C interface of 2.3.0 that runs nothing but sums (fake.h); -DOLD: of 2.1.5, -DANCIENT:
 * of 2.1.2. */
#include "fake.h"

struct layout {
    uint32_t rank;
    int32_t dim[8];
    uint32_t stride[8];
};
struct metric {
    const char *name;
    int64_t type, value;
};
static int accelerators;

/* `name` fails with status 3. */
#define FAKE(name, parameters, ...)                                                                                                \
    EXPORT int LiteRt##name parameters;                                                                                            \
    EXPORT int LiteRt##name parameters                                                                                             \
    {                                                                                                                              \
        if (at(#name))                                                                                                             \
            return 3;                                                                                                              \
        __VA_ARGS__                                                                                                                \
        return 0;                                                                                                                  \
    }
#define IGNORE(name, parameters, ...) FAKE(name, parameters, __VA_ARGS__;)

static int messages(char **text)
{
    *text = strdup(
        does("some")  ? "ADD: not these.\n3 operations will run on the GPU, and the remaining 2 operations will run on the "
                        "CPU."
        : does("cpu") ? "Following operations are not supported by GPU delegate:\nADD: not today.\n0 operations will run on "
                        "the GPU, and the remaining 1 operations will run on the CPU."
                      : "");
    return 0;
}

IGNORE(CreateEnvironment, (int n, const void *options, void **env), (void)n, (void)options, *env = inputs)
FAKE(GetNumAccelerators, (void *env, size_t *n), (void)env; *n = does("none") ? 1 : 2;)
FAKE(GetAccelerator, (void *env, size_t i, void **a), (void)env; *a = (char *)inputs + i;)
FAKE(GetAcceleratorName, (void *a, const char **name), *name = a == inputs ? "FakeCpu" : "FakeGpu";)
FAKE(GetAcceleratorHardwareSupport, (void *a, int *bits), *bits = a == inputs ? 1 : 2;)
#ifdef OLD
FAKE(CreateModelFromBuffer, (const void *data, size_t bytes, void **model), (void)data; *model = bytes > 8 ? inputs : NULL;)
#else
FAKE(CreateModelFromBuffer, (void *env, const void *data, size_t bytes, void **model), (void)data;
     *model = env == inputs && bytes > 8 ? inputs : NULL;)
FAKE(CreateModelFromFd, (void), )
FAKE(CompiledModelIsNonCpuFullyAccelerated, (void *compiled, bool *all), (void)compiled;
     *all = accelerators & 2 && !does("cpu") && !does("some");)
#endif
#ifdef ANCIENT
FAKE(CreateGpuOptions, (void), )
#endif
FAKE(GetNumModelSignatures, (void *model, size_t *n), if (!model) return 3; *n = 1;)
FAKE(GetModelSignature, (void *model, size_t i, void **s), (void)i; *s = model;)
FAKE(GetNumSignatureInputs, (void *s, size_t *n), (void)s; *n = (size_t)n_inputs();)
FAKE(GetNumSignatureOutputs, (void *s, size_t *n), (void)s; *n = 1;)
FAKE(GetSignatureInputName, (void *s, size_t i, const char **name), (void)s; *name = i ? "right" : "left";)
FAKE(GetSignatureOutputName, (void *s, size_t i, const char **name), (void)s, (void)i; *name = "sum";)
FAKE(CreateOptions, (void **options), *options = inputs;)
FAKE(SetOptionsHardwareAccelerators, (void *options, int bits), (void)options; accelerators = bits;)
FAKE(CreateOpaqueOptions, (const char *id, char *text, void (*destroy)(void *), void **opaque), fprintf(stderr, "%s: %s", id, text);
     destroy(text); *opaque = inputs;)
FAKE(AddOpaqueOptions, (void *options, void *opaque), (void)options, (void)opaque;)
static void tell_masks(void)
{
    const char *list = getenv("LITERT_GPU_DEBUG_EXCLUDE_NODES");

    if (!list || does("blind"))
        return;
    fprintf(stderr, "LITERT_GPU_DEBUG_EXCLUDE_NODES set to %s\n", list);
    for (int i = 0; i < 10; i++)
        if (is_masked(i))
            fprintf(stderr, "Excluding node %d\n", i);
}

FAKE(CreateCompiledModel, (void *env, void *model, void *options, void **c), (void)env, (void)model, (void)options; *c = inputs;
     tell_masks(); if (does("drop")) fprintf(stderr, "ERROR: [create.cc:71] Failed to parse GPU options TOML payload\n");
     if (does("early")) fprintf(stderr, "Validation error: of a shader\n");)
EXPORT void LiteRtDestroyCompiledModel(void *compiled);
EXPORT void LiteRtDestroyCompiledModel(void *compiled)
{
    (void)compiled;
}
FAKE(GetCompiledModelInputBufferRequirements, (void *c, size_t s, size_t i, void **need), (void)c, (void)s; *need = inputs[i];)
FAKE(GetCompiledModelOutputBufferRequirements, (void *c, size_t s, size_t i, void **need), (void)c, (void)s, (void)i;
     *need = output;)
FAKE(GetCompiledModelOutputTensorLayouts, (void *c, size_t s, size_t n, struct layout *l, bool update), (void)c, (void)s, (void)n,
     (void)update;
     l->rank = (uint32_t)shape(l->dim);)
FAKE(GetTensorBufferRequirementsBufferSize, (void *need, size_t *bytes), (void)need; *bytes = 4 * elements();)
FAKE(CreateManagedTensorBuffer, (void *env, int kind, const void *type, size_t bytes, void **b), (void)env, (void)kind, (void)type,
     (void)bytes;
     *b = output;)
FAKE(CreateManagedTensorBufferFromRequirements, (void *env, const void *type, void *need, void **b), (void)env, (void)type;
     *b = need;)
EXPORT void LiteRtDestroyTensorBuffer(void *buffer);
EXPORT void LiteRtDestroyTensorBuffer(void *buffer)
{
    (void)buffer;
}
FAKE(GetTensorBufferPackedSize, (void *b, size_t *bytes), *bytes = b == output && does("short") ? 4 : 4 * elements();)
FAKE(LockTensorBuffer, (void *b, void **memory, int mode), (void)mode; *memory = b;)
FAKE(UnlockTensorBuffer, (void *b), (void)b;)
FAKE(RunCompiledModel, (void *c, size_t s, size_t n_in, void **in, size_t n_out, void **out), (void)c, (void)s, (void)n_in,
     (void)in, (void)n_out, (void)out;
     if (does("masks") && getenv("LITERT_GPU_DEBUG_EXCLUDE_NODES")) return 3; compute();)
FAKE(CompiledModelStartMetricsCollection, (void *c, int detail), (void)c, (void)detail;)
FAKE(CompiledModelStopMetricsCollection, (void *c, void *metrics), (void)c, (void)metrics;)
FAKE(CreateMetrics, (void **metrics), *metrics = inputs;)
FAKE(GetNumMetrics, (void *metrics, int *n), (void)metrics; *n = 2;)
FAKE(GetMetric, (void *metrics, int i, struct metric *m), (void)metrics;
     *m = (struct metric){i ? "gpu_constant_memory_bytes" : "gpu_intermediate_memory_bytes", 2, i ? 1000 : 4096};)
EXPORT void LiteRtDestroyMetrics(void *metrics);
EXPORT void LiteRtDestroyMetrics(void *metrics)
{
    (void)metrics;
}
FAKE(CompiledModelGetErrorMessages, (void *c, char **text), (void)c; return messages(text);)
