# SPDX-License-Identifier: Apache-2.0
"""Rewrites a model so that Python can feed it and read it.

LiteRT's Python knows neither bfloat16, which therefore passes as INT16 through a BITCAST, nor inputs of fewer than 8 bits, which
become constants. Models without such inputs and outputs stay as they are.
"""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

TYPE_NAMES = {value: name for name, value in vars(schema.TensorType).items() if name.isupper()}
PACKED = ("INT4", "INT2", "UINT4")


def unpack(model):
    return schema.ModelT.InitFromObj(schema.Model.GetRootAs(model, 0))


def pack(tree):
    """The bytes of a model that unpack took apart."""
    builder = flatbuffers.Builder(1024)
    builder.Finish(tree.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def types_of(graph, indices):
    return [TYPE_NAMES[graph.tensors[i].type] for i in indices]


def input_count(model):
    return len(unpack(model).subgraphs[0].inputs)


def output_types(model):
    """The names of the types of the outputs, as the model declares them."""
    graph = unpack(model).subgraphs[0]
    return types_of(graph, graph.outputs)


def add_twin(graph, index):
    """An INT16 tensor of the same shape."""
    twin = schema.TensorT()
    twin.type, twin.shape, twin.name, twin.buffer = schema.TensorType.INT16, graph.tensors[index].shape, f"bits{index}", 0
    graph.tensors.append(twin)
    return len(graph.tensors) - 1


def add_bitcast(model):
    code = schema.OperatorCodeT()
    code.builtinCode, code.deprecatedBuiltinCode, code.version = schema.BuiltinOperator.BITCAST, 127, 1
    model.operatorCodes.append(code)
    return len(model.operatorCodes) - 1


def bitcast(code, source, target):
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = code, [source], [target]
    operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.BitcastOptions, schema.BitcastOptionsT()
    return operator


def feedable(model, inputs):
    """The model and the contents of its inputs, or their like that Python can handle."""
    tree = unpack(model)
    graph = tree.subgraphs[0]
    types = types_of(graph, graph.inputs)
    if not {"BFLOAT16", *PACKED} & {*types, *types_of(graph, graph.outputs)}:
        return model, inputs
    code = add_bitcast(tree)
    fed, contents = [], []
    for index, name, content in zip(graph.inputs, types, inputs):
        if name in PACKED:
            tree.buffers.append(schema.BufferT())
            tree.buffers[-1].data = np.frombuffer(content, np.uint8)
            graph.tensors[index].buffer = len(tree.buffers) - 1
            continue
        fed.append(add_twin(graph, index) if name == "BFLOAT16" else index)
        contents.append(content)
        if fed[-1] != index:
            graph.operators.insert(0, bitcast(code, fed[-1], index))
    graph.inputs, graph.outputs = fed, list(graph.outputs)
    for k, (index, name) in enumerate(zip(graph.outputs, types_of(graph, graph.outputs))):
        if name == "BFLOAT16":
            graph.outputs[k] = add_twin(graph, index)
            graph.operators.append(bitcast(code, index, graph.outputs[k]))
    tree.signatureDefs = None
    return pack(tree), contents
