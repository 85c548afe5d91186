import type { Transcript } from '@agonhq/engine/debate';
import type { Job, JobAnswer, JudgeEvent } from '@agonhq/judges/job';
import type { SentEvent } from '../reply.ts';

/**
 * Gives events of a trial their ids, which are the same whenever the trial is told again; `turn-delta`s are numbered.
 */
export function createEventNamer(job: Job): (event: JudgeEvent) => SentEvent {
  const deltas = new Map<string, number>();
  const trim = job.trimEvent ?? ((event: JudgeEvent): object => event);
  return (event) => {
    const { type } = event;
    if (type === 'turn-delta') {
      const number = (deltas.get(event.key) ?? 0) + 1;
      deltas.set(event.key, number);
      return { id: `${type}:${event.key}:${number}`, type, data: event };
    }
    if (type === 'debate-end') {
      const { transcript: _, ...data } = event;
      return { id: nameEvent(type, event.scope), type, data };
    }
    if ('key' in event) return { id: `${type}:${event.key}`, type, data: event };
    if (type === 'round-end') return { id: nameRound(event.round, event.scope), type, data: event };
    const { caseFile } = event;
    const data = caseFile ? { ...event, caseFile: { sources: caseFile.sources } } : trim(event);
    return { id: nameEvent(type, event.scope), type, data };
  };
}

/** The events of a trial that has ended, from its answer: without those that only told of the way. */
export function recreateEvents(job: Job, answer: JobAnswer): SentEvent[] {
  const { id: debate, transcript, provenance } = answer;
  const caseFile = { sources: 'sources' in answer ? answer.sources : [] };
  const scale = provenance.calibration ? { calibration: provenance.calibration } : {};
  const recalled = job.recallEvents?.(answer) ?? [
    { type: 'case-ready', scope: null, data: { caseFile, ...scale } },
    { scope: null, transcript },
  ];
  return [
    ...recalled.flatMap((part): SentEvent[] => {
      if ('transcript' in part) return recreateEntries(part.transcript, { debate, scope: part.scope });
      const { type, scope, data } = part;
      return [{ id: nameEvent(type, scope), type, data: { type, debate, scope, ...data } }];
    }),
    createAnswerEvent(answer),
  ];
}

export function recreateEntries(transcript: Transcript, about: { debate: string; scope: string | null }): SentEvent[] {
  return transcript.map((entry) => {
    const { key } = entry;
    if (entry.kind === 'stop') {
      const { round, reason: stop } = entry;
      return {
        id: nameRound(round, about.scope),
        type: 'round-end',
        data: { type: 'round-end', ...about, round, stop },
      };
    }
    const [type, said] = entry.kind === 'turn' ? ['turn-end', { turn: entry }] : ['compute-end', { computed: entry }];
    return { id: `${type}:${key}`, type, data: { type, ...about, key, ...said, replayed: true } };
  });
}

function nameEvent(type: string, scope: string | null): string {
  return scope === null ? type : `${type}:${scope}`;
}

function nameRound(round: number, scope: string | null): string {
  return `round-end:${scope === null ? '' : `${scope}/`}${round}`;
}

export function createAnswerEvent(answer: object): SentEvent {
  return { id: 'answer', type: 'answer', data: { type: 'answer', answer } };
}
