import { FileSearch } from 'lucide-react';
import { lazy } from 'react';
import { describeClaimLabel, nameMethod, describeRule, nameStep } from '@agonhq/documents/view';
import type { ClaimView, TrialVerdict, TrialView } from '../../trial/trial-view.ts';
import type { ConsoleJob } from '../console-job.ts';
import { listReports } from '../job-parts.ts';
import { documentsForm } from './form.tsx';

const loadParts = () => import('./trial-parts.tsx');
const Subject = lazy(async () => ({ default: (await loadParts()).DocumentsSubject }));
const Outcome = lazy(async () => ({ default: (await loadParts()).DocumentsOutcome }));
const Proceedings = lazy(async () => ({ default: (await loadParts()).DocumentsProceedings }));
const CaseSummary = lazy(async () => ({ default: (await loadParts()).CaseSummary }));

/** Does what a report claims hold? A debate for each claim, and every number that can be recomputed. */
export const documents: ConsoleJob = {
  id: 'documents',
  title: 'Documents',
  labels: ['positive', 'mixed', 'negative', 'undecided'],
  usesPolicy: false,
  form: documentsForm,
  terms: {
    subject: 'dossier',
    isRisk: false,
    roles: {},
    rules: [],
    notApplied: '',
    quotedFor: {},
    describeRule: (id) => describeRule(id),
    outcomes: {},
    describeStop: (reason) => reason,
    describeSeat: ({ seat }) => nameStep(seat),
    describeMethod: (method) => ({ title: nameMethod(method), how: '' }),
    describeVerdict: ({ label }) => describeClaimLabel(label).meaning,
    listVerdictFacts: () => [],
  },
  record: {
    page: '/documents/$id',
    openTitle: 'Open the document',
    takesStatement: false,
    reports: [...listReports('Decision brief'), { title: 'Decision brief, PDF', format: 'pdf', ending: 'pdf' }],
    listPrecedents: () => [],
  },
  review: { question: 'Does this hold?', badge: 'Documents' },
  runItems: 'JSON Lines, CSV or TSV that names documents. Add the documents that it names.',
  benchItems:
    'JSON Lines, CSV or TSV with id, claim, label (entailed, refuted or neutral) and doc or doc_text. Add the ' +
    'documents that it names.',
  page: { to: '/documents', title: 'Documents', icon: FileSearch },
  readSources: () => [],
  readAnswer: (answer) =>
    answer.job === 'documents'
      ? {
          documents: answer.documents.map(({ name }) => name),
          claims: new Map(
            answer.claims.map(({ subject: { id, text }, verdict }): [string, ClaimView] => [
              id,
              { id, text, state: 'judged', verdict: verdict as TrialVerdict },
            ]),
          ),
          // The verdicts are those of its claims.
          verdict: null,
        }
      : {},
  views: {
    load: loadParts,
    Subject,
    Outcome,
    Proceedings,
    CaseSummary,
    describeProgress: (view) =>
      describeClaims(view) ?? (view.documents.length > 0 ? 'Looking for claims' : 'Reading files'),
    describeLatest: (view) => `${describeClaims(view) ?? ''}${view.claims.size > 0 ? '.' : ''}`,
  },
};

function describeClaims({ claims }: TrialView): string | null {
  const judged = [...claims.values()].filter(({ state }) => state === 'judged').length;
  return claims.size === 0 ? null : `${judged} of ${claims.size} claims judged`;
}
