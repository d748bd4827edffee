# SPDX-License-Identifier: Apache-2.0
"""Networks of text, sequences, sounds and tables."""
import numpy as np
import tensorflow as tf
from keras import layers, ops

from network_layers import WORDS, act, attention, conv, dense, embedded, gelu, heads_of, network, norm, op, scores, transformer


@network((16, 32))
def gpt(x):
    """Of words that were embedded before: the converter makes no 16x8 of a network that reads INT32."""
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


@network((16, 16, 3))
def autoencoder(x):
    shape = x.shape[1:]
    x = dense(dense(layers.Flatten()(x), 32, "relu"), 8)
    x = dense(dense(x, 32, "relu"), int(np.prod(shape)), "sigmoid")
    return ops.reshape(x, (-1, *shape))


@network((16, 16, 1), (8,))
def vae(x, noise):
    x = dense(layers.Flatten()(conv(x, 8, 3, 2)), 32, "elu")
    mean, log_variance = dense(x, 8), dense(x, 8)
    z = op(lambda m, v, n: m + tf.exp(0.5 * v) * n, mean, log_variance, noise)
    return dense(dense(z, 64, "relu"), 256, "sigmoid")


@network((12, 24))
def bidirectional(x):
    return scores(layers.Bidirectional(layers.GRU(16, return_sequences=True, unroll=True))(x), 6)


@network((12, 24))
def rnn(x):
    return dense(layers.SimpleRNN(32, return_sequences=True, unroll=True)(x), 8)


@network((16,), dtype="int32")
def bert(words):
    x = layers.LayerNormalization()(embedded(words, 32))
    for _ in range(2):
        x = layers.LayerNormalization()(x + attention(x))
        x = layers.LayerNormalization()(x + dense(gelu(dense(x, 64)), 32))
    return dense(dense(x[:, 0], 32, "tanh"), 3)


@network((16,), dtype="int32")
def llama(words):
    """Root mean squares, positions by rotation, gated units."""
    angle = np.arange(16)[:, None] / 100 ** (np.arange(4) / 4)
    cos, sin = (np.concatenate([f(angle)] * 2, -1).astype(np.float32) for f in (np.cos, np.sin))
    causal = np.triu(np.full((1, 1, 16, 16), -9, np.float32), 1)

    def rms(t):
        return op(lambda u: u * tf.math.rsqrt(tf.reduce_mean(tf.square(u), -1, keepdims=True) + 1e-5), t)

    def rotated(t):
        return op(lambda u: u * cos + tf.concat([-u[..., 4:], u[..., :4]], -1) * sin, heads_of(t, 4))

    x = embedded(words, 32)
    y = rms(x)
    q, k, v = rotated(dense(y, 32)), rotated(dense(y, 32)), heads_of(dense(y, 32), 4)
    y = ops.matmul(ops.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) * 8 ** -0.5 + causal), v)
    x = x + dense(ops.reshape(ops.transpose(y, (0, 2, 1, 3)), (-1, 16, 32)), 32)
    y = rms(x)
    return dense(rms(x + dense(dense(y, 64, "silu") * dense(y, 64), 32)), WORDS)


@network((16,), dtype="int32")
def text_cnn(words):
    x = layers.Embedding(WORDS, 24)(words) * 20.0
    found = [layers.GlobalMaxPooling1D()(layers.Conv1D(16, size, activation="relu")(x)) for size in (2, 3, 4)]
    return scores(layers.Concatenate()(found), 4)


@network((8, 32), (12, 32))
def decoder(queries, memory):
    x = norm(queries + attention(queries))
    x = norm(x + attention(x, memory=memory))
    x = norm(x + dense(dense(x, 64, "relu"), 32))
    return [dense(x, 6), act(dense(dense(x, 32, "relu"), 4), "sigmoid")]


@network((16,), (6,), dtype="int32")
def recommender(history, items):
    table = layers.Embedding(WORDS, 24)
    user = dense(layers.GlobalAveragePooling1D()(table(history) * 20.0), 24, "relu")
    return op(lambda u, t: tf.matmul(t, u[:, :, None])[..., 0], user, table(items) * 20.0)


@network((64, 8))
def wavenet(x):
    x = layers.Conv1D(24, 2, padding="causal")(x)
    skip = 0
    for rate in (1, 2, 4):
        gates = [layers.Conv1D(24, 2, padding="causal", dilation_rate=rate, activation=a)(x) for a in ("tanh", "sigmoid")]
        y = layers.Conv1D(24, 1)(layers.Multiply()(gates))
        x, skip = x + y, y + skip
    return layers.Conv1D(16, 1)(layers.ReLU()(skip))


@network((512,))
def spectrum(x):
    """Frames, a transform as a product of matrices, logarithms."""
    bins = np.exp(-2j * np.pi * np.outer(np.arange(64), np.arange(32)) / 64).astype(np.complex64)
    x = op(lambda t: tf.reshape(t, (1, 8, 64)) * np.hanning(64).astype(np.float32), x)
    real, imaginary = (op(lambda t, m=m: tf.matmul(t, m[None]), x) for m in (bins.real.copy(), bins.imag.copy()))
    power = op(lambda a, b: tf.math.log(tf.square(a) + tf.square(b) + 1e-2), real, imaginary)
    return scores(layers.Flatten()(dense(power, 16, "relu")), 8)


@network((64, 3))
def point_net(x):
    x = dense(dense(x, 32, "relu"), 64, "relu")
    x = layers.GlobalMaxPooling1D()(x)
    return scores(dense(x, 32, "relu"), 8)


@network((8, 32))
def experts(x):
    """The two best of four, chosen for each token: TOPK_V2, ONE_HOT."""
    gates = layers.Softmax()(dense(x, 4))
    chosen = op(lambda g: tf.reduce_max(tf.one_hot(tf.math.top_k(g, 2)[1], 4), -2), gates)
    gates = layers.Multiply()([gates, chosen])
    parts = [dense(dense(x, 64, "relu"), 32) for _ in range(4)]
    return op(lambda g, *p: tf.add_n([g[..., k:k + 1] * p[k] for k in range(4)]), gates, *parts)


@network((1000,))
def tabular(x):
    """SELU, ELU, softplus and softsign, maxima and minima."""
    x = dense(x, 32, "selu")
    x = layers.Concatenate()([dense(x, 32, a) for a in ("elu", "softplus", "softsign")])
    a, b = dense(x, 32), dense(x, 32)
    x = layers.Concatenate()([layers.Maximum()([a, b]), layers.Minimum()([a, b]), layers.Average()([a, b])])
    return dense(x, 3)


@network((24, 24, 8))
def graph_net(x):
    """Scores between all pairs, an exponential normalized by a sum and a division."""
    x = ops.reshape(layers.Conv2D(16, 4, 4)(x), (1, 36, 16))
    near = op(lambda t: tf.exp(-4 * tf.reduce_mean(tf.math.squared_difference(t[:, :, None], t[:, None]), -1)), x)
    near = op(lambda t: t / (tf.reduce_mean(t, -1, keepdims=True) * 36 + 1e-3), near)
    return dense(layers.GlobalAveragePooling1D()(dense(ops.matmul(near, x), 32, "relu")), 4)


@network((16,), dtype="int32")
def keras_gpt(words):
    """Keras' own attention, whose mask adds the least float, and normalization."""
    x = embedded(words, 32)
    x = x + layers.MultiHeadAttention(2, 16)(layers.LayerNormalization()(x), x, use_causal_mask=True)
    x = x + dense(dense(layers.LayerNormalization()(x), 64, "relu"), 32)
    return op(tf.nn.log_softmax, dense(x, WORDS))


@network((32, 3))
def nerf(x):
    """Sines and cosines of places."""
    turns = op(lambda t: tf.concat([f(t * 2.0 ** k) for k in range(4) for f in (tf.sin, tf.cos)], -1), x)
    y = dense(dense(turns, 64, "relu"), 64, "relu")
    y = dense(layers.Concatenate()([y, turns]), 48, "relu")
    return [act(dense(y, 3), "sigmoid"), dense(y, 1, "softplus")]


@network((16, 48, 1))
def text_lines(x):
    """Columns of an image as a sequence, read both ways."""
    x = layers.MaxPooling2D((2, 2))(conv(x, 12))
    x = layers.MaxPooling2D((2, 4))(conv(x, 24))
    x = ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (1, 6, -1))
    x = layers.Bidirectional(layers.LSTM(16, return_sequences=True, unroll=True))(x)
    return op(tf.nn.log_softmax, dense(x, 20))


@network((24, 16))
def memory(x):
    """Slices stacked and taken apart, gathers, powers, floors."""
    keys = dense(x, 32)
    first = op(lambda t: tf.concat([t[:, :1]] * 24, 1), keys)
    moved = op(lambda t: tf.gather(t, np.random.default_rng(2).permutation(24), axis=1), keys)
    parts = op(lambda t: tf.unstack(t, axis=2)[:4], moved)
    x = op(lambda a, b, *p: tf.concat([a * b, tf.stack(p, 2), tf.pow(tf.abs(a) + 0.5, 1.5), tf.floor(b * 4)], -1),
           first, moved, *parts)
    return dense(x, 8)
