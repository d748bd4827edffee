"""What scripts/conformance.py tries: per operator, its types and a function that draws a legal case.

A generator takes (draw, type) and returns a Case. It says nothing of output shapes: TensorFlow Lite finds them."""
from dataclasses import dataclass, field

import numpy as np

DTYPES = {"f32": np.float32, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "bool": np.bool_}
SCHEMA = {"f32": "FLOAT32", "i8": "INT8", "u8": "UINT8", "i16": "INT16", "i32": "INT32", "i64": "INT64", "bool": "BOOL"}
QUANTIZED = ("i8", "u8", "i16")


@dataclass
class Quant:
    scale: list
    zero: list
    dim: int = 0


@dataclass
class Tensor:
    type: str
    data: np.ndarray = None
    quant: Quant = None
    const: bool = False


@dataclass
class Case:
    inputs: list
    outputs: list
    options: dict = field(default_factory=dict)


class Draw:
    """Random choices of one case."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, *items):
        return items[self.int(0, len(items) - 1)]

    def shape(self, low=1, high=4, size=6):
        return [self.int(1, size) for _ in range(self.int(low, high))]

    def quant(self, type_):
        if type_ not in QUANTIZED:
            return None
        info = np.iinfo(DTYPES[type_])
        zero = 0 if type_ == "i16" else self.int(info.min, info.max)
        return Quant([float(np.float32(self.rng.uniform(0.5, 2) * 8 / (info.max - info.min)))], [zero])

    def data(self, type_, shape, low=None, high=None):
        if type_ == "f32":
            return self.rng.uniform(-6 if low is None else low, 6 if high is None else high, shape).astype(np.float32)
        if type_ == "bool":
            return self.rng.integers(0, 2, shape).astype(np.bool_)
        small = type_ in ("i32", "i64")
        info = np.iinfo(DTYPES[type_])
        low = (-50 if small else info.min) if low is None else low
        high = (50 if small else info.max) if high is None else high
        return self.rng.integers(low, high + 1, shape).astype(DTYPES[type_])

    def tensor(self, type_, shape, quant=None, const=False, low=None, high=None):
        return Tensor(type_, self.data(type_, shape, low, high), quant or self.quant(type_), const)


def constant(values, type_="i32"):
    return Tensor(type_, np.array(values, DTYPES[type_]), None, True)


def out(draw, type_, quant=None):
    return Tensor(type_, None, quant or draw.quant(type_))


def binary(activation=False, low=None, high=None, low2=None, high2=None, to=None, same=False):
    """Two inputs that broadcast; low2 and high2 bound the second."""
    def generate(d, t):
        shape = d.shape()
        other = [1 if d.int(0, 3) == 0 else n for n in shape][d.int(0, len(shape) - 1) if d.int(0, 2) == 0 else 0:]
        quant = d.quant(t) if same else None
        a = d.tensor(t, shape, quant, low=low, high=high)
        b = d.tensor(t, other, quant, const=bool(d.int(0, 1)), low=low2, high=high2)
        options = {}
        if t == "u8" and low2:   # TensorFlow Lite's shift goes out of range where a quotient is tiny, as after a divisor of zero
            a.quant.zero, b.quant.zero = [0], [0]
            a.data = np.maximum(a.data, 64)
        if activation:
            options["fusedActivationFunction"] = d.pick(0, 0, 1, 3) if t != "i64" else 0
        if activation == "pot":
            options["potScaleInt16"] = False
        return Case([a, b], [out(d, to or t, quant)], options)
    return generate


def unary(low=None, high=None, fixed=None, same=False, options=None, positive=False):
    """One input. fixed: the output's quantization per type, where the op prescribes it. positive: no value below zero."""
    def generate(d, t):
        quant = d.quant(t)
        least = low
        if t in QUANTIZED:
            least = None
            if positive:
                quant.zero = [0 if t != "i8" else -128]
                least = quant.zero[0] + 1
        x = d.tensor(t, d.shape(), quant, low=least, high=None if t in QUANTIZED else high)
        given = Quant([fixed[t][0]], [fixed[t][1]]) if fixed and t in fixed else quant if same else None
        return Case([x], [out(d, t, given)], options(d) if options else {})
    return generate


def prelu(d, t):
    shape = d.shape(2)
    return Case([d.tensor(t, shape), d.tensor(t, [1] * (len(shape) - 2) + shape[-1:], const=True)], [out(d, t)])


def weighted(d, t, x_shape, w_shape, channels, dim, taps):
    """Input, weights, bias and output of a convolution or matrix product; `dim` of the weights counts the channels."""
    if t == "hybrid":
        x = d.tensor("f32", x_shape)
        scales = [float(np.float32(s)) for s in d.rng.uniform(0.005, 0.02, channels)]
        w = d.tensor("i8", w_shape, Quant(scales, [0] * channels, dim), True, -127)
        return x, w, d.tensor("f32", [channels], const=True), out(d, "f32")
    x = d.tensor(t, x_shape)
    if t == "f32":
        return x, d.tensor(t, w_shape, const=True, low=-1, high=1), d.tensor(t, [channels], const=True), out(d, t)
    if t == "u8":
        w = d.tensor("u8", w_shape, const=True)
    else:
        scales = [float(np.float32(s)) for s in d.rng.uniform(0.005, 0.02, channels)]
        w = d.tensor("i8", w_shape, Quant(scales, [0] * channels, dim), True, -127)
    products = [float(np.float32(x.quant.scale[0]) * np.float32(s)) for s in w.quant.scale]
    bias = d.tensor("i64" if t == "i16" else "i32", [channels], Quant(products, [0] * len(products)), True, -2000, 2000)
    y = out(d, t)
    spread = 127 * (32767 if t == "i16" else 127) * np.sqrt(taps) / (32767 if t == "i16" else 127)
    y.quant.scale = [float(np.float32(max(products) * spread * d.rng.uniform(0.3, 1.2)))]
    return x, w, bias, y


def window(d, dilate):
    options = {"padding": d.int(0, 1), "strideW": d.int(1, 2), "strideH": d.int(1, 2), "fusedActivationFunction": d.pick(0, 1, 3)}
    if dilate and options["strideW"] == options["strideH"] == 1:
        options.update(dilationWFactor=d.int(1, 2), dilationHFactor=d.int(1, 2))
    return options


def conv(d, t):
    kh, kw, c, o = d.int(1, 3), d.int(1, 3), d.int(1, 5), d.int(1, 6)
    groups = d.pick(1, 1, 2) if t in ("f32", "i8") else 1
    o *= groups
    x, w, bias, y = weighted(d, t, [d.int(1, 2), d.int(6, 9), d.int(6, 9), c * groups], [o, kh, kw, c], o, 0, kh * kw * c)
    return Case([x, w, bias], [y], window(d, True))


def depthwise_conv(d, t):
    kh, kw, c, m = d.int(1, 3), d.int(1, 3), d.int(1, 5), d.int(1, 3)
    x, w, bias, y = weighted(d, t, [d.int(1, 2), d.int(6, 9), d.int(6, 9), c], [1, kh, kw, c * m], c * m, 3, kh * kw)
    return Case([x, w, bias], [y], dict(window(d, True), depthMultiplier=m))


def transpose_conv(d, t):
    n, h, w, c, o = d.int(1, 2), d.int(1, 5), d.int(1, 5), d.int(1, 5), d.int(1, 5)
    kh, kw, sh, sw, padding = d.int(1, 4), d.int(1, 4), d.int(1, 3), d.int(1, 3), d.int(0, 1)
    kh, kw = max(kh, sh), max(kw, sw)
    size = [n, h * sh, w * sw, o] if padding == 0 else [n, (h - 1) * sh + kh, (w - 1) * sw + kw, o]
    x, weights, bias, y = weighted(d, t, [n, h, w, c], [o, kh, kw, c], o, 0, kh * kw * c)
    return Case([constant(size), weights, x, bias], [y], {"padding": padding, "strideH": sh, "strideW": sw})


def fully_connected(d, t):
    k, o = d.int(1, 20), d.int(1, 9)
    lead = d.shape(1, 3, 4)
    x, w, bias, y = weighted(d, t, lead + [k], [o, k], o, 0, k)
    options = {"fusedActivationFunction": d.pick(0, 1, 3), "keepNumDims": bool(d.int(0, 1))}
    if t == "hybrid":
        options["asymmetricQuantizeInputs"] = bool(d.int(0, 1))
    return Case([x, w, bias], [y], options)


def batch_matmul(d, t):
    batch, m, k, n = d.shape(1, 2, 3), d.int(1, 6), d.int(1, 9), d.int(1, 6)
    adj_x, adj_y = bool(d.int(0, 1)), bool(d.int(0, 1))
    other = [1 if d.int(0, 3) == 0 else b for b in batch]
    x = d.tensor(t, batch + ([k, m] if adj_x else [m, k]))
    y = d.tensor(t, other + ([n, k] if adj_y else [k, n]))
    return Case([x, y], [out(d, t)], {"adjX": adj_x, "adjY": adj_y})


def pool(d, t):
    x = d.tensor(t, [d.int(1, 2), d.int(4, 8), d.int(4, 8), d.int(1, 9)])
    return Case([x], [out(d, t, x.quant)], dict(window(d, False), filterWidth=d.int(1, 4), filterHeight=d.int(1, 4)))


def concatenation(d, t):
    shape, quant = d.shape(), d.quant(t)
    axis = d.int(-len(shape), len(shape) - 1)
    parts = []
    for _ in range(d.int(1, 4)):
        part = list(shape)
        part[axis] = d.int(1, 5)
        parts.append(d.tensor(t, part, quant if t != "u8" else None))
    return Case(parts, [out(d, t, quant)], {"axis": axis})


def pad(d, t):
    x = d.tensor(t, d.shape())
    pads = constant(d.rng.integers(0, 4, (x.data.ndim, 2)), d.pick("i32", "i64"))
    return Case([x, pads], [out(d, t, x.quant)])


def padv2(d, t):
    case = pad(d, t)
    case.inputs.append(d.tensor(t, [1], case.inputs[0].quant, True))
    return case


def mirror_pad(d, t):
    shape, mode = d.shape(), d.int(0, 1)
    x = d.tensor(t, shape)
    pads = [[d.int(0, n - 1 + mode), d.int(0, n - 1 + mode)] for n in shape]
    return Case([x, constant(pads)], [out(d, t, x.quant)], {"mode": mode})


def slice_(d, t):
    shape = d.shape()
    x, index = d.tensor(t, shape), d.pick("i32", "i64")
    begin = [d.int(0, n - 1) for n in shape]
    size = [d.pick(-1, d.int(1, n - b)) for n, b in zip(shape, begin)]
    return Case([x, constant(begin, index), constant(size, index)], [out(d, t, x.quant)])


def strided_slice(d, t):
    shape = d.shape()
    rank, x = len(shape), d.tensor(t, shape)
    begin, end, stride = [], [], []
    for n in shape:
        step, low = d.pick(-2, -1, 1, 1, 2, 3), d.int(0, n - 1)
        high = d.int(low + 1, n)
        begin.append(low if step > 0 else high - 1)
        end.append(high if step > 0 else low - 1 if low else -n - 1)
        stride.append(step)
    options = {"beginMask": d.int(0, 2 ** rank - 1), "endMask": d.int(0, 2 ** rank - 1)}
    shrink = d.int(0, 2 ** rank - 1) if min(stride) > 0 and d.int(0, 1) else 0
    if shrink:
        options = {"shrinkAxisMask": shrink}
    return Case([x, constant(begin), constant(end), constant(stride)], [out(d, t, x.quant)], options)


def transpose(d, t):
    x = d.tensor(t, d.shape(1, 5))
    return Case([x, constant(d.rng.permutation(x.data.ndim))], [out(d, t, x.quant)])


def gather(d, t):
    shape = d.shape()
    axis, x = d.int(0, len(shape) - 1), d.tensor(t, shape)
    batch = d.int(0, axis)
    indices = d.tensor(d.pick("i32", "i64"), shape[:batch] + d.shape(1, 2), low=0, high=shape[axis] - 1)
    return Case([x, indices], [out(d, t, x.quant)], {"axis": axis, "batchDims": batch})


def reduce(same=False):
    def generate(d, t):
        x = d.tensor(t, d.shape(), low=-3 if t in ("i32", "i64") else None, high=3 if t in ("i32", "i64") else None)
        rank = x.data.ndim
        axes = d.rng.choice(rank, d.int(1, rank), replace=False) - (rank if d.int(0, 1) else 0)
        return Case([x, constant(axes)], [out(d, t, x.quant if same else None)], {"keepDims": bool(d.int(0, 1))})
    return generate


def resize(d, t):
    x = d.tensor(t, [d.int(1, 2), d.int(1, 7), d.int(1, 7), d.int(1, 5)])
    align = bool(d.int(0, 1))
    options = {"alignCorners": align, "halfPixelCenters": not align and bool(d.int(0, 1))}
    return Case([x, constant([d.int(1, 12), d.int(1, 12)])], [out(d, t, x.quant)], options)


def blocks(to_depth):
    def generate(d, t):
        b, c = d.int(2, 3), d.int(1, 4)
        n, h, w = d.int(1, 2), d.int(1, 4), d.int(1, 4)
        x = d.tensor(t, [n, h * b, w * b, c] if to_depth else [n, h, w, c * b * b])
        return Case([x], [out(d, t, x.quant)], {"blockSize": b})
    return generate


def space_to_batch(d, t):
    bh, bw, ph, pw = d.int(1, 3), d.int(1, 3), d.int(0, 2), d.int(0, 2)
    h, w = bh * d.int(2, 3) - ph % bh, bw * d.int(2, 3) - pw % bw
    x = d.tensor(t, [d.int(1, 2), h, w, d.int(1, 4)])
    pads = [[ph % bh, 0], [0, pw % bw]]
    return Case([x, constant([bh, bw]), constant(pads)], [out(d, t, x.quant)])


def batch_to_space(d, t):
    bh, bw = d.int(1, 3), d.int(1, 3)
    x = d.tensor(t, [d.int(1, 2) * bh * bw, d.int(2, 4), d.int(2, 4), d.int(1, 4)])
    return Case([x, constant([bh, bw]), constant([[d.int(0, 1), 0], [0, d.int(0, 1)]])], [out(d, t, x.quant)])


def cast(d, t):
    to = d.pick("f32", "i8", "u8", "i16", "i32", "i64", "bool")
    x = Tensor(t, d.data(t, d.shape(), 0 if t == "f32" else None, 100 if t in ("f32", "i32", "i64") else None))
    return Case([x], [Tensor(to)])


def quantize(d, t):
    to = d.pick("i8", "u8", "i16") if t == "f32" else d.pick("i8", "u8") if t != "i16" else "i16"
    return Case([d.tensor(t, d.shape())], [out(d, to)])


def dequantize(d, t):
    return Case([d.tensor(t, d.shape())], [out(d, "f32")])


def split(d, t):
    shape, parts = d.shape(), d.int(1, 3)
    axis = d.int(0, len(shape) - 1)
    shape[axis] = parts * d.int(1, 3)
    x = d.tensor(t, shape)
    return Case([constant(axis), x], [out(d, t, x.quant) for _ in range(parts)], {"numSplits": parts})


def pack(d, t):
    shape, quant, count = d.shape(1, 3), d.quant(t), d.int(1, 4)
    return Case([d.tensor(t, shape, quant) for _ in range(count)], [out(d, t, quant)],
                {"valuesCount": count, "axis": d.int(0, len(shape))})


def unpack(d, t):
    x = d.tensor(t, d.shape(2, 4, 4))
    axis = d.int(0, x.data.ndim - 1)
    return Case([x], [out(d, t, x.quant) for _ in range(x.data.shape[axis])], {"num": x.data.shape[axis], "axis": axis})


def tile(d, t):
    x = d.tensor(t, d.shape())
    return Case([x, constant(d.rng.integers(1, 4, x.data.ndim), d.pick("i32", "i64"))], [out(d, t, x.quant)])


def arg_max(d, t):
    x, to = d.tensor(t, d.shape()), d.pick("i32", "i64")
    return Case([x, constant(d.int(-x.data.ndim, x.data.ndim - 1))], [Tensor(to)], {"outputType": SCHEMA[to]})


def topk(d, t):
    x = d.tensor(t, d.shape(1, 3, 9))
    return Case([x, constant(d.int(1, x.data.shape[-1]))], [out(d, t, x.quant), Tensor("i32")])


def select(broadcast):
    def generate(d, t):
        shape, quant = d.shape(), d.quant(t)
        shapes = [[1 if broadcast and d.int(0, 3) == 0 else n for n in shape] for _ in range(3)]
        return Case([d.tensor("bool", shapes[0]), d.tensor(t, shapes[1], quant), d.tensor(t, shapes[2], quant)], [out(d, t, quant)])
    return generate


LOGISTIC = {"i8": (1 / 256, -128), "u8": (1 / 256, 0), "i16": (1 / 32768, 0)}
TANH = {"i8": (1 / 128, 0), "u8": (1 / 128, 128), "i16": (1 / 32768, 0)}
LOG_SOFTMAX = {"i8": (16 / 256, 127), "u8": (16 / 256, 255)}
ALL = "f32 i8 u8 i16 i32 i64 bool"
NUMBERS = "f32 i8 u8 i16 i32 i64"
WEIGHTED = "f32 i8 u8 i16 hybrid"

# operator: (options table in the schema or None, types, generator)
OPS = {
    "ADD": ("AddOptions", NUMBERS, binary("pot")),
    "SUB": ("SubOptions", NUMBERS, binary("pot")),
    "MUL": ("MulOptions", NUMBERS, binary(True)),
    "DIV": ("DivOptions", "f32 u8 i32", binary(True, low2=1)),
    "FLOOR_DIV": ("FloorDivOptions", "f32 i32", binary(low2=1)),
    "FLOOR_MOD": ("FloorModOptions", "f32 i32 i64", binary(low2=1)),
    "POW": ("PowOptions", "f32 i32", binary(low=0, high=6, low2=0, high2=5)),
    "MAXIMUM": ("MaximumMinimumOptions", NUMBERS, binary(same=True)),
    "MINIMUM": ("MaximumMinimumOptions", NUMBERS, binary(same=True)),
    "SQUARED_DIFFERENCE": ("SquaredDifferenceOptions", "f32 i8 i32", binary()),
    "EQUAL": ("EqualOptions", "f32 i8 u8 i32 i64", binary(to="bool")),
    "NOT_EQUAL": ("NotEqualOptions", "f32 i8 u8 i32 i64", binary(to="bool")),
    "GREATER": ("GreaterOptions", "f32 i8 u8 i32 i64", binary(to="bool")),
    "GREATER_EQUAL": ("GreaterEqualOptions", "f32 i8 u8 i32 i64", binary(to="bool")),
    "LESS": ("LessOptions", "f32 i8 u8 i16 i32 i64", binary(to="bool")),
    "LESS_EQUAL": ("LessEqualOptions", "f32 i8 u8 i32 i64", binary(to="bool")),
    "LOGICAL_AND": ("LogicalAndOptions", "bool", binary()),
    "LOGICAL_OR": ("LogicalOrOptions", "bool", binary()),
    "LOGICAL_NOT": ("LogicalNotOptions", "bool", unary()),
    "ABS": ("AbsOptions", "f32 i8 i16 i32", unary()),
    "CEIL": (None, "f32", unary()),
    "COS": ("CosOptions", "f32", unary()),
    "EXP": ("ExpOptions", "f32 i8 i16", unary()),
    "FLOOR": (None, "f32", unary()),
    "LOG": (None, "f32 i8 i16", unary(low=0.01, positive=True)),
    "NEG": ("NegOptions", "f32 i32 i64", unary()),
    "ROUND": (None, "f32", unary()),
    "RSQRT": (None, "f32 i8 i16", unary(low=0.01, positive=True)),
    "SIGN": ("SignOptions", "f32", unary()),
    "SIN": (None, "f32", unary()),
    "SQRT": (None, "f32", unary(low=0)),
    "SQUARE": ("SquareOptions", "f32", unary()),
    "ELU": (None, "f32 i8", unary()),
    "GELU": ("GeluOptions", "f32 i8 u8", unary(options=lambda d: {"approximate": bool(d.int(0, 1))})),
    "HARD_SWISH": ("HardSwishOptions", "f32 i8 u8", unary()),
    "LEAKY_RELU": ("LeakyReluOptions", "f32 i8 u8 i16", unary(options=lambda d: {"alpha": d.pick(0.01, 0.1, 0.5)})),
    "LOGISTIC": (None, "f32 i8 u8 i16", unary(fixed=LOGISTIC)),
    "PRELU": (None, "f32 i8 u8", prelu),
    "RELU": (None, "f32 i8 u8 i16", unary()),
    "RELU6": (None, "f32 i8 u8 i16", unary()),
    "RELU_N1_TO_1": (None, "f32 i8 u8", unary()),
    "TANH": (None, "f32 i8 u8 i16", unary(fixed=TANH)),
    "CAST": ("CastOptions", ALL, cast),
    "QUANTIZE": ("QuantizeOptions", "f32 i8 u8 i16", quantize),
    "DEQUANTIZE": ("DequantizeOptions", "i8 u8 i16", dequantize),
    "CONV_2D": ("Conv2DOptions", WEIGHTED, conv),
    "DEPTHWISE_CONV_2D": ("DepthwiseConv2DOptions", WEIGHTED, depthwise_conv),
    "TRANSPOSE_CONV": ("TransposeConvOptions", WEIGHTED, transpose_conv),
    "FULLY_CONNECTED": ("FullyConnectedOptions", WEIGHTED, fully_connected),
    "BATCH_MATMUL": ("BatchMatMulOptions", "f32 i8 i16", batch_matmul),
    "AVERAGE_POOL_2D": ("Pool2DOptions", "f32 i8 u8 i16", pool),
    "MAX_POOL_2D": ("Pool2DOptions", "f32 i8 u8 i16", pool),
    "L2_POOL_2D": ("Pool2DOptions", "f32", pool),
    "L2_NORMALIZATION": ("L2NormOptions", "f32 i8 u8", unary(fixed={"i8": (1 / 128, 0), "u8": (1 / 128, 128)})),
    "SOFTMAX": ("SoftmaxOptions", "f32 i8 u8 i16", unary(fixed=LOGISTIC, options=lambda d: {"beta": d.pick(1.0, 0.5, 2.0)})),
    "LOG_SOFTMAX": ("LogSoftmaxOptions", "f32 i8 u8", unary(fixed=LOG_SOFTMAX)),
    "CONCATENATION": ("ConcatenationOptions", ALL, concatenation),
    "PAD": ("PadOptions", NUMBERS, pad),
    "PADV2": ("PadV2Options", NUMBERS, padv2),
    "MIRROR_PAD": ("MirrorPadOptions", NUMBERS, mirror_pad),
    "SLICE": ("SliceOptions", ALL, slice_),
    "STRIDED_SLICE": ("StridedSliceOptions", ALL, strided_slice),
    "TRANSPOSE": ("TransposeOptions", ALL, transpose),
    "GATHER": ("GatherOptions", ALL, gather),
    "MEAN": ("ReducerOptions", NUMBERS, reduce()),
    "SUM": ("ReducerOptions", "f32 u8 i32 i64", reduce()),   # TensorFlow Lite reads i8 and i16 as u8 here
    "REDUCE_MAX": ("ReducerOptions", NUMBERS, reduce(same=True)),
    "REDUCE_MIN": ("ReducerOptions", NUMBERS, reduce(same=True)),
    "REDUCE_PROD": ("ReducerOptions", "f32 i8 i16 i32 i64", reduce()),
    "REDUCE_ANY": ("ReducerOptions", "bool", reduce()),
    "REDUCE_ALL": ("ReducerOptions", "bool", reduce()),
    "RESIZE_BILINEAR": ("ResizeBilinearOptions", "f32 i8 u8 i16", resize),
    "RESIZE_NEAREST_NEIGHBOR": ("ResizeNearestNeighborOptions", "f32 i8 u8 i16", resize),
    "SPACE_TO_DEPTH": ("SpaceToDepthOptions", "f32 i8 u8 i32 i64", blocks(True)),
    "DEPTH_TO_SPACE": ("DepthToSpaceOptions", "f32 i8 u8 i32 i64", blocks(False)),
    "SPACE_TO_BATCH_ND": ("SpaceToBatchNDOptions", NUMBERS, space_to_batch),
    "BATCH_TO_SPACE_ND": ("BatchToSpaceNDOptions", NUMBERS, batch_to_space),
    "SPLIT": ("SplitOptions", "f32 i8 u8 i16 i32", split),
    "PACK": ("PackOptions", NUMBERS, pack),
    "UNPACK": ("UnpackOptions", ALL, unpack),
    "TILE": ("TileOptions", ALL, tile),
    "ARG_MAX": ("ArgMaxOptions", "f32 i8 u8 i32 bool", arg_max),
    "ARG_MIN": ("ArgMinOptions", "f32 i8 u8 i32 bool", arg_max),
    "TOPK_V2": ("TopKV2Options", NUMBERS, topk),
    "SELECT": ("SelectOptions", ALL, select(False)),
    "SELECT_V2": ("SelectV2Options", ALL, select(True)),
}
