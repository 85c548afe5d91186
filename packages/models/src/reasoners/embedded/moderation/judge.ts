import {
  describesImage,
  findPlainForm,
  isGlimpse,
  isObservation,
  type CaseFile,
  type Observation,
  type Question,
} from '@agonhq/engine/debate';
import type { Opinion, ModerationCaseFile, Content } from '@agonhq/judges/moderation';
import { questions, riskyPassages } from '../case-reading.ts';
import { isClose, quoted, quoteSome } from '../phrase-arguments.ts';
import { findContentBar, nearClauses, contentProbability, putFirst, type ModerationKit } from './deliberation.ts';
import { weighUnderPolicy } from '../policy/policy-reader.ts';
import { joinParts } from '@agonhq/engine/text';
import { openGuard, type GuardModel } from '../guard.ts';
import type { GuardReading } from '../text-models/heads.ts';
import { judgeAlone } from '../text-models/terms.ts';
import { shippedWeights, writeRisk } from '../weights.ts';

/** A judge without a role is the guard alone, without debate or precedents: the control to beat. */
export async function judgeReadContent(
  { caseFile }: Question<ModerationCaseFile>,
  kit: ModerationKit,
): Promise<Opinion> {
  const alone = await guardAlone(messageOf(caseFile), kit.guard, { signal: kit.signal });
  // Without words there is neither a risk nor an acquittal: on no evidence, code decides nothing.
  if (!alone)
    return { statement: 'There are no words that the guard model could judge.', evidence: [], clauses: [], score: 0.5 };
  const {
    words,
    reading: { embedding },
  } = alone;
  const finding = await kit.policy.judge({ text: words, embed: async () => embedding }, kit.signal);
  const weighed = caseFile.sources.some(isGlimpse)
    ? await guardAlone(messageOf(keepWeighed(caseFile)), kit.guard, { signal: kit.signal })
    : alone;
  const { logit, own } = weighUnderPolicy((weighed ?? alone).logit, findContentBar(kit), finding);
  const fromBar = logit - findContentBar(kit);
  const risky = own ? [findQuote(own.passage, alone)] : passagesIn(alone);
  const unsafe = fromBar >= 0;
  const near = unsafe ? await nearClauses({ risky, text: words, embedding }, true, [], kit) : [];
  const clauses = putFirst(own ? own.clause : finding.reach.under, near, finding.silent);
  // Not rounded: it is the bare guard's own number, with the bar at one half.
  const score = contentProbability(fromBar);
  const said = writeRisk(score, kit.weights);
  return {
    statement:
      `The guard model alone puts the risk at ${said.risk}, ${unsafe ? 'at or above' : 'below'} the bar of ` +
      `${said.bar}. ${describeReading(fromBar, risky, clauses[0]?.text)}`,
    evidence: unsafe ? (risky.length > 0 ? risky : [firstPart(alone)]) : [],
    clauses: unsafe ? clauses.slice(0, 1).map(({ id }) => id) : [],
    score,
  };
}

function describeReading(fromBar: number, risky: readonly string[], clause: string | undefined): string {
  const close = isClose(fromBar) ? ' It is a close call.' : '';
  if (fromBar < 0)
    return (
      `Read once and not debated, this breaks no clause${risky[0] ? `; ${quoted(risky[0])} comes closest` : ''}.` +
      close
    );
  const harm = risky.length > 0 ? quoteSome(risky) : 'the whole of it';
  return (
    `Read once and not debated, this is unsafe for ${harm}` +
    `${clause === undefined ? '' : `, which amounts to “${clause}”`}.${close}`
  );
}

/** The text in plain letters and what the images show; where there is neither, what is written in them. */
function messageOf({ sources }: CaseFile): { texts: string[]; descriptions: string[] } {
  const given = sources.find(({ id }) => id === 'text');
  const plain = given && findPlainForm(given, sources);
  // What hides in a text too long to be written anew is read after it.
  const hidden = plain === given ? sources.filter((source) => isObservation(source) && isDecoded(source)) : [];
  const texts = plain ? [plain, ...hidden].map(({ text }) => text) : [];
  // What the image models make out is not read into a text: a harmless picture must not clear harmful words.
  const descriptions = sources
    .filter((source) => describesImage(source) && !(plain && isGlimpse(source)))
    .map((source) => source.text);
  const written = sources.filter((source) => isObservation(source) && source.tool === 'ocr');
  return texts.length === 0 && descriptions.length === 0
    ? { texts: [written.map((source) => source.text).join('\n')], descriptions }
    : { texts, descriptions };
}

function isDecoded({ of, tool }: Observation): boolean {
  return of === 'text' && !['injection', 'unreadable'].includes(tool);
}

/** The case with what of it can speak against the subject. */
function keepWeighed({ sources }: CaseFile): CaseFile {
  return {
    sources: sources.map((source) => (isGlimpse(source) ? { ...source, text: source.weighed ?? source.text } : source)),
  };
}

/** The passages that drive the score, each in one part: what reaches over a seam is cut there. */
function passagesIn({ words, parts, reading, head }: GuardAlone): string[] {
  return riskyPassages(words, reading, head).flatMap((passage) => {
    const part = parts.find(({ start, end }) => passage.start < end && passage.end > start);
    return part ? [words.slice(Math.max(passage.start, part.start), Math.min(passage.end, part.end))] : [];
  });
}

/** A passage as it stands in one part; one that reaches over a seam is told by the first part. */
function findQuote(passage: string, alone: GuardAlone): string {
  const { words, parts } = alone;
  return parts.some(({ start, end }) => words.slice(start, end).includes(passage)) ? passage : firstPart(alone);
}

function firstPart({ words, parts }: GuardAlone): string {
  return words.slice(parts[0]!.start, parts[0]!.end);
}

/** The guard's calibrated score for a content and nothing else, no debate: the control that the debate has to beat. */
export async function bareGuard({
  text,
  images = [],
}: Content): Promise<{ label: 'safe' | 'unsafe' | 'undecided'; probability: number | null }> {
  const descriptions = images.flatMap((image) => ('description' in image ? [image.description] : []));
  const alone = await guardAlone({ texts: text === undefined ? [] : [text], descriptions }, await openGuard());
  if (!alone) return { label: 'undecided', probability: null };
  const chance = contentProbability(alone.logit);
  return { label: chance >= shippedWeights.threshold ? 'unsafe' : 'safe', probability: chance };
}

/** What the guard makes of a content that it reads as one message. */
interface GuardAlone {
  /** The message, and where each of its parts stands in it. */
  words: string;
  parts: readonly { start: number; end: number }[];
  head: keyof typeof questions;
  reading: GuardReading;
  /** Calibrated. */
  logit: number;
}

/** One pass of the guard over a text with what its images show; null where there are no words. */
async function guardAlone(
  { texts, descriptions }: { texts: readonly string[]; descriptions: readonly string[] },
  guard: GuardModel,
  options?: { signal?: AbortSignal },
): Promise<GuardAlone | null> {
  const { text: words, places } = joinParts([...texts, ...descriptions]);
  if (words === '') return null;
  const head = descriptions.length === 0 ? 'content' : texts.length === 0 ? 'image' : 'pair';
  const reading = await guard.read(words, options);
  return { words, parts: places, head, reading, logit: judgeAlone(guard.terms[questions[head]], reading.logits) };
}
