/* SPDX-License-Identifier: Apache-2.0 */
/* mobilenet.c - MobileNet v1 and v2, whole and as backbones. */
#include "bench/models/nets.h"

#define CLASSES 1001

void net_finish(struct net *n, int32_t input, const char *input_name, const int32_t *outputs, const char *const *output_names,
                uint32_t n_outputs)
{
    /* As the converter writes it: text in 16 bytes, the rest zero. */
    static const char min_runtime_version[16] = "1.5.0";

    build_ends(&n->b, INDICES(input), outputs, n_outputs);
    build_signature(&n->b, "serving_default", &input_name, output_names);
    build_metadata(&n->b, "min_runtime_version", min_runtime_version, sizeof min_runtime_version);
}

/* Pooling, logits and softmax of a classifier. The gain spreads the logits so far that classes differ and none takes all. */
static int32_t classifier(struct net *n, int32_t x, const char *scope, const char *pool, const char *squeeze, float gain)
{
    struct window one = {1, 1, 1};

    x = layer_global_pool(n, x, net_name(n, "%s/Logits/%s", scope, pool));
    x = layer_conv(n, x, net_name(n, "%s/Logits/Conv2d_1c_1x1", scope), net_name(n, "%s/Logits/Conv2d_1c_1x1/BiasAdd", scope),
                   CLASSES, one, ACT_NONE, gain);
    x = layer_squeeze(n, x, net_name(n, "%s/Logits/%s", scope, squeeze));
    return layer_softmax(n, x, net_name(n, "%s/Predictions/Reshape_1", scope));
}

int32_t mobilenet_v1_backbone(struct net *n, int32_t x, const char *scope, int32_t *middle)
{
    static const struct {
        int32_t stride, channels;
    } block[14] = {
        {0},      {1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512},
        {1, 512}, {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024},
    };
    struct window one = {1, 1, 1};

    x = layer_conv(n, x, net_name(n, "%s/Conv2d_0", scope), net_name(n, "%s/Conv2d_0/Relu6", scope), 32, (struct window){3, 2, 1},
                   ACT_RELU6, 1.0f);
    for (int i = 1; i < 14; i++) {
        const char *dw = net_name(n, "%s/Conv2d_%d_depthwise", scope, i);
        const char *pw = net_name(n, "%s/Conv2d_%d_pointwise", scope, i);

        x = layer_depthwise(n, x, dw, net_name(n, "%s/Relu6", dw), (struct window){3, block[i].stride, 1}, ACT_RELU6);
        x = layer_conv(n, x, pw, net_name(n, "%s/Relu6", pw), block[i].channels, one, ACT_RELU6, 1.0f);
        if (i == 11 && middle)
            *middle = x;
    }
    return x;
}

void net_mobilenet_v1(struct net *n)
{
    static const char *const outputs[] = {"predictions"};
    int32_t in = layer_input(n, "input", 224, 224, 3);
    int32_t x = mobilenet_v1_backbone(n, in, "MobilenetV1/MobilenetV1", NULL);

    x = classifier(n, x, "MobilenetV1", "AvgPool_1a/AvgPool", "SpatialSqueeze", 4.0f);
    net_finish(n, in, "input", &x, outputs, 1);
}

/* An inverted residual block: expand, depthwise, project, and the input added where the shapes allow. */
static int32_t inverted_residual(struct net *n, int32_t x, int index, int32_t expansion, int32_t in_channels, int32_t channels,
                                 struct window win)
{
    const char *scope = index ? net_name(n, "MobilenetV2/expanded_conv_%d", index) : "MobilenetV2/expanded_conv";
    const char *part = net_name(n, "%s/expand", scope);
    struct window one = {1, 1, 1};
    int32_t y = x;

    if (expansion > 1)
        y = layer_conv(n, y, part, net_name(n, "%s/Relu6", part), expansion * in_channels, one, ACT_RELU6, 1.0f);
    part = net_name(n, "%s/depthwise", scope);
    y = layer_depthwise(n, y, part, net_name(n, "%s/Relu6", part), win, ACT_RELU6);
    part = net_name(n, "%s/project", scope);
    y = layer_conv(n, y, part, net_name(n, "%s/BatchNorm/FusedBatchNorm", part), channels, one, ACT_NONE, 1.0f);
    if (win.stride > 1 || in_channels != channels)
        return y;
    return layer_add(n, y, x, net_name(n, "%s/add", scope));
}

int32_t mobilenet_v2_backbone(struct net *n, int32_t x, const int32_t channels[8], int32_t max_stride)
{
    static const struct {
        int32_t expansion, blocks, stride;
    } stage[7] = {
        {1, 1, 1}, {6, 2, 2}, {6, 3, 2}, {6, 4, 2}, {6, 3, 1}, {6, 3, 2}, {6, 1, 1},
    };
    int32_t stride = 2, dilation = 1, width = channels[0];
    int index = 0;

    x = layer_conv(n, x, "MobilenetV2/Conv", "MobilenetV2/Conv/Relu6", width, (struct window){3, 2, 1}, ACT_RELU6, 1.0f);
    for (int s = 0; s < 7; s++)
        for (int32_t i = 0; i < stage[s].blocks; i++) {
            struct window win = {3, i ? 1 : stage[s].stride, dilation};

            if (win.stride > 1 && stride >= max_stride) {
                win.stride = 1;
                dilation *= 2; /* for the blocks after this one */
            }
            stride *= win.stride;
            x = inverted_residual(n, x, index++, stage[s].expansion, width, channels[s + 1], win);
            width = channels[s + 1];
        }
    return x;
}

void net_mobilenet_v2(struct net *n)
{
    static const int32_t channels[8] = {32, 16, 24, 32, 64, 96, 160, 320};
    static const char *const outputs[] = {"predictions"};
    int32_t in = layer_input(n, "input", 224, 224, 3);
    int32_t x = mobilenet_v2_backbone(n, in, channels, 32);

    x = layer_conv(n, x, "MobilenetV2/Conv_1", "MobilenetV2/Conv_1/Relu6", 1280, (struct window){1, 1, 1}, ACT_RELU6, 1.0f);
    x = classifier(n, x, "MobilenetV2", "AvgPool", "Squeeze", 1.5f);
    net_finish(n, in, "input", &x, outputs, 1);
}
