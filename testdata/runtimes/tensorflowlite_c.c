/* SPDX-License-Identifier: Apache-2.0 */
/* tensorflowlite_c.c - a library with TensorFlow Lite's C interface that runs nothing but sums (fake.h). */
#include <stdarg.h>

#include "fake.h"

struct telemetry {
    void *data, *event, *op_event, *settings;
    uint32_t (*begin)(struct telemetry *t, const char *op_name, int64_t op, int64_t subgraph);
    void (*end)(struct telemetry *t, uint32_t handle);
};

static struct telemetry *profiler;
static void (*reporter)(void *, const char *, va_list);

static void report(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (reporter)
        reporter(NULL, format, list);
    va_end(list);
}

/* `name` fails with this value. */
#define FAKE(result, name, parameters, value, ...)                                                                                 \
    EXPORT result TfLite##name parameters;                                                                                         \
    EXPORT result TfLite##name parameters                                                                                          \
    {                                                                                                                              \
        if (at(#name)) {                                                                                                           \
            report("%s is not for today", #name);                                                                                  \
            return value;                                                                                                          \
        }                                                                                                                          \
        __VA_ARGS__                                                                                                                \
    }

static void run(void)
{
    const bool delegated = profiler && !does("cpu") && getenv("FAKE_DELEGATED");
    const uint32_t handle = profiler ? profiler->begin(profiler, delegated ? "Delegate" : "ADD", delegated ? 1000 : 0, 0) : 0;

    compute();
    if (profiler)
        profiler->end(profiler, handle);
}

FAKE(const char *, Version, (void), "", return "0.0.fake";)
FAKE(void *, ModelCreate, (const void *data, size_t bytes), NULL, return bytes > 8 && data ? (void *)inputs : NULL;)
FAKE(void *, InterpreterOptionsCreate, (void), NULL, return inputs;)
FAKE(void, InterpreterOptionsSetNumThreads, (void *options, int32_t n), , (void)options, (void)n;)
FAKE(void, InterpreterOptionsAddDelegate, (void *options, void *delegate), , (void)options, (void)delegate;)
FAKE(void, InterpreterOptionsSetErrorReporter, (void *options, void (*say)(void *, const char *, va_list), void *arg), ,
     (void)options, (void)arg, reporter = say;)
FAKE(void, InterpreterOptionsSetTelemetryProfiler, (void *options, struct telemetry *t), , (void)options, profiler = t;)
FAKE(void *, InterpreterCreate, (const void *model, const void *options), NULL, (void)model, (void)options; return output;)
FAKE(int, InterpreterAllocateTensors, (void *it), 1, (void)it; return 0;)
FAKE(int, InterpreterInvoke, (void *it), 1, (void)it, run(); return 0;)
FAKE(int, InterpreterResetVariableTensors, (void *it), 1, (void)it; return 0;)
FAKE(int, InterpreterResizeInputTensor, (void *it, int32_t i, const int *dim, int32_t rank), 1, (void)it, (void)i, (void)dim,
     (void)rank;
     return 0;)
FAKE(int32_t, InterpreterGetInputTensorCount, (const void *it), 0, (void)it; return n_inputs();)
FAKE(void *, InterpreterGetInputTensor, (const void *it, int32_t i), NULL, (void)it; return inputs[i];)
FAKE(int32_t, InterpreterGetOutputTensorCount, (const void *it), 0, (void)it; return 1;)
FAKE(const void *, InterpreterGetOutputTensor, (const void *it, int32_t i), NULL, (void)it, (void)i; return output;)
FAKE(int, TensorType, (const void *t), 0, (void)t; return 1;)
FAKE(int32_t, TensorNumDims, (const void *t), 0, int32_t dim[MOST]; (void)t; return shape(dim);)
FAKE(int32_t, TensorDim, (const void *t, int32_t d), 0, int32_t dim[MOST]; (void)t, shape(dim); return dim[d];)
FAKE(size_t, TensorByteSize, (const void *t), 0, return t == output && does("short") ? 4 : 4 * elements();)
FAKE(void *, TensorData, (const void *t), NULL, return (void *)t;)
FAKE(int, TensorCopyFromBuffer, (void *t, const void *data, size_t bytes), 1, memcpy(t, data, bytes); return 0;)
FAKE(void *, XNNPackDelegateCreate, (const void *options), NULL, setenv("FAKE_DELEGATED", "1", 1); (void)options; return inputs;)

struct xnnpack_options {
    int32_t threads, more[9];
};
FAKE(struct xnnpack_options, XNNPackDelegateOptionsDefault, (void), ((struct xnnpack_options){0}),
     return (struct xnnpack_options){.threads = 1};)
