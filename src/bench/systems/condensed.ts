import { findTurns, type Answer, type Transcript, type Usage } from '../../debate/index.ts';
import type { SheetTurn } from '../sheet.ts';
import { shortenWithin } from '../../text/index.ts';

const mostCharacters = 700;
const mostQuotes = 6;

/** What a bench keeps of an answer beside its label and score. */
export function condensed({ usage, verdict, transcript }: Pick<Answer, 'usage' | 'verdict' | 'transcript'>): {
  usage: Usage;
  byModel: Record<string, Usage>;
  rule: string;
  turns: SheetTurn[];
} {
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd, byModel } = usage;
  return {
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
    byModel,
    rule: verdict.rule.id,
    turns: sheetTurns(transcript),
  };
}

/** The debate, shortened. */
export function sheetTurns(transcript: Transcript): SheetTurn[] {
  return findTurns(transcript).map(({ key, seat, round, statement, score, evidence, answer, fallback }) => ({
    key,
    seat,
    round,
    statement: shortenWithin(statement, mostCharacters),
    score,
    label: labelIn(answer),
    quotes: evidence
      .slice(0, mostQuotes)
      .map(({ quote, verified }) => ({ text: shortenWithin(quote, mostCharacters), verified })),
    fallback: fallback?.reason ?? null,
  }));
}

function labelIn(answer: unknown): string | null {
  const label = typeof answer === 'object' && answer !== null ? (answer as { label?: unknown }).label : null;
  return typeof label === 'string' ? label : null;
}
