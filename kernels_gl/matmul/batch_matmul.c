/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.c - BATCH_MATMUL: rows are W, columns C. A constant right side without batches makes a 1x1 convolution. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/matmul/product_shared.h"

struct matmul {
    int32_t depth;        /* what is summed over */
    bool adj[2];          /* of x and z */
    struct split_k parts; /* of one loop, over vectors of four along depth */
};

static void bind(struct gl_shader *p, const struct matmul *m)
{
    gl_param(p, "DEPTH", m->depth);
    if (m->adj[0])
        gl_define(p, "ADJ_X", 1);
    if (m->adj[1])
        gl_define(p, "ADJ_Z", 1);
    gl_operands(p, "x z");
}

/* Four neighbouring rows per invocation: each element of z is read once for all of them. */
static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct matmul *m = op->attr;
    struct ir_shape y = op->out->shape;

    gl_source_with(p, batch_matmul_reads_comp, batch_matmul_comp);
    bind(p, m);
    split_k_define(p, &m->parts, (const char *const[]){"1", "1", "((DEPTH + 3) / 4)"});
    gl_grid_of(p, y.b, y.h, (y.w + 3) / 4, ir_slices(y));
}

static struct sum_loops loops(const struct ir_op *op)
{
    return (struct sum_loops){{1, 1, (((const struct matmul *)op->attr)->depth + 3) / 4}};
}

SUM_VARIANTS(matmul)

static struct product product_of(const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;

    return (struct product){.rows = y.w, .slices = ir_slices(y), .depth = loops(op).n[2], .images = y.h, .batches = y.b};
}

static bool fits_shared(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct product all = product_of(op);

    return !((const struct matmul *)op->attr)->parts.n && product_fits_shared(&all, lim);
}

static bool shared_pays(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct product all = product_of(op);

    return product_pays_shared(&all, lim);
}

static void emit_shared(struct gl_shader *p, const struct ir_op *op)
{
    const struct product all = product_of(op);

    gl_source_of(p, (const char *const[]){batch_matmul_reads_comp, batch_matmul_shared_comp, product_shared_comp}, 3);
    bind(p, op->attr);
    product_emit_shared(p, &all);
}

static uint64_t shared_iterations(const struct ir_op *op)
{
    const struct product all = product_of(op);

    return product_shared_passes(&all);
}

static struct ir_op *matmul_new(struct ir *ir, struct ir_value *x, struct ir_value *z, const struct matmul *m, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_batch_matmul, IR_INS(x, z), y, m, sizeof *m);
}

static void exchange(struct ir_op *op, uint32_t i)
{
    struct matmul *m = op->attr;

    m->adj[i] = !m->adj[i];
}

static const struct gl_variant variants[] = {
    {"split", can_split, .expand = split, .pays = is_long},
    {"shared", fits_shared, emit_shared, .iterations = shared_iterations, .pays = shared_pays, .registers = product_registers},
    {"direct", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_batch_matmul = {.name = "batch_matmul",
                                             GL_VARIANTS(variants),
                                             .halves = true,
                                             .products = true,
                                             IR_TRAITS(.matrices = 2, .exchange = exchange)};

struct ir_op *ir_rows_product(struct ir *ir, struct ir_value *x, struct ir_value *z, struct ir_value *y)
{
    const struct matmul m = {.depth = x ? x->shape.c : 0, .adj[1] = true};

    return matmul_new(ir, x, z, &m, y);
}

/* The product as a convolution: [n, k] as the filter of n output channels. */
static bool is_conv(const struct node *n)
{
    const struct opt_batch_matmul *o = n->opt;
    const struct tensor *z = n->in[1];

    return !o->adj_x && z->is_const && !n->in[0]->is_const &&
           tensor_elems(z) == (size_t)z->dim[z->rank - 1] * (size_t)z->dim[z->rank - 2];
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (ir_is_quantized(n->in[0]) && n->in[1]->quant.n > 1)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION,
                          "input 1 has %u scales beside a quantized input, which TFLite's kernel takes for 0", n->in[1]->quant.n);
    return is_conv(n) || gl_storable(lim, n, 0, 2, why);
}

static const float *transposed(struct ir *ir, const float *from, int32_t rows, int32_t cols)
{
    float *to = from ? ARENA_ARRAY(ir->arena, (size_t)rows * (size_t)cols, float) : NULL;

    for (int32_t r = 0; to && r < rows; r++)
        for (int32_t c = 0; c < cols; c++)
            to[(size_t)c * (size_t)rows + (size_t)r] = *from++;
    return to;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_batch_matmul *o = n->opt;
    const struct tensor *z = n->in[1];
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct matmul m = {.adj = {o->adj_x, o->adj_y}};
    struct operands all;

    if (!x || !y)
        return ir_nomem(err);
    if (is_conv(n)) {
        struct ir_window win = {.kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
        const float *w = ir_floats(ir, z);

        if (!o->adj_y)
            w = transposed(ir, w, z->dim[z->rank - 2], z->dim[z->rank - 1]);
        return w && ir_conv(ir, x, &win, w, NULL, y) ? ST_OK : ir_nomem(err);
    }
    all = elementwise_operands(ir, n, 2);
    all.inner = 2;
    if (!elementwise_fold(ir, &all))
        return ir_nomem(err);
    m.depth = o->adj_x ? all.in[0]->shape.w : all.in[0]->shape.c;
    return matmul_new(ir, all.in[0], all.in[1], &m, all.natural) && ir_end_reshape(ir, all.natural, y) ? ST_OK : ir_nomem(err);
}

/* Sums of integers themselves are INT32. */
const struct gl_kernel gl_batch_matmul = {.max_version = 4, .accept = accept, .lower = lower};
