import { severities } from '@agonhq/engine/policy/known-actions';

/*
 * What cases are told apart by, stated once: the query of the API, the flags of `agon cases` and the filters of the
 * console are made from it. It takes nothing of Node, since the console has it too.
 */

export const modalities = ['text', 'image', 'text+image', 'audio', 'video', 'documents'] as const;
export const caseStates = ['judged', 'judging', 'interrupted'] as const;

/** `means` ends a sentence that begins with "only cases"; `value` is what the help calls what is given. */
const text = (most: number, means: string, value?: string) => ({ kind: 'text', most, means, value }) as const;
const choice = <const Of extends readonly string[]>(of: Of, means: string) => ({ kind: 'choice', of, means }) as const;
const flag = (means: string) => ({ kind: 'flag', means }) as const;
const share = (means: string) => ({ kind: 'share', means }) as const;
const moment = (means: string) => ({ kind: 'moment', means }) as const;

/** A part narrows by the column of its name, unless list-cases.ts says how else. */
export const caseFilterParts = {
  search: text(200, 'whose excerpt contains these words', 'words'),
  job: text(100, 'of this job: its id or its module'),
  label: text(50, 'with this verdict'),
  category: text(100, 'under this category of the policy', 'id'),
  clause: text(100, 'under this clause of the policy', 'id'),
  modality: choice(modalities, 'of this modality'),
  action: text(100, 'for which this action is proposed'),
  severity: choice(severities, 'of this severity'),
  author: text(256, 'whose context names this author', 'id'),
  thread: text(256, 'of this thread', 'id'),
  language: text(35, 'whose context names this language'),
  channel: text(256, 'whose context names this channel'),
  minDisagreement: share('whose sides ended at least this far apart, 0 to 1'),
  escalated: flag('that need human review'),
  degraded: flag('in which a part of the debate failed'),
  decided: flag('that a person has decided'),
  finished: flag('with a verdict'),
  state: choice(caseStates, 'in this state'),
  model: text(200, 'in which this model had a seat', 'provider:model'),
  run: text(200, 'of this run', 'id'),
  since: moment('since this time'),
  until: moment('before this time'),
} as const;

export type CaseFilterParts = typeof caseFilterParts;
export type CaseFilterName = keyof CaseFilterParts;
export type CaseFilterPart = CaseFilterParts[CaseFilterName];

/** What a part is once it is read. */
export type PartValue<Part extends CaseFilterPart> = Part extends { of: readonly (infer Word)[] }
  ? Word
  : { text: string; choice: string; flag: boolean; share: number; moment: Date }[Part['kind']];

export type AskedCases = { [Name in CaseFilterName]?: PartValue<CaseFilterParts[Name]> | undefined };
