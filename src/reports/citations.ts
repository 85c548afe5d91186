import { isObservation, turnsOf, type Turn } from '../debate/index.ts';
import { verifyQuotes, type Evidence, type Source } from '../evidence/index.ts';
import { findingsOf, sideOf, type ModerationAnswer, type Side } from './moderation-answer.ts';
import { speakerOf } from './words.ts';

/** Somebody who quotes a passage, and where on the page they do. */
interface Quoter {
  anchor: string;
  speaker: string;
  side: Side;
}

/** A passage of a source that is quoted at least once. */
export interface Passage {
  number: number;
  source: string;
  start: number;
  end: number;
  quote: string;
  quoters: readonly Quoter[];
}

/** Every quoted passage, numbered in the order in which a reader meets them. */
export interface Citations {
  passages: readonly Passage[];
  numberOf(evidence: Evidence): number | undefined;
}

/** Where a turn is on the page. Ids are made of positions: nothing untrusted gets into an address. */
export function anchorOf(answer: ModerationAnswer, turn: Turn): string {
  return `turn-${turnsOf(answer.transcript).indexOf(turn) + 1}`;
}

export function citationsOf(answer: ModerationAnswer): Citations {
  const texts = new Map(answer.sources.map((source, index) => [source.id, { index, text: source.text }]));
  const passages = new Map<string, Omit<Passage, 'number' | 'quoters'> & { order: number; quoters: Quoter[] }>();
  for (const { evidence, quoter } of quotations(answer)) {
    const source = evidence.verified && texts.get(evidence.source);
    if (!source || !pointsInto(evidence, source.text)) continue;
    const { start, end } = evidence;
    const passage = passages.get(placeOf(evidence)) ??
      { source: evidence.source, start, end, quote: source.text.slice(start, end), order: source.index, quoters: [] };
    if (!passage.quoters.some((other) => other.anchor === quoter.anchor)) passage.quoters.push(quoter);
    passages.set(placeOf(evidence), passage);
  }
  const inReadingOrder = [...passages].sort(([, a], [, b]) => a.order - b.order || a.start - b.start || a.end - b.end);
  const numbers = new Map(inReadingOrder.map(([place], index) => [place, index + 1]));
  return {
    passages: inReadingOrder.map(([, { order: _order, ...passage }], index) => ({ number: index + 1, ...passage })),
    numberOf: (evidence) => numbers.get(placeOf(evidence)),
  };
}

function* quotations(answer: ModerationAnswer): Generator<{ evidence: Evidence; quoter: Quoter }> {
  for (const turn of turnsOf(answer.transcript)) {
    const side = sideOf(turn.role);
    const quoter = { anchor: anchorOf(answer, turn), speaker: speakerOf(turn) };
    if (side) yield* turn.evidence.map((evidence) => ({ evidence, quoter: { ...quoter, side } }));
  }
  for (const side of ['exoneration', 'risk'] as const) {
    const quoter = { anchor: side === 'exoneration' ? 'rule-1' : 'rule-2', speaker: 'Arbiter', side };
    yield* findingEvidence(answer, side).map((evidence) => ({ evidence, quoter }));
  }
  const side = answer.verdict.label === 'safe' ? 'exoneration' : 'risk';
  const quoter: Quoter = { anchor: 'verdict', speaker: 'Verdict', side };
  yield* answer.verdict.evidence.map((evidence) => ({ evidence, quoter }));
}

/** The evidence of one of the arbiter's findings: its turn has that of both, so it is told apart by checking anew. */
export function findingEvidence(answer: ModerationAnswer, side: Side): Evidence[] {
  const quotable = answer.sources.filter((source) => !isObservation(source) || source.tool !== 'placeholder');
  return verifyQuotes(findingsOf(answer)?.[side].evidence ?? [], quotable);
}

function pointsInto({ start, end }: { start: number; end: number }, text: string): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
}

function placeOf(evidence: Evidence): string {
  return JSON.stringify(evidence.verified ? [evidence.source, evidence.start, evidence.end] : null);
}

export function passagesIn(citations: Citations, source: Source): Passage[] {
  return citations.passages.filter((passage) => passage.source === source.id);
}
