/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_c.c - TensorFlow Lite through its C interface: libtensorflowlite_c.so, libtensorflowlite_jni.so, or LiteRT's for Android.
 *
 * Options: threads; xnnpack=1; gpu_library, with gpu.FIELD of TfLiteGpuDelegateOptionsV2; delegate, with delegate.KEY for the
 * library of an external delegate; nodes, their number in the file. */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/runtime/library.h"
#include "lib/runtime/runtime.h"

struct telemetry;

#define FUNCTIONS(X)                                                                                                               \
    X(1, const char *, Version, (void))                                                                                            \
    X(1, void *, ModelCreate, (const void *data, size_t bytes))                                                                    \
    X(1, void *, InterpreterOptionsCreate, (void))                                                                                 \
    X(1, void, InterpreterOptionsSetNumThreads, (void *options, int32_t n))                                                        \
    X(1, void, InterpreterOptionsAddDelegate, (void *options, void *delegate))                                                     \
    X(1, void, InterpreterOptionsSetErrorReporter, (void *options, void (*say)(void *, const char *, va_list), void *arg))         \
    X(0, void, InterpreterOptionsSetTelemetryProfiler, (void *options, struct telemetry *t))                                       \
    X(1, void *, InterpreterCreate, (const void *model, const void *options))                                                      \
    X(1, int, InterpreterAllocateTensors, (void *interpreter))                                                                     \
    X(1, int, InterpreterInvoke, (void *interpreter))                                                                              \
    X(0, int, InterpreterResetVariableTensors, (void *interpreter))                                                                \
    X(1, int, InterpreterResizeInputTensor, (void *interpreter, int32_t i, const int *dim, int32_t rank))                          \
    X(1, int32_t, InterpreterGetInputTensorCount, (const void *interpreter))                                                       \
    X(1, void *, InterpreterGetInputTensor, (const void *interpreter, int32_t i))                                                  \
    X(1, int32_t, InterpreterGetOutputTensorCount, (const void *interpreter))                                                      \
    X(1, const void *, InterpreterGetOutputTensor, (const void *interpreter, int32_t i))                                           \
    X(1, int, TensorType, (const void *tensor))                                                                                    \
    X(1, int32_t, TensorNumDims, (const void *tensor))                                                                             \
    X(1, int32_t, TensorDim, (const void *tensor, int32_t d))                                                                      \
    X(1, size_t, TensorByteSize, (const void *tensor))                                                                             \
    X(1, void *, TensorData, (const void *tensor))                                                                                 \
    X(1, int, TensorCopyFromBuffer, (void *tensor, const void *data, size_t bytes))                                                \
    X(0, void *, XNNPackDelegateCreate, (const void *options))

static struct {
    FUNCTIONS(LIBRARY_MEMBER)
} tfl;
static const struct library_function functions[] = {FUNCTIONS(LIBRARY_ROW)};

/* Structs of options come by value from functions that give the defaults. They are larger than what registers return, so that the
 * callee writes to memory of the caller: the reserve is for fields of newer versions. */
#define RESERVE 256

struct gpu_options { /* TfLiteGpuDelegateOptionsV2, whose first fields are the same since 2.4 */
    int32_t is_precision_loss_allowed, inference_preference, inference_priority1, inference_priority2, inference_priority3;
    int64_t experimental_flags;
    int32_t max_delegated_partitions;
    const char *serialization_dir, *model_token; /* since 2.5 */
    char reserve[RESERVE];
};

struct xnnpack_options {
    int32_t num_threads;
    char reserve[RESERVE];
};

/* TfLiteTelemetryProfilerStruct, the same since 2.11. */
struct telemetry {
    void *data;
    void (*event)(struct telemetry *t, const char *name, uint64_t status);
    void (*op_event)(struct telemetry *t, const char *name, int64_t op, int64_t subgraph, uint64_t status);
    void (*settings)(struct telemetry *t, const char *name, const void *settings);
    uint32_t (*begin)(struct telemetry *t, const char *op_name, int64_t op, int64_t subgraph);
    void (*end)(struct telemetry *t, uint32_t handle);
    void (*took)(struct telemetry *t, const char *op_name, uint64_t us, int64_t op, int64_t subgraph);
};

static struct runtime_host *host;
static void *library, *model, *interpreter, *profiled;
static char messages[sizeof((struct runtime_facts *)0)->left];
static uint64_t nodes;    /* in the file */
static bool counts_nodes; /* a delegate was asked for: the first run tells what it took */

/* Every call is named before it is made. */
#define CALL(function) (runtime_call(host, "TfLite" #function), tfl.function)

static enum status failed(const char *function, struct err *err)
{
    return err_set(err, ST_FAILED, "TfLite%s() fails%s%.300s", function, *messages ? ": " : "", messages);
}

/* The last message is kept, and all are printed. */
static void say(void *arg, const char *format, va_list list)
{
    (void)arg;
    vsnprintf(messages, sizeof messages, format, list);
    messages[strcspn(messages, "\n")] = '\0';
    fprintf(stderr, "%s\n", messages);
}

static void say_plugin(const char *text)
{
    snprintf(messages, sizeof messages, "%s", text ? text : "");
    fprintf(stderr, "%s\n", messages);
}

static enum status tflite_open(struct runtime_host *h, struct err *err)
{
    struct runtime_facts *f = &h->shared->facts;
    const uint64_t start = clock_ns();
    enum status st;

    host = h;
    runtime_call(h, "dlopen");
    if ((st = library_load(h->shared->job.library, &library, err)) ||
        (st = library_find(library, h->shared->job.library, "TfLite", functions, sizeof functions / sizeof *functions, &tfl, err)))
        return st;
    snprintf(f->version, sizeof f->version, "%s", CALL(Version)());
    snprintf(f->accelerators, sizeof f->accelerators, "cpu%s", tfl.XNNPackDelegateCreate ? ", xnnpack" : "");
    f->load_ns = clock_ns() - start;
    return ST_OK;
}

/* ---- delegates ---- */

static void *find(void *in, const char *name, struct err *err)
{
    void *symbol = library_symbol(in, name);

    if (!symbol)
        err_set(err, ST_UNSUPPORTED, "the library of the delegate has no function %s", name);
    runtime_call(host, name);
    return symbol;
}

static void *new_xnnpack(struct err *err)
{
    struct xnnpack_options (*defaults)(void) = tfl.XNNPackDelegateCreate ? find(library, "TfLiteXNNPackDelegateOptionsDefault", err)
                                                                         : NULL;
    struct xnnpack_options o;
    char threads[16];

    if (!tfl.XNNPackDelegateCreate)
        err_set(err, ST_UNSUPPORTED, "the library has no function TfLiteXNNPackDelegateCreate");
    if (!defaults)
        return NULL;
    o = defaults();
    o.num_threads = atoi(runtime_option(host->shared->job.options, "threads", threads, sizeof threads));
    return CALL(XNNPackDelegateCreate)(&o);
}

static struct gpu_options gpu;
static char gpu_unknown[128];

static void set_gpu_option(void *arg, const char *key, const char *value)
{
    static const struct {
        const char *name;
        int32_t *at;
    } numbers[] = {{"is_precision_loss_allowed", &gpu.is_precision_loss_allowed},
                   {"inference_preference", &gpu.inference_preference},
                   {"inference_priority1", &gpu.inference_priority1},
                   {"inference_priority2", &gpu.inference_priority2},
                   {"inference_priority3", &gpu.inference_priority3},
                   {"max_delegated_partitions", &gpu.max_delegated_partitions}};

    (void)arg;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(key, numbers[i].name)) {
            *numbers[i].at = (int32_t)strtol(value, NULL, 0);
            return;
        }
    if (!strcmp(key, "experimental_flags"))
        gpu.experimental_flags = strtoll(value, NULL, 0);
    else if (!strcmp(key, "serialization_dir"))
        gpu.serialization_dir = strdup(value);
    else if (!strcmp(key, "model_token"))
        gpu.model_token = strdup(value);
    else
        snprintf(gpu_unknown, sizeof gpu_unknown, "%s", key);
}

static void *new_gpu(const char *path, struct err *err)
{
    struct gpu_options (*defaults)(void);
    void *(*create)(const void *), *in;

    runtime_call(host, "dlopen");
    if (library_load(path, &in, err) || !(create = (void *(*)(const void *))find(in, "TfLiteGpuDelegateV2Create", err)) ||
        !(defaults = (struct gpu_options(*)(void))find(in, "TfLiteGpuDelegateOptionsV2Default", err)))
        return NULL;
    gpu = defaults();
    runtime_section(host->shared->job.options, "gpu", set_gpu_option, NULL);
    if (*gpu_unknown) {
        err_set(err, ST_USAGE, "TfLiteGpuDelegateOptionsV2 has no field '%s' that can be set", gpu_unknown);
        return NULL;
    }
    runtime_call(host, "TfLiteGpuDelegateV2Create");
    return create(&gpu);
}

enum { MOST_OPTIONS = 64 };
static const char *keys[MOST_OPTIONS], *values[MOST_OPTIONS];
static size_t n_options;

static void add_option(void *arg, const char *key, const char *value)
{
    (void)arg;
    if (n_options == MOST_OPTIONS)
        return;
    keys[n_options] = strdup(key);
    values[n_options++] = strdup(value);
}

static void *new_plugin(const char *path, struct err *err)
{
    void *(*create)(const char *const *, const char *const *, size_t, void (*)(const char *)), *in;

    runtime_call(host, "dlopen");
    if (library_load(path, &in, err) ||
        !(create = (void *(*)(const char *const *, const char *const *, size_t, void (*)(const char *)))find(
              in, "tflite_plugin_create_delegate", err)))
        return NULL;
    n_options = 0;
    runtime_section(host->shared->job.options, "delegate", add_option, NULL);
    return create(keys, values, n_options, say_plugin);
}

/* *out: NULL where none was asked for. `name`: of the one that was. */
static enum status new_delegate(void **out, const char **name, struct err *err)
{
    const char *options = host->shared->job.options;
    char path[4096], xnnpack[8];

    *out = NULL;
    *name = "cpu";
    *err = (struct err){""};
    if (*runtime_option(options, "gpu_library", path, sizeof path)) {
        *name = "gpu, cpu";
        *out = new_gpu(path, err);
    } else if (*runtime_option(options, "delegate", path, sizeof path)) {
        *name = "delegate, cpu";
        *out = new_plugin(path, err);
    } else if (*runtime_option(options, "xnnpack", xnnpack, sizeof xnnpack)) {
        *name = "xnnpack, cpu";
        *out = new_xnnpack(err);
    } else {
        return ST_OK;
    }
    if (*out)
        return ST_OK;
    return *err->msg ? ST_UNSUPPORTED : err_set(err, ST_FAILED, "no delegate is made%s%.200s", *messages ? ": " : "", messages);
}

/* ---- operators as they run ---- */

static uint64_t begun[RUNTIME_MAX_EVENTS];

static void ignore_event(struct telemetry *t, const char *name, uint64_t status)
{
    (void)t, (void)name, (void)status;
}

static void ignore_op_event(struct telemetry *t, const char *name, int64_t op, int64_t subgraph, uint64_t status)
{
    (void)t, (void)name, (void)op, (void)subgraph, (void)status;
}

static void ignore_settings(struct telemetry *t, const char *name, const void *settings)
{
    (void)t, (void)name, (void)settings;
}

/* Nodes that a delegate put in have numbers beyond the file's. Of other subgraphs there is nobody who could name them. */
static uint32_t begin_op(struct telemetry *t, const char *name, int64_t op, int64_t subgraph)
{
    const uint32_t at = host->shared->n_events;
    const bool of_file = op >= 0 && (uint64_t)op < nodes;

    (void)t;
    if (subgraph || at == RUNTIME_MAX_EVENTS)
        return UINT32_MAX;
    runtime_note(host, name, of_file ? (int32_t)op : -1, !of_file, 0);
    begun[at] = clock_ns();
    return at;
}

static void end_op(struct telemetry *t, uint32_t handle)
{
    (void)t;
    if (handle < host->shared->n_events)
        host->shared->events[handle].ns = clock_ns() - begun[handle];
}

/* A delegate tells of its own operators, which have numbers of its own. */
static void took_op(struct telemetry *t, const char *name, uint64_t us, int64_t op, int64_t subgraph)
{
    (void)t, (void)op, (void)subgraph;
    runtime_note(host, name, -1, true, us * 1000);
}

static struct telemetry telemetry = {NULL, ignore_event, ignore_op_event, ignore_settings, begin_op, end_op, took_op};

/* ---- the model ---- */

static enum status check_input(void *it, uint32_t i, struct err *err)
{
    const struct runtime_tensor *t = &host->inputs[i];
    const void *in = CALL(InterpreterGetInputTensor)(it, (int32_t)i);

    if (!in || tfl.TensorType(in) != t->type || tfl.TensorByteSize(in) != t->bytes)
        return err_set(err, ST_FAILED, "input %u \"%.80s\" has type %d and %zu bytes, and by the model type %d and %llu bytes", i,
                       t->name, in ? tfl.TensorType(in) : 0, in ? tfl.TensorByteSize(in) : 0, t->type,
                       (unsigned long long)t->bytes);
    return ST_OK;
}

static enum status new_interpreter(bool with_telemetry, void **out, struct err *err)
{
    const struct runtime_job *job = &host->shared->job;
    void *options = CALL(InterpreterOptionsCreate)(), *delegate, *it;
    const char *name;
    char threads[16];
    enum status st;

    if (!options)
        return failed("InterpreterOptionsCreate", err);
    if ((st = new_delegate(&delegate, &name, err)))
        return st;
    tfl.InterpreterOptionsSetNumThreads(options, atoi(runtime_option(job->options, "threads", threads, sizeof threads)));
    tfl.InterpreterOptionsSetErrorReporter(options, say, NULL);
    if (delegate)
        tfl.InterpreterOptionsAddDelegate(options, delegate);
    if (with_telemetry)
        tfl.InterpreterOptionsSetTelemetryProfiler(options, &telemetry);
    snprintf(host->shared->facts.used, sizeof host->shared->facts.used, "%s", name);
    counts_nodes = delegate && tfl.InterpreterOptionsSetTelemetryProfiler;
    if (!(it = CALL(InterpreterCreate)(model, options)))
        return failed("InterpreterCreate", err);
    if ((uint32_t)tfl.InterpreterGetInputTensorCount(it) != job->n_inputs ||
        (uint32_t)tfl.InterpreterGetOutputTensorCount(it) != job->n_outputs)
        return err_set(err, ST_FAILED, "it has %d inputs and %d outputs, and the model %u and %u",
                       tfl.InterpreterGetInputTensorCount(it), tfl.InterpreterGetOutputTensorCount(it), job->n_inputs,
                       job->n_outputs);
    for (uint32_t i = 0; job->resized && i < job->n_inputs; i++)
        if (CALL(InterpreterResizeInputTensor)(it, (int32_t)i, host->inputs[i].dim, host->inputs[i].rank))
            return failed("InterpreterResizeInputTensor", err);
    if (CALL(InterpreterAllocateTensors)(it))
        return failed("InterpreterAllocateTensors", err);
    for (uint32_t i = 0; i < job->n_inputs; i++)
        if ((st = check_input(it, i, err)))
            return st;
    *out = it;
    return ST_OK;
}

/* What the library refuses is a fact. */
static enum status tflite_compile(struct runtime_host *h, struct err *err)
{
    const uint64_t start = clock_ns();
    struct runtime_facts *f = &h->shared->facts;
    char number[24];
    enum status st = ST_OK;

    nodes = strtoull(runtime_option(h->shared->job.options, "nodes", number, sizeof number), NULL, 10);
    f->n_taken = -1;
    if (!(model = CALL(ModelCreate)(h->model, h->shared->job.model_bytes)))
        st = failed("ModelCreate", err);
    st = st ? st : new_interpreter(false, &interpreter, err);
    if (!st && !strcmp(f->used, "cpu"))
        f->n_taken = (int32_t)nodes;
    f->compile_ns = clock_ns() - start;
    if (st != ST_FAILED)
        return st;
    snprintf(f->refused, sizeof f->refused, "%s", err->msg);
    return ST_OK;
}

/* ---- runs ---- */

static enum status read_output(void *it, uint32_t i, struct err *err)
{
    const void *out = CALL(InterpreterGetOutputTensor)(it, (int32_t)i);
    int32_t dim[TENSOR_MAX_RANK], rank;

    if (!out || tfl.TensorType(out) != host->outputs[i].type)
        return err_set(err, ST_FAILED, "output %u has type %d, and by the model %d", i, out ? tfl.TensorType(out) : 0,
                       host->outputs[i].type);
    rank = tfl.TensorNumDims(out);
    for (int32_t d = 0; d < rank && d < TENSOR_MAX_RANK; d++)
        dim[d] = tfl.TensorDim(out, d);
    if (!tfl.TensorData(out) && tfl.TensorByteSize(out))
        return err_set(err, ST_FAILED, "output %u \"%.80s\" has no content", i, host->outputs[i].name);
    return runtime_put(host, i, tfl.TensorData(out), tfl.TensorByteSize(out), dim, rank, err);
}

static enum status run_on(void *it, struct runtime_times *times, struct err *err)
{
    const uint64_t begin = clock_ns();
    uint64_t written, ran;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < host->shared->job.n_inputs; i++) {
        const struct runtime_tensor *t = &host->inputs[i];

        if (t->bytes &&
            CALL(TensorCopyFromBuffer)(tfl.InterpreterGetInputTensor(it, (int32_t)i), (char *)host->shared + t->offset, t->bytes))
            return failed("TensorCopyFromBuffer", err);
    }
    written = clock_ns();
    if (CALL(InterpreterInvoke)(it))
        return failed("InterpreterInvoke", err);
    ran = clock_ns();
    for (uint32_t i = 0; i < host->shared->job.n_outputs && !st; i++)
        st = read_output(it, i, err);
    *times = (struct runtime_times){written - begin, ran - written, clock_ns() - ran};
    return st;
}

/* A profiler slows down all runs of its interpreter, so that there is a second one for these. */
static enum status run_profiled(struct runtime_times *times, struct err *err)
{
    enum status st = ST_OK;

    if (!tfl.InterpreterOptionsSetTelemetryProfiler)
        return err_set(err, ST_UNSUPPORTED,
                       "the library has no function TfLiteInterpreterOptionsSetTelemetryProfiler, which profiles need");
    if (!profiled)
        st = new_interpreter(true, &profiled, err);
    host->shared->n_events = 0;
    host->bytes = host->fixed_bytes;
    return st ? st : run_on(profiled, times, err);
}

/* How many nodes the delegate has, which no function of the library tells: those of the file that do not run by themselves. */
static enum status count_taken(struct err *err)
{
    struct runtime_facts *f = &host->shared->facts;
    struct runtime_times times;
    uint64_t alone = 0;
    enum status st;

    counts_nodes = false;
    if ((st = run_profiled(&times, err)))
        return st;
    for (uint32_t i = 0; i < host->shared->n_events; i++)
        alone += host->shared->events[i].node >= 0;
    counts_nodes = false;
    f->n_taken = (int32_t)(nodes - (alone < nodes ? alone : nodes));
    if ((uint64_t)f->n_taken == nodes)
        f->used[strcspn(f->used, ",")] = '\0';
    if (!f->n_taken && nodes)
        return err_set(err, ST_FAILED,
                       "the delegate asked for (%s) takes none of the %llu nodes: TensorFlow Lite's own kernels ran", f->used,
                       (unsigned long long)nodes);
    return ST_OK;
}

static enum status tflite_run(struct runtime_host *h, struct err *err)
{
    struct runtime_times *times = &h->shared->times;
    enum status st = h->profiling ? run_profiled(times, err) : run_on(interpreter, times, err);

    return st || !counts_nodes || h->profiling ? st : count_taken(err);
}

static enum status tflite_reset(struct runtime_host *h, struct err *err)
{
    (void)h;
    if (!tfl.InterpreterResetVariableTensors)
        return ST_OK;
    if (CALL(InterpreterResetVariableTensors)(interpreter) || (profiled && CALL(InterpreterResetVariableTensors)(profiled)))
        return failed("InterpreterResetVariableTensors", err);
    return ST_OK;
}

const struct runtime runtime_tflite = {"tflite", NULL, tflite_open, tflite_compile, tflite_run, tflite_reset};
