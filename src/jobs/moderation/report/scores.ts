import { nameSeat } from '../../../view/index.ts';
import { debateTurns, roundsOf, sideOf, type ModerationAnswer } from './moderation-answer.ts';
import type { Series, Trajectory } from './trajectory.ts';

/** Both debaters' scores round by round, and the verdict's. */
export function trajectoryOf(answer: ModerationAnswer): Trajectory {
  const rounds = roundsOf(answer).map(({ round }) => round);
  const seats = [...new Map(debateTurns(answer).map((turn) => [turn.seat, turn.role]))].sort(
    ([, a], [, b]) => Number(sideOf(a) === 'exoneration') - Number(sideOf(b) === 'exoneration'),
  );
  const debaters = seats.map(([seat, role]): Series => ({
    name: nameSeat(seat),
    shape: sideOf(role) === 'risk' ? 'circle' : 'square',
    points: debateTurns(answer)
      .filter((turn) => turn.seat === seat && turn.score !== null)
      .map((turn) => ({
        column: rounds.indexOf(turn.round ?? 1),
        value: turn.score!,
        standIn: turn.fallback !== undefined,
      })),
  }));
  const final: Series[] =
    answer.verdict.score === null
      ? []
      : [
          {
            name: 'Verdict',
            shape: 'diamond',
            points: [{ column: rounds.length, value: answer.verdict.score, standIn: false }],
          },
        ];
  return {
    title: 'Risk scores, round by round',
    columns: [...rounds.map((round) => `Round ${round}`), 'Verdict'],
    series: [...debaters, ...final],
  };
}
