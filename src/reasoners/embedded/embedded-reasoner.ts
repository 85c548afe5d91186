import guardManifest from '../../../models/guard-2/guard.json' with { type: 'json' };
import { join } from 'node:path';
import {
  findPlainForm,
  describesImage,
  isObservation,
  noUsage,
  type CaseFile,
  type Question,
  type Reasoner,
  type Role,
  type RoleKey,
} from '../../debate/index.ts';
import { evaluationRoles, type EvaluationCaseFile } from '../../jobs/evaluation/index.ts';
import { moderationRoles } from '../../jobs/moderation/index.ts';
import { lessonSchema } from '../../learning/index.ts';
import { AgonError } from '../../errors.ts';
import { canonicalJson, hashOf } from '../../hash.ts';
import type { Policy } from '../../policy/index.ts';
import { defaultSensitivity, partOfHash, type Sensitivity } from '../../sensitivity.ts';
import { centre, clauseFinder, resemblance, type DecidedCase, type NearClause } from './clauses.ts';
import { documentWeights } from './documents/weighing/signal.ts';
import { arbiterAnswer as exchangeArbiterAnswer } from './evaluation/arbiter.ts';
import { criticAnswer } from './evaluation/critic.ts';
import type { ExchangeKit } from './evaluation/deliberation.ts';
import { auditorAnswer, detectorAnswer, judgeAnswer as exchangeJudgeAnswer } from './evaluation/opinions.ts';
import { guardFiles, guardFolder, openGuard, registeredGuards } from './guard.ts';
import { routeCase, type Unjudged } from './language/route-language.ts';
import { readerDigest, readerModel } from './reader/index.ts';
import { curatorAnswer } from './learning/curator.ts';
import { readCaseParts, readExchangeParts, type EmbeddedReading } from './list-readings.ts';
import { arbiterAnswer } from './moderation/arbiter.ts';
import type { ModerationKit } from './moderation/deliberation.ts';
import { judgeAnswer } from './moderation/judge.ts';
import { looseAnswer, strictAnswer } from './moderation/debaters.ts';
import { supporterAnswer } from './moderation/supporter.ts';
import { readPolicy, type PolicyReader } from './policy/policy-reader.ts';
import { openKeptEmbeddings, type KeptEmbeddings } from './kept-embeddings.ts';
import { shippedLanguages, shippedTerms } from './minds/terms.ts';
import { calibrationAt, exchangeWeights, moveBar, shippedWeights, type FittedBar, type Weights } from './weights.ts';

export const embeddedModel = `embedded:${guardManifest.id}`;

/** Names the files of the models behind it: another guard of the same id has another. */
export const embeddedDigest = hashOf(guardFiles).slice(7, 15);

/** Whether a name stands for an embedded model that this Agon does not have, such as that of an earlier release. */
export function isAbsentModel(model: string): boolean {
  return model.startsWith('embedded:') && model !== embeddedModel;
}

/** Refuses an embedded model that is not installed. */
export function assertInstalled(model: string): void {
  if (!isAbsentModel(model)) return;
  throw new AgonError('model-not-installed', `${model} is not installed: this Agon has ${embeddedModel}.`, {
    library: `Name ${embeddedModel} instead.`,
    cli: `Name ${embeddedModel} instead: --model, --seat or seats in agon.config.yaml.`,
    api: `Name ${embeddedModel} instead, in the settings of the server: seats.`,
  });
}

/** A role that this reasoner can fill: how it argues, and by which words its language is told. */
interface Part<Answer = unknown, Case extends CaseFile = never> {
  role: RoleKey<Answer>;
  argue: (question: Question<Case>, signal: AbortSignal) => Promise<Answer>;
  findLanguage: (caseFile: Case) => Promise<Unjudged | null>;
}

/** A role is told by its id and its schema: two jobs may call a role the same. */
function isPartOf<Answer, Case extends CaseFile>(part: Part, role: Role<Answer, Case>): part is Part<Answer, Case> {
  return part.role.id === role.id && part.role.schema === role.schema;
}

/** What somebody says in another language is not judged; nobody judges a brief. */
const anyLanguage = async () => null;

/**
 * What knows English alone: the code that argues about documents. And what was measured in English alone: answers of
 * models, and images.
 */
const englishGuards = registeredGuards.slice(0, 1).map((guard) => ({ ...guard, languages: { en: 'balanced' } }));

async function findForeignLanguage(
  judged: object,
  listTexts: () => readonly { text: string }[],
): Promise<Unjudged | null> {
  return (await routeCase(judged, listTexts, englishGuards)).unjudged;
}

function showsImage(source: CaseFile['sources'][number]): boolean {
  return describesImage(source) || (isObservation(source) && source.tool === 'ocr');
}

/** By the texts that are judged, and what their images show. */
function routeContent(caseFile: CaseFile) {
  return routeCase(
    caseFile,
    () =>
      caseFile.sources
        .filter((source) => !isObservation(source) || showsImage(source))
        .map((source) => findPlainForm(source, caseFile.sources)),
    caseFile.sources.some(showsImage) ? englishGuards : registeredGuards,
  );
}

type ReadOnRecord = (
  caseFile: CaseFile & Partial<EvaluationCaseFile>,
  signal: AbortSignal,
) => Promise<EmbeddedReading[]>;

const readers: Readonly<Record<string, ReadOnRecord>> = {
  async moderation(caseFile, signal) {
    const { unjudged, open } = await routeContent(caseFile);
    return unjudged ? [] : readCaseParts(caseFile, await open(), signal);
  },
  async evaluation({ sources, turns = [] }, signal) {
    return readExchangeParts({ sources, turns, model: null }, await openGuard(), signal);
  },
};

/**
 * How the embedded model reads a case on record: it says the same each time it is asked. None for a job that it fills
 * no seat of by reading, and where it cannot judge the language.
 */
export async function listReadings(
  job: string,
  caseFile: Parameters<ReadOnRecord>[0],
  signal: AbortSignal,
): Promise<EmbeddedReading[]> {
  return Object.hasOwn(readers, job) ? readers[job]!(caseFile, signal) : [];
}

function moderationParts(policy: PolicyReader, weights: Weights): Part[] {
  const { supporter, strictDebater, looseDebater, arbiter, judge } = moderationRoles;
  const findRoute = routeContent;
  const findLanguage = async (caseFile: CaseFile) => (await findRoute(caseFile)).unjudged;
  function part<Answer, Case extends CaseFile>(
    role: RoleKey<Answer>,
    answer: (question: Question<Case>, kit: ModerationKit) => Promise<Answer>,
  ): Part<Answer, Case> {
    const argue = async (question: Question<Case>, signal: AbortSignal) =>
      answer(question, {
        guard: await (await findRoute(question.caseFile)).open(),
        weights,
        clauses: policy.clauses,
        policy,
        signal,
      });
    return { role, argue, findLanguage };
  }
  return [
    { ...part(supporter, supporterAnswer), findLanguage: anyLanguage },
    part(strictDebater, strictAnswer),
    part(looseDebater, looseAnswer),
    part(arbiter, arbiterAnswer),
    part(judge, judgeAnswer),
    part({ id: 'curator', schema: lessonSchema }, curatorAnswer),
  ];
}

function evaluationParts(policy: PolicyReader, weights: FittedBar): Part[] {
  const { auditor, detector, critic, arbiter, judge } = evaluationRoles;
  // The model's answers: a prompt may be in any tongue, or in none.
  const findRoute = (caseFile: EvaluationCaseFile) =>
    routeCase(
      caseFile,
      () => {
        const answers = caseFile.turns.filter(({ speaker }) => speaker === 'assistant').map(({ source }) => source);
        return caseFile.sources
          .filter(({ id }) => answers.includes(id))
          .map((source) => findPlainForm(source, caseFile.sources));
      },
      englishGuards,
    );
  const findLanguage = async (caseFile: EvaluationCaseFile) => (await findRoute(caseFile)).unjudged;
  function part<Answer>(
    role: RoleKey<Answer>,
    answer: (question: Question<EvaluationCaseFile>, kit: ExchangeKit) => Promise<Answer>,
  ): Part<Answer, EvaluationCaseFile> {
    const argue = async (question: Question<EvaluationCaseFile>, signal: AbortSignal) =>
      answer(question, {
        guard: await (await findRoute(question.caseFile)).open(),
        weights,
        clauses: policy.clauses,
        policy,
        resemblance: async (a, b) => resemblance(a, b, (await loadEmbeddings()).mean),
        signal,
      });
    return { role, argue, findLanguage };
  }
  return [
    part(auditor, auditorAnswer),
    part(detector, detectorAnswer),
    part(critic, criticAnswer),
    part(arbiter, (question, kit) => exchangeArbiterAnswer(question, kit, embeddedModel)),
    part(judge, exchangeJudgeAnswer),
  ];
}

/** Embeddings by the guard, from the kept ones where they are known. */
export async function embedText(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array> {
  return (await loadEmbeddings()).embed(text, options);
}

/** The guard as the one who embeds precedents. Its name says which weights: vectors of others are not comparable. */
export const guardEmbedder = {
  model: `${embeddedModel}@${guardManifest.sha256['first.onnx'].slice(7, 15)}/centred`,
  dimensions: 384,
  embed: embedCentred,
  // Without what all embeddings have in common, two texts that have nothing to do with each other are at nought.
  background: 0,
  /** Below this a case is about something else; fitted by training/fit-similarity.ts. */
  leastSimilarity: shippedWeights.precedents.least,
  /** Theirs are kept. */
  knowsSeeds: true,
};

/** What a text is about: its embedding without what all of them have in common. */
export async function embedCentred(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array> {
  const { embed, mean } = await loadEmbeddings();
  return centre(await embed(text, options), mean);
}

let kept: Promise<KeptEmbeddings> | undefined;

function loadEmbeddings(): Promise<KeptEmbeddings> {
  kept ??= Promise.all([guardFolder(), openGuard()]).then(([folder, guard]) =>
    openKeptEmbeddings(join(folder, 'shelf.bin'), guard),
  );
  return kept;
}

/** How near a text stands to each clause of a policy, the nearest first. */
export function clauseResemblance(
  policy: Policy,
  cases: readonly DecidedCase[] = [],
): (text: string, options?: { signal?: AbortSignal }) => Promise<NearClause[]> {
  const clauses = clauseFinder(policy, loadEmbeddings, cases);
  return async (text, options) => clauses(await embedText(text, options));
}

/** How well the embedded reasoner tells the clauses of a policy that it was not trained for. */
export async function measureClauses(policy: Policy): Promise<ClauseReliability[]> {
  const fits = await readPolicy(policy, {
    openGuard,
    openEmbeddings: loadEmbeddings,
    cases: [],
    weights: shippedWeights,
  }).listFits();
  return fits.map(({ clause, recognised, of, judged }) => ({
    clause: clause.id,
    model: embeddedModel,
    recognised,
    of,
    judged,
  }));
}

/** Whether a clause can be told from its text and examples. */
export interface ClauseReliability {
  clause: string;
  model: string;
  /** Of its violations, how many are caught when each in turn is unknown. */
  recognised: number;
  of: number;
  /** Whether that is enough to rely on. */
  judged: boolean;
}

const decidingRoles: readonly RoleKey[] = [
  moderationRoles.arbiter,
  moderationRoles.judge,
  evaluationRoles.arbiter,
  evaluationRoles.judge,
];

/**
 * A reasoner with no key and no network: the guard model (for documents code, and the reader where no rule reads), and
 * roles that argue from what they find. It is not an LLM and says so.
 */
export function createEmbeddedReasoner(
  policy: Policy,
  cases: readonly DecidedCase[] = [],
  sensitivity: Sensitivity = defaultSensitivity,
): Reasoner {
  const weights = {
    moderation: moveBar(shippedWeights, sensitivity),
    evaluation: moveBar(exchangeWeights, sensitivity),
  };
  const reader = readPolicy(policy, { openGuard, openEmbeddings: loadEmbeddings, cases, weights: weights.moderation });
  const parts = [...moderationParts(reader, weights.moderation), ...evaluationParts(reader, weights.evaluation)];

  /** Clauses of the user's own that no verdict of this reasoner can be relied on for; said by the role that decides. */
  async function listUnjudged(role: RoleKey): Promise<string[]> {
    if (!decidingRoles.includes(role)) return [];
    return (await reader.listFits()).filter(({ judged }) => !judged).map(({ clause }) => clause.id);
  }

  /** The code that argues about documents is large: it is loaded when somebody asks for it. */
  async function findPart<Answer, Case extends CaseFile>(
    role: Role<Answer, Case>,
  ): Promise<Part<Answer, Case> | undefined> {
    const own = parts.find((one) => isPartOf(one, role));
    if (own) return own;
    const { documentParts } = await import('./documents/index.ts');
    const listed: Part[] = documentParts(findForeignLanguage);
    return listed.find((one) => isPartOf(one, role));
  }

  return {
    id: embeddedModel,
    fingerprint: canonicalJson({
      model: embeddedModel,
      files: guardFiles,
      terms: shippedTerms,
      languages: shippedLanguages,
      weights: weights.moderation,
      exchangeWeights: weights.evaluation,
      documentWeights,
      ...partOfHash(sensitivity),
    }),
    vision: false,
    sensitivity,
    digest: embeddedDigest,
    companions: { documents: { [readerModel]: readerDigest } },
    // The arbiter's score is shifted so that the bar stands at one half; this turns it back.
    calibrations: { moderation: calibrationAt(weights.moderation), evaluation: calibrationAt(weights.evaluation) },
    async answer(role, question, { signal }) {
      const started = performance.now();
      const part = await findPart(role);
      if (!part)
        throw new AgonError('no-embedded-role', `${embeddedModel} has no part for the role ${role.id}.`, {
          library: 'Seat an LLM there: seats in the settings.',
          cli: 'Seat an LLM there: --seat, --model or seats in agon.config.yaml.',
        });
      const outcome = { usage: { ...noUsage, calls: 1 }, model: embeddedModel, raw: '' };
      const unjudged = await part.findLanguage(question.caseFile);
      if (unjudged) {
        return {
          ...outcome,
          outcome: 'failed',
          reason: 'unsupported-language',
          detail: `${embeddedModel} judges ${unjudged.judged}, and this is ${unjudged.language}`,
          latencyMs: performance.now() - started,
        };
      }
      const value = await part.argue(question, signal);
      signal.throwIfAborted();
      const clauses = await listUnjudged(part.role);
      const latencyMs = performance.now() - started;
      return {
        ...outcome,
        outcome: 'answered',
        value,
        latencyMs,
        ...(clauses.length > 0 ? { unjudged: clauses } : {}),
      };
    },
  };
}
