import { describeStop, nameRule, nameSeat, nameSpeaker, toRecord } from '@agonhq/engine/view';
import type { TrialVerdict } from '../../trial/trial-view.ts';
import type { RawSource, TrialJob } from '../console-job.ts';
import { readNamedSource } from './input-fields.ts';
import { GenericTurnDetails } from './views.tsx';

/** A job without words of its own: its ids are shown as they are. */
export function describeAnyTrial({ id, title }: Pick<TrialJob, 'id' | 'title'>): TrialJob {
  return {
    id,
    title,
    usesPolicy: false,
    terms: {
      subject: 'content',
      roles: {},
      otherRoles: { quotesFor: 'implicit' },
      isRisk: false,
      rules: [],
      notApplied: '',
      quotedFor: { implicit: 'quoted as evidence' },
      describeRule: (rule) => nameRule(rule),
      outcomes: {},
      describeStop: (reason) => describeStop(reason),
      describeSeat: nameSpeaker,
      describeMethod: (method) => ({ title: nameSeat(method), how: '' }),
      describeVerdict: () => '',
      listVerdictFacts: () => [],
    },
    readSources: (sources) => sources.map(readNamedSource),
    readAnswer: (answer) => {
      const { sources, verdict } = toRecord(answer);
      return {
        sources: Array.isArray(sources) ? (sources as RawSource[]).map(readNamedSource) : [],
        verdict: (verdict as TrialVerdict | undefined) ?? null,
      };
    },
    TurnDetails: GenericTurnDetails,
  };
}
