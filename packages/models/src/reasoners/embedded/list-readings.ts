import type { CaseFile } from '@agonhq/engine/debate';
import type { EvaluationCaseFile } from '@agonhq/judges/evaluation';
import { questions, readCase } from './case-reading.ts';
import { answersIn, readExchangeAnswer } from './evaluation/exchange-reading.ts';
import { openGuard, type GuardModel } from './guard.ts';
import { routeContent } from './language/route-language.ts';
import { judgeAlone } from './text-models/terms.ts';

/** How the embedded model reads one part of a case: what the embedded seats argue from. */
export interface EmbeddedReading {
  /** The source that was read. */
  source: string;
  /** As what it was read. */
  as: 'text' | 'image' | 'text+image' | 'exchange';
  /** How likely it is a risk, by this model alone: before precedents, policy and the other model. */
  risk: number;
  /** The passages that push the risk most, the first the most. */
  passages: readonly string[];
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

/** The parts of a case of moderation, the riskiest first. */
async function readCaseParts(caseFile: CaseFile, guard: GuardModel, signal: AbortSignal): Promise<EmbeddedReading[]> {
  const { parts } = await readCase(caseFile, guard, signal);
  return parts.map(({ source, head, logit, risky }) => ({
    source: source.id,
    as: questions[head],
    risk: toProbability(logit),
    passages: risky,
  }));
}

/** The answers of an evaluated model, each in the light of its prompt. */
async function readExchangeParts(
  caseFile: EvaluationCaseFile,
  guard: GuardModel,
  signal: AbortSignal,
): Promise<EmbeddedReading[]> {
  const model = (await guard.openSecond?.()) ?? guard;
  const terms = guard.terms.exchange;
  return Promise.all(
    answersIn(caseFile).map(async (said) => {
      const { logits, risky } = await readExchangeAnswer(said, model, terms, signal);
      return {
        source: said.source.id,
        as: 'exchange' as const,
        risk: toProbability(judgeAlone(terms, logits)),
        passages: risky,
      };
    }),
  );
}

function toProbability(logit: number): number {
  return Math.round(1e4 / (1 + Math.exp(-logit))) / 1e4;
}
