import type { Transcript } from '../../debate/index.ts';
import type { Analysis, AnalysisEvent, ClaimAnswer } from '../../jobs/documents/index.ts';
import type { EvaluationEvent } from '../../jobs/evaluation/index.ts';
import type { ModerationEvent } from '../../jobs/moderation/index.ts';
import type { Answered } from './run-trial.ts';
import type { SentEvent } from '../reply.ts';

export type TrialEvent = ModerationEvent | EvaluationEvent | AnalysisEvent;

/**
 * Gives events of a trial their ids, which are the same whenever the trial is told again; `turn-delta`s are numbered.
 */
export function createEventNamer(): (event: TrialEvent) => SentEvent {
  const deltas = new Map<string, number>();
  return (event) => {
    if (event.type !== 'turn-delta') return toSentEvent(event);
    const number = (deltas.get(event.key) ?? 0) + 1;
    deltas.set(event.key, number);
    return { ...toSentEvent(event), id: `turn-delta:${event.key}:${number}` };
  };
}

function toSentEvent(event: TrialEvent): SentEvent {
  return { id: eventId(event), type: event.type, data: trimEvent(event) };
}

function eventId(event: TrialEvent): string {
  if ('key' in event) return `${event.type}:${event.key}`;
  if (event.type === 'round-end') return `round-end:${event.scope === null ? '' : `${event.scope}/`}${event.round}`;
  return event.scope === null ? event.type : `${event.type}:${event.scope}`;
}

/** An event as it is sent: what was sent before, or is in the answer, is not sent again. */
function trimEvent(event: TrialEvent): object {
  if (event.type === 'debate-end') {
    const { transcript: _, ...rest } = event;
    return rest;
  }
  if (event.type === 'case-ready') return { ...event, caseFile: { sources: event.caseFile.sources } };
  if (event.type === 'dossier-ready') {
    const { dossier, numbers, ...rest } = event;
    return { ...rest, documents: dossier.documents.map(describeDocument), numbers: numbers.length };
  }
  if (event.type === 'claim-end') {
    const { transcript: _, ...answer } = event.answer;
    return { ...event, answer };
  }
  return event;
}

function describeDocument({ name, kind, hash, blocks }: Analysis['documents'][number]) {
  return { name, kind, hash, blocks: blocks.length };
}

/** The events of a trial that has ended, from its answer: without those that only told of the way. */
export function recreateEvents(answer: Answered): SentEvent[] {
  const debate = answer.id;
  const told =
    'claims' in answer
      ? recreateAnalysis(answer, debate)
      : [
          {
            id: 'case-ready',
            type: 'case-ready',
            data: { type: 'case-ready', debate, scope: null, caseFile: { sources: answer.sources } },
          },
          ...recreateEntries(answer.transcript, debate, null),
        ];
  return [...told, createAnswerEvent(answer)];
}

function recreateAnalysis(answer: Analysis, debate: string): SentEvent[] {
  const scopeless = (type: string, data: object) => ({ id: type, type, data: { type, debate, scope: null, ...data } });
  return [
    scopeless('dossier-ready', { documents: answer.documents.map(describeDocument), numbers: answer.numbers.length }),
    scopeless('claims-ready', { claims: answer.claims.map(({ subject }) => subject) }),
    ...answer.claims.flatMap((claim) => recreateClaim(claim, debate)),
    ...recreateEntries(answer.transcript, debate, null),
  ];
}

function recreateClaim(claim: ClaimAnswer, debate: string): SentEvent[] {
  const scope = claim.subject.id;
  const { transcript, ...answer } = claim;
  const of = (type: string, data: object) => ({ id: `${type}:${scope}`, type, data: { type, debate, scope, ...data } });
  return [
    of('claim-start', { claim: claim.subject }),
    ...recreateEntries(transcript, debate, scope),
    of('claim-end', { answer }),
  ];
}

function recreateEntries(transcript: Transcript, debate: string, scope: string | null): SentEvent[] {
  return transcript.map((entry) => {
    const about = { debate, scope };
    if (entry.kind === 'turn')
      return {
        id: `turn-end:${entry.key}`,
        type: 'turn-end',
        data: { type: 'turn-end', ...about, key: entry.key, turn: entry, replayed: true },
      };
    if (entry.kind === 'computed')
      return {
        id: `compute-end:${entry.key}`,
        type: 'compute-end',
        data: { type: 'compute-end', ...about, key: entry.key, computed: entry, replayed: true },
      };
    return {
      id: `round-end:${scope === null ? '' : `${scope}/`}${entry.round}`,
      type: 'round-end',
      data: { type: 'round-end', ...about, round: entry.round, stop: entry.reason },
    };
  });
}

export function createAnswerEvent(answer: object): SentEvent {
  return { id: 'answer', type: 'answer', data: { type: 'answer', answer } };
}
