import type { Analysis } from '../../jobs/documents/index.ts';
import { codeSpan } from '../markdown-escape.ts';
import { documentOf } from '../markdown-parts.ts';
import { findingsOf } from './finding-list.ts';
import { briefBlocks } from './markdown.ts';

/** The decision brief alone, as text. */
export function summary(analysis: Analysis): string {
  return documentOf([
    ...briefBlocks(analysis, findingsOf(analysis)),
    `Sealed as ${codeSpan(analysis.seal)}. The whole trace is in the JSON; check it offline: \`agon verify ` +
      'trace.json`',
  ]);
}
