import type { z } from 'zod';
import { schemas } from '../api/index.ts';
import { describesImage, isObservation, type Verdict } from '@agonhq/engine/debate';
import type { AgonError } from '@agonhq/engine/agon-error';
import type { ModerationAnswer } from '@agonhq/judges/moderation';
import { bar, type CategoryScores } from './category-scores.ts';

export type ModerationResult = z.input<typeof schemas.openAiModeration>['results'][number];
type InputType = 'text' | 'image';

const { openAiCategories } = schemas;

/**
 * An answer as OpenAI's API gives it. Nobody is acquitted by a crash: what could not be decided or seen is flagged,
 * under no category.
 */
export function toModerationResult(
  { id, verdict, sources }: Pick<ModerationAnswer, 'id' | 'verdict' | 'sources'>,
  scores: CategoryScores,
): ModerationResult {
  return {
    flagged: verdict.label !== 'safe' || hasUnseenImage(sources),
    categories: mapCategories((category) => verdict.label === 'unsafe' && scores[category] >= bar),
    category_scores: scores,
    category_applied_input_types: mapCategories(() => listInputTypes(sources)),
    agon: describeAnswer(id, verdict),
  };
}

/** Where there is nothing to judge there is nothing to flag. */
export function emptyResult(): ModerationResult {
  const why = 'There is nothing to judge: the text is empty.';
  return noScores(false, { id: 'empty', why }, { kind: 'empty-input', at: 'input', detail: why });
}

/** One of several that cannot be judged must not cost the others their verdicts. */
export function unjudgeableResult({ code, message, hint }: AgonError): ModerationResult {
  return noScores(true, { id: 'unjudgeable', why: message }, { kind: code, at: 'input', detail: `${message} ${hint}` });
}

function noScores(flagged: boolean, rule: Verdict['rule'], degradation: Verdict['degraded'][number]): ModerationResult {
  return {
    flagged,
    categories: mapCategories(() => false),
    category_scores: mapCategories(() => 0),
    category_applied_input_types: mapCategories(() => []),
    agon: describeAnswer(null, {
      label: 'undecided',
      risk: null,
      bar: null,
      escalate: flagged,
      rule,
      categories: [],
      evidence: [],
      degraded: [degradation],
    }),
  };
}

function describeAnswer(
  id: string | null,
  { label, risk, bar, escalate, rule, categories, evidence, degraded }: Verdict,
): ModerationResult['agon'] {
  return {
    case: id,
    label,
    risk,
    bar,
    escalate,
    rule,
    categories: [...categories],
    evidence: [...evidence],
    degraded: [...degraded],
  };
}

/** What was read: the text, and images of which anything could be seen. */
function listInputTypes(sources: ModerationAnswer['sources']): InputType[] {
  const text = sources.some((source) => !isObservation(source));
  const image = sources.some((source) => describesImage(source) || (isObservation(source) && source.tool === 'ocr'));
  return [...(text ? (['text'] as const) : []), ...(image ? (['image'] as const) : [])];
}

function hasUnseenImage(sources: ModerationAnswer['sources']): boolean {
  const observations = sources.filter(isObservation);
  return observations.some(
    (image) =>
      image.tool === 'placeholder' && observations.every(({ of, tool }) => of !== image.of || tool === 'placeholder'),
  );
}

function mapCategories<Value>(valueOf: (category: (typeof openAiCategories)[number]) => Value) {
  return Object.fromEntries(openAiCategories.map((category) => [category, valueOf(category)])) as Record<
    (typeof openAiCategories)[number],
    Value
  >;
}
