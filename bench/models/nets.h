/* SPDX-License-Identifier: Apache-2.0 */
/* nets.h - the demo networks. Each function fills the net's builder, with inputs, outputs and signature. */
#pragma once

#include "bench/models/layers.h"

void net_mobilenet_v1(struct net *n); /* MobileNet v1 1.0, 224x224, 1001 classes */
void net_mobilenet_v2(struct net *n); /* MobileNet v2 1.0, 224x224, 1001 classes */
void net_ssd(struct net *n);          /* SSD on MobileNet v1 1.0, 300x300, 91 classes, 1917 anchors; no box decoding */
void net_deeplab(struct net *n);      /* DeepLab v3 on MobileNet v2 0.5, 257x257, 21 classes, output stride 8 */

/* Add the layers of MobileNet v1 from Conv2d_0 to Conv2d_13_pointwise, with names beginning with `scope`. Returns the last output;
 * *middle is that of Conv2d_11_pointwise, the last one of its resolution. */
int32_t mobilenet_v1_backbone(struct net *n, int32_t x, const char *scope, int32_t *middle);

/* Add the 17 blocks of MobileNet v2 up to expanded_conv_16. `channels` are the widths of the stem and of the 7 stages. Beyond an
 * output stride of `max_stride`, strides become dilations. */
int32_t mobilenet_v2_backbone(struct net *n, int32_t x, const int32_t channels[8], int32_t max_stride);

/* Set inputs, outputs, signature "serving_default" and metadata of a finished network. */
void net_finish(struct net *n, int32_t input, const char *input_name, const int32_t *outputs, const char *const *output_names,
                uint32_t n_outputs);
