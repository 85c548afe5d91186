import { verifyQuotes, type Evidence, type Source } from '../evidence/index.ts';
import type { CaseFile } from './case-file.ts';
import type { ModelCall, TurnPlace } from './model-call.ts';
import type { Answered, AnswerOptions, Failed, Seat } from './reasoner.ts';
import { type Question, type Reading, type RoleReader, promptFor } from './role.ts';
import type { Turn, Entry, Transcript } from './transcript.ts';
import { addUsage } from './answer.ts';
import { z } from 'zod';
import { createHash, type Hash } from 'node:crypto';
import { hashOf } from '../hash.ts';

const schemas = new WeakMap<z.ZodType, string>();

/** Everything that can change a turn: the words of its prompt, the images by their hashes, the schema, the reasoner. */
export function hashTurnInput<Case extends CaseFile>(seat: Seat<Case>, question: Question<Case>): string {
  const { instructions, caseFile, transcript, task, attachments = [] } = promptFor(seat.role, question);
  const { temperature = null, maxOutputTokens } = seat.role;
  const { people = [] } = question.caseFile;
  const images = attachments.map(({ id, hash }) => [id, hash]);
  // A list has one order already: prompts are long, and sorting keys would cost more than all the rest of a turn.
  const input = [
    caseFile,
    transcript,
    task,
    images,
    hashSchema(seat.role.schema),
    temperature,
    maxOutputTokens,
    seat.reasoner.fingerprint,
    ...(seat.reasoner.masks && people.length > 0 ? [people] : []),
  ];
  const rest = JSON.stringify(input).slice(1);
  return `sha256:${beginHash(seat.role, instructions).copy().update(rest).digest('hex')}`;
}

const begun = new WeakMap<object, { instructions: string; hash: Hash }>();

/** Instructions are most of a prompt, and the same for case after case: they are hashed once. */
function beginHash(role: object, instructions: string): Hash {
  const last = begun.get(role);
  if (last?.instructions === instructions) return last.hash;
  const hash = createHash('sha256').update(`[${JSON.stringify(instructions)},`);
  begun.set(role, { instructions, hash });
  return hash;
}

/** Everything that can change a computed step: its parameters, the case file, what has been said so far. */
export function hashComputeInput(
  name: string,
  parameters: unknown,
  caseFile: CaseFile,
  transcript: Transcript,
): string {
  return hashOf({ name, parameters, sources: caseFile.sources, said: transcript.map(whatWasSaid) });
}

/** A schema is made once and asked with thousands of times. */
function hashSchema(schema: z.ZodType): string {
  let hash = schemas.get(schema);
  if (hash === undefined) schemas.set(schema, (hash = hashOf(z.toJSONSchema(schema))));
  return hash;
}

/** An entry without what may differ between two runs that said the same: latency, cost, who paid. */
function whatWasSaid(entry: Entry): unknown {
  switch (entry.kind) {
    case 'turn':
      return { key: entry.key, answer: entry.answer, evidence: entry.evidence, fallback: entry.fallback?.reason };
    case 'computed':
      return { key: entry.key, value: entry.value };
    case 'stop':
      return { key: entry.key, reason: entry.reason };
  }
}

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
  place: TurnPlace,
  options: AnswerOptions,
): Promise<{ turn: Turn; calls: readonly ModelCall[] }> {
  const first = await seat.reasoner.answer(seat.role, question, options);
  const { calls = [] } = first;
  if (first.outcome === 'failed') {
    const fallback = { reason: first.reason, detail: first.detail };
    const stoodIn = hear(seat, question, seat.role.fallback(question));
    return { turn: { ...makeTurn(seat, question, place, stoodIn, first), fallback }, calls };
  }

  const heard = hear(seat, question, first.value);
  if (heard.evidence.every((evidence) => evidence.verified))
    return { turn: makeTurn(seat, question, place, heard, first), calls };

  const correction = { answer: first.value, problem: problemWith(heard.evidence, question) };
  const second = await seat.reasoner.answer(seat.role, { ...question, correction }, { signal: options.signal });
  const corrected = second.outcome === 'answered' ? hear(seat, question, second.value) : heard;
  const better = struck(corrected) <= struck(heard) ? corrected : heard;
  const turn = makeTurn(seat, question, place, better, {
    ...first,
    usage: addUsage(first.usage, second.usage),
    latencyMs: first.latencyMs + second.latencyMs,
    notes: [...(first.notes ?? []), correctionNote(heard, better, second)],
  });
  return { turn, calls: [...calls, ...(second.calls ?? [])] };
}

function hear<Case extends CaseFile>(seat: Seat<Case>, question: Question<Case>, answer: unknown): Heard {
  const reading = seat.role.read(answer);
  return { answer, reading, evidence: verifyQuotes(reading.quotes, question.caseFile.sources) };
}

function makeTurn<Case extends CaseFile>(
  seat: Seat<Case>,
  question: Question<Case>,
  place: TurnPlace,
  heard: Heard,
  outcome: Pick<Answered<unknown>, 'model' | 'usage' | 'latencyMs' | 'notes' | 'unjudged' | 'cut'>,
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
    ...(outcome.unjudged?.length ? { unjudged: outcome.unjudged } : {}),
    ...(outcome.cut === undefined ? {} : { cut: outcome.cut }),
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

/**
 * The evidence for some of the quotes of a turn, among some of the sources, without what was struck. Quotes were
 * checked when the turn was taken; only one whose first place is not among these sources is looked for again.
 *
 * @example findEvidence(turn, arbiter, turn.answer.risk.evidence, caseFile.sources)
 */
export function findEvidence<Answer>(
  turn: Turn<Answer>,
  role: RoleReader<Answer>,
  quotes: readonly string[],
  sources: readonly Source[],
): Evidence[] {
  const stated = role.read(turn.answer).quotes;
  return quotes.flatMap((quote): Evidence[] => {
    const checked = turn.evidence[stated.indexOf(quote)];
    if (!checked?.verified) return [];
    if (sources.some(({ id }) => id === checked.source)) return [checked];
    return verifyQuotes([quote], sources).filter(({ verified }) => verified);
  });
}
