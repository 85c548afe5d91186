import type { Answer } from '../debate/index.ts';
import { collectCitations, type Citations } from './citations.ts';
import { viewDebate, type DebateTerms, type DebateView } from './debate-view.ts';

/** A job without words of its own: its ids are shown as they are. */
const noTerms: DebateTerms = {
  isRisk: false,
  subject: 'case',
  methods: { debate: { title: 'Debate', how: '' } },
  rules: [],
  notApplied: '',
  deciders: {},
  outcomes: {},
  stops: {},
  parts: {},
  sides: {},
};

/** A debate of a job without words of its own, as its readers see it. */
export function viewAnyDebate(answer: Answer): DebateView & { citations: Citations } {
  const debate = viewDebate(answer, noTerms, { method: 'debate', meaning: '', verdictSide: 'neutral' });
  return { ...debate, citations: collectCitations(answer.sources, debate.quotations) };
}
