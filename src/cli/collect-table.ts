import type { AttackFigures } from '../runs/index.ts';
import { textTable } from './terminal/table.ts';
import { share } from './terminal/format.ts';

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
  return textTable([
    heading,
    ...figures.map(({ attack, asked, refused, blocked, unsafe, disagreement }) => [
      attack,
      String(asked),
      String(refused),
      String(blocked),
      ...evaluators.map((name) => share(unsafe[name] ?? null)),
      share(disagreement),
    ]),
  ]);
}
