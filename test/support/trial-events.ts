import { findTurns, type DebateEvent, type Entry, type Turn } from '@agonhq/engine/debate';
import type { EvaluationAnswer, EvaluationEvent } from '@agonhq/judges/evaluation';
import { readModality, type ModerationAnswer, type ModerationEvent } from '@agonhq/judges/moderation';

/** The events of a trial with this answer: a round's sides speak together, word by word. */
export function eventsOf(answer: ModerationAnswer): ModerationEvent[] {
  const place = { debate: answer.id, scope: null };
  const turns = findTurns(answer.transcript);
  const rounds = roundsOf(turns);
  const solo = (role: string) =>
    turns.filter((turn) => turn.role === role).flatMap((turn) => spoken(answer.id, [turn]));
  return [
    ...solo('preprocessor'),
    {
      ...place,
      type: 'case-ready',
      caseFile: {
        sources: answer.sources,
        modality: readModality({ sources: answer.sources, images: answer.subject.images }),
        images: answer.subject.images,
      },
    },
    ...solo('supporter'),
    ...spoken(
      answer.id,
      turns.filter((turn) => turn.role === 'judge' && turn.round === null),
    ),
    ...rounds.flatMap((round): ModerationEvent[] => [
      ...spoken(
        answer.id,
        turns.filter((turn) => turn.round === round),
      ),
      roundEnd(answer, round),
    ]),
    ...solo('arbiter'),
    { ...place, type: 'debate-end', transcript: answer.transcript },
  ];
}

/** The same for an evaluation: in each round opinions together, then the critic, then the equations. */
export function evaluationEventsOf(answer: EvaluationAnswer): EvaluationEvent[] {
  const place = { debate: answer.id, scope: null };
  const { sources, subject, transcript } = answer;
  const entries = (round: number | null) =>
    transcript.filter((entry) => entry.kind !== 'stop' && entry.round === round);
  return [
    { ...place, type: 'case-ready', caseFile: { sources, turns: subject.turns, model: subject.model } },
    ...roundsOf(findTurns(transcript)).flatMap((round) => [
      ...heardInOrder(answer.id, entries(round)),
      roundEnd(answer, round),
    ]),
    ...heardInOrder(answer.id, entries(null)),
    { ...place, type: 'debate-end', transcript },
  ];
}

function heardInOrder(debate: string, entries: readonly Entry[]): DebateEvent[] {
  const turns = entries.filter((entry) => entry.kind === 'turn');
  const isOpinion = ({ role }: Turn) => role !== 'critic' && role !== 'arbiter';
  return [
    ...spoken(debate, turns.filter(isOpinion)),
    ...turns.filter((turn) => !isOpinion(turn)).flatMap((turn) => spoken(debate, [turn])),
    ...entries.flatMap((entry): DebateEvent[] =>
      entry.kind === 'computed'
        ? [{ debate, scope: null, type: 'compute-end', key: entry.key, computed: entry, replayed: false }]
        : [],
    ),
  ];
}

function roundsOf(turns: readonly Turn[]): number[] {
  return [...new Set(turns.flatMap(({ round }) => (round === null ? [] : [round])))];
}

function roundEnd({ id, transcript }: Pick<ModerationAnswer, 'id' | 'transcript'>, round: number): DebateEvent {
  const stop = transcript.find((entry) => entry.kind === 'stop');
  return { debate: id, scope: null, type: 'round-end', round, stop: stop?.round === round ? stop.reason : null };
}

function spoken(debate: string, together: readonly Turn[]): DebateEvent[] {
  const place = { debate, scope: null };
  const starts = together.map(({ key, seat, role, round, reasoner }) => ({
    ...place,
    type: 'turn-start' as const,
    key,
    seat,
    role,
    round,
    reasoner,
  }));
  const words = together.map((turn) => turn.statement.match(/\s*\S+/g) ?? []);
  const deltas = Array.from({ length: Math.max(0, ...words.map((list) => list.length)) }, (_, index) =>
    together.flatMap(({ key, seat }, side) =>
      words[side]![index] === undefined
        ? []
        : [{ ...place, type: 'turn-delta' as const, key, seat, delta: words[side]![index] }],
    ),
  ).flat();
  return [
    ...starts,
    ...deltas,
    ...together.map((turn) => ({ ...place, type: 'turn-end' as const, key: turn.key, turn, replayed: false })),
  ];
}
