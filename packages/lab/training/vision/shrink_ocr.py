"""Rounds the weights of a PP-OCR recogniser to 8 bits: python shrink_ocr.py recogniser.onnx shrunk.onnx

Only weights: the runtime turns them back into floats as it loads.
"""
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from keras_to_onnx import Graph

# Smaller ones gain nothing: biases, scales, shapes.
LEAST = 1024


def shrink(model):
    graph = model.graph
    axes = {}
    for node in graph.node:
        if node.op_type == "Conv":
            axes[node.input[1]] = 0
        elif node.op_type in ("MatMul", "Gemm"):
            axes[node.input[1]] = 1
    # PaddlePaddle writes its weights as constants among the nodes.
    constants = [node for node in graph.node if node.op_type == "Constant"]
    weights = [*graph.initializer]
    for node in constants:
        weights.append(numpy_helper.from_array(numpy_helper.to_array(node.attribute[0].t), node.output[0]))
    kept, made = [], Graph()
    for weight in weights:
        values = numpy_helper.to_array(weight)
        axis = axes.get(weight.name)
        if axis is None or values.dtype != np.float32 or values.size < LEAST:
            kept.append(weight)
        elif axis == 0:
            made.quantized_by_channel(weight.name, values)
        else:
            assert values.ndim == 2, weight.name
            turned = made.quantized_by_channel(f"{weight.name}/turned", values.T)
            made.add("Transpose", [turned], weight.name, perm=[1, 0])
    del graph.initializer[:]
    graph.initializer.extend([*kept, *made.initializers])
    nodes = [*made.nodes, *(node for node in graph.node if node.op_type != "Constant")]
    del graph.node[:]
    graph.node.extend(nodes)
    return model


if __name__ == "__main__":
    source, target = sys.argv[1:]
    onnx.save(shrink(onnx.load(source)), target)
