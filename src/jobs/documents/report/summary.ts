import type { ReportExtras } from '../../job.ts';
import type { Analysis } from '../index.ts';
import { codeSpan, joinBlocks } from '../../../reports/index.ts';
import { findingsOf } from './finding-list.ts';
import { briefBlocks } from './markdown.ts';

/** The decision brief alone, as text. */
export function summary(analysis: Analysis, { corrections }: ReportExtras = {}): string {
  return joinBlocks([
    ...briefBlocks(analysis, findingsOf(analysis), corrections),
    `Sealed as ${codeSpan(analysis.seal)}. The whole trace is in the JSON; check it offline: \`agon verify ` +
      'trace.json`',
  ]);
}
