import type { Analysis } from '../index.ts';
import { codeSpan, joinBlocks } from '../../../reports/index.ts';
import { findingsOf } from './finding-list.ts';
import { briefBlocks } from './markdown.ts';

/** The decision brief alone, as text. */
export function summary(analysis: Analysis): string {
  return joinBlocks([
    ...briefBlocks(analysis, findingsOf(analysis)),
    `Sealed as ${codeSpan(analysis.seal)}. The whole trace is in the JSON; check it offline: \`agon verify ` +
      'trace.json`',
  ]);
}
