import { turnsOf, type Turn } from '../../src/debate/index.ts';
import type { ModerationAnswer, ModerationEvent } from '../../src/moderation/index.ts';

/** The events of a trial with this answer: a round's sides speak together, word by word. */
export function eventsOf(answer: ModerationAnswer): ModerationEvent[] {
  const place = { debate: answer.id, scope: null };
  const turns = turnsOf(answer.transcript);
  const stop = answer.transcript.find((entry) => entry.kind === 'stop');
  const rounds = [...new Set(turns.flatMap(({ round }) => (round === null ? [] : [round])))];
  const solo = (role: string) => turns.filter((turn) => turn.role === role).flatMap((turn) => spoken([turn]));
  return [
    ...solo('preprocessor'),
    { ...place, type: 'case-ready', caseFile: { sources: answer.sources, modality: answer.subject.modality, images: answer.subject.images } },
    ...solo('supporter'),
    ...rounds.flatMap((round): ModerationEvent[] => [
      ...spoken(turns.filter((turn) => turn.round === round)),
      { ...place, type: 'round-end', round, stop: stop?.round === round ? stop.reason : null },
    ]),
    ...solo('arbiter'),
    { ...place, type: 'debate-end', transcript: answer.transcript },
  ];

  function spoken(together: readonly Turn[]): ModerationEvent[] {
    const starts = together.map(({ key, seat, role, round, reasoner }) => ({ ...place, type: 'turn-start' as const, key, seat, role, round, reasoner }));
    const words = together.map((turn) => turn.statement.match(/\s*\S+/g) ?? []);
    const deltas = Array.from({ length: Math.max(...words.map((list) => list.length)) }, (_, index) =>
      together.flatMap(({ key, seat }, side) => (words[side]![index] === undefined ? [] : [{ ...place, type: 'turn-delta' as const, key, seat, delta: words[side]![index] }])),
    ).flat();
    return [...starts, ...deltas, ...together.map((turn) => ({ ...place, type: 'turn-end' as const, key: turn.key, turn, replayed: false }))];
  }
}
