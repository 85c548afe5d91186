import type { Command } from 'commander';
import { sumDisclosures, type Disclosed } from '@agonhq/engine/debate';
import { showCorrection, type JobCorrection } from '@agonhq/judges/job';
import type { Case, CaseSummary, Decision, Ledger } from '@agonhq/ledger';
import { addExamples, setLedgerAction, addLedgerFlags, addModuleFlag, collect } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { renderCorrection } from '../learning/corrections.ts';
import { writeMember } from '@agonhq/engine/items/item-context';
import { listDisclosed } from '@agonhq/engine/view';
import { toOneLine } from '@agonhq/engine/text';
import { printCount, formatInteger, formatMoment } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { indentText, wrapText } from '../terminal/table.ts';

interface ShowFlags extends LedgerFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  prompts?: boolean;
  curl?: boolean;
  turn?: string;
}

/** `agon show ID` */
export function defineShow(command: Command): void {
  command
    .description(
      'Show a case from the ledger the way it was shown when it was judged, with later decisions, replays and appeals.',
    )
    .argument('<id>', 'id of the case, or its beginning')
    .option('--json', 'print the case as JSON: answer, decisions, corrections, retrials, what left the machine')
    .option(
      '--report <file>',
      'write a report of the answer: .html, .md or .json; "notice" prints the notice (repeatable)',
      collect,
    )
    .option('--prompts', 'print what models were sent for each turn and what they said, with tokens, cost and time')
    .option('--curl', 'the same as commands for curl, without keys')
    .option('--turn <key>', 'of one turn only (with --prompts or --curl): round-1/strict-debater')
    .option('-q, --quiet', 'print only the verdict');
  addLedgerFlags(addModuleFlag(command));
  addExamples(command, [
    'agon show mod-315703c5ee85a07c',
    'agon show mod-3157 --report case.html',
    'agon show mod-3157 --report answer.json && agon verify answer.json',
    'agon show mod-3157 --prompts --turn round-1/strict-debater',
  ]);
  setLedgerAction(command, showCase);
}

async function showCase({ ledger, jobs }: OpenLedger, id: string, flags: ShowFlags): Promise<void> {
  const { policyOnRecord } = await import('@agonhq/engine/policy');
  const { findStandingDecision } = await import('@agonhq/core/learning');
  const { requireCase, requireJudgedCase } = await import('@agonhq/core/retrials');
  const { assertReports, writeReports } = await import('../judge/write-reports.ts');
  const { findView, renderRecorded } = await import('../views/watch-case.ts');
  const { report = [], quiet } = flags;
  if (flags.prompts || flags.curl) {
    const { showCalls } = await import('./show-calls.ts');
    return showCalls(ledger, await requireCase(ledger, id), flags);
  }
  const record = report.length > 0 ? await requireJudgedCase(ledger, id) : await requireCase(ledger, id);
  const { rows: retrials } = await ledger.cases.listCases({ again: record.id }, { limit: 1000 });
  const corrections = await ledger.corrections.listCorrections({ case: record.id });
  const standing = await ledger.corrections.listCorrections({ case: record.id, standing: true });
  const kept = await ledger.calls.listCalls(record.id);
  const disclosures = sumDisclosures(kept.map(({ call }) => call));
  const decisions = await ledger.decisions.listDecisions(record.id);
  const whole = { record, decisions, corrections, retrials, disclosures };
  const { answer } = record;
  if (flags.json) printLines([JSON.stringify(toJson(whole))]);
  else if (report.length === 0) {
    const width = readableWidth(process.stdout);
    const shown =
      answer &&
      renderRecorded(await findView(jobs.require(record.job)), answer, width, { quiet, corrections: standing });
    printLines(renderCase(whole, shown, width));
  }
  if (answer && report.length > 0) {
    const job = jobs.require(record.job);
    assertReports(job, report);
    const policy = job.usesPolicy ? policyOnRecord(record.policy.document) : undefined;
    const find = async (hash: string) => (await ledger.attachments.findAttachment(hash))?.data ?? null;
    await writeReports(job, answer, {
      reports: report,
      images: await findImages(record, ledger),
      policy,
      findPicture: find,
      findSource: find,
      corrections: standing,
      edits: await ledger.findings.listEdits(record.id),
      decision: await findStandingDecision(ledger, record.id),
    });
  }
}

async function findImages({ content }: Case, { attachments }: Ledger): Promise<(Uint8Array | null)[]> {
  const { images = [] } = (content ?? {}) as { images?: { attachment?: string }[] };
  return Promise.all(
    images.map(async ({ attachment }) =>
      attachment === undefined ? null : ((await attachments.findAttachment(attachment))?.data ?? null),
    ),
  );
}

/** Images only by hash: their bytes are in the ledger. */
function toJson({ record, decisions, corrections, retrials, disclosures }: WholeCase): unknown {
  const { policy, ...rest } = record;
  const { hash, name, version } = policy;
  return {
    version: 1,
    ...rest,
    policy: { hash, name, version },
    decisions,
    corrections: corrections.map(showCorrection),
    retrials,
    disclosures,
  };
}

interface WholeCase {
  record: Case;
  decisions: readonly Decision[];
  corrections: readonly JobCorrection[];
  retrials: readonly CaseSummary[];
  disclosures: readonly Disclosed[];
}

function renderCase(
  { record, decisions, corrections, retrials, disclosures }: WholeCase,
  answer: readonly string[] | null,
  width: number,
): string[] {
  return [
    ...wrapText(
      `${style('bold', `Case ${sanitize(record.id)}`)} ${style('dim', listFacts(record).map(sanitize).join(' · '))}`,
      width,
    ),
    '',
    ...(answer ?? renderMissing(record, width)),
    ...renderSection('Context', listContext(record.context, width)),
    ...renderSection(
      'What left this machine',
      disclosures.flatMap((one) => indentText(formatDisclosed(one), width)),
    ),
    ...renderSection(
      'Decisions',
      decisions.flatMap((decision) => renderDecision(decision, width)),
    ),
    ...renderSection(
      'Corrections',
      corrections.flatMap((correction) => renderCorrection(correction).map((line) => `  ${line}`)),
    ),
    ...renderSection(
      'Replays and appeals',
      retrials.flatMap((retrial) => indentText(formatRetrial(retrial), width)),
    ),
  ];
}

function formatDisclosed(disclosed: Disclosed): string {
  const { host, model, here, requests, bytes } = disclosed;
  const what = listDisclosed(disclosed);
  return [
    `${host}${here ? ' (this machine)' : ''}, ${model}: ` +
      `${printCount(requests, 'request')}, ${formatInteger(bytes)} bytes`,
    ...(what.length > 0 ? what : ['no personal data was found in it']),
  ].join('; ');
}

function listContext(context: Case['context'], width: number): string[] {
  return Object.entries(context ?? {}).flatMap(([name, value]) =>
    indentText(toOneLine(`${name}: ${writeMember(value ?? '')}`), width),
  );
}

function listFacts({ job, modality, openedAt, again, run }: Case): string[] {
  return [job, modality, formatMoment(openedAt), again && `${again.how} of ${again.of}`, run && `run ${run}`].filter(
    (fact) => typeof fact === 'string',
  );
}

function renderMissing(record: Case, width: number): string[] {
  const { forgottenAt, label, risk, rule, categories, seal, state, problem } = record;
  const verdict =
    label === null
      ? []
      : indentText(
          `Verdict: ${label}${risk === null ? '' : ` at ${risk.toFixed(2)}`}, by ${rule}` +
            (categories.length > 0 ? ` (${categories.join(', ')})` : ''),
          width,
        );
  if (forgottenAt === null)
    return state === 'judging'
      ? wrapText(style('yellow', 'No verdict yet: it is being judged.'), width)
      : [
          ...wrapText(style('yellow', 'No verdict: judging was interrupted.'), width),
          ...(problem ? indentText(`${problem.message} ${problem.hint} (${problem.code})`, width) : []),
          ...indentText('Judge the same content again to continue the debate where it stopped.', width),
        ];
  return [
    ...wrapText(
      style(
        'yellow',
        `Forgotten on ${formatMoment(forgottenAt)}: the content and everything said about it were deleted.`,
      ),
      width,
    ),
    ...verdict,
    ...(seal === null ? [] : indentText(`Seal: ${seal}`, width)),
  ];
}

function renderDecision({ at, label, by, why, clause, action }: Decision, width: number): string[] {
  const words = [
    `${formatMoment(at)} ${label}${action ? `, ${action},` : ''} by ${by}`,
    clause && `under ${clause}`,
    why,
  ]
    .filter(Boolean)
    .join(': ');
  return indentText(words, width);
}

function formatRetrial({ id, again, openedAt, label, risk }: CaseSummary): string {
  const verdict = `${label ?? 'no verdict'}${risk === null ? '' : ` ${risk.toFixed(2)}`}`;
  return `${formatMoment(openedAt)} ${again?.how}: ${verdict} · ${id}`;
}

function renderSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', style('bold', title), ...lines];
}
