import type { Observation } from './case-file.ts';

/** What the person concerned says for themselves in an appeal: to be weighed, never judged, and not proven. */
export function createStatement(text: string): Observation {
  return {
    id: 'statement',
    text,
    tool: 'statement',
    of: 'appeal',
    note: 'by the person concerned; not part of what is judged, and not proven',
  };
}

export function isStatement(source: { id: string; text: string }): boolean {
  return (source as Observation).tool === 'statement';
}
