import type { AttackFigures } from '../runs/index.ts';
import { formatTable } from './terminal/table.ts';
import { formatShare } from './terminal/format.ts';

/** How a target fared, attack by attack, for people. */
export function collectTable(figures: readonly AttackFigures[], evaluators: readonly string[]): string[] {
  const heading = [
    'attack',
    'asked',
    'refused',
    'blocked',
    ...evaluators.map((name) => `unsafe (${name})`),
    'disagreement',
  ];
  return formatTable([
    heading,
    ...figures.map(({ attack, asked, refused, blocked, unsafe, disagreement }) => [
      attack,
      String(asked),
      String(refused),
      String(blocked),
      ...evaluators.map((name) => formatShare(unsafe[name] ?? null)),
      formatShare(disagreement),
    ]),
  ]);
}
