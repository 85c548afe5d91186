import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { catalogue, findPart, findPartFolder, locateFiles, packageParts } from '@agonhq/engine/parts';
import {
  findModelFile,
  listLocalModels,
  locateGuards,
  localModelsFolder,
  readModelNote,
  registeredGuards,
  type ModelFile,
} from '@agonhq/models/reasoners';
import { locateParts } from '@agonhq/models/senses';
import { joinWithAnd } from '@agonhq/engine/text';

/** A model: what it is for, and whether its files are the ones that were shipped or catalogued. */
export interface ListedModel {
  id: string;
  /** Fetched by `agon add`; the others ship with Agon. */
  isPart: boolean;
  /** What `agon add` is told to fetch it; null for what ships with Agon. */
  part: string | null;
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
  environment: Record<string, string | undefined>,
  { compares = true }: { compares?: boolean } = {},
): Promise<ListedModel[]> {
  const checkFile = compares ? compareFile : findFile;
  const guards = await locateGuards();
  const shipped = [
    {
      id: 'guard-2',
      purpose: 'judges texts, descriptions of images and answers of models in English, by two models',
      licence: 'MIT (gte-small)',
      files: guards['guard-2'],
    },
    {
      id: 'languages-2',
      purpose: `judges texts in ${nameOtherLanguages()}`,
      licence: 'MIT (gte-small)',
      files: guards['languages-2'],
    },
  ].map((model) => ({ ...model, part: null, isPart: false, bytes: null }));
  const added = catalogue.map((part) => ({
    ...part,
    files: Object.values(locateFiles(part, environment)),
    part: part.id,
    isPart: true,
    bytes: sumBytes(Object.values(part.files)),
  }));
  const listed = [...shipped, ...listModelsOfPackages(environment), ...added];
  const language = listLocalModels(environment).map((name) => listLocalModel(name, environment));
  const known = listed.map(async ({ id, purpose, licence, files, part, isPart, bytes }): Promise<ListedModel> => {
    const checked = await Promise.all(files.map(checkFile));
    const isAbsent = part !== null && checked.every((file) => file.state === 'missing');
    const state = isAbsent ? 'not-added' : judgeState(checked);
    return { id, isPart, part, purpose, licence, bytes: bytes ?? sumBytes(checked), state, files: checked };
  });
  return Promise.all([...known, ...language]);
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
    part: `local:${name}`,
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

/** Models that come with packages of ours, which an installation may lack. */
function listModelsOfPackages(environment: Record<string, string | undefined>) {
  const hasVision = findPartFolder(findPart('vision', packageParts), environment) !== null;
  const imageModels = hasVision ? locateImageModels() : { objects: [], nudity: [], text: [] };
  return [
    {
      id: 'images-1/objects',
      purpose: 'names things in images',
      licence: 'MIT (ResNet-50)',
      files: imageModels.objects,
    },
    {
      id: 'images-1/nudity',
      purpose: 'tells undressed people in images',
      licence: 'MIT (nsfwjs)',
      files: imageModels.nudity,
    },
    { id: 'images-1/text', purpose: 'reads text in images', licence: 'Apache-2.0 (PP-OCR)', files: imageModels.text },
  ].map((model) => ({ part: 'vision', isPart: true, bytes: null, ...model }));
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

/** The files of the image models by what they see. */
function locateImageModels(): Record<'objects' | 'nudity' | 'text', ModelFile[]> {
  const parts = Object.entries(locateParts());
  const named = (...names: string[]) => parts.filter(([part]) => names.includes(part)).map(([, file]) => file);
  return {
    objects: named('objects', 'words'),
    nudity: named('nudity'),
    text: parts.filter(([part]) => !['objects', 'words', 'nudity'].includes(part)).map(([, file]) => file),
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
