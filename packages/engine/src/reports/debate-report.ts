import type { Answer } from '../debate/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  describeFailure,
  describeStop,
  formatScore,
  showPhrase,
  type Citations,
  type DebateView,
  type Phrase,
  type TurnView,
} from '../view/index.ts';
import { nameClauses } from '../view/name-clauses.ts';
import { html, inline, type Markup, type HtmlPart } from './escape.ts';
import { codeCell, codeSpan } from './markdown-escape.ts';
import {
  clauseList,
  cost,
  degradationBlocks,
  joinBlocks,
  ladderBlocks,
  markdownList,
  markdownProvenance,
  markdownTable,
  quotes,
  statement,
} from './markdown-parts.ts';
import { page } from './page.ts';
import { code, section, table } from './parts.ts';
import { quoteList } from './quotes.ts';
import { costSection, provenance, recordTable } from './small-print.ts';
import { turnCard, type TurnCard } from './turn-card.ts';
import { ladderView, verdictBanner, verdictFacts, type Banner } from './verdict-banner.ts';

/** What the reports of all debates are made of. */
interface DebateReport {
  answer: Answer<{ id?: string | null }>;
  view: DebateView & { citations: Citations };
  policy: Policy | undefined;
  /** What a reader must know before anything else: about which seat, and what. */
  warnings?: readonly { title: Phrase; seat: string; detail: string }[];
  /** What provenance names besides. */
  parameters?: readonly (readonly [name: string, value: string])[];
}

type Section = readonly [title: string, lead: HtmlPart, body: HtmlPart];

export interface DebatePage extends DebateReport {
  /** `moderation`. */
  job: string;
  /** Of the case, beside its id. */
  note?: string;
  facts?: readonly (readonly [name: string, value: HtmlPart])[];
  /** Why, in place of how the method judges. */
  whyLead?: string;
  /** What a vote says beside its label and its risk. */
  voteColumn?: { title: string; show: (view: TurnView) => string };
  judged: Section;
  beforeDebate?: Section | null;
  chart?: HtmlPart;
  afterDebate?: Section | null;
  /** How a turn is shown where its score is not enough. */
  dressTurn?: (view: TurnView) => Partial<TurnCard>;
  /** The numbers of the verdict, where they are not those of a risk. */
  numbers?: Banner['facts'];
  /** What `agon verify` rechecks beside quotations and hashes. */
  rechecked: string;
}

/** A report as one self-contained page: what was decided, why, what was judged, the debate, the small print. */
export function renderDebatePage(report: DebatePage): string {
  const { answer, view, job, note, judged, beforeDebate, afterDebate, rechecked, parameters = [] } = report;
  const { usage, subject } = answer;
  const item = subject.id ?? null;
  const why = explain(report);
  return page(
    `${view.label.title}: ${job} report ${answer.id}`,
    html`<header class="masthead">
        <p><b>Agon</b> ${inline(job)} report</p>
        <p class="small">
          ${code(answer.id)}${item !== null && html` · item ${inline(item)}`}${note !== undefined && ` · ${note}`}
        </p>
      </header>
      <main>
        ${banner(report)} ${why && section('Why', report.whyLead ?? view.method.how, why)} ${section(...judged)}
        ${beforeDebate && section(...beforeDebate)}
        ${
          (view.rounds.length > 0 || view.arbiter) &&
          section(titleDebate(view), null, html`${report.chart}${debate(report)}${arbiter(report)}`)
        }
        ${afterDebate && section(...afterDebate)} ${costSection(usage)}
        ${section(
          'Provenance',
          html`To check this answer, save it as JSON and run <code>agon verify answer.json</code>. It rechecks every
            quotation, the ${rechecked} and the hashes, without a model or a network.`,
          html`${provenance(
            answer,
            parameters.map(([name, value]) => [name, inline(value)]),
          )}${recordTable(answer)}`,
        )}
      </main>
      <footer class="small">
        This page runs no script and loads nothing. Texts are shown as given; invisible characters are shown by name, as
        in <span class="control">U+202E</span>.
      </footer>`,
  );
}

const titleDebate = ({ method }: DebateView): string =>
  method.id === 'debate' || method.id === 'role-free' ? 'The debate' : 'What was said';

function banner({ answer: { verdict }, view, policy, facts = [], warnings = [], numbers }: DebatePage): Markup {
  return verdictBanner(
    {
      verdict,
      meaning: view.meaning,
      decidedBy: showPhrase(view.decidedBy),
      facts: [...facts, ...(numbers ?? verdictFacts(verdict, view))],
      warnings:
        warnings.length > 0 &&
        html`<div class="degraded warnings">
          <h3>Who judged whom</h3>
          <ul>
            ${warnings.map(
              ({ title, seat, detail }) =>
                html`<li><strong>${inline(showPhrase(title))}</strong> (${code(seat)}). ${inline(detail)}</li>`,
            )}
          </ul>
        </div>`,
    },
    view.citations,
    policy,
  );
}

/** The rules where there is an arbiter, the votes where they decided, and else the words that were found. */
function explain({ answer, view, voteColumn }: DebatePage): Markup | null {
  const { ladder, votes, citations, tally, outcome } = view;
  const head = ['Seat', 'Model', 'Vote', ...(voteColumn ? [voteColumn.title] : []), 'Risk'];
  const rows = votes.map((one): HtmlPart[] => [
    inline(one.title),
    code(one.turn.reasoner),
    one.vote === null ? 'no answer' : html`<strong>${inline(one.vote)}</strong>`,
    ...(voteColumn ? [one.vote === null ? '' : inline(voteColumn.show(one))] : []),
    one.turn.fallback ? '' : (one.risk?.text ?? formatScore(one.turn.score)),
  ]);
  if (!ladder && view.isDebate) return null;
  const found = votes.length === 0 && quoteList(answer.verdict.evidence, citations);
  return html`${ladder ? ladderView(ladder, citations) : found}
  ${votes.length > 0 && table('The votes', head, rows, new Set([head.length - 1]))}
  ${tally !== null && html`<p class="tally">${tally}</p>`} ${outcome !== null && html`<p>${outcome}</p>`}`;
}

/** The debate round by round, those who face each other side by side. */
function debate(report: DebatePage): Markup {
  const { rounds } = report.view;
  return html`${rounds.map(
    ({ round, title, columns, answering, stop }) =>
      html`${round !== null && html`<h3>${title}</h3>`}
        <div class="sides">
          ${columns.map((column) => html`<div class="side">${column.map((view) => renderTurn(view, report))}</div>`)}
        </div>
        ${answering.map((view) => html`<div class="critique">${renderTurn(view, report)}</div>`)}
        ${stop && html`<p class="stop small">${stop.words ?? describeStop(stop.id)}</p>`}`,
  )}
  ${hasRunOut(report.view) && html`<p class="stop small">All ${rounds.length} rounds were argued.</p>`}`;
}

function hasRunOut({ rounds }: DebateView): boolean {
  return rounds.length > 1 && rounds.every(({ round, stop }) => round !== null && stop === null);
}

/** One turn on a page. */
export function renderTurn(view: TurnView, { view: { citations }, policy, dressTurn }: DebatePage): Markup {
  const { turn, anchor, name, part, side, stance, previous } = view;
  return turnCard({
    turn,
    anchor,
    citations,
    name,
    part,
    tone: side,
    concession: stance.concession,
    clauses: nameClauses(stance.clauses, policy),
    risk: view.risk,
    previous: previous && (previous.risk?.text ?? formatScore(previous.turn.score)),
    ...dressTurn?.(view),
  });
}

function arbiter({ view }: DebatePage): Markup | null {
  if (!view.arbiter) return null;
  const { turn, anchor, part, risk } = view.arbiter;
  return html`<h3>The arbiter</h3>
    ${turnCard({
      turn: turn.fallback ? turn : { ...turn, evidence: [] },
      citations: view.citations,
      anchor,
      part,
      risk,
    })}`;
}

export interface DebateDocument extends DebateReport {
  facts?: readonly (readonly [name: string, value: string])[];
  judged: readonly string[];
  beforeDebate?: readonly string[];
  chart?: string;
  afterDebate?: readonly string[];
  /** What a turn says beside its statement and its evidence. */
  dressTurn?: (view: TurnView) => readonly string[];
  /** Where a turn stands, for its heading. */
  showStanding?: (view: TurnView) => string | null;
}

/** The same as Markdown that is safe to paste into an issue. */
export function renderDebateMarkdown(report: DebateDocument): string {
  const { answer, view, judged, beforeDebate = [], chart = '', afterDebate = [], parameters = [] } = report;
  return joinBlocks([
    ...verdictBlocks(report),
    ...(view.ladder || !view.isDebate ? ['## Why'] : []),
    ...(view.ladder ? ladderBlocks(view.ladder) : [view.method.how]),
    view.votes.length === 0
      ? ''
      : markdownTable(
          ['Seat', 'Model', 'Vote', 'Risk'],
          view.votes.map(({ title, turn, vote, risk }) => [
            codeCell(title),
            codeCell(turn.reasoner),
            vote === null ? 'no answer' : codeCell(vote),
            turn.fallback ? '' : (risk?.text ?? formatScore(turn.score)),
          ]),
        ),
    view.tally ?? '',
    view.outcome ?? '',
    ...judged,
    ...beforeDebate,
    view.turns.length > 0 ? `## ${titleDebate(view)}` : '',
    chart,
    ...view.turns.flatMap((one) => turnBlocks(one, report)),
    ...view.rounds.map(({ stop }) => (stop ? (stop.words ?? describeStop(stop.id, codeSpan)) : '')),
    hasRunOut(view) ? `All ${view.rounds.length} rounds were argued.` : '',
    ...afterDebate,
    ...cost(answer),
    ...markdownProvenance(
      answer,
      parameters.map(([name, value]) => [name, codeSpan(value)]),
    ),
  ]);
}

function verdictBlocks({ answer, view, policy, facts = [], warnings = [] }: DebateDocument): string[] {
  const { id, subject, verdict } = answer;
  return [
    `# Verdict: ${view.label.isKnown ? view.label.title : codeSpan(view.label.title)}`,
    [view.meaning, verdict.escalate && '**Needs human review.**'].filter(Boolean).join(' '),
    warnings.length > 0 ? '**Who judged whom**' : '',
    markdownList(
      warnings.map(
        ({ title, seat, detail }) => `${showPhrase(title, codeSpan)} (${codeSpan(seat)}): ${codeSpan(detail)}`,
      ),
    ),
    facts.length === 0
      ? ''
      : markdownTable(
          facts.map(([name]) => name),
          [facts.map(([, value]) => value)],
        ),
    markdownTable(
      [...(view.risk ? ['Risk', 'Bar'] : ['Score']), 'Decided by', 'Reference'],
      [
        [
          ...(view.risk ? [view.risk.text, view.risk.barText] : [formatScore(verdict.score ?? null)]),
          showPhrase(view.decidedBy, codeCell),
          codeCell(subject.id ?? id),
        ],
      ],
    ),
    statement(verdict.rule.why),
    clauseList(
      nameClauses(
        verdict.categories.map((category) => category.clause),
        policy,
      ),
    ),
    quotes(verdict.evidence),
    ...degradationBlocks(verdict.degraded),
  ];
}

function turnBlocks(view: TurnView, { policy, dressTurn, showStanding }: DebateDocument): string[] {
  const { turn, title, stance } = view;
  const standing = showStanding
    ? showStanding(view)
    : turn.score === null
      ? null
      : (view.risk?.text ?? formatScore(turn.score));
  return [
    `### ${codeSpan(title)}${standing === null ? '' : `: ${standing}`}`,
    codeSpan(turn.reasoner),
    turn.fallback
      ? `**Fallback**: this seat gave no usable answer, ${describeFailure(turn.fallback.reason, codeSpan)}. ` +
        codeSpan(turn.fallback.detail)
      : '',
    statement(turn.statement),
    stance.concession === null ? '' : `**Concedes:** ${codeSpan(stance.concession)}`,
    ...(dressTurn?.(view) ?? []),
    quotes(turn.evidence),
    clauseList(nameClauses(stance.clauses, policy)),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}
