/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a GL kernel, that is the contract between kernels_gl/ and lib/gl.
 *
 * A row of lib/ops/ops.def names a struct gl_kernel: the nodes that it takes, and how they become operations (ir.h). Each kind of
 * operation has variants; the chosen one emits a dispatch: shader template, buffers, numbers, grid.
 *
 *     static void emit(struct gl_shader *p, const struct ir_op *op)
 *     {
 *         gl_source(p, map_comp);
 *         gl_operands(p, "x");
 *     }
 *
 * (kernels_gl/common/map.c.) The template (kernels_gl/X.comp, embedded as X_comp) is the body of a GLSL ES 3.10 compute shader
 * without #version, layout or buffers. It defines
 *
 *     void run(int b, int h, int w, int s)     // called once per invocation, range already checked
 *     {
 *         STORE(y, b, h, w, s, LOAD(x, b, h, w, s));
 *     }
 *
 * (s: slice of four channels) and may use, for a value bound as "x":
 *     LOAD(x, b, h, w, s)      vec4 (ivec4 for IR_INT); the coordinates must be in range
 *     LOADZ(x, b, h, w, s)     the same, zero if h or w is out of range
 *     LOADB(x, b, h, w, s)     the same, x broadcasting against the output: dimensions of x that are 1 are read at 0, and
 *                              with one channel all four lanes are that channel
 *     LOADC(x, b, h, w, c)     float (int): one channel c; slower
 *     LOADR(x, ROW(x, b, h, s), COLUMN(x, w))
 *                              LOAD(x, b, h, w, s): if many rows, of the type ROWTYPE(x), meet many columns, ints, each is made
 *                              once, and compilers have little to do for each load
 *     X_B X_H X_W X_C X_S      its shape and number of slices, as int expressions
 *     STORE(y, b, h, w, s, v)  for an output. Applies the fused epilogues and then zeroes lanes beyond Y_C
 *     LOADW(w, i)              vec4 number i of the packed constants "w" (gl_weights)
 *     LOADI(t, i)              ivec4 number i of the table "t" (gl_table)
 * and every name given by gl_define and gl_param. Names of values are lower case, without '_' at the end.
 *
 * Every stored value has zeros in the lanes beyond the last channel, and kernels may rely on that. So weights times
 * padding never meets a NaN. NaN and infinities of real channels pass through. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/ir/ir.h"
#include "lib/gl/options/gpu_options.h"
#include "lib/graph/shape.h"
#include "shaders.h"

/* Sets of types, for in_types and out_types. A kernel that takes FLOAT32 takes FLOAT16 and BFLOAT16 (floats.h). */
#define TAKES_FLOAT     (1u << TYPE_FLOAT32)
#define TAKES_INT       (1u << TYPE_INT32)
#define TAKES_BOOL      (1u << TYPE_BOOL)
#define TAKES_8BIT      (1u << TYPE_INT8 | 1u << TYPE_UINT8)
#define TAKES_PACKED    (1u << TYPE_INT4 | 1u << TYPE_INT2)
#define TAKES_QUANTIZED (TAKES_8BIT | 1u << TYPE_INT16)

/* How a kernel computes with elements of 64 bits, which are two words of 32 (lib/gl/lower/int64.h). */
struct gl_int64 {
    /* Make the words of the node's output from the words of its inputs; *high NULL: within 32 bits. NULL if memory runs out. */
    struct ir_value *(*lower)(struct ir *ir, const struct node *n, struct ir_value **high);
    uint32_t types; /* set of 64-bit types of elements that it takes */

    /* False: all inputs have one of these types, and the output has that, or BOOL with to_bool. True: gl_kernel.accept says which
     * types fit. */
    bool asks, to_bool;
    bool by_output; /* it only computes so if the output has 64-bit elements */
};

struct gl_kernel {
    uint64_t max_version : 7; /* highest version of the operator; GL_ANY_VERSION: it does not matter */

    /* Sets of types of inputs and outputs; 0: TAKES_FLOAT. */
    uint64_t in_types : 22, out_types : 22;

    /* Types of integers that stand for reals, which the kernel takes as floats (quantized.h) if that is asked for (gl_accept).
     * Without INT16 if the CPU looks 16-bit results up in tables whose own error is several steps. */
    uint64_t quantized : 10;
    uint64_t same_steps : 1;        /* the kernel takes quantized tensors of one scale and zero point alone, as input and output */
    uint64_t reads_sparse : 1;      /* takes constants that are stored sparse */
    uint64_t updates_variables : 1; /* takes nodes that read variables, and gives each its new content: ir_set_variable */

    /* Return true if the kernel takes the node, of an inferred graph: as many inputs and outputs as the CPU kernel takes are there.
     * May be NULL. The generic check (gl_accept) has been passed: version; every output and every input made at run time has one
     * of the types, no empty dimension, and fits the device, whatever its rank. Constant inputs have one of in_types, or,
     * if floats are allowed, are 16-bit floats or quantized (dequantized), or they are INT32 or INT64: parameters, which the kernel
     * checks itself. True promises that lowering cannot fail but for memory. Sizes of lowering's own values, grids, buffers and
     * iterations are not to be checked here: the node is generated in a dry run (dry.h) before the GPU takes it. */
    bool (*accept)(const struct gl_limits *lim, const struct node *n, struct reason *why);

    /* Append the operations of the node to the ir. */
    enum status (*lower)(struct ir *ir, const struct node *n, struct err *err);
    const void *arg;              /* data that tells kernels that share these functions apart; n->op->gl->arg */
    const struct gl_int64 *int64; /* NULL: it does not compute with 64-bit elements */
};
_Static_assert(TYPE_UINT4 < 22 && TYPE_INT8 < 10, "struct gl_kernel has a bit for each type that a shader reads, or has steps in");
#define GL_ANY_VERSION 127

/* Return true if a node passes all checks: the generic one, then the kernel's own. `quant`: the treatment of quantized tensors. */
bool gl_accept(const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g, const struct node *n, struct reason *why);

/* ---- checks that kernels share; all fill *why and return false ---- */

/* Check that input i is there and constant; else the reason says "the filter is computed at run time". */
bool gl_constant(const struct node *n, uint32_t i, const char *what, struct reason *why);

/* Check that input i is there and made at run time. */
bool gl_runtime(const struct node *n, uint32_t i, const char *what, struct reason *why);

/* Check that ir_activation knows the fused activation. */
bool gl_activation(enum activation act, struct reason *why);

/* Read constant integer input i (axes, shape, paddings) like shape_ints; false with a reason if it is not there, not constant, or
 * longer than max. */
bool gl_ints(const struct node *n, uint32_t i, const char *what, int32_t *out, uint32_t max, uint32_t *count, struct reason *why);

/* Check that a value of that shape can be stored, and that an int in a shader numbers its elements: for intermediates that lowering
 * makes up. */
bool gl_fits(const struct gl_limits *lim, enum ir_type type, struct ir_shape s, struct reason *why);

/* ---- variants ---- */

struct gl_shader;

/* A variant of a kind. It fits if fits() says so and its iterations are within the limit. Unless asked for, one that does not pay
 * comes after all others. It emits a dispatch, or it expands: */
struct gl_variant {
    const char *name;                                                  /* "direct 4x1"; stands in profiles after the kind's name */
    bool (*fits)(const struct ir_op *op, const struct gl_limits *lim); /* NULL: always */
    void (*emit)(struct gl_shader *p, const struct ir_op *op);         /* NULL: it expands */

    union {
        /* For a variant that emits: return the most passes that one invocation makes through its loops (gl_passes), a kernel's word
         * that is held against policy.iterations. NULL: its template has no loop. */
        uint64_t (*iterations)(const struct ir_op *op);

        /* For a variant that expands: append the operations that compute op->out instead of `op`, the last of them with op's
         * epilogues (ir_hand_over). They choose their variants anew, so they must be smaller. False if memory runs out. */
        bool (*expand)(struct ir *ir, const struct ir_op *op);
    };

    int32_t tile[2]; /* extents of the tile of an invocation, for variants that share emit, which finds them in op->variant */

    /* Return true if the variant is worth its trouble for an operation that it fits. NULL: always. */
    bool (*pays)(const struct ir_op *op, const struct gl_limits *lim);

    /* Return about how many 32-bit registers an invocation needs, held against policy.registers: beyond these the variant does not
     * pay, and beyond half as many again only who asks for it by name gets it, as it may take minutes to compile. NULL: few. */
    uint32_t (*registers)(const struct ir_op *op);
};

/* The variants of a kind, from that table. */
#define GL_VARIANTS(table) .variants = (table), .n_variants = sizeof(table) / sizeof *(table)

/* For `pays`: return true if the variant is to be tried, as it pays on some devices, which trying tells (tune.h); nothing else
 * takes it unasked. */
bool gl_on_trial(const struct ir_op *op, const struct gl_limits *lim);

/* Return the passes of loops nested in each other, n[0] of the outermost: all that are made and, each time, the one that only
 * leaves. For loops in lanes of one vector n is the largest. UINT64_MAX if uint64_t is too small. */
uint64_t gl_passes(const uint64_t *n, size_t depth);
#define GL_PASSES(...) gl_passes((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Return the number of passes that an invocation may make on the device: policy.iterations, or no end of them. */
static inline uint64_t gl_most_passes(const struct gl_limits *lim)
{
    return lim->policy.iterations ? lim->policy.iterations : UINT64_MAX;
}

/* For `iterations`: the template's loops have literal lengths of a few passes, and compilers unroll them. */
uint64_t gl_unrolled(const struct ir_op *op);

/* ---- for emit. Errors (out of memory) stick to the shader; nothing needs to be checked on the way ---- */

/* Set the template: a string that outlives the shader. */
void gl_source(struct gl_shader *p, const char *text);

/* Set the template with functions before it, which it calls. */
void gl_source_with(struct gl_shader *p, const char *functions, const char *text);

/* Set the template from all n texts, one after the other. */
void gl_source_of(struct gl_shader *p, const char *const *texts, size_t n);

/* Bind a value for LOAD; constants too. `name` "x" makes X_B, X_H, X_W, X_C, X_S. */
void gl_input(struct gl_shader *p, const char *name, const struct ir_value *v);

/* Make the height and width of every value one dimension from here on, the width, with one row: a pixel's number is its place.
 * False, and nothing is changed, if a value of the operation lies otherwise or broadcasts along one of the two alone. */
bool gl_flatten(struct gl_shader *p);

/* Return true if the shader finds the row of a pixel, numbered from 0 to below 2 * n, best by a quotient of floats:
 * int((float(pixel) + 0.5) / float(width)) is exact then, and some devices divide integers lane by lane. */
bool gl_divides_by_floats(const struct gl_shader *p, int64_t n);

/* Bind a value for STORE. Epilogues are applied to op->out only. */
void gl_output(struct gl_shader *p, const char *name, const struct ir_value *v);

/* Bind a value for STORE, and for LOAD and LOADC of the values that the dispatch has stored: for a kind that says so
 * (ir_kind.reads_back), whose out has no epilogue. An invocation finds its own stores; another one of its workgroup does after
 * memoryBarrierBuffer(); barrier(); others never. */
void gl_output_read_back(struct gl_shader *p, const char *name, const struct ir_value *v);

/* Bind the operands that most dispatches have: the operation's inputs under these names, in their order and separated by single
 * spaces (names that it has no inputs for are left out), its output as "y", and gl_grid of that, which a grid that is set later
 * replaces. */
void gl_operands(struct gl_shader *p, const char *names);

/* Write all of vectors number first to first + n - 1 of packed constants to `to`: 4 * n floats or int32_t. Called when the device's
 * memory is mapped, or never; from several threads, in any order, some vectors more than once. It may read all that the op and the
 * ir hold. */
typedef void (*gl_packer)(const void *arg, size_t first, size_t n, void *to);

/* Bind `n` vec4 of constants, which pack(arg, ...) writes; arg_size bytes of `arg` are copied. */
void gl_weights(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size);

/* Bind the same if all are whole numbers from -128 to 127: a byte each on the device. Packed and loaded as floats. */
void gl_weights_bytes(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size);

/* Declare that the last constants of gl_weights or gl_weights_bytes are blocks of four vectors, all of them. True if each vector of
 * a block is in a texture of its own, if the pick wants that and the device has units enough: then loadw_w(i, k) of weights "w" is
 * vector i + k, i being a multiple of four and k a literal below, which finds the vectors of a block at one place. loadw_w(i) is
 * slow there. */
bool gl_weights_in_four(struct gl_shader *p);

/* Bind `n` ivec4 of constants, likewise. */
void gl_table(struct gl_shader *p, const char *name, size_t n, gl_packer pack, const void *arg, size_t arg_size);

/* Bind the same if the last n_packed ivec4 hold sixteen numbers of 8 bits each, which reports of memory need to know. */
void gl_table_packed(struct gl_shader *p, const char *name, size_t n, size_t n_packed, gl_packer pack, const void *arg,
                     size_t arg_size);

/* Write #define name value: usable in #if and as an array size. Each value is a program of its own. */
void gl_define(struct gl_shader *p, const char *name, int32_t value);
void gl_define_text(struct gl_shader *p, const char *name, const char *text);

/* Write #define name(F) F(0) F(1) ... of n of them: a loop that is unrolled whatever the compiler thinks of its length. With
 * `names`, "a b", F(0, a0, b0) F(1, a1, b1) ...: variables of such names compile in less time than arrays. */
void gl_define_each(struct gl_shader *p, const char *name, int32_t n);
void gl_define_named(struct gl_shader *p, const char *name, int32_t n, const char *names);

/* Numbers that belong together, as the numbers of an axis do. */
struct gl_row {
    int32_t n[8];
};

/* Write #define name(F) F(A00, A01 ...) F(A10, A11 ...) ... of the first `each` numbers of rows[n], which are params: as a table
 * they would be a buffer, and a device may bind no more of these than the values need. `letter` is the first of their names. */
void gl_define_rows(struct gl_shader *p, const char *name, char letter, const struct gl_row *rows, int32_t n, int each);

/* Define an int or float expression, exact for every bit pattern: programs that differ only in such numbers are shared. */
void gl_param(struct gl_shader *p, const char *name, int32_t value);
void gl_param_float(struct gl_shader *p, const char *name, float value);

/* Define several, whose names are separated by single spaces; as many values follow. */
void gl_defines(struct gl_shader *p, const char *names, const int32_t *values);
void gl_params(struct gl_shader *p, const char *names, const int32_t *values);
#define GL_DEFINES(p, names, ...) gl_defines(p, names, (const int32_t[]){__VA_ARGS__})
#define GL_PARAMS(p, names, ...)  gl_params(p, names, (const int32_t[]){__VA_ARGS__})

/* Define STRIDE_H STRIDE_W DILATION_H DILATION_W PAD_H PAD_W KERNEL_H KERNEL_W as params. */
void gl_params_window(struct gl_shader *p, const struct ir_window *w);

/* Set a grid of one invocation per vec4 of a value of this shape. */
void gl_grid(struct gl_shader *p, struct ir_shape s);

/* Set a grid of w * h * s invocations per batch. A kernel that computes several pixels or slices per invocation asks for fewer, and
 * checks the ends itself. If w invocations are beside each other in memory, that is the dimension made widest. A dimension may be
 * as long as an int says: workgroups beyond the number that a device starts along it are started along others. */
void gl_grid_of(struct gl_shader *p, int32_t b, int32_t h, int32_t w, int32_t s);

/* Declare that the template stores into arrays that each invocation has for itself at indices that differ between invocations, and
 * leaves the workgroup's size to the generator: gl_policy.even_stores. */
void gl_array_stores(struct gl_shader *p);

/* Templates write imulExtended(UNFOLDED(a), b, ...), umulExtended likewise, if both may be shapes or names of gl_param: these may
 * be literals, and Mesa 22.3.6 multiplies literals wrongly. UNFOLDED takes an int or ivec. */

/* Set the number that gl_variant.iterations returned, for the check of gl_shader_fits. A template with a loop needs it; generate.c
 * calls it. */
void gl_iterations(struct gl_shader *p, uint64_t n);

/* Fix the workgroup's size (x: w, y: h, z, slice and batch: 1), for kernels that share memory; their template has its own main()
 * and reads GRID_W, GRID_H, GRID_S, GRID_B. READ_UNIFORMS must be the first statement there: under policy.straight_code it sets
 * these, shapes and names of gl_param. Without it gl_shader_finish fails, on every device. The product is at most 128 unless lim
 * says more. Such workgroups lie as the grid says; with more of them along a dimension than the device starts it does not fit.
 *
 * A template with its own main() that leaves the size to the generator has its place in the grid from INVOCATION, an ivec3, and not
 * from GL's variables; there may be more invocations than the grid has along each dimension, z too. */
void gl_group(struct gl_shader *p, uint32_t x, uint32_t y);

/* Declare that the template's shared variables take `bytes` more. Every template that has any states them so (0 if a #define leaves
 * them out), for they are held against the device's limit before a driver sees them. */
void gl_shared(struct gl_shader *p, uint32_t bytes);
