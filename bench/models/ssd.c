/* SPDX-License-Identifier: Apache-2.0 */
/* ssd.c - an SSD detector: MobileNet v1, four extra feature maps, a box and a class head on each of six. */
#include "bench/models/nets.h"

#define MAPS    6
#define CLASSES 91 /* background included */

static const char backbone[] = "FeatureExtractor/MobilenetV1/MobilenetV1";

/* A 1x1 convolution that narrows, then a 3x3 one that halves the image. */
static int32_t extra_map(struct net *n, int32_t x, int index, int32_t narrow, int32_t channels)
{
    static const char base[] = "FeatureExtractor/MobilenetV1/Conv2d_13_pointwise";
    const char *scope = net_name(n, "%s_1_Conv2d_%d_1x1_%d", base, index, narrow);

    x = layer_conv(n, x, scope, net_name(n, "%s/Relu6", scope), narrow, (struct window){1, 1, 1}, ACT_RELU6, 1.0f);
    scope = net_name(n, "%s_2_Conv2d_%d_3x3_s2_%d", base, index, channels);
    return layer_conv(n, x, scope, net_name(n, "%s/Relu6", scope), channels, (struct window){3, 2, 1}, ACT_RELU6, 1.0f);
}

/* One head on one map: `per_anchor` numbers for each of its anchors, as [1, anchors of the map, per_anchor] with `unit`
 * dimensions of 1 before the last. */
static int32_t head(struct net *n, int32_t map, int index, const char *kind, int32_t anchors, int32_t per_anchor, bool is_box)
{
    const char *scope = net_name(n, "BoxPredictor_%d/%s", index, kind);
    const char *reshaped = net_name(n, "BoxPredictor_%d/Reshape%s", index, is_box ? "" : "_1");
    int32_t x = layer_conv(n, map, scope, net_name(n, "%s/BiasAdd", scope), anchors * per_anchor, (struct window){1, 1, 1},
                           ACT_NONE, 1.0f);
    int32_t count;

    if (n->b.st)
        return 0;
    count = build_at(&n->b, x)->dim[1] * build_at(&n->b, x)->dim[2] * anchors;
    if (is_box)
        return layer_reshape(n, x, reshaped, SHAPE(1, count, 1, per_anchor));
    return layer_reshape(n, x, reshaped, SHAPE(1, count, per_anchor));
}

void net_ssd(struct net *n)
{
    static const struct {
        int32_t narrow, channels;
    } extra[] = {{256, 512}, {128, 256}, {128, 256}, {64, 128}};
    static const char *const names[] = {"raw_outputs/box_encodings", "raw_outputs/class_predictions"};
    int32_t map[MAPS], box[MAPS], score[MAPS], out[2], total;
    int32_t in = layer_input(n, "normalized_input_image_tensor", 300, 300, 3);

    map[1] = mobilenet_v1_backbone(n, in, backbone, &map[0]);
    for (int i = 2; i < MAPS; i++)
        map[i] = extra_map(n, map[i - 1], i, extra[i - 2].narrow, extra[i - 2].channels);
    for (int i = 0; i < MAPS; i++) {
        int32_t anchors = i ? 6 : 3;

        box[i] = head(n, map[i], i, "BoxEncodingPredictor", anchors, 4, true);
        score[i] = head(n, map[i], i, "ClassPredictor", anchors, CLASSES, false);
    }
    out[0] = layer_concat(n, box, MAPS, 1, "concat");
    total = n->b.st ? 0 : build_at(&n->b, out[0])->dim[1];
    out[0] = layer_reshape(n, out[0], "Squeeze", SHAPE(1, total, 4));
    out[1] = layer_concat(n, score, MAPS, 1, "concat_1");
    out[1] = layer_logistic(n, out[1], "convert_scores");
    net_finish(n, in, "normalized_input_image_tensor", out, names, 2);
}
