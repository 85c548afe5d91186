import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgonError } from '../errors.ts';
import { catalogue, findPart, locateFiles } from '../parts/index.ts';
import {
  findModelFile,
  listLocalModels,
  locateGuards,
  locateReader,
  localModelsFolder,
  readModelNote,
  registeredGuards,
  type ModelFile,
} from '../reasoners/index.ts';
import { locateParts } from '../senses/index.ts';
import { joinWithAnd } from '../text/index.ts';

/** A model: what it is for, and whether its files are the ones that were shipped or catalogued. */
export interface ListedModel {
  id: string;
  /** Fetched by `agon models add`; the others ship with Agon. */
  isPart: boolean;
  purpose: string;
  licence: string;
  bytes: number;
  /** `not-added`: it can be. */
  state: FileState | 'not-added';
  files: { path: string; sha256: string; bytes: number; state: FileState }[];
}

type Environment = Record<string, string | undefined>;

type FileState = 'there' | 'altered' | 'missing';

/**
 * Every model, with each of its files read and compared with the hash in its manifest; without `compares`, files count
 * as the shipped ones where they are there.
 */
export async function listModels(
  environment: Environment,
  { compares = true }: { compares?: boolean } = {},
): Promise<ListedModel[]> {
  const checkFile = compares ? compareFile : findFile;
  const guards = await locateGuards();
  const eyes = await locateEyes();
  const described = [
    {
      id: 'guard-2',
      purpose: 'judges texts, descriptions of images and answers of models in English, by two minds',
      licence: 'MIT (gte-small)',
      files: guards['guard-2'],
    },
    {
      id: 'languages-2',
      purpose: `judges texts in ${nameOtherLanguages()}`,
      licence: 'MIT (gte-small)',
      files: guards['languages-2'],
    },
    {
      id: 'reader-1',
      purpose: 'reads claims beside records and contracts, where no rule does',
      licence: 'MIT (gte-small)',
      files: await locateReader(),
    },
    { id: 'eyes-1/objects', purpose: 'names things in images', licence: 'MIT (ResNet-50)', files: eyes.objects },
    { id: 'eyes-1/nudity', purpose: 'tells undressed people in images', licence: 'MIT (nsfwjs)', files: eyes.nudity },
    {
      id: 'eyes-1/text',
      purpose: 'reads English, other Latin and Japanese letters in images, with vision',
      licence: 'Apache-2.0 (PP-OCR)',
      files: eyes.text,
    },
  ];
  const shipped = described.map(async ({ files, ...model }): Promise<ListedModel> => {
    const checked = await Promise.all(files.map(checkFile));
    return { ...model, isPart: false, bytes: sumBytes(checked), state: judgeState(checked), files: checked };
  });
  const parts = catalogue.map(async (part): Promise<ListedModel> => {
    const { id, purpose, licence } = part;
    const located = part.id === 'vision' ? eyes.reading : Object.values(locateFiles(part, environment));
    const checked = await Promise.all(located.map(checkFile));
    const isAbsent = checked.every((file) => file.state === 'missing');
    const bytes = sumBytes(Object.values(part.files));
    return {
      id,
      isPart: true,
      purpose,
      licence,
      bytes,
      state: isAbsent ? 'not-added' : judgeState(checked),
      files: checked,
    };
  });
  const added = listLocalModels(environment).map((name) => listLocalModel(name, environment));
  return Promise.all([...shipped, ...parts, ...added]);
}

/** A language model that was added, against what was written down then. */
async function listLocalModel(name: string, environment: Environment): Promise<ListedModel> {
  const note = await readModelNote(name, environment);
  const file = join(localModelsFolder(environment), `${name}.gguf`);
  const { digest, bytes } = describeFile(name, environment);
  const sha256 = note ? `sha256:${note.sha256}` : digest;
  const state = digest === sha256 ? 'there' : 'altered';
  return {
    id: `local:${name}`,
    isPart: true,
    purpose: `a language model for any seat (--model local:${name})`,
    licence: note ? `its own (${note.source})` : 'its own',
    bytes,
    state,
    files: [{ path: file, sha256, bytes, state }],
  };
}

/** One that is no model any more is listed all the same. */
function describeFile(name: string, environment: Environment): { digest: string; bytes: number } {
  try {
    return findModelFile(name, environment);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { digest: '', bytes: 0 };
  }
}

function sumBytes(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

function judgeState(files: readonly { state: FileState }[]): FileState {
  return files.find((file) => file.state !== 'there')?.state ?? 'there';
}

function nameOtherLanguages(): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const codes = registeredGuards.slice(1).flatMap(({ languages }) => Object.keys(languages));
  return joinWithAnd(codes.filter((code) => code !== 'en').map((code) => names.of(code) ?? code));
}

/** The files of the eyes by what they see. */
async function locateEyes(): Promise<Record<'objects' | 'nudity' | 'text' | 'reading', ModelFile[]>> {
  const parts = Object.entries(await locateParts());
  const named = (...names: string[]) => parts.filter(([part]) => names.includes(part)).map(([, file]) => file);
  const others = ['objects', 'words', 'nudity', ...Object.keys(findPart('vision').files)];
  return {
    objects: named('objects', 'words'),
    nudity: named('nudity'),
    text: parts.filter(([part]) => !others.includes(part)).map(([, file]) => file),
    reading: named(...Object.keys(findPart('vision').files)),
  };
}

async function findFile({ path, sha256 }: ModelFile): Promise<ListedModel['files'][number]> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return { path, sha256, bytes: 0, state: 'missing' };
  return { path, sha256, bytes: found.size, state: 'there' };
}

async function compareFile(file: ModelFile): Promise<ListedModel['files'][number]> {
  const found = await findFile(file);
  if (found.state === 'missing') return found;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
  return { ...found, state: `sha256:${hash.digest('hex')}` === file.sha256 ? 'there' : 'altered' };
}
