import guardManifest from '../../../../../models/guard-2/guard.json' with { type: 'json' };
import languagesManifest from '../../../../../models/languages-2/guard.json' with { type: 'json' };
import { join } from 'node:path';
import { packageFolder } from '@agonhq/engine/package-folder';
import { loadFirstPass, type FirstPass } from './text-models/first-pass.ts';
import { loadTextModel, type TextModel } from './text-models/text-model.ts';
import { openOnce, type SharedReadOptions } from './runtime/index.ts';
import { languageTerms, shippedTerms, type Terms } from './text-models/terms.ts';

/** The guard: one model that reads everything, and another that is asked where the first is in doubt. */
export interface GuardModel extends TextModel {
  id: string;
  embed(text: string, options?: SharedReadOptions): Promise<Float32Array>;
  /** The other model, loaded when it is first asked for; null where there is none. */
  openSecond: (() => Promise<TextModel>) | null;
  /** The one that makes a first pass over short texts, loaded as the other model is; null where there is none. */
  openFirstPass: (() => Promise<FirstPass>) | null;
  /** What is made of their scores. */
  terms: Terms;
}

/**
 * The guard that Agon ships, loaded on the first call and once per process.
 *
 * @example const { logits } = await (await openGuard()).read('How do I kill a process?')
 */
export const openGuard = openOnce(async (): Promise<GuardModel> => loadGuard(await guardFolder()));

/** A guard and the languages it judges: one for each group of languages. */
export interface RegisteredGuard {
  id: string;
  /** By ISO 639-1 code, as its manifest has them. */
  languages: Readonly<Record<string, unknown>>;
  /** As it judges texts in these of its languages. */
  open(languages: readonly string[]): Promise<GuardModel>;
}

/** The guards that Agon ships, the one for English first. */
export const registeredGuards: readonly RegisteredGuard[] = [
  { id: guardManifest.id, languages: guardManifest.languages, open: () => openGuard() },
  {
    id: languagesManifest.id,
    languages: languagesManifest.languages,
    open: async (languages) => ({ ...(await openLanguages()), terms: languageTerms(languages) }),
  },
];

/** What is behind the guards, by file. */
export const guardFiles: Readonly<Record<string, string>> = Object.fromEntries(
  [guardManifest, languagesManifest].flatMap(({ id, sha256 }) =>
    Object.entries<string>(sha256).map(([file, hash]) => [`${id}/${file}`, hash]),
  ),
);

/** A file of a shipped model, with the hash that it is checked against. */
export interface ModelFile {
  path: string;
  sha256: string;
}

/** Every file of the guards, by guard. */
export async function locateGuards(): Promise<Record<'guard-2' | 'languages-2', ModelFile[]>> {
  const locate = async (name: string, { sha256 }: { sha256: Record<string, string> }) => {
    const folder = await modelFolder(name);
    return Object.entries(sha256).map(([file, hash]) => ({ path: join(folder, file), sha256: hash }));
  };
  return {
    'guard-2': await locate('guard-2', guardManifest),
    'languages-2': await locate('languages-2', languagesManifest),
  };
}

/** Where the models lie that Agon ships for English. */
export function guardFolder(): Promise<string> {
  return modelFolder('guard-2');
}

async function modelFolder(name: string): Promise<string> {
  return join(packageFolder(import.meta.dirname), 'models', name);
}

/** One model for all other languages: what it has learnt it has from English. */
const openLanguages = openOnce(async (): Promise<GuardModel> => {
  const model = await loadTextModel(await modelFolder('languages-2'), 'first.onnx');
  const embed: GuardModel['embed'] = async (text, options) => (await model.read(text, options)).embedding;
  return { ...model, embed, openSecond: null, openFirstPass: null, terms: languageTerms([]) };
});

/** A guard from its folder, which the caller closes. */
export async function loadGuard(
  folder: string,
  terms: Terms = shippedTerms,
): Promise<GuardModel & { close(): Promise<void> }> {
  const first = await loadTextModel(folder, 'first.onnx');
  const opened: { close(): Promise<void> }[] = [first];
  const openSecond = openOnce((): Promise<TextModel> => keep(loadTextModel(folder, 'second.onnx')));
  // A first pass may have many texts to judge.
  const openFirstPass = openOnce((): Promise<FirstPass> => {
    first.allowLanes();
    return keep(loadFirstPass(folder));
  });
  async function keep<Opened extends { close(): Promise<void> }>(opening: Promise<Opened>): Promise<Opened> {
    const one = await opening;
    opened.push(one);
    return one;
  }
  return {
    ...first,
    embed: async (text, options) => (await first.read(text, options)).embedding,
    openSecond,
    openFirstPass,
    terms,
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}
