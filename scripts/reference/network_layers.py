# SPDX-License-Identifier: Apache-2.0
"""What the networks of networks.py share, and their table: NETWORKS[name] = (shapes and types of the inputs without the batch,
function of Keras tensors)."""
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
    """What Keras' layer does, but for a product of differences, which TensorFlow Lite has of INT16, in place of the squared one."""
    d = op(lambda t: t - tf.reduce_mean(t, -1, keepdims=True), x)
    scale, offset = (np.random.default_rng(k).normal(1 - k, 0.2, x.shape[-1]).astype(np.float32) for k in (0, 1))
    return op(lambda t: t * tf.math.rsqrt(tf.reduce_mean(t * t, -1, keepdims=True) + 1e-5) * scale + offset, d)


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
