/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_stored.c - FULLY_CONNECTED with weights in another order: sparse, or shuffled in blocks of 4 units x 16. */
#include <stdlib.h>
#include <string.h>

#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/ops/densify.h"

enum { BLOCK_UNITS = 4, BLOCK_DEPTH = 16 };

static bool shuffled(const struct node *n)
{
    const struct opt_fully_connected *o = n->opt;

    return o->weights_format != FC_WEIGHTS_DEFAULT;
}

bool fc_stored(const struct node *n)
{
    return shuffled(n) || n->in[FC_FILTER]->sparsity;
}

/* Rows of blocks of 1 x 16: the one sparse form of INT8 that TFLite's kernels read. */
static bool rows_of_16(const struct sparsity *s)
{
    return s->n_dims == 3 && !s->dims[0].csr && s->dims[1].csr && !s->dims[2].csr && s->dims[2].dense_size == 16 &&
           s->traversal_order[0] == 0 && s->n_block_map == 1 && s->block_map[0] == 1;
}

static enum status sparse_check(const struct node *n, struct err *err)
{
    const struct tensor *input = n->in[FC_INPUT], *filter = n->in[FC_FILTER];

    if (filter->type == TYPE_FLOAT32)
        return ST_OK;
    if (filter->type != TYPE_INT8 || input->type == TYPE_INT16)
        return err_set(err, ST_UNSUPPORTED, "sparse weights of type %s with an input of type %s", type_name(filter->type),
                       type_name(input->type));
    if (!rows_of_16(filter->sparsity))
        return err_set(err, ST_UNSUPPORTED, "sparse INT8 weights must be rows of blocks of 1 x 16");
    return ST_OK;
}

static enum status shuffled_check(const struct node *n, struct fc_shape s, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *input = n->in[FC_INPUT], *filter = n->in[FC_FILTER];

    if (o->weights_format != FC_WEIGHTS_SHUFFLED_4X16_INT8)
        return err_set(err, ST_UNSUPPORTED, "weights in format %d", (int)o->weights_format);
    if (input->type != TYPE_UINT8 || filter->type != TYPE_UINT8 || n->out[0]->type != TYPE_INT16)
        return err_set(err, ST_BAD_MODEL, "shuffled weights are for UINT8 times UINT8 to INT16, not %s, %s, %s",
                       type_name(input->type), type_name(filter->type), type_name(n->out[0]->type));
    if (!filter->is_const || filter->sparsity || !node_in(n, FC_BIAS))
        return err_set(err, ST_UNSUPPORTED, "shuffled weights must be a dense constant, and have a bias");
    if (n->n_out < 2 || n->out[1]->type != TYPE_UINT8)
        return err_set(err, ST_BAD_MODEL, "shuffled weights want a second output of type UINT8");
    if (quant_zero(input) != 128 || quant_zero(n->out[0]))
        return err_set(err, ST_UNSUPPORTED, "shuffled weights want the zero points 128 and 0, not %d and %d",
                       (int)quant_zero(input), (int)quant_zero(n->out[0]));
    if ((s.batch != 1 && s.batch != 4) || s.units % BLOCK_UNITS || s.depth % BLOCK_DEPTH)
        return err_set(err, ST_UNSUPPORTED,
                       "shuffled weights are for 1 or 4 rows, units in fours and depth in sixteens, not "
                       "%zu, %zu, %zu",
                       s.batch, s.units, s.depth);
    return ST_OK;
}

static void unshuffle(const uint8_t *from, struct fc_shape s, uint8_t *to)
{
    for (size_t unit = 0; unit < s.units; unit += BLOCK_UNITS)
        for (size_t k = 0; k < s.depth; k += BLOCK_DEPTH)
            for (size_t i = 0; i < BLOCK_UNITS; i++, from += BLOCK_DEPTH)
                memcpy(to + (unit + i) * s.depth + k, from, BLOCK_DEPTH);
}

enum status fc_stored_check(const struct node *n, struct fc_shape s, struct err *err)
{
    return shuffled(n) ? shuffled_check(n, s, err) : sparse_check(n, err);
}

void fc_plain_node(const struct node *n, struct fc_shape s, void *data, struct fc_plain_node *out)
{
    const struct tensor *filter = n->in[FC_FILTER];

    *out = (struct fc_plain_node){.node = *n,
                                  .filter = *filter,
                                  .in = {n->in[FC_INPUT], &out->filter, node_in(n, FC_BIAS)},
                                  .opt = *(const struct opt_fully_connected *)n->opt};
    out->opt.weights_format = FC_WEIGHTS_DEFAULT;
    out->node.in = out->in;
    out->node.n_out = 1;
    out->node.opt = &out->opt;
    out->filter.data = data;
    out->filter.sparsity = NULL;
    if (!shuffled(n)) {
        densify(filter, data);
        return;
    }
    unshuffle(filter->data, s, data);
    out->filter.type = TYPE_INT8;
    out->filter.quant.zero_point = NULL;
}

enum status fc_stored_prepare(struct cpu_call *c, struct fc_shape s, const struct fc_impl *impl, struct err *err)
{
    const size_t bytes = c->node->in[FC_FILTER]->bytes;
    struct node *node = c->node;
    struct fc_plain_node plain;
    void *data;
    enum status st = fc_stored_check(node, s, err);

    if (st)
        return st;
    if (!(data = malloc(bytes + 1)))
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes of dense weights", bytes);
    fc_plain_node(node, s, data, &plain);
    s.fixed_point = true;
    c->node = &plain.node;
    st = impl->prepare(c, s, err);
    c->node = node;
    free(data);
    return st;
}

void fc_shuffle_input(const struct cpu_call *c)
{
    const uint8_t *x = c->node->in[FC_INPUT]->data;
    uint8_t *to = c->node->out[1]->data;
    size_t rows = (size_t)c->node->out[1]->dim[0], depth = (size_t)c->node->out[1]->dim[1];

    for (size_t k = 0; k < depth; k += BLOCK_DEPTH)
        for (size_t row = 0; row < rows; row++)
            for (size_t i = 0; i < BLOCK_DEPTH; i++)
                *to++ = x[row * depth + k + i] ^ 0x80;
}
