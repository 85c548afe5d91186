import type { LearningReport } from '@agonhq/bench';

const height = 10;
const columnWidth = 12;

/** Figure 3 for a terminal: ● learning, ○ zero-shot, ◉ both in one place. */
export function renderTextChart({ batches }: LearningReport): string[] {
  const values = batches
    .flatMap(({ control, learner }) => [control.value, learner.value])
    .filter((value) => value !== null);
  if (values.length === 0) return [];
  const low = Math.floor(Math.min(...values) * 20) / 20;
  const high = Math.max(low + 0.05, Math.ceil(Math.max(...values) * 20) / 20);
  const rowOf = (value: number | null) => (value === null ? null : Math.round(((value - low) / (high - low)) * height));
  const rows = Array.from({ length: height + 1 }, (_, step) => height - step).map((row) => {
    const marks = batches.map(({ control, learner }) => {
      const [without, withMemory] = [rowOf(control.value) === row, rowOf(learner.value) === row];
      return (without && withMemory ? '◉' : withMemory ? '●' : without ? '○' : ' ')
        .padStart(columnWidth / 2)
        .padEnd(columnWidth);
    });
    const label = row % 5 === 0 ? (low + ((high - low) * row) / height).toFixed(3) : '';
    return `${label.padStart(6)} │${marks.join('')}`.trimEnd();
  });
  const names = batches.map(({ batch }) => `B${batch}`.padStart(columnWidth / 2).padEnd(columnWidth));
  return [
    ...rows,
    `       └${'─'.repeat(columnWidth * batches.length)}`,
    `        ${names.join('')}`.trimEnd(),
    '        ● continuous learning   ○ zero-shot   ◉ both',
  ];
}
