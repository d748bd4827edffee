# SPDX-License-Identifier: Apache-2.0
"""From a case to the bytes of a .tflite."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from .draw import TYPES, Graph, Op


FIRST_VERSION = {"BROADCAST_TO": 2}   # elsewhere 1; the kernels do not look at it


def encode(tensor):
    """The bytes of a tensor: two INT4 in each, strings as count, offsets and characters."""
    flat = tensor.data.reshape(-1)
    if tensor.sparse:
        return flat[flat != 0].tobytes()
    if tensor.type == "i4":
        flat = np.append(flat, np.zeros(flat.size % 2, np.int8)).astype(np.uint8) & 15
        return (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()
    if tensor.type != "str":
        return tensor.data.tobytes()
    ends = np.cumsum([4 * (flat.size + 2), *(len(s) for s in flat)])
    return np.array([flat.size, *ends], np.int32).tobytes() + b"".join(flat)


def indices(values):
    table = schema.Int32VectorT()
    table.values = [int(v) for v in values]
    return table


def sparsity(data):
    """Rows one by one, of each only the columns that are not zero."""
    table, rows, columns = schema.SparsityParametersT(), schema.DimensionMetadataT(), schema.DimensionMetadataT()
    table.traversalOrder, table.dimMetadata, rows.denseSize = [0, 1], [rows, columns], data.shape[0]
    columns.format = schema.DimensionType.SPARSE_CSR
    columns.arraySegmentsType = columns.arrayIndicesType = schema.SparseIndexVector.Int32Vector
    columns.arraySegments = indices([0, *np.cumsum((data != 0).sum(1))])
    columns.arrayIndices = indices(np.nonzero(data)[1])
    return table


def primary(op, case):
    """Subgraph 0. Its inputs are what has content and is neither constant nor state."""
    ops = [*case.before, Op(case.last or op, case.inputs, case.outputs, case.options, case.mids, case.custom)]
    seen = {id(t): t for o in ops for t in o.inputs if t and t.data is not None and not t.const and not t.variable}
    return Graph(list(seen.values()), case.outputs, ops)


class Builder(flatbuffers.Builder):
    """Aligns bytes to 16, as the schema asks for buffers."""

    def StartVector(self, elem_size, count, alignment):
        return super().StartVector(elem_size, count, 16 if elem_size == 1 else alignment)


class Writer:
    def __init__(self, tables):
        self.tables, self.codes = tables, {}
        self.model = schema.ModelT()
        self.model.version, self.model.buffers = 3, [schema.BufferT()]
        self.model.operatorCodes, self.model.subgraphs, self.model.metadata = [], [], []

    def buffer(self, data):
        self.model.buffers.append(schema.BufferT())
        self.model.buffers[-1].data = np.frombuffer(data, np.uint8)
        return len(self.model.buffers) - 1

    def metadata(self, name, data):
        self.model.metadata.append(schema.MetadataT())
        self.model.metadata[-1].name, self.model.metadata[-1].buffer = name, self.buffer(data)

    def tensor(self, tensor, name, shape):
        table = schema.TensorT()
        table.shape, table.type, table.name = list(shape), getattr(schema.TensorType, TYPES[tensor.type][1]), name
        table.isVariable, table.buffer = tensor.variable, self.buffer(encode(tensor)) if tensor.const else 0
        if tensor.sparse:
            table.sparsity = sparsity(tensor.data)
        if tensor.quant:
            table.quantization = schema.QuantizationParametersT()
            table.quantization.scale, table.quantization.zeroPoint = tensor.quant.scale, tensor.quant.zero
            table.quantization.quantizedDimension = tensor.quant.dim
        return table

    def code(self, op):
        if op.name not in self.codes:
            code = schema.OperatorCodeT()
            code.builtinCode = getattr(schema.BuiltinOperator, op.name, schema.BuiltinOperator.CUSTOM)
            code.deprecatedBuiltinCode = min(code.builtinCode, 127)
            code.version = FIRST_VERSION.get(op.name, 1)
            if code.builtinCode == schema.BuiltinOperator.CUSTOM:
                code.customCode = op.name
            self.codes[op.name] = len(self.codes)
            self.model.operatorCodes.append(code)
        return self.codes[op.name]

    def options(self, operator, op):
        name = self.tables[op.name]
        if not name:
            return
        table = getattr(schema, name + "T")()
        for key, value in op.options.items():
            if not hasattr(table, key):
                raise ValueError(f"{name} has no field {key}")
            is_type = key.lower().endswith("type") and isinstance(value, str)
            setattr(table, key, getattr(schema.TensorType, value) if is_type else value)
        if hasattr(schema.BuiltinOptions, name):
            operator.builtinOptionsType, operator.builtinOptions = getattr(schema.BuiltinOptions, name), table
        else:
            operator.builtinOptions2Type, operator.builtinOptions2 = getattr(schema.BuiltinOptions2, name), table

    def graph(self, graph, shapes):
        table, index = schema.SubGraphT(), {}
        table.tensors, table.operators, table.name = [], [], f"graph{len(self.model.subgraphs)}"

        def at(tensors):
            for t in tensors:
                if t and id(t) not in index:
                    index[id(t)] = len(table.tensors)
                    table.tensors.append(self.tensor(t, f"t{len(table.tensors)}", shapes.get(id(t), t.shape)))
            return [index[id(t)] if t else -1 for t in tensors]

        table.inputs = at(graph.inputs)
        for op in graph.ops:
            operator = schema.OperatorT()
            operator.opcodeIndex = self.code(op)
            operator.inputs, operator.outputs, operator.intermediates = at(op.inputs), at(op.outputs), at(op.mids)
            if op.custom is not None:
                operator.customOptions = np.frombuffer(op.custom, np.uint8)
            else:
                self.options(operator, op)
            table.operators.append(operator)
        table.outputs = at(graph.outputs)
        self.model.subgraphs.append(table)


def model_inputs(op, case):
    return primary(op, case).inputs


def make_model(tables, op, case, outputs=None):
    """The case as a .tflite: the inputs, and how often to run it, as metadata (bench/opcheck/conformance.h). outputs: arrays whose
    shapes the outputs get. tables: the name of each op's options table."""
    writer, main = Writer(tables), primary(op, case)
    writer.graph(main, {id(t): o.shape for t, o in zip(case.outputs, outputs or [])})
    for graph in case.graphs:
        writer.graph(graph, {})
    for i, tensor in enumerate(main.inputs):
        writer.metadata(f"input_{i}", encode(tensor))
    if case.runs:
        writer.metadata("runs", np.int32(case.runs).tobytes())
    builder = Builder(1024)
    builder.Finish(writer.model.Pack(builder), b"TFL3")
    return bytes(builder.Output())
