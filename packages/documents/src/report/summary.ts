import { formatPlural, shortenQuote } from '@agonhq/engine/view';
import { codeCell, codeSpan, joinBlocks, markdownList, markdownTable, statement } from '@agonhq/engine/reports';
import type { ReportExtras } from '@agonhq/judges/job/job-report';
import type { PeoplesWords } from '../findings/list-findings.ts';
import type { Analysis } from '../analysis.ts';
import { listOwnRisks } from '../verdicts/decide-outlook.ts';
import {
  countLabels,
  describeClaimDegradation,
  describeClaimLabel,
  describeOutlook,
  describeRule,
  findPersonVerdict,
  type PersonVerdict,
} from '../view.ts';
import { editCell, findEdit } from './edit-words.ts';
import { numberFindings, type NumberedFinding } from '../trace/index.ts';

/** The decision brief alone, as text: without what somebody left out of exports. */
export function writeAnalysisSummary(analysis: Analysis, { corrections, edits = [] }: ReportExtras = {}): string {
  const leftOut = new Set(edits.flatMap((edit) => (edit.leftOut ? [edit.finding] : [])));
  return joinBlocks([
    ...listBriefBlocks(analysis, numberFindings(analysis), { corrections, edits }, leftOut),
    `Sealed as ${codeSpan(analysis.seal)}. Check the whole trace offline: save it as JSON ` +
      '(`--report trace.json`), then `agon verify trace.json`',
  ]);
}

/** The decision brief: what the page has on top. */
export function listBriefBlocks(
  analysis: Analysis,
  findings: readonly NumberedFinding[],
  { corrections = [], edits = [] }: PeoplesWords,
  leftOut: ReadonlySet<string> = new Set(),
): string[] {
  const { outlook, claims, documents } = analysis;
  const { title, meaning } = describeOutlook(outlook.label);
  const risks = listOwnRisks(analysis);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const shownConflicts = conflicts.filter(({ anchor }) => !leftOut.has(anchor));
  const shownClaims = claims
    .map((claim, index) => ({ claim, number: index + 1 }))
    .filter(({ claim }) => !leftOut.has(claim.subject.id));
  return [
    `# Outlook: ${known(title, outlook.label)}`,
    `${meaning} ${codeSpan(outlook.rule.why)}`.trim(),
    `Of ${documents.map(({ name }) => codeSpan(name)).join(', ')}: ${formatPlural(claims.length, 'claim')}${
      claims.length > 0
        ? ` (${countLabels(claims)
            .map(([label, number]) => `${number} ${known(describeClaimLabel(label).title, label).toLowerCase()}`)
            .join(', ')})`
        : ''
    }, ${formatPlural(conflicts.length, 'number conflict')}.`,
    statement(outlook.brief),
    ...careBlocks(analysis.degraded),
    ...spokenBlocks(analysis.observations),
    shownClaims.length > 0
      ? markdownTable(
          ['', 'Claim', 'Verdict', 'Decided by'],
          shownClaims.map(({ claim: { subject, verdict, corrections: recalled }, number }) => [
            String(number),
            codeCell(subject.text) + editCell(findEdit(edits, subject.id)),
            `**${knownCell(describeClaimLabel(verdict.label).title, verdict.label)}**` +
              tellPerson(findPersonVerdict({ subject, corrections: recalled }, corrections)),
            describeRule(verdict.rule.id, codeCell),
          ]),
        )
      : '',
    shownConflicts.length > 0 ? '**Numbers in conflict**' : '',
    markdownList(
      shownConflicts.map(
        ({ finding, anchor }) =>
          `${codeSpan(finding.statement)} ${codeSpan(finding.arithmetic)}${editCell(findEdit(edits, anchor))}`,
      ),
    ),
    risks.length > 0 ? '**Risks**' : '',
    markdownList(risks.map(codeSpan)),
    outlook.questions.length > 0 ? '**Open questions**' : '',
    markdownList(outlook.questions.map(codeSpan)),
  ];
}

export function careBlocks(degraded: Analysis['degraded']): string[] {
  return degraded.length === 0
    ? []
    : [
        '**Read with care**',
        markdownList(
          degraded.map(
            ({ kind, at, detail }) =>
              `${describeClaimDegradation(kind, codeSpan)} (${codeSpan(at)}): ${codeSpan(detail)}`,
          ),
        ),
      ];
}

function spokenBlocks(observations: Analysis['observations']): string[] {
  return observations.length === 0
    ? []
    : [
        '**The dossier addresses its judges.** That text was judged like the rest, and not obeyed.',
        markdownList(observations.map(({ of, text }) => `${codeSpan(shortenQuote(text))} in ${codeSpan(of)}`)),
      ];
}

/* A title that is only the id itself is untrusted. */
export const known = (title: string, id: string) => (title === id ? codeSpan(id) : title);
const knownCell = (title: string, id: string) => (title === id ? codeCell(id) : title);

/** In a cell of the table: whose word it is stands with it. */
function tellPerson(person: PersonVerdict | null): string {
  return person ? `; ${codeCell(`${describeClaimLabel(person.label).title}, says ${person.by}`)}` : '';
}
