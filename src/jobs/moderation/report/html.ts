import { formatPlural, formatSeconds, describeLabel } from '../../../view/index.ts';
import { findTurns } from '../../../debate/index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  anchorTurn,
  type Citations,
  block,
  html,
  inline,
  type Markup,
  ladderView,
  page,
  code,
  section,
  provenance,
  recordTable,
  usageTable,
  turnCard,
  verdictBanner,
  verdictFacts,
} from '../../../reports/index.ts';
import { content } from './content.ts';
import { judgesView, judgeTurns, methodOf, verdictOfJudges } from './judges.ts';
import { arbiterTurn, briefOf, supporterTurn, type ModerationAnswer } from './moderation-answer.ts';
import { precedents } from './precedents.ts';
import { moderationCitations } from './quotations.ts';
import { ladderOf } from './rule-ladder.ts';
import { trajectoryOf } from './scores.ts';
import { sides } from './sides.ts';
import { trajectoryChart } from './trajectory.ts';
import { methodWords, ruleTitle } from './words.ts';

const placed = new Set(['preprocessor', 'supporter', 'strict-debater', 'loose-debater', 'arbiter']);

/** The report as one self-contained page: what was decided, why, the trial, the small print. */
export function htmlReport(
  answer: ModerationAnswer,
  images: Record<string, string>,
  policy: Policy | undefined,
): string {
  const { verdict } = answer;
  const { title, meaning } = describeLabel(verdict.label);
  const citations = moderationCitations(answer);
  const method = methodOf(answer);
  const debated = method === 'debate';
  const facts = debated
    ? verdictFacts(verdict)
    : [['Method', methodWords(method).title] as const, ...verdictFacts(verdict, false)];
  return page(
    `${title}: moderation report ${answer.id}`,
    html`<header class="masthead">
        <p><b>Agon</b> moderation report</p>
        <p class="small">
          ${code(answer.id)}${answer.subject.id !== null && html` · item ${inline(answer.subject.id)}`} ·
          ${answer.subject.modality}
        </p>
      </header>
      <main>
        ${verdictBanner({ verdict, meaning, facts, decidedBy: ruleTitle(verdict.rule.id) }, citations, policy)}
        ${section('Why', methodWords(method).how, debated ? ladderView(ladderOf(answer), citations) : verdictOfJudges(answer, citations))}
        ${section('What was judged', debated ? 'Marked passages are quoted in the debate. A number leads to who quotes it, and back.' : 'Marked passages are quoted by those who judged. A number leads to who quotes it, and back.', content(answer, citations, images))}
        ${debated && section('The debate', null, debateView(answer, citations, policy))}
        ${judgeTurns(answer).length > 0 && section(method === 'role-free' ? 'The debate' : 'What was said', null, judgesView(answer, citations, policy))}
        ${debated && section('Precedents', null, html`${brief(answer)}${precedents(answer)}`)}
        ${section('Cost', html`${formatPlural(answer.usage.calls, 'call')} in ${formatSeconds(answer.usage.latencyMs)}.`, usageTable(answer.usage))}
        ${section('Provenance', html`Save the answer as JSON and run <code>agon verify answer.json</code>: it rechecks every quotation, the ${debated ? 'priority of the rules' : 'rules'} and the hashes by code alone, without a model and without a network.`, html`${provenance(answer)}${recordTable(answer)}`)}
      </main>
      <footer class="small">
        This page runs no script and loads nothing. Texts on it are shown as they were given; characters that cannot be
        seen are shown by name, as in <span class="control">U+202E</span>.
      </footer>`,
  );
}

function debateView(answer: ModerationAnswer, citations: Citations, policy: Policy | undefined): Markup {
  const arbiter = arbiterTurn(answer);
  const others = findTurns(answer.transcript).filter((turn) => !placed.has(turn.role));
  return html`${trajectoryChart(trajectoryOf(answer))}
  ${others.map((turn) => turnCard({ turn, citations, anchor: anchorTurn(answer, turn) }))}
  ${sides(answer, citations, policy)}
  ${
    arbiter &&
    html`<h3>The arbiter</h3>
      ${turnCard({ turn: arbiter.fallback ? arbiter : { ...arbiter, evidence: [] }, citations, anchor: anchorTurn(answer, arbiter), part: 'Weighs both sides; its findings are under Why' })}`
  }`;
}

function brief(answer: ModerationAnswer): Markup | null {
  const supporter = supporterTurn(answer);
  if (!supporter) return null;
  const patterns = briefOf(answer)?.patterns ?? [];
  return turnCard({
    turn: supporter,
    anchor: anchorTurn(answer, supporter),
    part: 'Briefs both sides before they speak',
    citations: { passages: [], numberOf: () => undefined },
    extra:
      patterns.length > 0 &&
      html`<div>
        <p class="kicker">Recurring patterns</p>
        <ul class="bullets">
          ${patterns.map((pattern) => html`<li>${block(pattern)}</li>`)}
        </ul>
      </div>`,
  });
}
