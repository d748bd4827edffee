/* SPDX-License-Identifier: Apache-2.0 */
/* ir.h - a partition as the GPU sees it: values of shape BHWC and operations on them.
 *
 * Lowering (the `lower` of each gl_kernel) turns nodes into operations; passes rewrite them (passes.def) and settle the place of
 * each value (storage.def); the variant chosen of each operation then emits a dispatch. README.md of this folder shows the whole
 * way.
 *
 * Ranks up to 4 are mapped right-aligned: [H,W,C], [W,C] and [C] get leading ones, a scalar is [1,1,1,1]. So numpy broadcasting and
 * "the last axis is the channel" hold for them, and a reshape that only adds or drops leading ones costs nothing. In higher ranks
 * adjacent axes are folded into one (fold.h); the last axis is the channel there, too.
 *
 * Constructors return NULL if memory runs out and also if they are handed a NULL, so that a chain of them needs one check at its
 * end: `return op ? ST_OK : ir_nomem(err);`. */
#pragma once

#include "lib/base/node_list.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/ir/format.h"
#include "lib/gl/ir/ir_shape.h"
#include "lib/graph/graph.h"

enum ir_type {
    IR_FLOAT, /* computed in 32 bits, however it is stored */
    IR_INT,   /* 32 bits: indices, integer arithmetic, quantized values made at run time */
    IR_BOOL   /* 0 or 1 as IR_FLOAT */
};

struct ir_op;

/* Maps a value's elements along an axis to elements of another value: number i is element m(i - before) >> shift. If it mirrors, m
 * turns back at both ends of 0 to length - 1 (twice: the last element is met again on the way back), else m does nothing. */
struct ir_axis_map {
    int32_t before, length, shift;
    bool mirrors, twice;
};

/* The maps of a value's rows and columns. */
struct ir_index_map {
    struct ir_axis_map h, w;
};

/* Blocks of pixels: each pixel of a value is h by w pixels of another value, one behind the other along its channels. Channel c of
 * pixel y, x is channel c % channels of pixel y * h + c / channels / w, x * w + c / channels % w. */
struct ir_blocks {
    int32_t h, w, channels;
};

/* A blend along an axis: number i lies at (i + center) * scale - center of `length` elements. It is a mean of the two elements on
 * both sides, each weighted by how near it is, or beyond the ends the first or last element. */
struct ir_blend_axis {
    int32_t length;
    float scale;
};

/* Rows and columns of a value that are weighted means of another's, as TFLite's bilinear resize has them. */
struct ir_blend {
    float center;
    struct ir_blend_axis h, w;
};

/* The place of a value that has no memory of its own: a box in another value's memory. Slice s of its pixel h, w of batch b is the
 * vec4
 *     (((at.b + b) * slices(pitch) + at.c / 4 + s) * pitch.h + at.h + h) * pitch.w + at.w + w
 * of that memory. */
struct ir_view {
    struct ir_value *of;            /* the value that has the memory, itself no view; NULL: the value has its own */
    struct ir_shape at;             /* position of the first element there; at.c is a multiple of 4 unless it is a lane */
    struct ir_shape pitch;          /* the shape under which that memory is seen: the shape of `of`, or another in the same order */
    const struct ir_index_map *map; /* for a value that is only read: maps its h and w; NULL: h and w as they are */
    const struct ir_blend *blend;   /* likewise, each pixel that is read is made of four pixels; NULL: it is there as it is */
    bool lane;                      /* true: one channel within a slice, which LOADB alone picks there */
    const struct ir_blocks *blocks; /* for a value that is only written: the blocks that its vectors go to; NULL: no blocks */
};

struct ir_value {
    uint32_t id;
    enum ir_type type;
    struct ir_shape shape;
    const struct tensor *tensor; /* tensor that the value came from; NULL for a value that lowering made up */
    const void *data;            /* a constant's content, dense BHWC: float (IR_FLOAT, IR_BOOL) or int32_t; else NULL */
    bool is_input, is_output;    /* the value crosses the border of the partition */
    bool full;                   /* never stored as half: the value is summed in several steps, or is to stay float32
                                    (precision.h) */
    enum gl_format format;       /* storage format, set by the pass "choose formats" */
    struct ir_view view;         /* set by the passes after that (views.c) */
    bool holds;                  /* other values are views of this one */
    enum gl_storage storage;     /* kind of storage, set by the last pass, "choose storage"; for a view that of its root */

    /* Kept by ir_link. */
    struct ir_op *producer; /* NULL for inputs and constants */
    uint32_t n_uses;        /* operands that read the value or one that shares its memory; crossing the border counts as one more */
};

/* Properties of a function of two operands that passes may use. */
enum ir_fn_role { IR_FN_OTHER, IR_FN_SUM, IR_FN_PRODUCT };

/* An elementwise function: GLSL expressions over operands a, b, c and parameters p (a vec4). */
struct ir_fn {
    const char *name;   /* "RELU6" */
    const char *f;      /* on vec4 operands (IR_FLOAT and IR_BOOL); NULL: not for these */
    const char *i;      /* on ivec4 operands (IR_INT); NULL: not for these */
    const char *helper; /* GLSL functions that f or i call, or NULL; written once per shader. They need floats of 32 bits */
    uint8_t arity;      /* operands, 1 to 3 */
    bool params;        /* uses p */
    bool keeps_nan;     /* f gives a if a is NaN, which compilers that know no `precise` may forget over a comparison */
    bool full;          /* f needs floats of 32 bits, too */
    uint8_t clamp;      /* f is ir_clamps[clamp] alone; 0: it is not */
    enum ir_fn_role role;
};

/* The clamps: each keeps a value in a range, and lets NaN through. */
extern const struct ir_clamp {
    float least, most;
} ir_clamps[];

enum ir_clamp_number { IR_CLAMP_NONE, IR_CLAMP_RELU, IR_CLAMP_RELU6, IR_CLAMP_N1_TO_1, IR_CLAMP_0_TO_1 };

/* An elementwise function applied to an operation's result before it is stored. */
struct ir_epilogue {
    struct ir_epilogue *next;
    const struct ir_fn *fn;
    struct ir_value *operand[3]; /* [fn->arity]; NULL: a value computed so far. Others broadcast to the output's shape; with
                                    fewer rows, pixels or channels, but more than one, they are 0 in the rows, pixels or channels
                                    that they lack */
    uint16_t back[3];            /* for each operand that is NULL: the value as it was before so many functions; 0: the last */
    float p[4];
    enum ir_type in, out; /* type of the value computed so far, before and after. Operands have type `in` or IR_BOOL */
    bool is_idle;         /* the function adds zeros, for the sign of one at most, so that a program that adds something computes
                             this */

    struct ir_epilogue *next_reader; /* used by the pass "fuse maps" alone */
};

struct ir;
struct gl_variant;
struct gl_choice;

/* Properties of a kind that passes may use. */
enum ir_role {
    IR_OTHER,
    IR_MAP,          /* stores in[0], broadcast to the output; all computing is in the epilogue. No attr */
    IR_RESHAPE,      /* the elements of in[0] in the same dense order. No attr */
    IR_PAD,          /* in[0] with constant borders; attr is struct ir_pad */
    IR_CONV,         /* attr begins with struct ir_window, in[0] slides under it, read by its coordinates alone (struct
                        ir_index_map), and zeros around in[0] change nothing */
    IR_CONCATENATION /* in[] one after the other along one axis; with a single input the identity */
};

/* Two variants that compute alike, of larger and of smaller tiles; and one whose text is written out for one shape (NULL: none). */
struct ir_sizes {
    const struct gl_variant *large, *small, *written;
    bool (*has_same_text)(const struct ir_op *a, const struct ir_op *b); /* true if a and b use the same variant, with the same
                                                                            functions */
    uint64_t (*work)(const struct ir_op *op);                            /* work of the operation in any unit */
    uint64_t worth;                                                      /* work of one program that makes compiling it worth its
                                                                            time */
    uint64_t compiling; /* ns of a processor that compiling one program takes; 0: functions do not make programs alike */

    /* For `written`: whether one program computes both operations, the time that the program saves of an inference against tiles,
     * and the time that compiling it takes; both times in ns of a processor. */
    bool (*is_written_alike)(const struct ir_op *a, const struct ir_op *b);
    uint64_t (*saves)(const struct ir_op *op);
    uint64_t (*costs)(const struct ir_op *op);
};

/* Return true if a program is worth compiling: that takes no longer than the program saves in 500 inferences. */
static inline bool ir_pays(uint64_t saves, uint64_t costs)
{
    return saves >= costs / 500;
}

/* Functions and properties of operations that passes may ask for; some kinds have them. */
struct ir_traits {
    /* Return true if the operation does nothing but take the part of in[0] that begins at *at. NULL: never. */
    bool (*is_box)(const struct ir_op *op, struct ir_shape *at);

    /* Turn such an operation into the part, of its output's shape, that begins at `at`. False if memory runs out. NULL: it cannot.
     */
    bool (*set_box)(struct ir *ir, struct ir_op *op, struct ir_shape at);

    /* Return true if the operation does nothing but read rows and columns of in[0] as *map says, batches and channels as they are.
     * NULL: never. */
    bool (*index_map)(const struct ir_op *op, struct ir_index_map *map);

    /* Return true if the operation does nothing but make each pixel from pixels of in[0], as *blend says. NULL: never. */
    bool (*blend)(const struct ir_op *op, struct ir_blend *blend);

    /* Return true if the operation does nothing but make blocks of the pixels of in[0], and store how in *blocks. NULL: never. */
    bool (*blocks)(const struct ir_op *op, struct ir_blocks *blocks);

    /* Return true if the operation, without its functions, does nothing but give the axes other places: axis i of the output is
     * axis[i] of in[0]. set_axes makes the operation do that with the axes given. Both NULL: never. */
    bool (*axes)(const struct ir_op *op, int axis[4]);
    void (*set_axes)(struct ir_op *op, const int axis[4]);

    /* `matrices`: the operation reads in[0] to in[matrices - 1] as matrices, rows along W and columns along C, or each with these
     * exchanged. `exchange` makes it read matrix i the other way from now on. 0 and NULL: never. */
    uint8_t matrices;
    void (*exchange)(struct ir_op *op, uint32_t i);

    /* Change attr alone, as axis i of all the operation's values is now the former axis order[i]. NULL: it cannot; maps need none.
     */
    void (*permute)(struct ir_op *op, const int order[4]);

    /* For a kind whose attr begins with struct ir_window. takes_border: return true if a border of `value` around in[0] can be part
     * of the operation's own padding; NULL: a border of zeros if the role is IR_CONV, else none. take_border: change anything else
     * that this requires, called before in[0] and the window change. */
    bool (*takes_border)(const struct ir_op *op, float value);
    void (*take_border)(struct ir_op *op, const struct ir_op *pad);

    /* Make weights and biases give the former result times scale[out.c], plus shift[out.c], all of them finite; either may be NULL.
     * Not *done if products would leave the range of float32, or, if values may be halves (ir.half), the range of halves. False if
     * memory runs out. NULL: it has no weights that could. */
    bool (*rescale)(struct ir *ir, struct ir_op *op, const float *scale, const float *shift, bool *done);

    /* Let channels of the weights change places, as in[0], whose pixels are single and to which another value of shape `from`, in
     * whole slices, is reshaped, has its vectors in the order of that value from now on. Not *done if they cannot. False if memory
     * runs out. NULL: never. */
    bool (*reorder)(struct ir *ir, struct ir_op *op, struct ir_shape from, bool *done);

    /* Turn the operation into one, maybe of another kind, that also computes the operation `first`, which makes in[0], and reads
     * the inputs of `first`; nobody else reads in[0]. `first` and its output stay as they are. Not *done if it does not pay, or
     * cannot be. False if memory runs out. NULL: never. */
    bool (*join)(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done);

    /* Return true if each element of the output is a mean, with weights that sum to 1 but may be negative, of elements of in[0] of
     * the same batch and channel. NULL: never. */
    bool (*is_mean)(const struct ir_op *op);

    /* Return true if the operation, without its functions, multiplies the channels of each pixel of in[0] by weights and adds up,
     * with biases, to make the channels of the same pixel of its output; all these are finite. NULL: never. */
    bool (*by_pixel)(const struct ir_op *op);

    /* True if each pixel of the output is computed from the same pixel of in[0], wherever that is, and has as many channels. */
    bool keeps_pixels;

    /* Return the function that the operation applies to its input before anything else, or NULL: for labels. NULL: none. */
    const struct ir_fn *(*applies_first)(const struct ir_op *op);

    /* The variants of two sizes; NULL: each variant is used as often as it pays. */
    const struct ir_sizes *sizes;
};

/* A kind of operation. Kinds are data: each is defined beside its kernels, none is listed elsewhere. */
struct ir_kind {
    const char *name; /* "conv" */
    enum ir_role role;
    uint8_t constants; /* buffers of weights and tables that its kernels bind, at most */
    uint8_t n_variants;
    bool halves;     /* its kernels may compute with floats of 16 bits (gl_precision.arithmetic) */
    bool products;   /* all its kernels use FACTOR4 and so on (half_types.h) */
    bool moves;      /* the operation only puts elements of its inputs elsewhere, in an order known beforehand, and a constant
                        beside them */
    bool reads_back; /* out is kept in a buffer, for gl_output_read_back. Variants that expand make such operations, and nothing
                        else does, so that no functions are fused to them */
    const struct gl_variant *variants; /* [n_variants]; the first that fits is used. NULL: no dispatch comes of it */
    const struct ir_traits *traits;    /* NULL: all of them NULL (ir_traits) */
};

/* .traits of a kind that has some. */
#define IR_TRAITS(...)                                                                                                             \
    .traits = &(const struct ir_traits)                                                                                            \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }

struct ir_pad {
    struct ir_shape before; /* elements before the first one; the far side follows from the shapes */
    float value;
};

/* A sliding window over H and W. Input row of output row y and filter row ky: y * stride_h - pad_h + ky * dilation_h. */
struct ir_window {
    int32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int32_t pad_h, pad_w; /* rows above, columns left of the input; the far side follows from the shapes */
};

struct ir_op {
    const struct ir_kind *kind;
    struct ir_value **in; /* [n_in] read by the kernel itself */
    struct ir_value *out;
    struct ir_value *out2; /* NULL, or a second output (LSTM's state). No epilogue is applied to that */
    bool moves_batch;      /* a reshape that is kept, as with another batch it moves elements (policy.any_batch) */
    enum ir_type stores;   /* type of the value that the kernel hands to STORE: before epilogues */
    uint32_t n_in;
    void *attr; /* [attr_size] the kind's own struct */
    size_t attr_size;
    struct ir_epilogue *epilogue;     /* in the order of application */
    const struct node **nodes;        /* [n_nodes] nodes that the operation computes, for profiles and messages */
    uint32_t n_nodes, cap_nodes;      /* cap_nodes: room in `nodes` that is this operation's alone */
    uint32_t at;                      /* place of the operation in the list, while a pass keeps that */
    const struct gl_variant *variant; /* chosen by the pass "expand" */
};

/* The parts of an output of the partition: their elements, in dense order and one part after the other, are the output's elements.
 */
#define IR_MAX_PARTS 3
struct ir_parts {
    struct ir_value *part[IR_MAX_PARTS];
    uint32_t n;
    struct ir_blocks blocks; /* for a single part: the output has the elements of the pixels that these blocks make of it; all 0:
                                the part's own elements */
};

/* State of lowering one node, shared by its kernel and the code around it; begun anew for each node (generate.c). */
struct ir_lowering {
    const struct node *node; /* new operations are labelled with it */
    bool exact, raw;         /* quantized tensors are integers to it (exact.h, integers.h); constants, too */
    const float *unit;       /* its unit of weights for each output channel, of which the weights are multiples; or NULL */
    float to_counts;         /* if its sums are of integers: its input times this is an integer; else 0 */
    const struct ir_epilogue *rounding; /* function that rounds its quantized output, if that is not plain rounding; else NULL */
    bool rounded;                       /* its operations have rounded the output already */
};

struct ir {
    struct arena *arena;
    const struct graph *graph;
    const struct gl_limits *limits;        /* of the device, set before lowering */
    bool half;                             /* values may be stored as halves */
    bool exact;                            /* exact.h: quantized tensors are integers */
    bool in_order;                         /* sums of floats take their terms in the CPU's order: exact.h */
    const struct node_list *full_nodes;    /* nodes for which lowering makes up no values that may be halves; NULL: none */
    const bool *full_tensors;              /* [graph tensors] true: the tensor's value is not half either; there may be more
                                              (precision.h); NULL: none */
    struct gl_choice *choice;              /* the variants that are wanted (choose.h), or NULL */
    struct ir_lowering lowering;           /* once the nodes are lowered, all 0 but for `exact` */
    const char *dump_dir;                  /* folder to which the ir is written after each pass (dump_ir.h), or NULL */
    uint32_t first_node;                   /* first node of the partition, in the graph */
    struct ir_value **values, **by_tensor; /* by_tensor[graph tensors]: the value of a tensor, or NULL so far */
    struct ir_value **high;                /* [graph tensors] high words of INT64 tensors: int64.h */
    struct ir_op **ops;                    /* in execution order */
    uint32_t n_values, n_ops, cap_values, cap_ops;
    struct ir_value **inputs, **outputs;  /* parallel to the inputs and outputs of the partition */
    struct tensor *const *output_tensors; /* tensors of the outputs, borrowed */
    struct ir_parts *parts; /* [n_outputs] set by the pass "border reshapes": from then on the parts that make up outputs[] */
    uint32_t n_inputs, n_outputs;
};

/* Start an empty ir with the partition's inputs and outputs; `a` owns all of it. Fails only with ST_NOMEM. */
enum status ir_new(struct arena *a, const struct graph *g, struct tensor *const *inputs, uint32_t n_inputs,
                   struct tensor *const *outputs, uint32_t n_outputs, struct ir **out, struct err *err);

enum status ir_nomem(struct err *err);

/* ---- for lowering ---- */

/* Return the value of the node's i-th input or output. Constants are converted here: half, quantized and 64-bit ones too. NULL if
 * memory runs out or the operand is omitted: ask ir_has_in first. */
struct ir_value *ir_in(struct ir *ir, const struct node *n, uint32_t i);
struct ir_value *ir_out(struct ir *ir, const struct node *n, uint32_t i);
bool ir_has_in(const struct node *n, uint32_t i);

/* Return the value of any tensor of the graph, likewise. */
struct ir_value *ir_of_tensor(struct ir *ir, const struct tensor *t);

/* Set v as the new content of a variable that the node updates: v crosses the border, and later nodes read it. */
void ir_set_variable(struct ir *ir, const struct tensor *variable, struct ir_value *v);

/* Return a new intermediate value that no tensor stands for. */
struct ir_value *ir_temp(struct ir *ir, enum ir_type type, struct ir_shape shape);

/* Return a new constant made by lowering. `data` is borrowed for the life of the ir. */
struct ir_value *ir_const(struct ir *ir, enum ir_type type, struct ir_shape shape, const void *data);

/* Append an operation that computes `out` from in[n_in], with zeroed attributes of `attr_size` bytes. Its kernel stores values of
 * out's type. */
struct ir_op *ir_op_new(struct ir *ir, const struct ir_kind *kind, struct ir_value *const *in, uint32_t n_in, struct ir_value *out,
                        size_t attr_size);

/* Append the same with attributes copied from `attr`: IR_ATTR(struct pad, before, value), or &pad, sizeof pad. */
struct ir_op *ir_op_with(struct ir *ir, const struct ir_kind *kind, struct ir_value *const *in, uint32_t n_in, struct ir_value *out,
                         const void *attr, size_t attr_size);
#define IR_ATTR(type, ...) &(const type){__VA_ARGS__}, sizeof(type)
#define IR_INS(...)        (struct ir_value *[]){__VA_ARGS__}, sizeof((struct ir_value *[]){__VA_ARGS__}) / sizeof(void *)

/* Append y = x, broadcast to the shape of y: the one operation that the core makes itself. */
struct ir_op *ir_copy(struct ir *ir, struct ir_value *x, struct ir_value *y);

/* Return the content of a constant tensor as dense floats: the tensor's own memory if it is FLOAT32, else a converted copy in the
 * ir's arena. NULL if memory runs out. */
const float *ir_floats(struct ir *ir, const struct tensor *t);

/* Return the integers of a constant quantized tensor less their zero points, likewise. */
const float *ir_counts(struct ir *ir, const struct tensor *t);

/* Apply `fn` to the op's result: operands as in struct ir_epilogue. `out` is the type after it. False if memory runs out. */
bool ir_apply(struct ir *ir, struct ir_op *op, const struct ir_fn *fn, struct ir_value *const operand[3], const float p[4],
              enum ir_type out);

/* Return true if the function takes more than numbers and the values computed so far. */
bool ir_reads_value(const struct ir_epilogue *e);

/* Apply a fused activation (ACT_NONE: nothing). False if memory runs out. */
bool ir_activation(struct ir *ir, struct ir_op *op, enum activation act);

/* ---- shapes ---- */

/* Store the shape under which a tensor is stored (ir_fold_stored). False if a dimension is below 1. */
bool ir_shape_of(const struct tensor *t, struct ir_shape *out);

/* Return true if v is a constant of one element: as an operand of an epilogue it is a number, not a buffer. */
static inline bool ir_is_scalar(const struct ir_value *v)
{
    return v->data && ir_elems(v->shape) == 1;
}

/* Return true if the tensor is made at run time, of integers that stand for reals (quantized.h). */
static inline bool ir_is_quantized(const struct tensor *t)
{
    return !t->is_const && tensor_is_quantized(t);
}

/* Return true if the node makes a 16-bit tensor: its steps are finer than halves, so the node's values are never stored as halves.
 */
static inline bool ir_is_fine(const struct node *n)
{
    return n->n_out && n->out[0] && n->out[0]->type == TYPE_INT16;
}

/* Elements of 64 bits, two words each (int64.h). */
#define IR_TAKES_INT64 (1u << TYPE_INT64 | 1u << TYPE_UINT64 | 1u << TYPE_FLOAT64 | 1u << TYPE_COMPLEX64)

static inline bool ir_is_int64(const struct tensor *t)
{
    return IR_TAKES_INT64 >> t->type & 1;
}

/* Return the type as which lowering sees a tensor: quantized ones as the reals they stand for (constants: ir_in; quantized.h),
 * UINT32 as its bits. */
static inline enum ir_type ir_type_of(const struct tensor *t)
{
    const uint32_t whole = IR_TAKES_INT64 | 1u << TYPE_INT32 | 1u << TYPE_UINT32 | 1u << TYPE_UINT16;
    bool raw = !t->is_const && !t->quant.n && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16);

    return t->type == TYPE_BOOL ? IR_BOOL : raw || whole >> t->type & 1 ? IR_INT : IR_FLOAT;
}

/* ---- for views ---- */

/* Return the value that has the memory in which v lies; v itself if it has its own. */
static inline const struct ir_value *ir_root(const struct ir_value *v)
{
    return v->view.of ? v->view.of : v;
}

/* Return the number of the value's vec4 at these coordinates (at.c counts channels) in the memory of its root. */
uint64_t ir_vector_at(const struct ir_value *v, struct ir_shape at);

/* Return the coordinates, for ir_vector_at, of the last of the value's vectors. Through a map: of all vectors that the map may
 * reach. */
struct ir_shape ir_last(const struct ir_value *v);

/* Return the element to which the map takes number i. */
static inline int32_t ir_axis_at(const struct ir_axis_map *m, int32_t i)
{
    i -= m->before;
    for (int end = 0; end < 2 && m->mirrors; end++)
        i = m->length - 1 - (i >= 0 ? i : m->twice ? ~i : -i);
    return i >> m->shift;
}

/* Return true if the value's slices lie densely: h and w may be one dimension. */
bool ir_is_flat(const struct ir_value *v);

/* ---- for passes ---- */

/* Return the traits of the operation's kind, never NULL. */
const struct ir_traits *ir_traits(const struct ir_op *op);

/* Recompute producer and n_uses of every value. Passes call it after changing edges. */
void ir_link(struct ir *ir);

/* Call fn(arg, &operand) for every value the op reads: inputs, then epilogue operands. */
void ir_each_operand(struct ir_op *op, void (*fn)(void *arg, struct ir_value **operand), void *arg);

/* Take the op out of the list; its outputs keep no producer. */
void ir_remove(struct ir *ir, struct ir_op *op);

/* Close the gaps of the list: take out the places that hold NULL. */
void ir_close_gaps(struct ir *ir);

/* Append an operation that is in no list to the list. False if memory runs out. */
bool ir_append(struct ir *ir, struct ir_op *op);

/* Make `last` store the results of `op`, in its outputs, after its epilogues; op is given up. False if `last` is NULL. */
bool ir_hand_over(const struct ir_op *op, struct ir_op *last);

/* Return a new value for partial results, which is never stored as half. NULL if memory runs out. */
struct ir_value *ir_temp_full(struct ir *ir, enum ir_type type, struct ir_shape shape);

/* Add the nodes of `from` to `op`, which now also computes them. False if memory runs out. */
bool ir_merge_nodes(struct ir *ir, struct ir_op *op, const struct ir_op *from);

/* For ir_traits.join: turn `op` into an operation of that kind, with zeroed attributes, which reads the inputs of `first`. Return
 * the former operation, in no list and without its epilogues, which `op` keeps. NULL if memory runs out. */
struct ir_op *ir_join(struct ir *ir, struct ir_op *op, const struct ir_op *first, const struct ir_kind *kind, size_t attr_size);
