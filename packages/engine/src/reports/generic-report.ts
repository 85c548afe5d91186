import type { Answer } from '../debate/index.ts';
import {
  collectCitations,
  formatPercent,
  viewDebate,
  type Citations,
  type DebateTerms,
  type DebateView,
} from '../view/index.ts';
import { renderDebateMarkdown, renderDebatePage } from './debate-report.ts';
import { html } from './escape.ts';
import { sourceBlocks } from './markdown-parts.ts';
import { scoreBar } from './parts.ts';
import { sourceCard } from './sources.ts';

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
  facing: [],
  answering: [],
};

function viewAnswer(answer: Answer): DebateView & { citations: Citations } {
  const debate = viewDebate(answer, noTerms, { method: 'debate', meaning: '', verdictSide: 'neutral' });
  return { ...debate, citations: collectCitations(answer.sources, debate.quotations) };
}

/** The report of any answer as one self-contained page: what was decided, why, on what, who said what, the record. */
export function renderGenericHtml(answer: Answer<{ id?: string | null }>, title: string): string {
  const view = viewAnswer(answer);
  const { score = null, confidence = null, escalate } = answer.verdict;
  return renderDebatePage({
    answer,
    view,
    policy: undefined,
    job: title,
    judged: [
      'What was judged',
      'Highlighted passages are quoted in the debate.',
      html`${answer.sources.map((source) => sourceCard(source, view.citations))}`,
    ],
    numbers: [
      ['Score', scoreBar(score)],
      ...(confidence === null ? [] : [['Confidence', formatPercent(confidence)] as const]),
      ['Needs human review', escalate ? html`<strong>Yes</strong>` : 'No'],
    ],
    rechecked: 'rules',
  });
}

/** The same as Markdown. */
export function renderGenericMarkdown(answer: Answer<{ id?: string | null }>): string {
  const view = viewAnswer(answer);
  const sources = answer.sources.flatMap((source) => sourceBlocks(source, view.citations));
  return renderDebateMarkdown({ answer, view, policy: undefined, judged: ['## What was judged', ...sources] });
}

/** The verdict and its reason in a few lines, for those whom it concerns. */
export function renderGenericNotice({ id, verdict }: Answer): string {
  const quoted = verdict.evidence.flatMap((piece) => (piece.verified ? [`- “${piece.quote}”`] : []));
  return [
    `Verdict: ${verdict.label}`,
    verdict.rule.why,
    ...(quoted.length > 0 ? [['It is based on these passages:', ...quoted].join('\n')] : []),
    ...(verdict.escalate ? ['Needs human review.'] : []),
    `Reference: ${id}`,
  ].join('\n\n');
}
