"""Lets the glance compute in whole numbers: python3 packages/lab/training/first_pass_integers.py GLANCE.onnx OUT.onnx

GLANCE.onnx is what first_pass.py writes: weights in 8 bits with a scale for each column, computed in floating point. In
OUT.onnx the same weights meet states in 7 bits with a scale for each token, so that a text reads the same whatever
shares its batch, and that no processor's 16-bit sums overflow: every machine computes the same whole numbers. What
follows a GELU is shifted by its least value first, which makes use of the sign's bit. Attention is one operator.
"""

import math
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LEVELS = 127
LEAST_GELU = 0.17
BLOCK = 32


def read_parts(path):
    """The nodes up to the word table's output, its name, the tables, the layers' matrices by where they stand."""
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    matrices = {}
    for node in graph.node:
        if node.op_type == "MatMul" and (name := node.input[1]).startswith("onnx::"):
            place = node.output[0].strip("/").removesuffix("/MatMul_output_0").replace("/", ".")
            matrices[place] = (tensors[f"{name}.packed"], tensors[f"{name}.scale"][0]) if f"{name}.packed" in tensors else tensors[name]
    own = {name.removeprefix("glance."): value for name, value in tensors.items() if name.startswith("glance.")}
    table = []
    for node in graph.node:
        if node.op_type == "MatMul":
            return graph, table, node.input[0], {name: tensors[name] for name in ("packed.packed", "packed.scale")}, own, matrices
        if not node.output[0].startswith("onnx::MatMul"):
            table.append(node)


class Graph:
    def __init__(self, nodes, tensors):
        self.nodes = list(nodes)
        self.tensors = [numpy_helper.from_array(value, name) for name, value in tensors.items()]
        self.known = {}

    def constant(self, value, name=None):
        key = name or f"constant_{value.dtype}_{value.tolist()}"
        if key not in self.known:
            self.tensors.append(numpy_helper.from_array(np.ascontiguousarray(value), key))
            self.known[key] = key
        return key

    def add(self, kind, inputs, out, own=False, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [out], out, domain="com.microsoft" if own else "", **attributes))
        return out


def build(path):
    source, table, words, packed, own, matrices = read_parts(path)
    g = Graph(table, packed)
    number = lambda value: g.constant(np.float32(value))
    whole = lambda *values: g.constant(np.array(values, dtype=np.int64))
    width = own["norm.weight"].shape[0]

    def normalise(states, place):
        weights = [g.constant(own[f"{place}.{part}"], f"{place}.{part}") for part in ("weight", "bias")]
        return g.add("LayerNormalization", [states, *weights], f"{place}.out", axis=-1, epsilon=1e-12)

    def add_up(states, said, bias, place):
        return g.add("Add", [g.add("Add", [said, bias], f"{place}.said"), states], f"{place}.sum")

    def to_levels(states, out):
        """States of either sign: half of the levels below zero, which stands at the middle."""
        most = g.add("ReduceMax", [g.add("Abs", [states], f"{out}.abs")], f"{out}.most", axes=[-1], keepdims=1)
        step = g.add("Div", [g.add("Max", [most, number(1e-6)], f"{out}.some"), number(LEVELS // 2)], f"{out}.step")
        return g.add("QuantizeLinear", [states, g.add("Reshape", [step, whole(-1)], f"{out}.steps"), middles], f"{out}.levels", axis=0), step, LEVELS // 2 + 1

    def to_levels_up(states, out):
        """States that have no sign: all levels."""
        most = g.add("ReduceMax", [states], f"{out}.most", axes=[-1], keepdims=1)
        step = g.add("Div", [most, number(LEVELS)], f"{out}.step")
        return g.add("QuantizeLinear", [states, g.add("Reshape", [step, whole(-1)], f"{out}.steps")], f"{out}.levels", axis=0), step, 0

    def multiply(quantised, place):
        levels, step, zero = quantised
        matrix, scale = matrices[place]
        inputs = [levels, g.constant(matrix, f"{place}.matrix"), number(1), g.constant(scale, f"{place}.scale"), g.constant(np.uint8(zero))]
        return g.add("Mul", [g.add("MatMulIntegerToFloat", inputs, f"{place}.product", own=True), step], f"{place}.states")

    def bias_of(place):
        return g.constant(own[f"{place}.bias"], f"{place}.bias")

    def gelu_up(states, place):
        return g.add("Add", [g.add("BiasGelu", [states, bias_of(place)], f"{place}.gelu", own=True), number(LEAST_GELU)], f"{place}.up")

    def narrow_bias(place):
        matrix, scale = matrices[place]
        return g.constant((own[f"{place}.bias"] - LEAST_GELU * matrix.astype(np.float64).sum(0) * scale).astype(np.float32), f"{place}.bias")

    shape = g.add("Shape", ["input_ids"], "shape")
    length = g.add("Slice", [shape, whole(1), whole(2)], "length")
    tokens = g.add("Reshape", [g.add("ReduceProd", [shape], "count", axes=[0], keepdims=1), whole(1)], "tokens")
    middles = g.add("Expand", [g.constant(np.uint8(LEVELS // 2 + 1)), tokens], "middles")
    by_text = g.add("Concat", [shape, whole(width)], "by_text", axis=0)

    words = g.add("Reshape", [words, whole(-1, matrices["up"][0].shape[0])], "words")
    up = g.add("Add", [multiply(to_levels(words, "words"), "up"), bias_of("up")], "up.out")
    place = g.add("Slice", [g.constant(own["position"], "position"), whole(0), length], "places")
    states = g.add("Add", [g.add("Reshape", [up, by_text], "up.texts"), place], "placed")
    states = g.add("Reshape", [normalise(states, "norm"), whole(-1, width)], "rows")
    mask = g.add("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    hidden = g.add("Mul", [g.add("Sub", [number(1), g.add("Cast", ["attention_mask"], "there", to=TensorProto.FLOAT)], "gone"), number(-10000)], "hidden_from")

    for layer in (f"layers.{n}" for n in range(len([name for name in matrices if name.endswith(".mix")]))):
        seen = to_levels(states, f"{layer}.seen")
        parts = [g.add("Reshape", [multiply(seen, f"{layer}.{part}"), by_text], f"{layer}.{part}.texts") for part in ("query", "key", "value")]
        biases = g.constant(np.concatenate([own[f"{layer}.{part}.bias"] for part in ("query", "key", "value")]), f"{layer}.biases")
        mixed = g.add("MultiHeadAttention", [*parts, biases, mask], f"{layer}.attention", own=True, num_heads=width // 32, mask_filter_value=-10000.0)
        mixed = multiply(to_levels(g.add("Reshape", [mixed, whole(-1, width)], f"{layer}.mixed"), f"{layer}.mixed"), f"{layer}.mix")
        states = normalise(add_up(states, mixed, bias_of(f"{layer}.mix"), f"{layer}.mix"), f"{layer}.first")
        wide = gelu_up(multiply(to_levels(states, f"{layer}.wide"), f"{layer}.widen"), f"{layer}.widen")
        narrow = multiply(to_levels_up(wide, f"{layer}.up"), f"{layer}.narrow")
        states = normalise(add_up(states, narrow, narrow_bias(f"{layer}.narrow"), f"{layer}.narrow"), f"{layer}.last")

    attention = g.add("MatMul", [states, g.constant(matrices["attention"], "attention.matrix")], "attention.product")
    attention = g.add("Add", [g.add("Reshape", [attention, shape], "attention.texts"), hidden], "attention.seen")
    weight = g.add("Softmax", [attention], "weight", axis=-1)
    said = g.add("BiasGelu", [multiply(to_levels(states, "said"), "hidden"), bias_of("hidden")], "said.gelu", own=True)
    said = g.add("MatMul", [said, g.constant(matrices["score"], "score.matrix")], "score.product")
    said = g.add("Add", [g.add("Reshape", [said, shape], "score.texts"), bias_of("score")], "score")
    g.add("ReduceSum", [g.add("Mul", [said, weight], "shares"), whole(1)], "logit", keepdims=0)
    graph = helper.make_graph(g.nodes, "glance", list(source.input), list(source.output), g.tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 8
    return model


if __name__ == "__main__":
    source, out = sys.argv[1:]
    onnx.save(build(source), out)
