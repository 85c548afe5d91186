import { mkdtemp, writeFile } from 'node:fs/promises';
import { ownJobs } from '@agonhq/core/own-jobs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reviveError } from '@agonhq/engine/agon-error';
import { readDocument } from '@agonhq/core/app';
import { readAnswer } from '@agonhq/engine/debate';
import { readJsonValues } from '@agonhq/engine/items';
import { verifyAnswer } from '@agonhq/judges/moderation';
import { parseKnownImageList } from '@agonhq/core/known-images';
import { parsePolicy } from '@agonhq/engine/policy';
import { readPrecedent } from '@agonhq/models/precedents';
import { readRunItems } from '@agonhq/core/runs';
import { inspectImage, openMedia } from '@agonhq/models/senses';
import { unsafeAnswer } from '../fixtures/answers.ts';
import { precedentOf } from '../support/ledger-cases.ts';
import { expectRefusal } from './refusal.ts';
import { type Draws } from './draws.ts';
import { goodFiles, goodPolicy, goodTexts } from './good-files.ts';
import { mutateBytes, mutateText, mutateZip } from './mutate.ts';

/* Every reader of Agon that takes bytes from outside, with a good file to begin from. */

export interface Parser {
  name: string;
  /** Where its code is, from the root of the repository: coverage is counted there. */
  code: readonly string[];
  /** How its files are damaged. */
  kind: 'bytes' | 'text' | 'zip';
  good(): Promise<Uint8Array>;
  /** Reads, or throws an AgonError. What is wrong with single items is checked here, too. */
  read(bytes: Uint8Array): Promise<unknown>;
}

const ingest = 'packages/documents/src/ingest/';
const bytesOf = (text: string) => Buffer.from(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const document = (
  name: keyof typeof goodTexts | 'pdf' | 'xlsx' | 'docx',
  kind: Parser['kind'],
  code: string,
  extension: string = name,
): Parser => ({
  name,
  code: [`${ingest}${code}`],
  kind,
  good: async () =>
    name === 'pdf' || name === 'xlsx' || name === 'docx' ? goodFiles[name]() : bytesOf(goodTexts[name]),
  read: (bytes) => readDocument({ name: `report.${extension}`, bytes }, { ocr: false }),
});

const image = (name: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff'): Parser => ({
  name,
  code: ['packages/models/src/senses/images/'],
  kind: 'bytes',
  good: goodFiles[name],
  read: (bytes) => inspectImage(bytes, `picture.${name}`),
});

const recording = (name: 'wav' | 'mp3' | 'mp4'): Parser => ({
  name,
  code: ['packages/models/src/senses/media/'],
  kind: 'bytes',
  good: goodFiles[name],
  read: (bytes) =>
    openMedia(bytes, `voice.${name}`, name === 'mp4' ? 'video' : 'audio', {
      ffmpeg: 'ffmpeg',
      bytes: 10_000_000,
      seconds: 60,
      whenLonger: 'refuse',
      frames: 2,
      interval: 5,
    }),
});

let folder: Promise<string> | undefined;

/** A file of these bytes; those who read by a path are given one. */
async function fileOf(bytes: Uint8Array, name: string): Promise<string> {
  const file = path.join(await (folder ??= mkdtemp(path.join(tmpdir(), 'agon-parsers-'))), name);
  await writeFile(file, bytes);
  return file;
}

/** A file that items are read from: what is wrong with one of them is its own refusal. */
const items = (
  name: string,
  job: 'moderation' | 'evaluation',
  { file, kind, good, code }: { file: string } & Pick<Parser, 'kind' | 'good' | 'code'>,
): Parser => ({
  name,
  code,
  kind,
  good,
  read: async (bytes) => {
    for await (const { error } of readRunItems(await fileOf(bytes, file), ownJobs.require(job)))
      if (error) expectRefusal(reviveError(error));
  },
});

export const parsers: readonly Parser[] = [
  document('pdf', 'bytes', 'pdf/'),
  document('xlsx', 'zip', 'xlsx/'),
  document('docx', 'zip', 'read-docx.ts'),
  document('csv', 'text', 'read-csv.ts'),
  document('tsv', 'text', 'read-csv.ts'),
  document('json', 'text', 'json/'),
  document('jsonl', 'text', 'json/'),
  document('html', 'text', 'html/'),
  document('markdown', 'text', 'read-markdown.ts', 'md'),
  document('text', 'text', 'read-plain-text.ts', 'txt'),
  image('png'),
  image('jpeg'),
  image('webp'),
  image('gif'),
  image('tiff'),
  recording('wav'),
  recording('mp3'),
  recording('mp4'),
  {
    name: 'policy',
    code: ['packages/engine/src/policy/'],
    kind: 'text',
    good: async () => bytesOf(goodPolicy),
    read: async (bytes) => parsePolicy(textOf(bytes), 'house.yaml'),
  },
  items('promptfoo', 'evaluation', {
    file: 'promptfoo.json',
    kind: 'text',
    good: goodFiles.promptfoo,
    code: ['packages/judges/src/evaluation/imports/'],
  }),
  items('inspect', 'evaluation', {
    file: 'inspect.json',
    kind: 'text',
    good: goodFiles.inspect,
    code: ['packages/judges/src/evaluation/imports/'],
  }),
  items('eval', 'evaluation', {
    file: 'inspect.eval',
    kind: 'zip',
    good: goodFiles.eval,
    code: ['packages/judges/src/evaluation/imports/'],
  }),
  items('items-csv', 'moderation', {
    file: 'items.csv',
    kind: 'text',
    good: async () => bytesOf('id,text,context.author\n1,Good morning,"a, b"\n2,"Good\nnight",c\n'),
    code: ['packages/engine/src/items/'],
  }),
  items('items-jsonl', 'moderation', {
    file: 'items.jsonl',
    kind: 'text',
    good: async () => bytesOf(goodTexts.jsonl),
    code: ['packages/engine/src/items/'],
  }),
  {
    name: 'answer',
    code: ['packages/engine/src/debate/answer-schema.ts', 'packages/judges/src/moderation/verify-answer.ts'],
    kind: 'text',
    good: async () => bytesOf(JSON.stringify(unsafeAnswer)),
    read: async (bytes) => verifyAnswer(readAnswer(textOf(bytes), 'answer.json'), {}),
  },
  {
    name: 'precedents',
    code: ['packages/models/src/precedents/precedent-line.ts'],
    kind: 'text',
    good: async () => {
      const { picture: _, ...precedent } = { picture: null, ...precedentOf('learnt-1') };
      return bytesOf(JSON.stringify({ version: 1, ...precedent }));
    },
    read: async (bytes) => {
      for await (const found of readJsonValues(lineOf(bytes), { example: '{}' })) {
        if ('error' in found) expectRefusal(found.error);
        else readPrecedent(found.value, 'Line 1');
      }
    },
  },
  {
    name: 'known-images',
    code: ['packages/core/src/known-images/read-list.ts'],
    kind: 'text',
    good: async () => bytesOf(`hash,label,source\n${'0f'.repeat(32)},poster,a list\n${'a7'.repeat(32)},other,a list\n`),
    read: async (bytes) => parseKnownImageList(textOf(bytes), 'list.csv'),
  },
];

async function* lineOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A good file with an injury, as its kind is injured. */
export function injure({ kind }: Parser, good: Uint8Array, draws: Draws): Uint8Array {
  const sort = draws.below(3);
  if (kind === 'zip' && sort > 0) return mutateZip(good, draws);
  if (kind === 'text' && sort > 0) return bytesOf(mutateText(textOf(good), draws));
  return mutateBytes(good, draws);
}
