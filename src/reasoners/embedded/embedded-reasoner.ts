import guardManifest from '../../../models/guard-1/guard.json' with { type: 'json' };
import replyManifest from '../../../models/reply-1/reply.json' with { type: 'json' };
import { join } from 'node:path';
import { isObservation, noUsage, type CaseFile, type Question, type Reasoner } from '../../debate/index.ts';
import type { EvaluationCaseFile } from '../../jobs/evaluation/index.ts';
import { AgonError } from '../../errors.ts';
import { canonicalJson } from '../../hash.ts';
import type { Policy } from '../../policy/index.ts';
import { clauseFinder, resemblance, type DecidedCase, type NearClause } from './clauses.ts';
import {
  documentRoles,
  documentWeights,
  isDocumentCase,
  readJudgedProse,
  waitForOwnTurn,
  showsItsLanguage,
} from './documents/index.ts';
import { arbiterAnswer as exchangeArbiterAnswer } from './evaluation/arbiter.ts';
import { criticAnswer } from './evaluation/critic.ts';
import type { ExchangeBench } from './evaluation/deliberation.ts';
import { auditorAnswer, detectorAnswer, judgeAnswer as exchangeJudgeAnswer } from './evaluation/opinions.ts';
import { exchangeWeights } from './evaluation/weights.ts';
import { guardFolder, openGuard } from './guard/index.ts';
import { foreignLanguage } from './language.ts';
import { curatorAnswer } from './learning/curator.ts';
import { arbiterAnswer } from './moderation/arbiter.ts';
import { logitOf, type Bench } from './moderation/deliberation.ts';
import { judgeAnswer } from './moderation/judge.ts';
import { looseAnswer } from './moderation/loose-debater.ts';
import { strictAnswer } from './moderation/strict-debater.ts';
import { supporterAnswer } from './moderation/supporter.ts';
import { openShelf, type Shelf } from './shelf.ts';
import { shippedWeights as weights } from './weights.ts';

export const embeddedModel = `embedded:${guardManifest.id}`;

/** How each role argues, by its id. */
const moderationRoles: Record<string, (question: Question, bench: Bench) => Promise<unknown>> = {
  supporter: supporterAnswer,
  'strict-debater': strictAnswer,
  'loose-debater': looseAnswer,
  arbiter: arbiterAnswer,
  judge: judgeAnswer,
  curator: curatorAnswer,
};

const evaluationRoles: Record<string, (question: Question, bench: ExchangeBench) => Promise<unknown>> = {
  auditor: auditorAnswer,
  detector: detectorAnswer,
  critic: criticAnswer,
  arbiter: (question, bench) => exchangeArbiterAnswer(question, bench, embeddedModel),
  judge: exchangeJudgeAnswer,
};

function isExchange(caseFile: CaseFile): caseFile is EvaluationCaseFile {
  return 'turns' in caseFile;
}

/**
 * The first foreign language among the texts that are judged and what their images show; found out once a case, of
 * documents once a dossier.
 */
function languageOf(caseFile: CaseFile): Promise<string | null> {
  const judged = isDocumentCase(caseFile) && showsItsLanguage(caseFile.dossier) ? caseFile.dossier : caseFile;
  let language = languages.get(judged);
  if (!language) {
    const own = judgedTexts(caseFile);
    languages.set(
      judged,
      (language = Promise.all(own.map(({ text }) => foreignLanguage(text))).then(
        (found) => found.find((name) => name !== null) ?? null,
      )),
    );
  }
  return language;
}

/** Of a document its prose; of an exchange the model's answers: a prompt may be in any tongue, or in none. */
function judgedTexts(caseFile: CaseFile): readonly { text: string }[] {
  if (isDocumentCase(caseFile)) return [{ text: readJudgedProse(caseFile) }];
  if (isExchange(caseFile)) {
    const answers = new Set(
      caseFile.turns.filter(({ speaker }) => speaker === 'assistant').map(({ source }) => source),
    );
    return caseFile.sources.filter(({ id }) => answers.has(id));
  }
  return caseFile.sources.filter(
    (source) => !isObservation(source) || ['vision', 'given', 'ocr'].includes(source.tool),
  );
}

const languages = new WeakMap<object, Promise<string | null>>();

let shelf: Promise<Shelf> | undefined;

/** Embeddings by the guard, from the shelf where they are known. */
export async function embedText(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array> {
  return (await theShelf()).embed(text, options);
}

/** The guard as the one who embeds precedents. Its name says which weights: vectors of others are not comparable. */
export const guardEmbedder = {
  model: `${embeddedModel}@${guardManifest.sha256['guard.onnx'].slice(7, 15)}`,
  dimensions: 384,
  embed: embedText,
  /** Below this an alike case says little; the weights of the embedded debate were fitted with it. */
  leastSimilarity: 0.8,
  /** Theirs are on the shelf. */
  knowsSeeds: true,
};

function theShelf(): Promise<Shelf> {
  shelf ??= Promise.all([guardFolder(), openGuard()]).then(([folder, guard]) =>
    openShelf(join(folder, 'shelf.bin'), guard),
  );
  return shelf;
}

/** How near a text stands to each clause of a policy, the nearest first. */
export function clauseResemblance(
  policy: Policy,
  cases: readonly DecidedCase[] = [],
): (text: string, options?: { signal?: AbortSignal }) => Promise<NearClause[]> {
  const clauses = clauseFinder(policy, theShelf, cases);
  return async (text, options) => clauses(await embedText(text, options));
}

/**
 * A reasoner with no key and no network: the guard model (for exchanges the reply model too, for documents code
 * alone), and roles that argue from what they find. It is not an LLM and says so.
 */
export function createEmbeddedReasoner(policy: Policy, cases: readonly DecidedCase[] = []): Reasoner {
  const clauses = clauseFinder(policy, theShelf, cases);

  async function argue(role: string, question: Question, signal: AbortSignal): Promise<unknown> {
    if (isDocumentCase(question.caseFile)) {
      // No model is waited for: a long document would leave no turn to others.
      await waitForOwnTurn();
      return documentRoles[role]!(question);
    }
    const guard = await openGuard();
    if (!isExchange(question.caseFile)) return moderationRoles[role]!(question, { guard, weights, clauses, signal });
    return evaluationRoles[role]!(question, {
      guard,
      clauses,
      resemblance: async (a, b) => resemblance(a, b, (await theShelf()).mean),
      signal,
    });
  }

  return {
    id: embeddedModel,
    fingerprint: canonicalJson({
      model: embeddedModel,
      files: { ...guardManifest.sha256, ...replyManifest.sha256 },
      weights,
      exchangeWeights,
      documentWeights,
    }),
    vision: false,
    // The arbiter's score is shifted so that the bar stands at one half; this turns it back.
    calibrations: {
      moderation: { a: 1, b: logitOf(weights.threshold), band: [weights.band[0], weights.band[1]] },
      evaluation: {
        a: 1,
        b: logitOf(exchangeWeights.threshold),
        band: [exchangeWeights.band[0], exchangeWeights.band[1]],
      },
    },
    async answer(role, question, { signal }) {
      const started = performance.now();
      const { caseFile } = question;
      if (
        !(isDocumentCase(caseFile) ? documentRoles : isExchange(caseFile) ? evaluationRoles : moderationRoles)[role.id]
      )
        throw new AgonError('no-embedded-role', `${embeddedModel} has no part for the role ${role.id}.`, {
          library: 'Seat an LLM there: seats in the settings.',
          cli: 'Seat an LLM there: --seat, --model or seats in agon.config.yaml.',
        });
      const outcome = { usage: { ...noUsage, calls: 1 }, model: embeddedModel, raw: '' };
      const language = role.id === 'supporter' ? null : await languageOf(caseFile);
      if (language) {
        return {
          ...outcome,
          outcome: 'failed',
          reason: 'unsupported-language',
          detail: `${embeddedModel} judges English, and this is ${language}`,
          latencyMs: performance.now() - started,
        };
      }
      const value = await argue(role.id, question, signal);
      signal.throwIfAborted();
      return { ...outcome, outcome: 'answered', value: value as never, latencyMs: performance.now() - started };
    },
  };
}
