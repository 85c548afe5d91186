import { verifyQuotes, type Evidence } from '../evidence/index.ts';
import type { CaseFile } from './case-file.ts';
import type { Answered, AnswerOptions, Failed, Seat } from './reasoner.ts';
import type { Question, Reading } from './role.ts';
import type { Turn } from './transcript.ts';
import { addUsage, type Usage } from './usage.ts';

/** What a seat answered, with its quotes checked. */
interface Heard {
  answer: unknown;
  reading: Reading;
  evidence: Evidence[];
}

/**
 * One turn: the seat answers, code checks its quotes, a quote that is nowhere is sent back once and then struck.
 * When nobody answers, the role's fallback stands in and the turn says why.
 */
export async function takeTurn<Case extends CaseFile>(
  seat: Seat<Case>,
  question: Question<Case>,
  place: { key: string; inputHash: string },
  options: AnswerOptions,
): Promise<Turn> {
  const first = await seat.reasoner.answer(seat.role, question, options);
  if (first.outcome === 'failed') {
    const fallback = { reason: first.reason, detail: first.detail };
    return { ...turn(seat, question, place, hear(seat, question, seat.role.fallback(question)), first), fallback };
  }

  const heard = hear(seat, question, first.value);
  if (heard.evidence.every((evidence) => evidence.verified)) return turn(seat, question, place, heard, first);

  const correction = { answer: first.value, problem: problemWith(heard.evidence, question) };
  const second = await seat.reasoner.answer(seat.role, { ...question, correction }, { signal: options.signal });
  const corrected = second.outcome === 'answered' ? hear(seat, question, second.value) : heard;
  const better = struck(corrected) <= struck(heard) ? corrected : heard;
  return turn(seat, question, place, better, {
    ...first,
    usage: addUsage(first.usage, second.usage),
    latencyMs: first.latencyMs + second.latencyMs,
    notes: [...(first.notes ?? []), correctionNote(heard, better, second)],
  });
}

function hear<Case extends CaseFile>(seat: Seat<Case>, question: Question<Case>, answer: unknown): Heard {
  const reading = seat.role.read(answer);
  return { answer, reading, evidence: verifyQuotes(reading.quotes, question.caseFile.sources) };
}

function turn<Case extends CaseFile>(
  seat: Seat<Case>,
  question: Question<Case>,
  place: { key: string; inputHash: string },
  heard: Heard,
  outcome: { model: string; usage: Usage; latencyMs: number; notes?: readonly string[] },
): Turn {
  return {
    kind: 'turn',
    ...place,
    seat: seat.id,
    role: seat.role.id,
    round: question.round,
    statement: heard.reading.statement,
    score: heard.reading.score,
    evidence: heard.evidence,
    answer: heard.answer,
    reasoner: outcome.model,
    usage: outcome.usage,
    latencyMs: outcome.latencyMs,
    ...(outcome.notes?.length ? { notes: outcome.notes } : {}),
  };
}

function struck(heard: Heard): number {
  return heard.evidence.filter((evidence) => !evidence.verified).length;
}

function problemWith(evidence: readonly Evidence[], question: Question): string {
  const missing = evidence.filter((piece) => !piece.verified).map((piece) => JSON.stringify(piece.quote));
  const sources = question.caseFile.sources.map((source) => source.id).join(', ');
  return (
    `These quotes are in no source: ${missing.join(', ')}. Answer again in full, copying each quote letter by letter ` +
    `from one of the sources (${sources}), and leave out what you cannot quote.`
  );
}

function correctionNote(before: Heard, after: Heard, second: Answered<unknown> | Failed): string {
  const sentBack = `${struck(before)} quote(s) found in no source were sent back`;
  if (second.outcome === 'failed') return `${sentBack}; no second answer came (${second.reason})`;
  return struck(after) === 0 ? `${sentBack} and put right` : `${sentBack}; ${struck(after)} struck`;
}
