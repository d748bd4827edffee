# SPDX-License-Identifier: Apache-2.0
"""The networks of networks.py: NETWORKS[name] = (shapes and types of the inputs without the batch, function of Keras tensors)."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

NETWORKS = {}
WORDS = 64


def network(*shapes, dtype="float32"):
    def add(function):
        NETWORKS[function.__name__] = ([(shape, dtype) for shape in shapes], function)
        return function
    return add


def op(function, *tensors):
    """An operation of TensorFlow's on Keras tensors."""
    return layers.Lambda(lambda x: function(*x))(list(tensors))


# Layers that several networks have

def act(x, name):
    return layers.Activation(name)(x) if name else x


def conv(x, channels, size=3, stride=1, name="relu", dilation=1):
    x = layers.Conv2D(channels, size, stride, padding="same", dilation_rate=dilation, use_bias=False)(x)
    return act(layers.BatchNormalization()(x), name)


def depthwise(x, size=3, stride=1, name="relu"):
    x = layers.DepthwiseConv2D(size, stride, padding="same", use_bias=False)(x)
    return act(layers.BatchNormalization()(x), name)


def dense(x, units, name=None):
    return layers.Dense(units, activation=name)(x)


def norm(x):
    return layers.LayerNormalization(epsilon=1e-5)(x)


def gelu(x):
    return op(lambda t: tf.nn.gelu(t, approximate=True), x)


def hard_swish(x):
    return op(lambda t: t * tf.nn.relu6(t + 3) * (1 / 6), x)


def squeeze_excite(x, gate=tf.nn.sigmoid):
    channels = x.shape[-1]
    s = layers.GlobalAveragePooling2D(keepdims=True)(x)
    s = layers.Conv2D(channels // 4, 1, activation="relu")(s)
    return layers.Multiply()([x, op(gate, layers.Conv2D(channels, 1)(s))])


def heads_of(x, heads):
    length, width = x.shape[-2:]
    return ops.transpose(ops.reshape(x, (-1, length, heads, width // heads)), (0, 2, 1, 3))


def attention(x, heads=4, mask=None, memory=None):
    memory = x if memory is None else memory
    length, width = x.shape[-2:]
    q, k, v = (heads_of(dense(t, width), heads) for t in (x, memory, memory))
    scores = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) * (width // heads) ** -0.5
    if mask is not None:
        scores = scores + mask
    y = ops.matmul(ops.softmax(scores), v)
    return dense(ops.reshape(ops.transpose(y, (0, 2, 1, 3)), (-1, length, width)), width)


def transformer(x, heads=4, mask=None):
    x = x + attention(norm(x), heads, mask)
    return x + dense(gelu(dense(norm(x), 2 * x.shape[-1])), x.shape[-1])


def embedded(words, width):
    positions = np.random.default_rng(1).normal(0, 0.1, (1, words.shape[1], width)).astype(np.float32)
    return layers.Embedding(WORDS, width, embeddings_initializer="normal")(words) * 20.0 + positions


def scores(x, classes=10):
    return layers.Softmax()(dense(x, classes))


def classifier(x, classes=10):
    return scores(layers.GlobalAveragePooling2D()(x), classes)


# Text and sequences

@network((16,), dtype="int32")
def gpt(words):
    x = embedded(words, 32)
    causal = np.triu(np.full((1, 1, 16, 16), -9, np.float32), 1)
    for _ in range(2):
        x = transformer(x, 4, causal)
    return dense(norm(x), WORDS)


@network((12, 24))
def gru(x):
    return scores(layers.GRU(32, unroll=True)(x))


@network((12, 24))
def lstm(x):
    return dense(layers.LSTM(32, unroll=True)(x), 8)


@network((12, 24))
def lstm_loop(x):
    return dense(layers.LSTM(32)(x), 8)


# Images

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
        x = layers.MaxPooling2D()(x)
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
