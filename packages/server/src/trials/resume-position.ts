import type { SentEvent } from '../reply.ts';

const types = [
  'case-ready',
  'dossier-ready',
  'claims-ready',
  'claim-start',
  'claim-end',
  'turn-start',
  'turn-delta',
  'turn-end',
  'compute-end',
  'round-end',
  'debate-end',
  'answer',
  'problem',
];

/** An event's id as a trial sends it: its name, and the trial that told it. */
export function markEventId(name: string, mark: string): string {
  return `${name}@${mark}`;
}

export interface Resumption {
  /** The id of the last event that was heard; null for none. */
  last: string | null;
  /** Which trial this is; null for the record. */
  mark: string | null;
  /** Nothing more will be told. */
  ended: boolean;
}

/**
 * Where a listener goes on. After an event of this very trial, right behind it. After one of another, or from the
 * record, turns that were held at once may have come in another order: then from the start of what was held at once,
 * so that some events may come twice and none is lost. Null when that was not told yet: a trial that is held anew
 * recalls it in a moment. From the start when there is no such event.
 */
export function findResumePosition(told: readonly SentEvent[], { last, mark, ended }: Resumption): number | null {
  if (last === null || !types.includes(/^[a-z-]*/.exec(last)![0])) return 0;
  const { name, by } = /^(?<name>.*?)(?:@(?<by>\w+))?$/su.exec(last)!.groups as { name: string; by?: string };
  if (mark !== null && by === mark) {
    const at = told.findIndex(({ id }) => id === name);
    return at + 1;
  }
  const group = concurrentGroup(name);
  const at = group === null ? findBehind(name, told) : told.findIndex(({ id }) => concurrentGroup(id) === group);
  return at >= 0 ? at : ended ? 0 : null;
}

/** Behind the event itself; a turn that was cut off in the middle is told by what it came to. */
function findBehind(name: string, told: readonly SentEvent[]): number {
  const cut = /^turn-(?:start|delta):(?<key>.+?)(?::\d+)?$/.exec(name)?.groups?.['key'];
  if (cut !== undefined) return told.findIndex(({ id }) => id === `turn-end:${cut}`);
  const at = told.findIndex(({ id }) => id === name);
  return at < 0 ? -1 : at + 1;
}

/**
 * What is held at once: the turns of a round, the parts of a dossier, its claims. Null for what has a place of its
 * own.
 */
function concurrentGroup(name: string): string | null {
  const about = name.slice(name.indexOf(':') + 1);
  return /^(?:claim|part)-|^round-\d+(?=\/)/.exec(about)?.[0] ?? null;
}
