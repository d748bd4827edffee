# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells: state in variable tensors, so that they run twice."""
import numpy as np

from .draw import Case, Quant, Tensor, out, state
from .weights import signed_u8

TANH_ACTIVATION = 4
LSTM_BASIC = 1


def int8_quant(d, low=0.004, high=0.02):
    return Quant([d.scale(low, high)], [0])


def cell_weights(d, t, shape):
    if t == "f32":
        return d.tensor("f32", shape, const=True, low=-1, high=1)
    if t == "f32wu8":
        return signed_u8(d, shape)
    return d.tensor("i8", shape, int8_quant(d), True, -127)


def vector(d, t, n, kind, scale):
    """A bias, peephole or normalization vector: floats, or integers of this kind."""
    if t == "i8":
        return d.tensor(kind, [n], Quant([scale], [0]), True, -9000, 9000)
    if t != "f32" and kind == "i16" and scale == PEEPHOLE:
        return cell_weights(d, t, [n])
    return d.tensor("f32", [n], const=True, low=-1, high=1)


PEEPHOLE, NORM = 1e-4, 3e-5


def gates(d, t, make, coupled, n=4):
    return [None if coupled and i == 0 else make() for i in range(n)]


def some(d, t, make, coupled, n, wanted):
    return gates(d, t, make, coupled, n) if wanted else [None] * n


def lstm_parts(d, t, n_in, cell, n_out, coupled, peephole, projection):
    """The 17 weights and biases of one direction, from the input weights to the projection's bias."""
    parts = gates(d, t, lambda: cell_weights(d, t, [cell, n_in]), coupled)
    parts += gates(d, t, lambda: cell_weights(d, t, [cell, n_out]), coupled)
    parts += some(d, t, lambda: vector(d, t, cell, "i16", PEEPHOLE), coupled, 3, peephole)
    parts += gates(d, t, lambda: vector(d, t, cell, "i32", 1e-4), coupled)
    if not projection:
        return parts + [None, None]
    return parts + [cell_weights(d, t, [n_out, cell]), vector(d, t, n_out, "i32", 1e-4) if d.flag() else None]


def lstm_states(t, batch, cell, n_out, y):
    if t == "i8":
        return [state("i8", [batch, n_out], y.quant), state("i16", [batch, cell], Quant([2.0 ** -11], [0]))]
    return [state("f32", [batch, n_out]), state("f32", [batch, cell])]


def lstm_options(d, t):
    options = {"fusedActivationFunction": TANH_ACTIVATION, "cellClip": d.pick(0.0, 0.5), "projClip": d.pick(0.0, 0.3)}
    if t.startswith("f32w"):
        options["asymmetricQuantizeInputs"] = d.flag()
    return options


def lstm_io(d, t, shape):
    if t != "i8":
        return d.tensor("f32", shape, low=-2, high=2), Tensor("f32")
    x = d.tensor("i8", shape, Quant([d.scale(0.01, 0.03)], [d.int(-20, 20)]))
    return x, Tensor("i8", None, Quant([d.scale(0.004, 0.01)], [d.int(-9, 9)]))


def lstm(sequence):
    def generate(d, t):
        if not sequence and t in ("f32", "u8") and (t == "u8" or d.chance(4)):
            return basic_lstm(d, t)
        batch, n_in, cell, options = d.int(1, 3), d.int(1, 6), d.int(2, 7), lstm_options(d, t)
        coupled, peephole, projection, norm = d.flag(), d.flag(), d.flag(), d.flag()
        n_out, lead = d.int(1, cell) if projection else cell, [batch]
        if sequence:
            options["timeMajor"] = d.flag()
            lead = [d.int(1, 3), batch] if options["timeMajor"] else [batch, d.int(1, 3)]
        x, y = lstm_io(d, t, [*lead, n_in])
        inputs = [x, *lstm_parts(d, t, n_in, cell, n_out, coupled, peephole, projection), *lstm_states(t, batch, cell, n_out, y)]
        if norm:
            inputs += gates(d, t, lambda: vector(d, t, cell, "i16", NORM), coupled)
        mids = [Tensor("i16", None, Quant([2e-4], [0])) for _ in range(4)] + [Tensor("i8", None, Quant([0.0078], [2]))]
        return Case(inputs, [y], options, mids if t == "i8" else [], runs=2)
    return generate


def basic_lstm(d, t):
    batch, n_in, cell = d.int(1, 3), d.int(1, 8), d.int(1, 4) * (8 if t == "u8" else 1)
    if t == "u8":
        n_in = 8 * d.int(1, 2)
        act, cells, w = Quant([2.0 ** -7], [128]), Quant([2.0 ** -11], [0]), Quant([d.scale(0.005, 0.05)], [d.int(90, 160)])
        inputs = [d.tensor("u8", [batch, n_in], act), d.tensor("u8", [batch, cell], act),
                  d.tensor("u8", [4 * cell, n_in + cell], w, True),
                  d.tensor("i32", [4 * cell], Quant([w.scale[0] / 128], [0]), True, -20000, 20000),
                  d.tensor("i16", [batch, cell], cells)]
        outputs = [Tensor("u8", None, act), Tensor("i16", None, cells), Tensor("u8", None, act), Tensor("i16", None, cells)]
    else:
        inputs = [d.tensor("f32", [batch, n_in], low=-2, high=2), state("f32", [batch, cell]),
                  d.tensor("f32", [4 * cell, n_in + cell], const=True, low=-1, high=1),
                  d.tensor("f32", [4 * cell], const=True, low=-1, high=1), state("f32", [batch, cell])]
        outputs = [Tensor("f32") for _ in range(4)]
    options = {"fusedActivationFunction": TANH_ACTIVATION, "kernelType": LSTM_BASIC}
    return Case(inputs, outputs, options, runs=1 if t == "u8" else 2)   # its inputs become the next state


def bidirectional_lstm(d, t):
    options = lstm_options(d, t)
    merge, major = d.flag(), d.flag()
    options.update(mergeOutputs=merge, timeMajor=major)
    batch = d.int(1, 3) if major or not merge else 1   # batch major and merged, TensorFlow Lite writes beyond its state
    n_in, cell, time = d.int(1, 5), d.int(2, 5), d.int(1, 3)
    coupled, peephole, projection = d.flag(), d.flag(), d.flag()
    n_out = d.int(1, cell) if projection else cell
    x, _ = lstm_io(d, t, [time, batch, n_in] if major else [batch, time, n_in])
    both = [p for _ in range(2) for p in lstm_parts(d, t, n_in, cell, n_out, coupled, peephole, projection)]
    states = [s for _ in range(2) for s in lstm_states(t, batch, cell, n_out, None)]
    return Case([x, *both, *states, *[None] * 9], [Tensor("f32") for _ in range(1 if merge else 2)], options, runs=2)


def rnn_parts(d, t, n_in, units, batch):
    return [cell_weights(d, t, [units, n_in]), cell_weights(d, t, [units, units]),
            d.tensor("f32", [units], const=True, low=-1, high=1), state("f32", [batch, units])]


def rnn_options(d, t):
    options = {"fusedActivationFunction": d.pick(0, 1, 3, TANH_ACTIVATION)}
    if t != "f32":
        options["asymmetricQuantizeInputs"] = d.flag()
    return options


def rnn(directions):
    """0: one step; 1, 2: sequences."""
    def generate(d, t):
        batch, n_in, units, options = d.int(1, 3), d.int(1, 6), d.int(1, 6), rnn_options(d, t)
        lead = [batch]
        if directions:
            options["timeMajor"] = d.flag()
            lead = [d.int(1, 4), batch] if options["timeMajor"] else [batch, d.int(1, 4)]
        x = d.tensor("f32", [*lead, n_in], low=-2, high=2)
        inputs, outputs = [x, *rnn_parts(d, t, n_in, units, batch)], [Tensor("f32")]
        if directions == 2:
            options["mergeOutputs"] = t == "f32" and d.flag()   # hybrid, TensorFlow Lite writes beyond its memory
            inputs += [*rnn_parts(d, t, n_in, units, batch), None, None, None]
            outputs += [] if options["mergeOutputs"] else [Tensor("f32")]
        return Case(inputs, outputs, options, runs=2)
    return generate


def svdf(d, t):
    batch, n_in, rank, units, memory = d.int(1, 3), d.int(1, 7), d.int(1, 2), d.int(1, 5), d.int(1, 6)
    filters, options = rank * units, {"rank": rank, "fusedActivationFunction": d.pick(0, 1)}
    if t == "i8":
        held = Quant([2e-4], [0])
        x, y = d.tensor("i8", [batch, n_in]), out(d, "i8")
        feature = d.tensor("i8", [filters, n_in], int8_quant(d), True, -127)
        times = d.tensor("i16", [filters, memory], Quant([2e-5], [0]), True)
        bias = d.tensor("i32", [units], Quant([float(np.float32(held.scale[0] * times.quant.scale[0]))], [0]), True, -500, 500)
        options["fusedActivationFunction"] = 1
        return Case([x, feature, times, bias, state("i16", [batch, memory * filters], held)], [y], options, runs=2)
    if t != "f32":
        options["asymmetricQuantizeInputs"] = d.flag()
    inputs = [d.tensor("f32", [batch, n_in], low=-2, high=2),
              cell_weights(d, t, [filters, n_in]), cell_weights(d, t, [filters, memory]),
              d.tensor("f32", [units], const=True, low=-1, high=1) if d.flag() else None, state("f32", [batch, memory * filters])]
    return Case(inputs, [Tensor("f32")], options, runs=2)


HYBRID = "f32 f32w8 f32wu8"

OPS = {
    "LSTM": ("LSTMOptions", "f32 i8 u8 f32w8 f32wu8", lstm(False)),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": ("UnidirectionalSequenceLSTMOptions", "f32 i8 f32w8 f32wu8", lstm(True)),
    "BIDIRECTIONAL_SEQUENCE_LSTM": ("BidirectionalSequenceLSTMOptions", HYBRID, bidirectional_lstm),
    "RNN": ("RNNOptions", HYBRID, rnn(0)),
    "UNIDIRECTIONAL_SEQUENCE_RNN": ("SequenceRNNOptions", HYBRID, rnn(1)),
    "BIDIRECTIONAL_SEQUENCE_RNN": ("BidirectionalSequenceRNNOptions", HYBRID, rnn(2)),
    "SVDF": ("SVDFOptions", "f32 i8 f32w8 f32wu8", svdf),
}
