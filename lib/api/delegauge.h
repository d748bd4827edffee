/* SPDX-License-Identifier: Apache-2.0 */
/* delegauge.h - the library's public C interface: load a .tflite model, run it on the CPU or a delegate, list what runs each node.
 *
 *   dg_model_open("m.tflite", &model, &err)            map and verify the file
 *   dg_delegate_open("gpu", NULL, &gpu, &err)          open a device (optional)
 *   dg_session_new(model, &options, &s, &err)          instantiate the model's graph
 *   dg_session_prepare(s, &err)                        infer shapes, partition, place memory, compile shaders
 *   dg_session_set_input(s, 0, data, bytes, &err)
 *   dg_session_run(s, &err)
 *   dg_session_output(s, 0, &tensor)
 *
 * Errors: functions that can fail return an enum dg_status (DG_OK is 0) and take a struct dg_error *, which may be NULL, as last
 * argument; on success its message is "". A function that creates an object sets *out to NULL on failure. The library does not
 * print, exit or read the environment; the GL driver may.
 *
 * Ownership: free an object of dg_X_open or dg_X_new with dg_X_close or dg_X_free; both accept NULL. A session borrows its model
 * and its delegate: free it before them. Pointers in a struct that a function fills belong to the object passed to that function.
 *
 * Threads: a model is immutable; sessions in several threads may share it. Use a session from one thread at a time, and likewise a
 * delegate together with all its sessions; use a GPU delegate and its sessions only from the thread that opened it, to which its GL
 * context is bound. Sessions without a common delegate are independent.
 *
 * Shapes are row-major, last dimension fastest; images are [batch, height, width, channels]. Sizes are in bytes.
 *
 * Versions: while DG_VERSION_MAJOR is 0, a new minor version may change this interface; a patch never does. Structs that the caller
 * fills may gain fields at their end, and zero in a new field keeps the earlier behaviour: initialize with `= {0}`. */
#ifndef DELEGAUGE_H
#define DELEGAUGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DG_VERSION_MAJOR  0
#define DG_VERSION_MINOR  1
#define DG_VERSION_PATCH  0
#define DG_VERSION_STRING "0.1.0"
#define DG_VERSION        (DG_VERSION_MAJOR * 10000 + DG_VERSION_MINOR * 100 + DG_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DG_API
#define DG_API __attribute__((visibility("default")))
#endif

/* Return the DG_VERSION of the library that is loaded; it may differ from the DG_VERSION of this header. */
DG_API int dg_version(void);

enum dg_status {
    DG_OK = 0,
    DG_USAGE = 2,       /* a wrong argument, or a call out of order */
    DG_BAD_MODEL = 3,   /* the file or its content is broken or inconsistent */
    DG_UNSUPPORTED = 4, /* valid, but this build or device cannot run it */
    DG_NO_MEMORY = 5,   /* out of memory, or a size above the limit */
    DG_IO = 6,          /* a file could not be read or written */
    DG_NO_GPU = 7,      /* no usable device or driver: the message lists the attempts */
    DG_FAILED = 8       /* a run, a GL call or a driver failed */
};

struct dg_error {
    char message[512]; /* one line without newline, with the offending values: "m.tflite: …", "node 17 CONV_2D(…): …" */
};

/* ---- models ---- */

/* A verified model file: immutable, may be shared by sessions. */
struct dg_model;

/* Map the file `path` and verify all of it; "bundle.task#NAME" is a model in a .task or .litertlm file, by file name, model type or
 * section number. Weights outside of the model come from its bundle, or from beside it. The files must not change while the model
 * is open. Fails with DG_IO, DG_BAD_MODEL, DG_UNSUPPORTED (a newer schema, or parts of it unknown to this build), DG_USAGE (no such
 * model in the bundle, or several), DG_NO_MEMORY. */
DG_API enum dg_status dg_model_open(const char *path, struct dg_model **out, struct dg_error *err);

/* Verify a model in memory. `data` is borrowed: keep it until dg_model_close. `name` is the prefix of error messages. Fails like
 * dg_model_open, but not with DG_IO. */
DG_API enum dg_status dg_model_parse(const void *data, size_t bytes, const char *name, struct dg_model **out, struct dg_error *err);

DG_API void dg_model_close(struct dg_model *m);

/* ---- delegates: backends that run parts of a model in place of the CPU kernels ---- */

/* An open device with its programs and its memory; one or more sessions may use it. */
struct dg_delegate;

/* Return the name of delegate type i of this build ("gpu"), or NULL if i is beyond the last. */
DG_API const char *dg_delegate_name(size_t i);

/* An option of a delegate type. All strings are static. */
struct dg_option {
    const char *name;
    const char *value; /* the default, as text; "" if there is none */
    const char *help;  /* one line */
};

/* Store option i of a delegate type in *out. Return false if i is beyond the last or the type is unknown. */
DG_API bool dg_delegate_option(const char *delegate, size_t i, struct dg_option *out);

/* Open a device. `options` is an array of "name=value" strings that ends with NULL, or NULL for the defaults; the strings are
 * copied, and a later string overrides an earlier one. Fails with DG_USAGE if the delegate, an option or a value is unknown, with
 * DG_NO_GPU, DG_NO_MEMORY, or DG_IO if a folder of the options cannot be written.
 *
 * GL context: with "gpu_context=adopt" the delegate works in the EGL context that is current on the calling thread now, and
 * restores its bindings after each call; with "gpu_context=share" it makes a context that shares objects with that one. The default
 * is a context of its own, which cannot see the caller's GL buffers (dg_session_bind_input).
 *
 * Note: the library sets no environment variables. Two of them help Mesa; set them before the program starts a second thread, as
 * the tools do:
 * - MESA_SHADER_CACHE_DIR=DIR/mesa with MESA_SHADER_CACHE_DISABLE=false, beside the option delegate_serialize_dir=DIR: Mesa then
 *   caches code that it generates at a program's first run (llvmpipe: seconds) and that serialized program binaries lack.
 * - LP_NUM_THREADS=0, for models of short dispatches: llvmpipe computes in the calling thread, without waking others. */
DG_API enum dg_status dg_delegate_open(const char *name, const char *const *options, struct dg_delegate **out,
                                       struct dg_error *err);

/* Return the device's name as the driver reports it; never NULL. Valid until dg_delegate_close. */
DG_API const char *dg_delegate_device(const struct dg_delegate *d);

/* Return true if a software driver (llvmpipe) runs on the CPU: results are correct, times tell nothing about a GPU. */
DG_API bool dg_delegate_is_software(const struct dg_delegate *d);

DG_API void dg_delegate_close(struct dg_delegate *d);

/* ---- sessions: a model with its memory and compiled partitions, for repeated runs ---- */

struct dg_session;

/* Kernels of the CPU. Integer results of both are identical; floats differ by rounding. */
enum dg_kernels {
    DG_KERNELS_FAST,     /* packed weights, multithreaded, selected for this CPU */
    DG_KERNELS_REFERENCE /* plain loops with the results of TensorFlow Lite's reference kernels, the same on every machine */
};

struct dg_session_options {
    int num_threads; /* threads of the CPU kernels, the caller's included; below 1: 1 */
    enum dg_kernels kernels;
    struct dg_delegate *delegate; /* NULL: all nodes run on the CPU */
    int max_delegated_partitions; /* delegate at most this many partitions, the largest ones; below 1: all */
    int min_nodes_per_partition;  /* leave partitions with fewer nodes on the CPU; below 1: none */
};

/* Make a session on the model's primary subgraph. options NULL: all zeros, which are the defaults. Fails with DG_USAGE if
 * options->kernels is unknown, with DG_BAD_MODEL if the graph is inconsistent, with DG_NO_MEMORY. */
DG_API enum dg_status dg_session_new(const struct dg_model *m, const struct dg_session_options *options, struct dg_session **out,
                                     struct dg_error *err);

DG_API void dg_session_free(struct dg_session *s);

/* Element types; the values are TfLiteType's in TensorFlow Lite's C API. */
enum dg_type {
    DG_TYPE_NONE = 0,
    DG_FLOAT32 = 1,
    DG_INT32 = 2,
    DG_UINT8 = 3,
    DG_INT64 = 4,
    DG_STRING = 5,
    DG_BOOL = 6,
    DG_INT16 = 7,
    DG_COMPLEX64 = 8,
    DG_INT8 = 9,
    DG_FLOAT16 = 10,
    DG_FLOAT64 = 11,
    DG_COMPLEX128 = 12,
    DG_UINT64 = 13,
    DG_RESOURCE = 14,
    DG_VARIANT = 15,
    DG_UINT32 = 16,
    DG_UINT16 = 17,
    DG_INT4 = 18,
    DG_BFLOAT16 = 19,
    DG_INT2 = 20,
    DG_UINT4 = 21,
    DG_FLOAT8_E4M3FN = 22,
    DG_FLOAT8_E5M2 = 23
};

/* Return the type's name ("FLOAT32"), or "?" if the value is unknown. The string is static. */
DG_API const char *dg_type_name(enum dg_type type);

/* An input or output. Elements of fewer than 8 bits are packed, the first one in the low bits. The content of a STRING is: int32
 * count, count + 1 int32 offsets from the start of the content, the characters. */
struct dg_tensor {
    const char *name; /* never NULL; may be "" */
    enum dg_type type;
    int32_t rank;        /* 0 for a scalar */
    const int32_t *dims; /* [rank] */
    size_t bytes;
    const void *data; /* [bytes]; NULL unless the session is prepared */
    /* Quantization: real = scales[i] * (q - zero_points[i]), with i = 0, or the index along quantized_dim if n_scales > 1. */
    uint32_t n_scales;          /* 0: no scales of this kind */
    const float *scales;        /* [n_scales] */
    const int64_t *zero_points; /* [n_scales] */
    int32_t quantized_dim;
};

/* Return the number of inputs or outputs of the model's primary subgraph. Their indices start at 0 and follow the file's order. */
DG_API uint32_t dg_session_n_inputs(const struct dg_session *s);
DG_API uint32_t dg_session_n_outputs(const struct dg_session *s);

/* Describe input or output i in *out; return false if there is none. The shape of an output is final after dg_session_prepare, or
 * after dg_session_run if it depends on data. Pointers in *out are valid until the next call with a non-const session. */
DG_API bool dg_session_input(const struct dg_session *s, uint32_t i, struct dg_tensor *out);
DG_API bool dg_session_output(const struct dg_session *s, uint32_t i, struct dg_tensor *out);

/* Set the shape of input i to dims[rank]. Call dg_session_prepare (again) before the next run. Fails with DG_USAGE if there is no
 * such input, with DG_BAD_MODEL for a negative dimension, DG_UNSUPPORTED for too high a rank, DG_NO_MEMORY for too many elements.
 */
DG_API enum dg_status dg_session_resize_input(struct dg_session *s, uint32_t i, const int32_t *dims, int32_t rank,
                                              struct dg_error *err);

/* Infer shapes, ask the delegate about every node, place tensors in memory, compile shaders. Sets variables to their initial
 * values; the content of inputs is lost. dg_session_run can run every model that this function accepts. */
DG_API enum dg_status dg_session_prepare(struct dg_session *s, struct dg_error *err);

/* Copy data[bytes] into input i, which keeps it for all runs until the next dg_session_set_input or dg_session_prepare. Fails with
 * DG_USAGE if the session is not prepared, if there is no such input, or if `bytes` is not the tensor's size (a STRING takes any
 * size); with DG_BAD_MODEL if a byte of a BOOL is neither 0 nor 1; with DG_NO_MEMORY. */
DG_API enum dg_status dg_session_set_input(struct dg_session *s, uint32_t i, const void *data, size_t bytes, struct dg_error *err);

/* Element order in a GPU buffer. DENSE: as in host memory. SLICES: the GPU's own layout of FLOAT32 and INT32, in slices of four
 * channels, [batch][(channels + 3) / 4][height][width][4]; the caller fills an input with zeros beyond the last channel. */
enum dg_layout { DG_LAYOUT_DENSE = 0, DG_LAYOUT_SLICES = 1 };

/* A range of an OpenGL ES buffer object, bound as a shader storage buffer. The caller owns the buffer throughout. */
struct dg_buffer {
    uint32_t id; /* GL name, in the delegate's context or one that shares objects with it: see gpu_context at dg_delegate_open */
    enum dg_layout layout;
    uint64_t offset; /* bytes before the first element: a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT */
    uint64_t bytes;  /* length of the range: at least the tensor's size in this layout, rounded up to a multiple of 4 */
};

/* Bind a GPU buffer to input or output i: from the next run on the GPU reads or writes it, and the tensor's data in host memory is
 * neither read nor written. *b is copied. b NULL: return to host memory. The binding ends with dg_session_prepare, dg_session_free
 * or another call for the same tensor; keep the buffer until then. Binding compiles no programs.
 *
 * Synchronization: GL calls in the delegate's context after dg_session_run see the outputs; in a context that shares the buffers,
 * make such calls after dg_session_run has returned.
 *
 * Open the delegate with "gpu_context=adopt" or "gpu_context=share"; otherwise it cannot see the caller's buffers. Fails with
 * - DG_USAGE if the session is not prepared, or if the input or output, the buffer, layout, offset or length is invalid;
 * - DG_UNSUPPORTED, with the tensor in host memory, if there is no delegate that takes buffers, if the CPU uses the tensor too, if
 *   the tensor is both an input and an output, if a partition reads the output, or (DG_LAYOUT_SLICES only) if the GPU stores the
 *   tensor differently: in its shape on the other side of a RESHAPE, or in its shape before a DEPTH_TO_SPACE whose output channels
 *   are no multiple of four. */
DG_API enum dg_status dg_session_bind_input(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err);
DG_API enum dg_status dg_session_bind_output(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err);

/* Run one inference; return when the outputs are complete. After a failure the outputs are undefined; the session may run again. */
DG_API enum dg_status dg_session_run(struct dg_session *s, struct dg_error *err);

/* Reset variables to their initial values, and drop the content of resource variables and hash tables. */
DG_API void dg_session_reset_state(struct dg_session *s);

/* ---- assignment of nodes to the delegate and the CPU, once prepared ---- */

/* Numbers of nodes by executor. */
struct dg_assignment {
    uint32_t n_nodes;      /* all nodes: n_delegated + n_cpu + n_folded */
    uint32_t n_delegated;  /* nodes that the delegate runs */
    uint32_t n_partitions; /* delegated subgraphs that hold these nodes */
    uint32_t n_cpu;        /* nodes that the CPU runs */
    uint32_t n_folded; /* nodes computed once by dg_session_prepare, and CALL_ONCE that only sets variables (in the first run) */
};

/* Store the counts in *out. Return false unless the session is prepared. */
DG_API bool dg_session_assignment(const struct dg_session *s, struct dg_assignment *out);

/* A node and its executor. Strings are valid until the session is prepared again or freed. */
struct dg_node {
    uint32_t index;     /* position in the file's operator list */
    const char *name;   /* "CONV_2D", or the custom operator's name */
    int32_t partition;  /* index of its delegated partition; -1: on the CPU, or folded */
    bool folded;        /* computed once by dg_session_prepare, see dg_assignment.n_folded */
    const char *reason; /* code why it is not delegated: "DYNAMIC_SHAPE"; "" if it is, if it is folded, or without a delegate */
    const char *detail; /* the reason as a sentence, with the offending values; "" if `reason` is "" */
};

/* Store node i, in execution order, in *out. Return false if i is beyond the last, or unless the session is prepared. */
DG_API bool dg_session_node(const struct dg_session *s, uint32_t i, struct dg_node *out);

#ifdef __cplusplus
}
#endif

#endif
