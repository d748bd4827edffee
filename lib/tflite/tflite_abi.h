/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_abi.h - the memory layout of the C structs through which TensorFlow Lite and a delegate of a shared library communicate.
 *
 * Written from the sizes, offsets and meanings that TFLite has kept (common.h, builtin_op_data.h; options of operators are in
 * schema/options.h); nothing of TFLite is included or linked. The names are TFLite's in our spelling: tflite_tensor is its
 * TfLiteTensor. Members have TFLite's types (bool, int, size_t). Assertions below check the layout on 64-bit machines; on others it
 * is not known.
 *
 * The library exports PLUGIN_CREATE and PLUGIN_DESTROY. The host calls delegate.prepare once for each graph; only during that call
 * the functions of the context marked "prepare" work, outside of it they fail. The delegate calls replace_node_subsets, and the
 * host makes one node of each subset and calls the registration's functions for it: init at once, prepare whenever shapes may have
 * changed, invoke, and at the end free. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Result of every function here. */
enum tflite_status {
    TFLITE_OK,
    TFLITE_ERROR,
    TFLITE_DELEGATE_ERROR,    /* the delegate's own failure: a host may go on without it */
    TFLITE_APPLICATION_ERROR, /* graph and delegate do not go together */
    TFLITE_DATA_NOT_FOUND,
    TFLITE_DATA_WRITE_ERROR,
    TFLITE_DATA_READ_ERROR,
    TFLITE_UNRESOLVED_OPS,
    TFLITE_CANCELLED,
    TFLITE_OUTPUT_SHAPE_NOT_KNOWN
};

/* Where the bytes of a tensor are, and since when they are valid. */
enum tflite_allocation {
    TFLITE_NO_MEMORY,
    TFLITE_MMAP_RO,             /* a constant of the file */
    TFLITE_ARENA_RW,            /* valid while running; memory is reused and may move when shapes change */
    TFLITE_ARENA_RW_PERSISTENT, /* memory is not reused: variables */
    TFLITE_DYNAMIC,             /* on the heap; its shape is known only while running */
    TFLITE_PERSISTENT_RO,       /* computed once, when its node is prepared */
    TFLITE_CUSTOM,              /* memory of the application */
    TFLITE_VARIANT_OBJECT
};

/* delegate.flags. Without ALLOW_DYNAMIC the host fails if any shape of the graph is known only while running; otherwise it fixes
 * all shapes, and resizing an input undoes the delegation and repeats it. With it, kernels are prepared again instead and set the
 * shapes of their outputs. With REQUIRE_SHAPES too, the host also prepares the replaced nodes to infer shapes, and fails if it has
 * no kernel for one. */
enum tflite_delegate_flags {
    TFLITE_ALLOW_DYNAMIC_TENSORS = 1,
    TFLITE_REQUIRE_PROPAGATED_SHAPES = 2,
    TFLITE_PER_OPERATOR_PROFILING = 4,
    TFLITE_HINT_FULLY_DELEGATED = 8
};

#define TFLITE_NO_BUFFER      (-1) /* tensor.buffer_handle if there is none */
#define TFLITE_OPTIONAL       (-1) /* in node.inputs: left out */
#define TFLITE_BUILTIN_CUSTOM 32   /* registration.builtin_code of custom operators, which custom_name names */
#define TFLITE_MAX_OPTIONS    256  /* most options that TFLite's loader passes to PLUGIN_CREATE */

struct tflite_context;
struct tflite_delegate;

/* An array in one malloc'ed block; functions that take ownership (resize_tensor) free it with free(). */
struct tflite_int_array {
    int size;
    int data[];
};

struct tflite_quantization_params {
    float scale; /* 0: not quantized, or by channel */
    int32_t zero_point;
};

struct tflite_float_array {
    int size;
    float data[];
};

enum tflite_quantization_type { TFLITE_NO_QUANTIZATION, TFLITE_AFFINE_QUANTIZATION, TFLITE_BLOCKWISE_QUANTIZATION };

/* scale and zero_point have one entry for the tensor, or one for each index of quantized_dimension. */
struct tflite_affine_quantization {
    struct tflite_float_array *scale;
    struct tflite_int_array *zero_point;
    int32_t quantized_dimension;
};

/* Scales and zero points (-1: none) are tensors of the graph: one entry for block_size consecutive values. */
struct tflite_blockwise_quantization {
    int32_t scale, zero_point;
    int32_t block_size;
    int32_t quantized_dimension;
};

struct tflite_quantization {
    enum tflite_quantization_type type;
    void *params; /* struct tflite_affine_quantization or tflite_blockwise_quantization, by type */
};

/* TFLite's sparse format, described at struct sparsity (tensor.h). */
struct tflite_dim_metadata {
    int format; /* 0: dense, with dense_size; 1: CSR, with the two arrays */
    int dense_size;
    struct tflite_int_array *segments, *indices;
};
struct tflite_sparsity {
    struct tflite_int_array *traversal_order, *block_map;
    struct tflite_dim_metadata *dims;
    int n_dims;
};

/* `type` is numbered as enum tensor_type (tensor.h). */
struct tflite_tensor {
    int type;
    void *data; /* NULL: no memory yet */
    struct tflite_int_array *dims;
    struct tflite_quantization_params params;
    enum tflite_allocation allocation_type;
    size_t bytes;
    const void *allocation; /* opaque */
    const char *name;
    struct tflite_delegate *delegate; /* delegate that computes the tensor, or to which buffer_handle belongs */
    int buffer_handle;
    bool data_is_stale; /* the content is in the buffer: call copy_from_buffer_handle before reading data */
    bool is_variable;
    struct tflite_quantization quantization;
    struct tflite_sparsity *sparsity;              /* NULL: dense */
    const struct tflite_int_array *dims_signature; /* dims with -1 for open dimensions of the file; NULL or empty: dims */
};

/* Lists are indices in context.tensors. A node's kernel may replace `temporaries` by an array of its own, which the host frees. */
struct tflite_node {
    struct tflite_int_array *inputs, *outputs, *intermediates, *temporaries;
    void *user_data;                 /* result of registration.init */
    void *builtin_data;              /* a struct of schema/options.h, or NULL */
    const void *custom_initial_data; /* custom operator: the file's bytes; delegate's node: struct tflite_delegate_params */
    int custom_initial_data_size;
    struct tflite_delegate *delegate; /* delegate that runs the node; NULL: none */
    bool might_have_side_effect;
};

/* Functions of one kind of node. In older hosts it is 64, 72 or 80 bytes long. It is passed by value, in memory, with other
 * arguments in registers (x86-64, arm64): a host may be given a longer one, and reads the part it knows, but not a shorter one. */
struct tflite_registration {
    void *(*init)(struct tflite_context *c, const char *data, size_t bytes);
    void (*free)(struct tflite_context *c, void *user_data);
    enum tflite_status (*prepare)(struct tflite_context *c, struct tflite_node *n);
    enum tflite_status (*invoke)(struct tflite_context *c, struct tflite_node *n);
    const char *(*profiling_string)(const struct tflite_context *c, const struct tflite_node *n);
    int32_t builtin_code;
    const char *custom_name;
    int version;
    void *registration_external; /* from here on: newer than the 64-byte form */
    void *async_kernel;
    uint64_t inplace_operator;
};

/* 64 if pointers have 64 bits. */
#define TFLITE_REGISTRATION_OLDEST_BYTES offsetof(struct tflite_registration, registration_external)

/* Argument `data` of registration.init for a delegate's node, with 0 bytes; valid as long as the node. input_tensors include
 * constants; output_tensors are read outside of the subset or are outputs of the graph. */
struct tflite_delegate_params {
    struct tflite_delegate *delegate;
    struct tflite_int_array *nodes_to_replace, *input_tensors, *output_tensors;
};

/* Result of PLUGIN_CREATE. The functions' first argument is the graph of the tensor. */
struct tflite_delegate {
    void *data_; /* private to the delegate */
    enum tflite_status (*prepare)(struct tflite_context *c, struct tflite_delegate *d);
    enum tflite_status (*copy_from_buffer_handle)(struct tflite_context *c, struct tflite_delegate *d, int handle,
                                                  struct tflite_tensor *t);
    enum tflite_status (*copy_to_buffer_handle)(struct tflite_context *c, struct tflite_delegate *d, int handle,
                                                struct tflite_tensor *t);
    void (*free_buffer_handle)(struct tflite_context *c, struct tflite_delegate *d, int *handle);
    int64_t flags;
    void *opaque_delegate_builder; /* NULL: a delegate with these functions */
};

/* A graph that the host lends. "prepare": callable only in the delegate's prepare. NULL in TFLite: allocate_persistent_buffer to
 * get_scratch_buffer, resize_tensor_explicit, get_tensor, get_eval_tensor. `profiler` and `impl_` are C++ objects. */
struct tflite_context {
    size_t tensors_size;
    /* prepare. The array belongs to the host and is valid until the next call. */
    enum tflite_status (*get_execution_plan)(struct tflite_context *c, struct tflite_int_array **plan);
    struct tflite_tensor *tensors; /* add_tensors may move it */
    void *impl_;
    /* Takes ownership of `dims`, even if it fails. */
    enum tflite_status (*resize_tensor)(struct tflite_context *c, struct tflite_tensor *t, struct tflite_int_array *dims);
    void (*report_error)(struct tflite_context *c, const char *fmt, ...);
    enum tflite_status (*add_tensors)(struct tflite_context *c, int n, int *first);
    /* prepare. Both results belong to the host. */
    enum tflite_status (*get_node_and_registration)(struct tflite_context *c, int node, struct tflite_node **n,
                                                    struct tflite_registration **r);
    /* prepare. */
    enum tflite_status (*replace_node_subsets)(struct tflite_context *c, struct tflite_registration r,
                                               const struct tflite_int_array *nodes, struct tflite_delegate *d);
    int recommended_num_threads; /* -1: any */
    void *(*get_external_context)(struct tflite_context *c, int type);
    void (*set_external_context)(struct tflite_context *c, int type, void *external);
    bool allow_fp32_relax_to_fp16;
    void *profiler;
    void *(*allocate_persistent_buffer)(struct tflite_context *c, size_t bytes);
    enum tflite_status (*allocate_buffer_for_eval)(struct tflite_context *c, size_t bytes, void **out);
    enum tflite_status (*request_scratch_buffer)(struct tflite_context *c, size_t bytes, int *index);
    void *(*get_scratch_buffer)(struct tflite_context *c, int index);
    enum tflite_status (*resize_tensor_explicit)(struct tflite_context *c, struct tflite_tensor *t, int rank, const int *dims);
    /* prepare. (*parts)[*n] are the subsets that replace_node_subsets would make of the nodes; they belong to the host, until
     * prepare returns. */
    enum tflite_status (*preview_delegate_partitioning)(struct tflite_context *c, const struct tflite_int_array *nodes,
                                                        struct tflite_delegate_params **parts, int *n);
    struct tflite_tensor *(*get_tensor)(const struct tflite_context *c, int index);
    void *(*get_eval_tensor)(const struct tflite_context *c, int index);
    enum tflite_status (*get_model_metadata)(const struct tflite_context *c, const char *name, const char **data, size_t *bytes);
    /* prepare. Lends another graph of the model. */
    enum tflite_status (*acquire_subgraph_context)(struct tflite_context *c, int subgraph, struct tflite_context **out);
    enum tflite_status (*release_subgraph_context)(struct tflite_context *c, int subgraph);
};

/* The two functions that a library exports. PLUGIN_CREATE returns NULL on failure. report_error may be NULL (TFLite's own loader)
 * and is valid only during the call (Python's load_delegate frees it afterwards). */
#define TFLITE_PLUGIN_CREATE  "tflite_plugin_create_delegate"
#define TFLITE_PLUGIN_DESTROY "tflite_plugin_destroy_delegate"
typedef struct tflite_delegate *(*tflite_create_fn)(const char *const *keys, const char *const *values, size_t n,
                                                    void (*report_error)(const char *text));
typedef void (*tflite_destroy_fn)(struct tflite_delegate *d);

#if UINTPTR_MAX == UINT64_MAX
#define TFLITE_SIZE(s, bytes)       _Static_assert(sizeof(struct tflite_##s) == (bytes), #s)
#define TFLITE_AT(s, member, bytes) _Static_assert(offsetof(struct tflite_##s, member) == (bytes), #s "." #member)

_Static_assert(sizeof(enum tflite_status) == 4 && sizeof(enum tflite_allocation) == 4, "enums are ints");
_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4, "as TFLite has them");
TFLITE_SIZE(int_array, 4);
TFLITE_AT(int_array, data, 4);
TFLITE_AT(float_array, data, 4);
TFLITE_SIZE(quantization_params, 8);
TFLITE_SIZE(affine_quantization, 24);
TFLITE_SIZE(blockwise_quantization, 16);
TFLITE_SIZE(quantization, 16);
TFLITE_SIZE(sparsity, 32);
TFLITE_SIZE(dim_metadata, 24);
TFLITE_SIZE(tensor, 112);
TFLITE_AT(tensor, data, 8);
TFLITE_AT(tensor, dims, 16);
TFLITE_AT(tensor, params, 24);
TFLITE_AT(tensor, allocation_type, 32);
TFLITE_AT(tensor, bytes, 40);
TFLITE_AT(tensor, allocation, 48);
TFLITE_AT(tensor, name, 56);
TFLITE_AT(tensor, delegate, 64);
TFLITE_AT(tensor, buffer_handle, 72);
TFLITE_AT(tensor, data_is_stale, 76);
TFLITE_AT(tensor, is_variable, 77);
TFLITE_AT(tensor, quantization, 80);
TFLITE_AT(tensor, sparsity, 96);
TFLITE_AT(tensor, dims_signature, 104);
TFLITE_SIZE(node, 80);
TFLITE_AT(node, temporaries, 24);
TFLITE_AT(node, user_data, 32);
TFLITE_AT(node, builtin_data, 40);
TFLITE_AT(node, custom_initial_data, 48);
TFLITE_AT(node, custom_initial_data_size, 56);
TFLITE_AT(node, delegate, 64);
TFLITE_AT(node, might_have_side_effect, 72);
TFLITE_SIZE(registration, 88);
TFLITE_AT(registration, profiling_string, 32);
TFLITE_AT(registration, builtin_code, 40);
TFLITE_AT(registration, custom_name, 48);
TFLITE_AT(registration, version, 56);
TFLITE_AT(registration, registration_external, 64);
TFLITE_AT(registration, async_kernel, 72);
TFLITE_AT(registration, inplace_operator, 80);
TFLITE_SIZE(delegate_params, 32);
TFLITE_AT(delegate_params, nodes_to_replace, 8);
TFLITE_AT(delegate_params, output_tensors, 24);
TFLITE_SIZE(delegate, 56);
TFLITE_AT(delegate, prepare, 8);
TFLITE_AT(delegate, copy_from_buffer_handle, 16);
TFLITE_AT(delegate, copy_to_buffer_handle, 24);
TFLITE_AT(delegate, free_buffer_handle, 32);
TFLITE_AT(delegate, flags, 40);
TFLITE_AT(delegate, opaque_delegate_builder, 48);
TFLITE_SIZE(context, 200);
TFLITE_AT(context, get_execution_plan, 8);
TFLITE_AT(context, tensors, 16);
TFLITE_AT(context, resize_tensor, 32);
TFLITE_AT(context, report_error, 40);
TFLITE_AT(context, get_node_and_registration, 56);
TFLITE_AT(context, replace_node_subsets, 64);
TFLITE_AT(context, recommended_num_threads, 72);
TFLITE_AT(context, get_external_context, 80);
TFLITE_AT(context, allow_fp32_relax_to_fp16, 96);
TFLITE_AT(context, profiler, 104);
TFLITE_AT(context, allocate_persistent_buffer, 112);
TFLITE_AT(context, resize_tensor_explicit, 144);
TFLITE_AT(context, preview_delegate_partitioning, 152);
TFLITE_AT(context, get_tensor, 160);
TFLITE_AT(context, get_model_metadata, 176);
TFLITE_AT(context, release_subgraph_context, 192);
#undef TFLITE_SIZE
#undef TFLITE_AT
#endif
