import { addUsage, noUsage, type SafetyLabel, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ServiceImage } from '@agonhq/models/reasoners';
import type { SystemJudgement, OpenSystem } from '../system.ts';

import { shorten } from '@agonhq/engine/text';

export interface DialogueTurn {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * What guard models read: a user and an assistant who take turns, the user first. A lone content is the user's only
 * turn, and nobody answered it.
 */
export interface Dialogue {
  turns: readonly DialogueTurn[];
  /** The last that the user said. */
  prompt: string;
  /** What the assistant answered; null for a lone content. */
  response: string | null;
}

/** How systems that know nothing of debates read the subjects of a job. */
export interface ExternalReader<Subject> {
  /** The job's id. */
  job: string;
  /** Whether somebody answered: some guards judge answers alone. */
  hasResponse: boolean;
  /** What those read who read text alone. */
  toDialogue(subject: Subject, signal: AbortSignal): Promise<Dialogue>;
  /** What those see who look at images themselves; absent where there are none. */
  toImages?(subject: Subject): Promise<ShownExternally>;
}

/** What a service that sees images is shown of a subject. */
export interface ShownExternally {
  text: string | null;
  images: readonly ServiceImage[];
}

export interface ExternalJudgement<Label extends string = SafetyLabel> extends SystemJudgement<Label> {
  /** What was violated, in the system's own words. */
  categories?: readonly string[];
}

/** A system of somebody else's. */
export interface ExternalSystem<Subject, Label extends string = SafetyLabel> extends OpenSystem<
  Subject,
  ExternalJudgement<Label>
> {
  kind: 'external';
  /** `vllm:meta-llama/Llama-Guard-3-8B`; none for predictions. */
  models: readonly string[];
  /** What a reader of the tables must know, given the items it was measured on. */
  notes?(items: readonly { id?: string | null; line: number }[]): string[];
}

/** The part of an answer that is kept: a hostile one has megabytes. */
const mostSaid = 2_000;

/** A judgement with the answer it was read from, for people to look at. */
export function toExternalJudgement(
  model: string,
  judgement: Pick<ExternalJudgement, 'label' | 'score' | 'categories'>,
  said: string,
  usage: Usage,
): ExternalJudgement {
  const { label, score, categories } = judgement;
  const kept = shorten(said, mostSaid);
  return {
    label,
    score,
    probability: null,
    ...(categories && categories.length > 0 ? { categories } : {}),
    said: kept,
    turns: [{ key: 'answer', seat: model, round: null, statement: kept, score, label, quotes: [], fallback: null }],
    usage,
    byModel: { [model]: usage },
  };
}

/** A question that was not answered: what to do about it depends on why. */
export function assertAnswered(model: string, { reason, detail }: { reason: string; detail: string }): void {
  // The model, or a filter before it, declined to answer: that is what it said of the item.
  if (reason === 'refused' || reason === 'content-filter') return;
  if (reason === 'budget') {
    throw new AgonError(
      'budget-spent',
      'The budget does not cover another item.',
      'Raise it (--run-budget-usd, --budget-usd) and run the same command again: it goes on where it stopped.',
    );
  }
  throw new AgonError(
    'system-unavailable',
    `${model} did not answer: ${detail}`,
    'Run the same command again: it goes on with the items that failed.',
  );
}

export function sumExternalUsage(parts: readonly { usage: Usage }[]): Usage {
  return parts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}
