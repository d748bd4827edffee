# SPDX-License-Identifier: Apache-2.0
"""Convolutions, matrix products, pooling and resizing."""
import numpy as np

from .draw import Case, Op, Quant, Tensor, out


HYBRID = ("f32w8", "f32wu8", "f32w4")


def signed_u8(d, shape):
    """INT8 under the name of UINT8, as old converters wrote it; never -128, which vector instructions cannot negate."""
    return Tensor("u8", d.data("i8", shape, -127).view(np.uint8), Quant([d.scale(0.005, 0.02)], [0]), True)


def weights(d, t, shape, channels, dim, per_tensor):
    """Constant weights of form t as the op reads them, and the ops that make them so."""
    if t == "f32":
        return d.tensor("f32", shape, const=True, low=-1, high=1), []
    if t == "f32w16":
        half, full = d.tensor("f16", shape, const=True, low=-1, high=1), Tensor("f32")
        return full, [Op("DEQUANTIZE", [half], [full])]
    if t == "u8":
        return d.tensor("u8", shape, Quant([d.scale(0.005, 0.02)], [d.int(100, 150)]), True), []
    if t == "f32wu8":
        return signed_u8(d, shape), []
    kind = "i4" if t in ("f32w4", "i8w4") else "i8"
    low, high = (0.05, 0.3) if kind == "i4" else (0.005, 0.02)
    per_channel = 1 if per_tensor and d.chance(4) else channels
    quant = Quant([d.scale(low, high) for _ in range(per_channel)], [0] * per_channel, dim if per_channel > 1 else 0)
    return d.tensor(kind, shape, quant, True, -7 if kind == "i4" else -127), []


def weighted(d, t, x_shape, w_shape, channels, dim, taps, bare=True, per_tensor=True):
    """Input, weights, bias (sometimes None), output and ops before, for a convolution or matrix product; dimension `dim` of the
    weights counts the channels. bare: the bias may be missing; per_tensor: one scale may do for all channels."""
    w, before = weights(d, t, w_shape, channels, dim, per_tensor)
    x_type = {"i8w4": "i8"}.get(t, "f32" if t.startswith("f32") else t)
    # What quantizing NaN and infinity gives is left open in C.
    x = d.tensor(x_type, x_shape, low=-6 if t in HYBRID else None)
    has_bias = not bare or not d.chance(5)
    if x_type == "f32":
        bias = d.tensor("f32", [channels], const=True, low=-6 if t in HYBRID else None) if has_bias else None
        return x, w, bias, out(d, "f32"), before
    products = [float(np.float32(x.quant.scale[0]) * np.float32(s)) for s in w.quant.scale]
    bias = None
    if has_bias:
        kind = "i64" if x_type == "i16" else "i32"
        bias = d.tensor(kind, [channels], Quant(products, [0] * len(products)), True, -2000, 2000)
    y = out(d, x_type)
    most = 7 if t == "i8w4" else 127
    y.quant.scale = [float(np.float32(max(products) * most * np.sqrt(taps) * d.rng.uniform(0.3, 1.2)))]
    return x, w, bias, y, before


def window(d, dilate):
    options = {"padding": d.int(0, 1), "strideW": d.int(1, 3), "strideH": d.int(1, 2), "fusedActivationFunction": d.pick(0, 1, 3)}
    if dilate and options["strideW"] == options["strideH"] == 1:
        options.update(dilationWFactor=d.int(1, 2), dilationHFactor=d.int(1, 2))
    return options


def case(parts, options):
    x, w, bias, y, before = parts
    return Case([x, w] + ([bias] if bias else []), [y], options, before=before)


def conv(d, t):
    kh, kw, c, o = d.int(1, 3), d.int(1, 3), d.int(1, 5), d.int(1, 6)
    groups = d.pick(1, 1, 2) if t in ("f32", "i8") else 1
    o *= groups
    return case(weighted(d, t, [d.int(1, 2), d.int(6, 9), d.int(6, 9), c * groups], [o, kh, kw, c], o, 0, kh * kw * c, bare=False),
                window(d, True))


def depthwise_conv(d, t):
    kh, kw, c, m = d.int(1, 3), d.int(1, 3), d.int(1, 5), d.int(1, 3)
    return case(weighted(d, t, [d.int(1, 2), d.int(6, 9), d.int(6, 9), c], [1, kh, kw, c * m], c * m, 3, kh * kw,
                         per_tensor=t != "f32w8"),
                dict(window(d, True), depthMultiplier=m))


def transpose_conv(d, t):
    n, h, w, c, o = d.int(1, 2), d.int(1, 5), d.int(1, 5), d.int(1, 5), d.int(1, 5)
    kh, kw, sh, sw, padding = d.int(1, 4), d.int(1, 4), d.int(1, 3), d.int(1, 3), d.int(0, 1)
    kh, kw = max(kh, sh), max(kw, sw)
    size = [n, h * sh, w * sw, o] if padding == 0 else [n, (h - 1) * sh + kh, (w - 1) * sw + kw, o]
    x, filters, bias, y, before = weighted(d, t, [n, h, w, c], [o, kh, kw, c], o, 0, kh * kw * c)
    options = {"padding": padding, "strideH": sh, "strideW": sw, "fusedActivationFunction": d.pick(0, 0, 1)}
    return Case([d.side(size), filters, x] + ([bias] if bias else []), [y], options, before=before)


def stride3d(d):
    return {"padding": d.int(0, 1), "strideD": d.int(1, 2), "strideH": d.int(1, 2), "strideW": d.int(1, 2)}


def conv_3d(d, t):
    k, c, o = [d.int(1, 2) for _ in range(3)], d.int(1, 3), d.int(1, 3)
    x = d.tensor(t, [d.int(1, 2), *(d.int(2, 5) for _ in range(3)), c])
    inputs = [x, d.tensor(t, [*k, c, o], const=d.flag(), low=-1, high=1)] + ([d.tensor(t, [o], const=True)] if d.flag() else [])
    return Case(inputs, [out(d, t)], dict(stride3d(d), fusedActivationFunction=d.pick(0, 1, 3)))


def conv_3d_transpose(d, t):
    k, c, o, options = [d.int(1, 2) for _ in range(3)], d.int(1, 3), d.int(1, 3), stride3d(d)
    strides = [options["strideD"], options["strideH"], options["strideW"]]
    k, n = [max(a, s) for a, s in zip(k, strides)], [d.int(1, 3) for _ in range(3)]
    size = [a * s if options["padding"] == 0 else (a - 1) * s + b for a, s, b in zip(n, strides, k)]
    batch = d.int(1, 2)
    inputs = [d.side([batch, *size, o]), d.tensor(t, [*k, o, c], const=d.flag(), low=-1, high=1), d.tensor(t, [batch, *n, c])]
    return Case(inputs + ([d.tensor(t, [o], const=True)] if d.flag() else []), [out(d, t)], options)


def fully_connected(d, t):
    k, o, lead = d.int(1, 20), d.int(1, 9), d.shape(1, 3, 4)
    options = {"fusedActivationFunction": d.pick(0, 1, 3), "keepNumDims": d.flag()}
    if t.startswith("f32w"):
        options["asymmetricQuantizeInputs"] = d.flag()
    return case(weighted(d, t, lead + [k], [o, k], o, 0, k), options)


def batch_matmul(d, t):
    batch, m, k, n = d.shape(0, 3, 3), d.int(1, 6), d.int(1, 9), d.int(1, 6)
    adj_x, adj_y, hybrid = d.flag(), d.flag(), t == "f32w8"
    if hybrid and batch:   # with two batch dimensions TensorFlow Lite takes the scales of other rows
        batch = [1] * (len(batch) - 1) + batch[-1:]
    other = [1 if d.chance(4) else b for b in batch][d.int(0, len(batch)) if d.chance(4) else 0:]
    x = d.tensor("f32" if hybrid else t, batch + ([k, m] if adj_x else [m, k]), low=-6 if hybrid else None)
    y = d.tensor("i8" if hybrid else t, other + ([n, k] if adj_y else [k, n]), const=hybrid or d.flag(),
                 low=-127 if hybrid else None)
    if hybrid:
        y.quant = Quant([d.scale(0.005, 0.02)], [0])
    options = {"adjX": adj_x, "adjY": adj_y, "asymmetricQuantizeInputs": hybrid and d.flag()}
    return Case([x, y], [out(d, {"f32w8": "f32"}.get(t, t if t != "i8" or d.flag() else "i32"))], options)


def pool(d, t):
    x = d.tensor(t, [d.int(1, 2), d.int(4, 8), d.int(4, 8), d.int(1, 9)])
    return Case([x], [out(d, t, x.quant)], dict(window(d, False), filterWidth=d.int(1, 4), filterHeight=d.int(1, 4)))


def response_norm(d, t):
    options = {"radius": d.int(0, 4), "bias": d.scale(0.5, 2), "alpha": d.scale(0, 1), "beta": d.pick(0.5, 0.75, 1.0)}
    return Case([d.tensor(t, [d.int(1, 2), d.int(1, 4), d.int(1, 4), d.int(1, 9)])], [out(d, t)], options)


def resize(d, t):
    x = d.tensor(t, [d.int(1, 2), d.int(1, 7), d.int(1, 7), d.int(1, 5)])
    align = d.flag()
    options = {"alignCorners": align, "halfPixelCenters": not align and d.flag()}
    return Case([x, d.side([d.int(1, 12), d.int(1, 12)])], [out(d, t, x.quant)], options)


CONV = "f32 i8 u8 i16 f32w8 f32wu8 f32w4 f32w16 i8w4"

OPS = {
    "CONV_2D": ("Conv2DOptions", CONV, conv),
    "CONV_3D": ("Conv3DOptions", "f32", conv_3d),
    "CONV_3D_TRANSPOSE": ("Conv3DOptions", "f32", conv_3d_transpose),
    "DEPTHWISE_CONV_2D": ("DepthwiseConv2DOptions", "f32 i8 u8 i16 f32w8 f32w16 i8w4", depthwise_conv),
    "TRANSPOSE_CONV": ("TransposeConvOptions", "f32 i8 u8 i16 f32w8 f32w16", transpose_conv),
    "FULLY_CONNECTED": ("FullyConnectedOptions", CONV, fully_connected),
    "BATCH_MATMUL": ("BatchMatMulOptions", "f32 i8 i16 f32w8", batch_matmul),
    "AVERAGE_POOL_2D": ("Pool2DOptions", "f32 i8 u8 i16", pool),
    "MAX_POOL_2D": ("Pool2DOptions", "f32 i8 u8 i16", pool),
    "L2_POOL_2D": ("Pool2DOptions", "f32", pool),
    "LOCAL_RESPONSE_NORMALIZATION": ("LocalResponseNormalizationOptions", "f32", response_norm),
    "RESIZE_BILINEAR": ("ResizeBilinearOptions", "f32 i8 u8 i16", resize),
    "RESIZE_NEAREST_NEIGHBOR": ("ResizeNearestNeighborOptions", "f32 i8 u8 i16 f16 bf16 u16 i32 u32 bool", resize),
}
