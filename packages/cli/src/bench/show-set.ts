import { describeSet, terminalBlocks, type DebateGains, type ReportedSet } from '@agonhq/bench';
import { sanitize, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';
import { renderBlock, type Screen } from './show-block.ts';

/** One dataset: what it is, then those tables of its report that a terminal shows. */
export function renderSet(set: ReportedSet, screen: Screen = process.stdout): string[] {
  const { title, file, sha256 } = set.result.data;
  const { items, labels, parameters } = describeSet(set);
  const facts = [
    style('bold', sanitize(title)),
    ...(file === title ? [] : [sanitize(file)]),
    `${items}: ${labels.map(({ label, items: count }) => `${count} ${sanitize(label)}`).join(', ')}`,
    parameters,
    `sha256 ${sha256.slice(0, 12)}…`,
  ];
  return [
    ...formatRow('', facts.join(' · '), screen),
    '',
    ...terminalBlocks(set).flatMap((block) => [...renderBlock(block, screen), '']),
    ...set.figures.receipts.flatMap(explainMissing).flatMap((line) => [...formatRow('', line, screen), '']),
  ];
}

/** Why a debate is held against less than it could be. */
function explainMissing({ debate, overOpening, withoutControl }: DebateGains): string[] {
  const name = sanitize(debate);
  return [
    ...(overOpening ? [] : [`No opening vote of ${name} to compare with: no seat spoke alone first.`]),
    ...(withoutControl === null ? [] : [`No control for ${name}: ${sanitize(withoutControl)}`]),
  ];
}
