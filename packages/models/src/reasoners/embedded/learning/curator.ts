import { describesImage, isObservation, findTurns, type Question, type Turn } from '@agonhq/engine/debate';
import type { Lesson, PostMortem } from '../../../precedents/lesson.ts';
import {
  findContentBar,
  deliberateOnContent,
  type ModerationKit,
  type Deliberation,
} from '../moderation/deliberation.ts';
import { contextNames, distance, quoted } from '../phrase-arguments.ts';
import { joinWithAnd } from '@agonhq/engine/text';

/**
 * The curator as a program: the seat that stood farthest from the truth, the passages that drove the score or the
 * context that should have answered them, the clause that comes nearest. It understands nothing, and says so.
 */
export async function curatorAnswer(question: Question<PostMortem>, kit: ModerationKit): Promise<Lesson> {
  const studied = question.caseFile;
  const { truth, verdict } = studied;
  const seen = await deliberateOnContent({ ...question, transcript: studied.transcript }, kit);
  const wrong = verdict.label !== truth.label;
  const turn = turnOfNote(studied, wrong);
  const clause = truth.clause ?? seen.clauses[0]?.id ?? null;
  const sign = signOf(seen, truth.label);
  const fault = !wrong ? 'none' : truth.label === 'unsafe' ? 'overlooked' : 'overvalued';
  const judged = wrong
    ? `The verdict was ${verdict.label}, and the content is ${truth.label}`
    : `The verdict, ${truth.label}, was right`;
  const stood = turn
    ? `; ${turn.key} stood ${wrong ? 'farthest from' : 'nearest to'} it with ${turn.score!.toFixed(2)}`
    : '';
  return {
    statement: `${judged}${stood}. Put together from scores and passages by ${kit.guard.id}, not an LLM.`,
    turn: turn?.key ?? '',
    fault,
    what: sign,
    summary: summaryOf(studied),
    cues: cuesOf(seen, studied),
    why: truth.why ?? usualReason(seen, truth.label, findContentBar(kit)),
    clause,
    excerpt:
      (truth.label === 'safe' ? seen.contexts[0]?.quote : undefined) ??
      seen.reading.worst.risky[0] ??
      headOf(studied, 240),
  };
}

/** Of a wrong verdict the turn that stood farthest from the truth, of a right one the nearest; the first of several. */
function turnOfNote({ transcript, truth }: PostMortem, wrong: boolean): Turn | undefined {
  const target = truth.label === 'unsafe' ? 1 : 0;
  const away = ({ score }: Turn) => Math.abs(score! - target);
  const scored = findTurns(transcript).filter(({ score, fallback }) => score !== null && !fallback);
  return scored.toSorted((a, b) => (wrong ? away(b) - away(a) : away(a) - away(b)))[0];
}

function signOf({ reading, contexts }: Deliberation, label: 'safe' | 'unsafe'): string {
  const [context] = contexts;
  const [passage] = reading.worst.risky;
  if (label === 'safe' && context) return `${quoted(context.quote)}, ${contextNames[context.kind]}`;
  return passage ? quoted(passage) : 'the content as a whole';
}

/** What it looks like: of an unsafe case what it is, of a safe one what it only resembles. */
function cuesOf({ reading, clauses }: Deliberation, studied: PostMortem): string[] {
  const cues = [...reading.worst.risky.slice(0, 3).map(quoted), ...clauses.slice(0, 1).map(({ text }) => text)];
  return cues.length > 0 ? cues : [quoted(headOf(studied, 90))];
}

function usualReason({ worst, contexts }: Deliberation, label: 'safe' | 'unsafe', bar: number): string {
  const stood = `Its score stood ${distance(worst - bar)} the bar`;
  if (label === 'unsafe') return `It was decided unsafe. ${stood}.`;
  const kinds = joinWithAnd([...new Set(contexts.map(({ kind }) => contextNames[kind]))]);
  return `It was decided safe. ${stood}${kinds === '' ? '' : `; it shows ${kinds}`}.`;
}

function summaryOf(studied: PostMortem): string {
  return (
    `${{ text: 'A text', image: 'An image', 'text+image': 'A text with an image' }[studied.modality]} that ` +
    `begins ${quoted(headOf(studied, 160))}.`
  );
}

/** The first words of what was judged. */
function headOf({ sources }: PostMortem, most: number): string {
  const own = sources.find((source) => !isObservation(source)) ?? sources.find(describesImage) ?? sources[0]!;
  return own.text.slice(0, most).toWellFormed().trim();
}
