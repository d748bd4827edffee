# SPDX-License-Identifier: Apache-2.0
"""Networks of images."""
import numpy as np
import tensorflow as tf
from keras import layers, ops

from network_layers import (
    act, attention, classifier, conv, dense, depthwise, gelu, hard_swish, network,
    norm, op, scores, squeeze_excite, transformer,
)


@network((32, 32, 3))
def mobilenet_v3(x):
    x = hard_swish(conv(x, 16, stride=2, name=None))
    for channels, stride in ((24, 2), (24, 1), (40, 2)):
        y = hard_swish(conv(x, 64, 1, name=None))
        y = squeeze_excite(depthwise(y, 5, stride), lambda t: tf.nn.relu6(t + 3) / 6)
        y = conv(y, channels, 1, name=None)
        x = x + y if x.shape == y.shape else y
    return classifier(hard_swish(conv(x, 64, 1, name=None)))


@network((32, 32, 3))
def yolo(x):
    def silu(t, *a):
        return act(conv(t, *a, name=None), "silu")

    def split(t, channels):
        a, b = op(lambda u: tf.split(u, 2, -1), silu(t, channels, 1))
        return silu(layers.Concatenate()([a, b, b + silu(silu(b, channels // 2), channels // 2)]), channels, 1)

    p1 = split(silu(silu(x, 16, 3, 2), 32, 3, 2), 32)
    p2 = split(silu(p1, 64, 3, 2), 64)
    pool = layers.MaxPooling2D(5, 1, "same")(p2)
    p2 = silu(layers.Concatenate()([p2, pool, layers.MaxPooling2D(5, 1, "same")(pool)]), 64, 1)
    p1 = split(layers.Concatenate()([layers.UpSampling2D(2)(p2), p1]), 32)
    flat = [ops.reshape(layers.Conv2D(8, 1)(p), (1, -1, 8)) for p in (p1, p2)]
    y = layers.Concatenate(axis=1)(flat)
    return op(lambda t: tf.concat([tf.sigmoid(t[..., :2]) * 2 - 0.5, tf.exp(t[..., 2:4]), tf.sigmoid(t[..., 4:])], -1), y)


@network((16, 16, 3))
def swin(x):
    def windows(t):
        height, width, channels = t.shape[1:]
        t = ops.reshape(t, (1, height // 4, 4, width // 4, 4, channels))
        return ops.reshape(ops.transpose(t, (0, 1, 3, 2, 4, 5)), (-1, 16, channels))

    def joined(t, height):
        t = ops.reshape(t, (1, height // 4, height // 4, 4, 4, t.shape[-1]))
        return ops.reshape(ops.transpose(t, (0, 1, 3, 2, 4, 5)), (1, height, height, t.shape[-1]))

    x = norm(layers.Conv2D(32, 2, 2)(x))
    for shift in (0, 2):
        y = ops.roll(norm(x), (-shift, -shift), (1, 2))
        x = x + ops.roll(joined(attention(windows(y), 2), 8), (shift, shift), (1, 2))
        x = x + dense(gelu(dense(norm(x), 64)), 32)
    x = layers.Concatenate()([x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)])
    return classifier(norm(dense(norm(x), 48)))


@network((32, 32, 3))
def pix2pix(x):
    skips = []
    for channels in (16, 32, 64):
        x = layers.LeakyReLU(negative_slope=0.2)(conv(x, channels, 4, 2, None))
        skips.append(x)
    for channels, skip in zip((32, 16), skips[-2::-1]):
        x = layers.Conv2DTranspose(channels, 4, 2, "same", use_bias=False)(x)
        x = layers.Concatenate()([act(layers.BatchNormalization()(x), "relu"), skip])
    return layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh")(x)


@network((32, 32, 3))
def unet(x):
    skips = []
    for channels in (8, 16):
        x = conv(conv(x, channels), channels)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = conv(x, 32)
    for skip in reversed(skips):
        x = layers.Conv2DTranspose(skip.shape[-1], 2, 2, "same")(x)
        x = conv(layers.Concatenate()([x, skip]), skip.shape[-1])
    return layers.Conv2D(1, 1, activation="sigmoid")(x)


@network((32, 32, 3))
def resnet(x):
    x = conv(x, 16)
    for channels, stride in ((16, 1), (32, 2), (64, 2)):
        y = conv(conv(x, channels, 3, stride), channels, name=None)
        x = layers.ReLU()(y + (x if stride == 1 else conv(x, channels, 1, stride, None)))
    return classifier(x)


@network((32, 32, 3))
def densenet(x):
    x = conv(x, 16)
    for _ in range(2):
        for _ in range(3):
            y = act(layers.BatchNormalization()(x), "relu")
            x = layers.Concatenate()([x, layers.Conv2D(12, 3, padding="same")(y)])
        x = layers.AveragePooling2D(2)(layers.Conv2D(24, 1)(x))
    return classifier(x)


@network((32, 32, 3))
def squeezenet(x):
    x = layers.MaxPooling2D(3, 2)(layers.Conv2D(32, 3, 2, activation="relu")(x))
    for channels in (8, 12):
        s = layers.Conv2D(channels, 1, activation="relu")(x)
        x = layers.Concatenate()([layers.Conv2D(4 * channels, size, padding="same", activation="relu")(s) for size in (1, 3)])
    return layers.Softmax()(layers.GlobalAveragePooling2D()(layers.Conv2D(10, 1, activation="relu")(x)))


@network((32, 32, 3))
def shufflenet(x):
    def shuffled(t):
        height, width, channels = t.shape[1:]
        t = ops.transpose(ops.reshape(t, (-1, height, width, 2, channels // 2)), (0, 1, 2, 4, 3))
        return ops.reshape(t, (-1, height, width, channels))

    x = conv(x, 32, 3, 2)
    for _ in range(2):
        a, b = op(lambda t: tf.split(t, 2, -1), x)
        x = shuffled(layers.Concatenate()([a, conv(depthwise(conv(b, 16, 1), name=None), 16, 1)]))
    x = layers.Conv2D(32, 3, groups=4, padding="same", activation="relu")(x)
    return classifier(x)


@network((32, 32, 3))
def inception(x):
    x = conv(x, 16, 3, 2)
    pool = conv(layers.AveragePooling2D(3, 1, "same")(x), 8, 1)
    wide = conv(conv(conv(x, 8, 1), 12, (1, 7)), 12, (7, 1))
    x = layers.Concatenate()([conv(x, 16, 1), conv(conv(x, 8, 1), 16), wide, pool])
    return classifier(layers.MaxPooling2D(3, 2)(x))


@network((32, 32, 3))
def efficientnet(x):
    x = act(conv(x, 16, 3, 2, None), "silu")
    for stride in (1, 2):
        y = act(conv(x, 48, 1, name=None), "silu")
        y = squeeze_excite(depthwise(y, 5, stride, "silu"))
        y = conv(y, 16, 1, name=None)
        x = x + y if stride == 1 else y
    return classifier(x)


@network((32, 32, 3))
def ghostnet(x):
    x = conv(x, 16, 3, 2)
    for _ in range(2):
        y = conv(x, 12, 1)
        y = layers.Concatenate()([y, depthwise(y)])
        y = squeeze_excite(y, lambda t: tf.clip_by_value(t + 0.5, 0, 1))
        x = x + conv(y, 16, 1, name=None)
    return classifier(x)


@network((32, 32, 3))
def convnext(x):
    x = norm(layers.Conv2D(32, 4, 4)(x))
    for _ in range(2):
        y = norm(layers.DepthwiseConv2D(7, padding="same")(x))
        x = x + dense(gelu(dense(y, 64)), 32) * 0.5
    return classifier(x)


@network((32, 32, 3))
def vit(x):
    x = ops.reshape(layers.Conv2D(32, 8, 8)(x), (-1, 16, 32))
    token = op(lambda t: tf.zeros_like(t[:, :1]) + 0.1, x)
    x = layers.Concatenate(axis=1)([token, x])
    for _ in range(2):
        x = transformer(x)
    return scores(norm(x)[:, 0])


@network((32, 32, 3))
def mlp_mixer(x):
    x = ops.reshape(layers.Conv2D(32, 8, 8)(x), (-1, 16, 32))
    y = ops.transpose(norm(x), (0, 2, 1))
    x = x + ops.transpose(dense(gelu(dense(y, 64)), 16), (0, 2, 1))
    x = x + dense(gelu(dense(norm(x), 64)), 32)
    return scores(layers.GlobalAveragePooling1D()(norm(x)))


@network((33, 33, 3))
def deeplab(x):
    x = conv(conv(x, 16, 3, 2), 32, 3, 2)
    branches = [conv(x, 16, 1)] + [conv(x, 16, 3, dilation=rate) for rate in (2, 4)]
    pool = conv(layers.GlobalAveragePooling2D(keepdims=True)(x), 16, 1)
    branches.append(op(lambda t: tf.image.resize(t, (9, 9)), pool))
    x = layers.Conv2D(5, 1)(conv(layers.Concatenate()(branches), 16, 1))
    return op(lambda t: tf.image.resize(t, (33, 33)), x)


@network((33, 33, 3))
def segmentation(x):
    """Which class each pixel has: ARG_MAX."""
    x = op(lambda t: tf.compat.v1.image.resize_bilinear(t, (17, 17), align_corners=True), conv(x, 16, 3, 2))
    return op(lambda t: tf.argmax(t, -1, tf.int32), layers.Conv2D(6, 3, padding="same")(x))


@network((16, 16, 3))
def super_resolution(x):
    y = layers.Conv2D(32, 5, padding="same", activation="tanh")(x)
    y = layers.Conv2D(12, 3, padding="same")(layers.Conv2D(32, 3, padding="same", activation="relu")(y))
    y = op(lambda t: tf.nn.depth_to_space(t, 2), y)
    return y + op(lambda t: tf.compat.v1.image.resize_nearest_neighbor(t, (32, 32)), x)


@network((32, 32, 3))
def hourglass(x):
    x = conv(op(lambda t: tf.nn.space_to_depth(t, 2), x), 24)
    low = conv(layers.MaxPooling2D(2)(x), 24)
    x = x + layers.UpSampling2D(2, interpolation="bilinear")(conv(low, 24))
    return layers.Conv2D(7, 1)(x)


@network((32, 32, 3))
def face_net(x):
    """PRELU, and an embedding of length 1."""
    def prelu(t):
        return layers.PReLU("random_uniform", shared_axes=[1, 2])(t)

    x = prelu(conv(x, 16, 3, 2, None))
    x = prelu(x + conv(prelu(conv(x, 16, name=None)), 16, name=None))
    x = layers.DepthwiseConv2D(16, use_bias=False)(x)
    return op(lambda t: tf.math.l2_normalize(t, -1), dense(layers.Flatten()(x), 64))


@network((32, 32, 3))
def style_transfer(x):
    def instance_norm(t):
        mean = op(lambda u: tf.reduce_mean(u, (1, 2), keepdims=True), t)
        variance = op(lambda u, m: tf.reduce_mean((u - m) * (u - m), (1, 2), keepdims=True), t, mean)
        return op(lambda u, m, v: (u - m) * tf.math.rsqrt(v + 1e-3), t, mean, variance)

    def padded(t, size):
        return op(lambda u: tf.pad(u, [[0, 0], [size, size], [size, size], [0, 0]], "REFLECT"), t)

    x = layers.ReLU()(instance_norm(layers.Conv2D(16, 9)(padded(x, 4))))
    x = layers.ReLU()(instance_norm(layers.Conv2D(24, 3, 2)(padded(x, 1))))
    x = x + instance_norm(layers.Conv2D(24, 3)(padded(x, 1)))
    x = layers.UpSampling2D(2)(x)
    return act(layers.Conv2D(3, 9)(padded(x, 4)), "sigmoid") * 255.0


@network((32, 32, 3))
def ssd(x):
    x = layers.ReLU(6)(conv(x, 16, 3, 2, None))
    maps = [layers.ReLU(6)(conv(x, 24, 3, 2, None))]
    maps.append(layers.ReLU(6)(conv(maps[0], 32, 3, 2, None)))
    boxes = [ops.reshape(layers.Conv2D(8, 3, padding="same")(m), (1, -1, 4)) for m in maps]
    classes = [ops.reshape(layers.Conv2D(10, 3, padding="same")(m), (1, -1, 5)) for m in maps]
    return [layers.Concatenate(axis=1)(boxes), act(layers.Concatenate(axis=1)(classes), "sigmoid")]


@network((32, 32, 3))
def center_net(x):
    """Peaks: those equal to the largest of their neighbours."""
    x = act(layers.Conv2D(4, 1)(conv(conv(x, 16, 3, 2), 32)), "sigmoid")
    peaks = layers.MaxPooling2D(3, 1, "same")(x)
    return op(lambda t, p: tf.where(t >= p, t, tf.zeros_like(t)), x, peaks)


@network((20, 20, 1))
def capsules(x):
    x = ops.reshape(layers.Conv2D(32, 5, 3, activation="relu")(x), (1, -1, 8))
    squared = op(lambda t: tf.reduce_sum(tf.square(t), -1, keepdims=True), x)
    x = op(lambda t, s: t * s / ((1 + s) * tf.sqrt(s + 1e-4)), x, squared)
    return dense(layers.Flatten()(x), 10, "softmax")


@network((16, 16, 16, 1))
def video(x):
    x = layers.Conv3D(8, 3, 2, "same", activation="relu")(x)
    x = layers.Conv3D(16, 3, 2, "same", activation="relu")(x)
    return scores(ops.mean(x, (1, 2, 3)))


@network((4, 12, 12, 2))
def conv_lstm(x):
    return layers.ConvLSTM2D(8, 3, padding="same", unroll=True)(x)


@network((32, 32, 3), (32, 32, 3))
def siamese(a, b):
    shared = [layers.Conv2D(16, 3, 2, activation="relu"), layers.Flatten(), layers.Dense(32)]
    for layer in shared:
        a, b = layer(a), layer(b)
    return act(dense(op(lambda s, t: tf.abs(s - t), a, b), 1), "sigmoid")


@network((49, 10, 1))
def keywords(x):
    x = conv(x, 32, (10, 4), 2)
    for _ in range(2):
        x = conv(depthwise(x), 32, 1)
    return classifier(x, 12)


@network((24, 24, 4))
def dueling_dqn(x):
    x = layers.Flatten()(layers.Conv2D(32, 4, 2, activation="relu")(layers.Conv2D(16, 8, 4, activation="relu")(x)))
    value, advantage = dense(dense(x, 32, "relu"), 1), dense(dense(x, 32, "relu"), 6)
    return op(lambda v, a: v + a - tf.reduce_mean(a, -1, keepdims=True), value, advantage)


@network((24, 24, 3))
def mask_net(x):
    """Comparisons, logic, casts, reversal, cumulative sums."""
    x = conv(x, 8)
    y = layers.Conv2D(8, 3, padding="same")(x)
    kept = op(lambda a, b: tf.cast(tf.logical_and(a > 0.2, tf.logical_not(b > 1.0)), tf.float32), x, y)
    x = op(lambda a, m: tf.reverse(a * m, (2,)), y, kept)
    return op(lambda a: tf.cumsum(tf.reduce_mean(a, 1), 1), x)


@network((4, 12, 12, 16))
def temporal_shift(x):
    """Channels moved between frames: PAD, SLICE, CONCATENATION."""
    x = x[0]
    later = op(lambda t: tf.pad(t[:-1, ..., :4], [[1, 0], [0, 0], [0, 0], [0, 0]]), x)
    earlier = op(lambda t: tf.pad(t[1:, ..., 4:8], [[0, 1], [0, 0], [0, 0], [0, 0]]), x)
    x = x + conv(layers.Concatenate()([later, earlier, x[..., 8:]]), 16)
    return scores(ops.mean(layers.GlobalAveragePooling2D()(x), 0, keepdims=True))


@network((16, 16, 3))
def mobilevit(x):
    x = act(conv(x, 24, 3, 2, None), "silu")
    y = ops.reshape(ops.transpose(ops.reshape(x, (1, 4, 2, 4, 2, 24)), (0, 2, 4, 1, 3, 5)), (4, 16, 24))
    y = transformer(transformer(y))
    y = ops.reshape(ops.transpose(ops.reshape(y, (1, 2, 2, 4, 4, 24)), (0, 3, 1, 4, 2, 5)), (1, 8, 8, 24))
    return classifier(act(conv(layers.Concatenate()([x, y]), 32, name=None), "silu"))


@network((17, 19, 5))
def odd_sizes(x):
    """Channels, strides and windows that fit nowhere."""
    x = layers.LeakyReLU(negative_slope=0.1)(layers.Conv2D(13, 4, (3, 2), "same")(x))
    y = layers.AveragePooling2D(3, 2, "same")(x)
    z = layers.MaxPooling2D((2, 3), 2, "same")(x)
    x = layers.SeparableConv2D(30, 3, depth_multiplier=3, activation="relu6")(layers.Concatenate()([y, z]))
    x = layers.Conv2DTranspose(7, 3, (2, 3), "valid")(x)
    return dense(layers.Flatten()(x), 11)


@network((20, 20, 3))
def coordinates(x):
    """Places as channels, and their mean by weight."""
    y, z = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(-1, 1, 20))
    grid = np.stack([y, z], -1)[None].astype(np.float32)
    x = conv(op(lambda t: tf.concat([t, tf.constant(grid)], -1), x), 16)
    maps = ops.reshape(layers.Conv2D(6, 3, padding="same")(x), (1, 400, 6))
    weights = op(lambda t: tf.nn.softmax(tf.transpose(t, (0, 2, 1))), maps)
    return op(lambda t: tf.matmul(t, tf.constant(grid.reshape(1, 400, 2))), weights)
