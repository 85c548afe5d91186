import {
  findRetrieval,
  findTurns,
  isGlimpse,
  type CaseFile,
  type Precedent,
  type Question,
} from '@agonhq/engine/debate';
import type { Modality } from '@agonhq/judges/moderation';
import { questions, readCase, type CaseReading, type ReadPart } from '../case-reading.ts';
import type { FindClauses, NearClause } from '../clauses.ts';
import type { ExonerationKind } from '../exoneration.ts';
import type { GuardModel } from '../guard.ts';
import { isContested, judgeOtherwise, judgeTogether } from '../text-models/terms.ts';
import type { IsPlain } from '../passages.ts';
import { weighUnderPolicy, type PolicyReader } from '../policy/policy-reader.ts';
import { weighCase } from '../policy/weigh-case.ts';
import { drivingSpans } from '../runtime/index.ts';
import { computeLogit, type Weights } from '../weights.ts';

/** What the embedded roles are made with. */
export interface ModerationKit {
  guard: GuardModel;
  weights: Weights;
  clauses: FindClauses;
  /** The policy, which says what of a risk counts. */
  policy: PolicyReader;
  /** The calibrated logit below which a first pass is enough; null where everything is read. */
  firstPassBelow: number | null;
  /** Whether a first pass over a passage is enough, so that it is not read by itself. */
  isPlain?: IsPlain | null;
  signal: AbortSignal;
}

/** The case as numbers and passages: what every role argues from, each with its own emphasis. */
export interface Deliberation {
  reading: CaseReading;
  modality: Modality;
  /** What the first model makes of the worst part and of the subject alone: calibrated logits. */
  worst: number;
  subject: number;
  /** What the other model makes of the worst part; null where the first is in no doubt, or there is no other. */
  second: SecondView | null;
  /** The benign contexts; one counts where the other model, too, finds the case more harmless. */
  contexts: { kind: ExonerationKind; quote: string; counts: boolean }[];
  precedents: readonly Precedent[];
  /** What they add (above 0) or take off, where the case is contested. */
  leaning: number;
  clauses: NearClause[];
  /** A kind of harm that the guard sees and the policy does not forbid. */
  beyond: NearClause | null;
}

interface SecondView {
  /** Calibrated: alone, and together with the first model and the precedents. */
  alone: number;
  together: number;
  /** The passages by which it finds the case harmless. */
  calming: readonly string[];
}

/**
 * Weighs a case by its worst part. Where that is what the embedded image models made out beside a text, the words are
 * weighed as they are without it too, and the riskier counts: a harmless picture clears nothing.
 */
export async function deliberateOnContent(
  question: Question<CaseFile & { modality: Modality }>,
  kit: ModerationKit,
): Promise<Deliberation> {
  const { modality } = question.caseFile;
  const read = await readCase(question.caseFile, kit.guard, kit.signal, kit.isPlain);
  const whole = await deliberateOn(read, modality, question, kit);
  if (read.worst === read.subject || !isGlimpse(read.worst.source)) return whole;
  const words = await deliberateOn({ ...read, worst: read.subject }, 'text', question, kit);
  return conclude(words) > conclude(whole) ? { ...words, modality } : whole;
}

/** The logit that a case comes to. */
function conclude({ worst, second }: Deliberation): number {
  return second?.together ?? worst;
}

async function deliberateOn(
  read: CaseReading,
  modality: Modality,
  question: Question,
  kit: ModerationKit,
): Promise<Deliberation> {
  const { guard, weights, signal } = kit;
  const bar = findContentBar(kit);
  const { reading, worst, subject, named, beyond, finding } = await weighCase(read, {
    policy: kit.policy,
    bar,
    landmarkOf: (part, isRisky) => landmark({ ...part, text: part.source.text }, isRisky, kit),
    signal,
  });
  const precedents = listPrecedents(question);
  const leaning = computeLeaning(precedents, weights.precedents, modality);
  const view = await askSecond(reading.worst, precedents, leaning, kit);
  const weigh = (logit: number) => weighUnderPolicy(logit, bar, finding).logit;
  const second = view && { ...view, alone: weigh(view.alone), together: weigh(view.together) };
  const counts = second !== null && second.alone < worst;
  return {
    reading,
    modality,
    worst,
    subject,
    second,
    contexts: reading.exonerations.map(({ kind, quote }) => ({ kind, quote, counts })),
    precedents,
    leaning: second ? (guard.terms[modality].both?.precedents ?? 0) * leaning : 0,
    clauses: putFirst(
      named,
      await nearClauses(
        { ...reading.worst, text: reading.worst.source.text },
        reading.worst.logit >= bar,
        precedents,
        kit,
      ),
      finding.silent,
    ),
    beyond,
  };
}

/** Asks the other model where the first is in doubt, or where people decided a case like it otherwise. */
async function askSecond(
  part: ReadPart,
  precedents: readonly Precedent[],
  leaning: number,
  kit: ModerationKit,
): Promise<SecondView | null> {
  const { guard, signal } = kit;
  const terms = guard.terms[questions[part.head]];
  const label = part.logit >= findContentBar(kit) ? 'unsafe' : 'safe';
  const isObjectedTo = precedents.some(
    (precedent) =>
      precedent.confirmedBy !== 'seed' &&
      precedent.label !== label &&
      precedent.similarity >= kit.weights.precedents.contests,
  );
  if (!guard.openSecond || !terms.both || !(isContested(terms, part.logit) || isObjectedTo)) return null;
  const { words, reading, margin } = part.read;
  const other = await (await guard.openSecond()).read(words, { signal });
  const calming = drivingSpans(words, other, part.head, { most: 2, direction: 'down' });
  return {
    alone: judgeOtherwise(terms, other.logits) - margin,
    together: judgeTogether(terms, reading.logits, other.logits, leaning) - margin,
    calming: calming
      .map(({ start, end }) => words.slice(start, end))
      .filter((quote) => part.source.text.includes(quote)),
  };
}

/** The clauses that may be cited: the one that a text falls under first, and none that it has nothing to do with. */
export function putFirst(
  named: NearClause | null,
  near: readonly NearClause[],
  silent: ReadonlySet<string>,
): NearClause[] {
  const others = near.filter(({ id }) => id !== named?.id && !silent.has(id));
  return [...(named ? [named] : []), ...others];
}

/** The precedents that were shown. */
function listPrecedents({ transcript }: Question): readonly Precedent[] {
  return findRetrieval(transcript)?.precedents ?? [];
}

/** A text this long may be about several things. */
const longText = 300;

/** A text as the guard read it, with the passages that carry its risk. */
interface ReadText {
  text: string;
  risky: readonly string[];
  embedding: Float32Array;
}

/** The clauses that a text comes nearest to. */
export async function nearClauses(
  read: ReadText,
  risky: boolean,
  precedents: readonly Precedent[],
  kit: ModerationKit,
): Promise<NearClause[]> {
  const { leastResemblance } = kit.weights.clauses;
  return nearest(await kit.clauses(await landmark(read, risky, kit)), precedents, leastResemblance);
}

/** What the clause is told by: of a long and risky text its worst passage. */
async function landmark(
  { text, risky: [passage], embedding }: ReadText,
  risky: boolean,
  { guard, signal }: ModerationKit,
): Promise<Float32Array> {
  return risky && passage !== undefined && text.length > longText ? guard.embed(passage, { signal }) : embedding;
}

/** How much an alike case backs the category it was decided under. */
function heaviness({ similarity }: Precedent): number {
  return Math.exp(similarity / 0.2);
}

/**
 * The clauses in the order of likelihood: by what speaks for them, and by the categories of the unsafe cases that are
 * alike. None where the case resembles nothing that the policy forbids.
 */
function nearest(
  clauses: readonly NearClause[],
  precedents: readonly Precedent[],
  leastResemblance: number,
): NearClause[] {
  const unsafe = precedents.filter(({ label }) => label === 'unsafe');
  const all = unsafe.reduce((sum, precedent) => sum + heaviness(precedent), 0) || 1;
  const backing = (clause: NearClause) =>
    unsafe
      .filter(({ category }) => category !== null && clause.id.startsWith(`${category}.`))
      .reduce((sum, precedent) => sum + heaviness(precedent), 0) / all;
  const resembles = (clause: NearClause) => clause.similarity >= leastResemblance;
  if (!clauses.some(resembles)) return [];
  const standing = new Map(clauses.map((clause) => [clause, clause.standing + 0.1 * backing(clause)]));
  return clauses
    .toSorted((a, b) => standing.get(b)! - standing.get(a)!)
    .slice(0, 3)
    .filter((clause, place) => place === 0 || resembles(clause));
}

/** The nearest of each kind: the weights were fitted with so many. People err, so more of what they confirmed. */
const heard = { seeds: 10, confirmed: 20 };

/**
 * What the alike cases say, as a logit. The seeds speak for themselves and so do the confirmed cases (learnt or
 * imported), so that many of one kind never silence the other.
 */
export function computeLeaning(
  precedents: readonly Weighable[],
  weights: Weights['precedents'],
  modality: Modality,
): number {
  const [seeds, confirmed] = [true, false].map((wanted) =>
    precedents.filter(({ confirmedBy = 'seed' }) => (confirmedBy === 'seed') === wanted),
  ) as [Weighable[], Weighable[]];
  return (
    weighPrecedents(seeds, heard.seeds, weights, modality) +
    authority(confirmed) * weighPrecedents(confirmed, heard.confirmed, weights, modality)
  );
}

/**
 * Mistakes alone tell where verdicts err, and say little about how often a label is right; cases that were decided
 * right beside them do. A library of both counts up to twice as much.
 */
function authority(confirmed: readonly Weighable[]): number {
  return 1 + confirmed.filter(({ lesson }) => lesson === 'confirmation').length / Math.max(1, confirmed.length);
}

type Weighable = Pick<Precedent, 'label' | 'similarity' | 'confirmedBy' | 'modality' | 'lesson'>;

/**
 * The odds of unsafe among cases, each counting the more the more alike it is. One imagined case of each label stands
 * beside them at a distance, so that few or remote ones say little, and none nothing. Where an image is judged, a case
 * of another modality counts e times less.
 */
function weighPrecedents(
  precedents: readonly Weighable[],
  most: number,
  { remote, spread }: Weights['precedents'],
  modality: Modality,
): number {
  const isOther = (precedent: Weighable) =>
    modality !== 'text' && precedent.modality !== undefined && precedent.modality !== modality;
  const weighed = precedents.map((precedent) => ({
    label: precedent.label,
    weight: Math.exp((precedent.similarity - remote) / spread - (isOther(precedent) ? 1 : 0)),
  }));
  const nearest = weighed.sort((a, b) => b.weight - a.weight).slice(0, most);
  const standing = (label: Precedent['label']) =>
    nearest.filter((precedent) => precedent.label === label).reduce((sum, { weight }) => sum + weight, 1);
  return Math.log(standing('unsafe') / standing('safe'));
}

/** What a role last quoted and code verified. */
export function listContentQuotes(question: Question, role: string): string[] {
  const turn = findTurns(question.transcript).findLast((heard) => heard.role === role && !heard.fallback);
  return (turn?.evidence ?? []).flatMap((evidence) => (evidence.verified ? [evidence.quote] : []));
}

/** Whether a seat has spoken: the arbiter weighs only what was argued before it. */
export function hasSpoken(question: Question, role: string): boolean {
  return findTurns(question.transcript).some((turn) => turn.role === role && !turn.fallback);
}

export function contentProbability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** A logit as a score with the bar at one half; a calibration turns the arbiter's back into a probability. */
export function computeScore(logit: number, kit: ModerationKit): number {
  return Math.round(contentProbability(logit - findContentBar(kit)) * 1e4) / 1e4;
}

/** The logit from which content is unsafe. */
export function findContentBar({ weights }: ModerationKit): number {
  return computeLogit(weights.threshold);
}
