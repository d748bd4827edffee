/* SPDX-License-Identifier: Apache-2.0 */
/* deeplab.c - DeepLab v3: a dilated MobileNet v2, pyramid pooling of the whole image and of each pixel, upsampling. */
#include "bench/models/nets.h"

#define SIZE    257
#define DEPTH   256 /* channels of the pyramid */
#define CLASSES 21

void net_deeplab(struct net *n)
{
    static const int32_t channels[8] = {16, 8, 12, 16, 32, 48, 80, 160}; /* width 0.5 */
    static const char *const names[] = {"ResizeBilinear_3"};
    struct window one = {1, 1, 1};
    int32_t in = layer_input(n, "sub_7", SIZE, SIZE, 3), x = mobilenet_v2_backbone(n, in, channels, 8);
    int32_t size = n->b.st ? 1 : build_at(&n->b, x)->dim[1], branch[2];

    branch[0] = layer_global_pool(n, x, "AvgPool2D/AvgPool");
    branch[0] = layer_conv(n, branch[0], "image_pooling", "image_pooling/Relu", DEPTH, one, ACT_RELU, 1.0f);
    branch[0] = layer_resize(n, branch[0], "ResizeBilinear_1", size, size);
    branch[1] = layer_conv(n, x, "aspp0", "aspp0/Relu", DEPTH, one, ACT_RELU, 1.0f);
    x = layer_concat(n, branch, 2, 3, "concat");
    x = layer_conv(n, x, "concat_projection", "concat_projection/Relu", DEPTH, one, ACT_RELU, 1.0f);
    x = layer_conv(n, x, "logits/semantic", "logits/semantic/BiasAdd", CLASSES, one, ACT_NONE, 2.0f);
    x = layer_resize(n, x, "ResizeBilinear_2", size, size);
    x = layer_resize(n, x, "ResizeBilinear_3", SIZE, SIZE);
    net_finish(n, in, "sub_7", &x, names, 1);
}
