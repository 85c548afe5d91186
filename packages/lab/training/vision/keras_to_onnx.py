"""Rewrites a Keras model in the files of TensorFlow.js (model.json and its shards) as ONNX with 8-bit weights.

Only weights are 8-bit: the runtime turns them back into floats as it loads, so that activations are not rounded.
Weights that TensorFlow.js already stores in 8 bits keep their very values.
"""
import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

OPSET = 17


def read_weights(manifest, data):
    """Every weight by name: its 8-bit form where it has one, else its floats."""
    weights, offset = {}, 0
    for group in manifest:
        for entry in group["weights"]:
            shape, quantization = entry["shape"], entry.get("quantization")
            count = int(np.prod(shape)) if shape else 1
            dtype = np.dtype(quantization["dtype"] if quantization else entry["dtype"])
            values = np.frombuffer(data, dtype, count, offset).reshape(shape)
            offset += count * dtype.itemsize
            weights[entry["name"]] = (values, quantization)
    assert offset == len(data), f"{len(data) - offset} bytes are left over"
    return weights


def to_floats(weight):
    values, quantization = weight
    if quantization is None:
        return values.astype(np.float32)
    return (values.astype(np.float32) * np.float32(quantization["scale"]) + np.float32(quantization["min"])).astype(np.float32)


class Graph:
    def __init__(self):
        self.nodes, self.initializers = [], []

    def add(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def constant(self, name, values):
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def quantized_as_stored(self, name, weight, transpose, by=np.float32(1)):
        """The 8-bit values of TensorFlow.js with their one scale and minimum, both multiplied for each channel."""
        values, quantization = weight
        stored = self.constant(f"{name}/stored", values.transpose(transpose))
        cast = self.add("Cast", [stored], f"{name}/cast", to=TensorProto.FLOAT)
        scale = self.constant(f"{name}/scale", np.float32(quantization["scale"]) * by)
        least = self.constant(f"{name}/least", np.float32(quantization["min"]) * by)
        scaled = self.add("Mul", [cast, scale], f"{name}/scaled")
        return self.add("Add", [scaled, least], name)

    def quantized_by_channel(self, name, values):
        """Rounds to 8 bits with a scale for each output channel, the one with the least squared error."""
        flat = values.reshape(values.shape[0], -1)
        peak = np.abs(flat).max(axis=1, keepdims=True) + 1e-12
        best, best_error = peak / 127, np.full_like(peak, np.inf)
        for share in np.linspace(0.7, 1.0, 13):
            scale = peak * share / 127
            error = ((np.clip(np.round(flat / scale), -127, 127) * scale - flat) ** 2).sum(axis=1, keepdims=True)
            best, best_error = np.where(error < best_error, scale, best), np.minimum(error, best_error)
        stored = np.clip(np.round(flat / best), -127, 127).astype(np.int8).reshape(values.shape)
        shape = (-1,) + (1,) * (values.ndim - 1)
        cast = self.add("Cast", [self.constant(f"{name}/stored", stored)], f"{name}/cast", to=TensorProto.FLOAT)
        return self.add("Mul", [cast, self.constant(f"{name}/scale", best.astype(np.float32).reshape(shape))], name)

    def quantized_by_block(self, name, values, block=32):
        """Rounds to 8 bits with a scale for every 32 weights: a byte, in parts of the greatest of its channel."""
        channels = values.shape[0]
        blocks = values.reshape(channels, -1, block)
        peaks = np.abs(blocks).max(axis=2, keepdims=True)
        greatest = peaks.max(axis=1, keepdims=True) + 1e-20
        parts = np.clip(np.ceil(peaks / greatest * 255), 1, 255).astype(np.uint8)
        unit = (greatest / 255 / 127).astype(np.float32)
        stored = np.clip(np.round(blocks / (unit * parts)), -127, 127).astype(np.int8)
        cast = self.add("Cast", [self.constant(f"{name}/stored", stored)], f"{name}/cast", to=TensorProto.FLOAT)
        sizes = self.add("Cast", [self.constant(f"{name}/parts", parts)], f"{name}/sizes", to=TensorProto.FLOAT)
        scales = self.add("Mul", [sizes, self.constant(f"{name}/unit", unit)], f"{name}/scales")
        scaled = self.add("Mul", [cast, scales], f"{name}/scaled")
        return self.add("Reshape", [scaled, self.constant(f"{name}/shape", np.array(values.shape, np.int64))], name)

    def halved(self, name, values):
        """In 16 bits."""
        stored = self.constant(f"{name}/stored", values.astype(np.float16))
        return self.add("Cast", [stored], name, to=TensorProto.FLOAT)


def convert(model, data, *, prepare, finely=(), mapped=None):
    """The ONNX model. `prepare(graph, pixels)` makes of RGB floats what the network expects.

    Layers whose names begin with one of `finely` keep 16 bits: what they get wrong, all later ones build on.
    `mapped` names the last features and the dense layer: a second output then says where each class is seen.
    """
    layers = model["modelTopology"]["model_config"]["config"]["layers"]
    weights = read_weights(model["weightsManifest"], data)
    graph, places = Graph(), {}
    size = layers[0]["config"]["batch_input_shape"][1]
    normalizations = {
        layer["inbound_nodes"][0][0][0]: layer for layer in layers if layer["class_name"] == "BatchNormalization"
    }
    for layer in layers:
        kind, config, name = layer["class_name"], layer["config"], layer["name"]
        inputs = [places[source[0]] for source in (layer["inbound_nodes"] or [[]])[0]]
        if kind == "InputLayer":
            floats = graph.add("Cast", ["pixels"], "floats", to=TensorProto.FLOAT)
            channels_first = graph.add("Transpose", [floats], "channels_first", perm=[0, 3, 1, 2])
            places[name] = prepare(graph, channels_first)
        elif kind == "ZeroPadding2D":
            (top, bottom), (left, right) = config["padding"]
            pads = graph.constant(f"{name}/pads", np.array([0, 0, top, left, 0, 0, bottom, right], np.int64))
            places[name] = graph.add("Pad", [inputs[0], pads], name)
        elif kind in ("Conv2D", "DepthwiseConv2D"):
            places[name] = add_convolution(graph, layer, inputs[0], weights, normalizations.get(name), finely)
        elif kind == "BatchNormalization":
            source = layer["inbound_nodes"][0][0][0]
            folded = f"{source}/folded" in {node.name for node in graph.nodes}
            places[name] = inputs[0] if folded else add_normalization(graph, layer, inputs[0], weights)
        elif kind in ("Activation", "ReLU"):
            places[name] = add_activation(graph, config, inputs[0], name)
        elif kind in ("MaxPooling2D", "AveragePooling2D"):
            places[name] = graph.add(
                "MaxPool" if kind == "MaxPooling2D" else "AveragePool", inputs, name,
                kernel_shape=config["pool_size"], strides=config["strides"], auto_pad=padding_of(config),
            )
        elif kind == "GlobalAveragePooling2D":
            pooled = graph.add("GlobalAveragePool", inputs, f"{name}/pooled")
            places[name] = graph.add("Flatten", [pooled], name)
        elif kind == "Flatten":
            # In TensorFlow the channels come last: the same order only where one pixel is left.
            places[name] = graph.add("Flatten", inputs, name)
        elif kind == "Add":
            places[name] = graph.add("Add", inputs, name)
        elif kind == "Concatenate":
            places[name] = graph.add("Concat", inputs, name, axis=1)
        elif kind == "Dropout":
            places[name] = inputs[0]
        elif kind == "Dense":
            places[name] = add_dense(graph, layer, inputs[0], weights, finely)
        else:
            raise SystemExit(f"{kind} ({name}) cannot be converted")
    graph.add("Identity", [places[layers[-1]["name"]]], "probabilities")
    outputs = [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["images", None])]
    if mapped is not None:
        features, dense = mapped
        kernel = graph.add("Unsqueeze", [f"{dense}/kernel", graph.constant("sides", np.array([2, 3], np.int64))], "map/kernel")
        graph.add("Conv", [places[features], kernel], "map", kernel_shape=[1, 1])
        outputs.append(helper.make_tensor_value_info("map", TensorProto.FLOAT, ["images", None, None, None]))
    made = helper.make_graph(
        graph.nodes, "network",
        [helper.make_tensor_value_info("pixels", TensorProto.UINT8, ["images", size, size, 3])],
        outputs,
        graph.initializers,
    )
    converted = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    checker.check_model(converted)
    return converted


def padding_of(config):
    return "SAME_UPPER" if config["padding"] == "same" else "VALID"


def round_weights(graph, name, values, finely):
    return (graph.halved if name.startswith(tuple(finely)) else graph.quantized_by_block)(f"{name}/kernel", values)


def add_convolution(graph, layer, source, weights, normalization, finely):
    name, config = layer["name"], layer["config"]
    depthwise = layer["class_name"] == "DepthwiseConv2D"
    weight = weights[f"{name}/{'depthwise_kernel' if depthwise else 'kernel'}"]
    order = (2, 3, 0, 1) if depthwise else (3, 2, 0, 1)
    bias = to_floats(weights[f"{name}/bias"]) if config["use_bias"] else None
    # What is normalised right after is folded in: the runtime would do it at every start.
    node, by = name, np.float32(1)
    if normalization is not None:
        scale, shift = normalization_of(normalization, weights)
        by = scale.reshape(-1, 1, 1, 1)
        bias = (bias if bias is not None else 0) * scale + shift
        node = f"{name}/folded"
    if weight[1] is not None:
        kernel = graph.quantized_as_stored(f"{name}/kernel", weight, order, by)
    else:
        kernel = round_weights(graph, name, to_floats(weight).transpose(order) * by, finely)
    inputs = [source, kernel] + ([graph.constant(f"{name}/bias", bias.astype(np.float32))] if bias is not None else [])
    return graph.add(
        "Conv", inputs, node, kernel_shape=config["kernel_size"], strides=config["strides"],
        auto_pad=padding_of(config), group=weight[0].shape[2] if depthwise else 1,
    )


def normalization_of(layer, weights):
    name, config = layer["name"], layer["config"]
    variance = to_floats(weights[f"{name}/moving_variance"])
    scale = (to_floats(weights[f"{name}/gamma"]) if config["scale"] else 1) / np.sqrt(variance + config["epsilon"])
    shift = (to_floats(weights[f"{name}/beta"]) if config["center"] else 0) - to_floats(weights[f"{name}/moving_mean"]) * scale
    return scale.astype(np.float32), shift.astype(np.float32)


def add_normalization(graph, layer, source, weights):
    name = layer["name"]
    scale, shift = normalization_of(layer, weights)
    shape = (-1, 1, 1)
    scaled = graph.add("Mul", [source, graph.constant(f"{name}/scale", scale.reshape(shape))], f"{name}/scaled")
    return graph.add("Add", [scaled, graph.constant(f"{name}/shift", shift.reshape(shape))], name)


def add_activation(graph, config, source, name):
    kind = config.get("activation", "relu")
    if kind == "softmax":
        return graph.add("Softmax", [source], name, axis=-1)
    assert kind == "relu", kind
    if config.get("max_value"):
        bounds = [graph.constant(f"{name}/{bound}", np.float32(value)) for bound, value in (("least", 0), ("most", config["max_value"]))]
        return graph.add("Clip", [source, *bounds], name)
    return graph.add("Relu", [source], name)


def add_dense(graph, layer, source, weights, finely):
    name, config = layer["name"], layer["config"]
    weight = weights[f"{name}/kernel"]
    kernel = (
        graph.quantized_as_stored(f"{name}/kernel", weight, (1, 0))
        if weight[1] is not None
        else round_weights(graph, name, to_floats(weight).transpose(1, 0), finely)
    )
    bias = graph.constant(f"{name}/bias", to_floats(weights[f"{name}/bias"]))
    logits = graph.add("Gemm", [source, kernel, bias], f"{name}/logits", transB=1)
    return add_activation(graph, config, logits, name)


def subtract_means(means):
    """BGR without the means of ImageNet, as the networks of Caffe expect it."""
    def prepare(graph, pixels):
        order = graph.constant("bgr", np.array([2, 1, 0], np.int64))
        swapped = graph.add("Gather", [pixels, order], "swapped", axis=1)
        return graph.add("Sub", [swapped, graph.constant("means", np.array(means, np.float32).reshape(1, 3, 1, 1))], "centred")
    return prepare


def divide_by_255(graph, pixels):
    return graph.add("Div", [pixels, graph.constant("white", np.float32(255))], "unit")
