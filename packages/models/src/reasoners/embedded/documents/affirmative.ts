import type { Question } from '@agonhq/engine/debate';
import type { Opening, Rebuttal, DocumentCaseFile } from '@agonhq/documents';
import { quoted } from '../phrase-arguments.ts';
import { decideOutcome, readClaimCase } from './read-case.ts';
import { listDissent } from './dissenting.ts';

/** Opens: what bears the claim out. */
export async function answerOpening(question: Question<DocumentCaseFile>): Promise<Opening> {
  const reading = readClaimCase(question);
  const { support, confirmed, score, signals } = reading;
  const table = signals.find(({ kind, weight }) => kind === 'table' && weight > 0);
  const premises = [
    ...confirmed.slice(0, 2).map(({ statement, arithmetic }) => ({
      premise: `${statement} ${arithmetic}`,
      evidence: support.filter((quote) => quote === statement),
    })),
    ...(table
      ? [{ premise: `In the table, ${table.why}.`, evidence: support.filter((quote) => table.quotes.includes(quote)) }]
      : []),
    ...signals
      .filter(({ kind }) => kind === 'derived')
      .map(({ why, quotes }) => ({ premise: why, evidence: support.filter((quote) => quotes.includes(quote)) })),
  ].filter(({ evidence }) => evidence.length > 0);
  const told = new Set(premises.flatMap(({ evidence }) => evidence));
  const found = new Set([...confirmed, ...reading.conflicts].map(({ statement }) => statement));
  const lines = support
    .filter((quote) => !told.has(quote))
    .map((quote) => ({
      premise: found.has(quote) ? `Recomputed: ${quote}` : `The document says ${quoted(quote)}.`,
      evidence: [quote],
    }));
  const all = [...premises, ...lines];
  const statement =
    all.length === 0
      ? 'I find no passage of the document that speaks of this claim.'
      : `${all.length === 1 ? 'One passage speaks' : `${all.length} passages speak`} for the claim; the nearest ` +
        `is ${quoted(all[0]!.evidence[0]!)}.`;
  return { statement, premises: all, score: all.length === 0 ? 0.5 : Math.max(score, 0.5) };
}

export async function answerRebuttal(question: Question<DocumentCaseFile>): Promise<Rebuttal> {
  const reading = readClaimCase(question);
  const { side, score } = decideOutcome(reading);
  const replies = listDissent(question.transcript).map(({ kind, evidence, missing }, index) => {
    const conflict = reading.conflicts.some(({ statement }) => evidence.includes(statement));
    const concedes = conflict || (side !== 'support' && (evidence.length > 0 || missing.length > 0));
    const reply = reading.support[index % Math.max(1, reading.support.length)];
    const point = conflict
      ? 'The arithmetic is right; I cannot answer it.'
      : concedes
        ? 'I find no passage that answers this.'
        : kind === 'alternative-explanation'
          ? 'Another cause does not rule this one out: the document names it.'
          : kind === 'missing-data'
            ? 'The claim does not need those words: what it says stands in the passages I quote.'
            : 'The passages I quote say it all the same.';
    return { attack: index + 1, concedes, point, evidence: concedes || reply === undefined ? [] : [reply] };
  });
  const conceded = replies.filter(({ concedes }) => concedes).length;
  const statement =
    replies.length === 0
      ? 'Nothing was held against the claim.'
      : conceded === 0
        ? 'I concede nothing.'
        : `I concede ${conceded} of ${replies.length} points.`;
  return { statement, replies, score };
}
