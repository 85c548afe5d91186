/**
 * Records what the original models say about the sample images, by TensorFlow.js from a folder of its own:
 * node packages/lab/training/vision/record-originals.ts node_modules/@tensorflow/tfjs/dist/tf.node.js RESNET_PACKAGE NSFWJS_PACKAGE
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { drawSample, sampleCount } from './sample-images.ts';

const [tensorflow, resnet, nsfwjs] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(import.meta.url);
// oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-assignment -- not a dependency: untyped.
const tf: any = require(tensorflow!);

interface Manifest {
  modelTopology: object;
  weightsManifest: { paths: string[]; weights: object[] }[];
}

async function record(model: Manifest, shards: Buffer[], side: number, prepare: (input: any) => any) {
  const weightData = new Uint8Array(Buffer.concat(shards)).buffer;
  const weightSpecs = model.weightsManifest.flatMap(({ weights }) => weights);
  const network = await tf.loadLayersModel(
    tf.io.fromMemory({ modelTopology: model.modelTopology, weightSpecs, weightData }),
  );
  return Array.from({ length: sampleCount }, (_, index) => {
    const input = tf.tensor4d(Array.from(drawSample(index, side)), [1, side, side, 3]);
    const values: number[] = Array.from(network.predict(prepare(input)).dataSync());
    return values.map((value) => Number(value.toFixed(4)));
  });
}

const plain = JSON.parse(readFileSync(join(resnet!, 'ResNet50/model.json'), 'utf8')) as Manifest;
const plainShards = plain.weightsManifest.flatMap(({ paths }) =>
  paths.map((path) => readFileSync(join(resnet!, 'ResNet50', path))),
);
const objects = await record(plain, plainShards, 224, (input) =>
  tf.sub(tf.reverse(input, 3), tf.tensor1d([103.939, 116.779, 123.68])),
);

const unwrap = (path: string): unknown => {
  const loaded = require(join(nsfwjs!, 'dist/models/inception_v3', `${path}.min.js`)) as { default?: unknown };
  return loaded.default ?? loaded;
};
const wrapped = unwrap('model') as Manifest;
const shards = wrapped.weightsManifest.flatMap(({ paths }) =>
  paths.map((path) => Buffer.from(unwrap(path) as string, 'base64')),
);
const nudity = await record(wrapped, shards, 299, (input) => tf.div(input, 255));

const file = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'models',
  'src',
  'senses',
  'seeing',
  'original-probabilities.json',
);
writeFileSync(file, `${JSON.stringify({ objects, nudity })}\n`);
