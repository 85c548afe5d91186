import type { Difference, Jobs, JudgeEvent } from '@agonhq/judges/job';
import type { JudgedCase, Outcome, Retrial, RetrialOptions } from '@agonhq/core/retrials';
import { formatRisk } from '@agonhq/engine/statistics';
import { shorten, toOneLine } from '@agonhq/engine/text';
import type { LedgerFlags } from '../open-ledger.ts';
import { printCount } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { colourVerdict, printLines, sanitize, style } from '../terminal/style.ts';
import { indentText, wrapText } from '../terminal/table.ts';
import { renderColumns } from '../views/debate-parts.ts';
import { findView, watchCase } from '../views/watch-case.ts';
import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import { addExamples, setAction, addRetrialFlags, collect } from '../define-command.ts';
import { readStandardInput } from '../files.ts';

interface RetrialFlags extends LedgerFlags {
  seat?: string[];
  json?: boolean;
  quiet?: boolean;
}

type StartRetrial = (options: Pick<RetrialOptions, 'signal' | 'stream'>) => AsyncGenerator<JudgeEvent, Retrial, void>;

/** Judges a case again and shows both outcomes side by side. */
async function holdRetrial(jobs: Jobs, record: JudgedCase, flags: RetrialFlags, start: StartRetrial): Promise<void> {
  const { documents = [] } = (record.content ?? {}) as { documents?: readonly { name: string }[] };
  const { result: retrial } = await watchCase(await findView(jobs.require(record.job)), start, {
    names: documents.map(({ name }) => name),
    silent: flags.json || flags.quiet,
  });
  printLines(flags.json ? [JSON.stringify(retrial)] : renderRetrial(retrial, readableWidth(process.stdout)));
}

function renderRetrial(retrial: Retrial, width: number): string[] {
  const { how, of, changes, before, after, notes } = retrial;
  const title = `${how === 'replay' ? 'Replay' : 'Appeal'} of ${of}`;
  return [
    '',
    ...wrapText(style('bold', sanitize(title)), width),
    ...(changes.length === 0 ? ['  no changes'] : changes.flatMap((change) => indentText(change, width))),
    '',
    ...renderColumns(
      [(column) => renderOutcome('Before', before, column), (column) => renderOutcome('After', after, column)],
      width - 2,
    ).map((line) => `  ${line}`.trimEnd()),
    '',
    ...renderFlip(retrial, width),
    ...renderDifferences(retrial, width),
    ...renderMemory(retrial, width),
    ...notes.flatMap((note) => wrapText(style('yellow', sanitize(`Note: ${note}`)), width)),
    ...wrapText(style('dim', sanitize(`Recorded as ${after.id}`)), width),
  ];
}

function renderOutcome(
  title: string,
  { label, risk, bar, escalate, rule, categories, models }: Outcome,
  column: number,
): string[] {
  const verdict = style(['bold', colourVerdict(label)], label.toUpperCase());
  const shown = risk === null || bar === null ? null : formatRisk(risk, bar);
  const points = shown ? ` risk ${shown.risk}, bar ${shown.bar}` : '';
  const heading = `${style('dim', title)} ${verdict}${points}${escalate ? ' · needs review' : ''}`;
  const byModel = Map.groupBy(Object.entries(models), ([, model]) => model);
  const panel =
    byModel.size === 1
      ? [...byModel.keys()]
      : [...byModel].map(([model, seats]) => `${model} (${seats.map(([seat]) => seat).join(', ')})`);
  return [
    ...wrapText(heading, column),
    ...wrapText(sanitize(`${rule.id.replaceAll('-', ' ')}: ${rule.why}`), column),
    ...(categories.length > 0 ? wrapText(sanitize(`Clauses: ${categories.join(', ')}`), column) : []),
    ...panel.flatMap((seat) => wrapText(sanitize(seat), column).map((line) => style('dim', line))),
  ];
}

function renderFlip({ flipped, before, after, differences }: Retrial, width: number): string[] {
  if (flipped)
    return wrapText(style(['bold', 'yellow'], `The verdict flipped: ${before.label} became ${after.label}.`), width);
  const same = differences.length === 0 ? 'The retrial came out the same.' : `The verdict stands: ${after.label}.`;
  return wrapText(style('bold', same), width);
}

/** What is shown of one statement; the whole of it is in --json and in the case itself. */
const longestWords = 280;

function renderDifferences({ differences }: Retrial, width: number): string[] {
  if (differences.length === 0) return [];
  return ['Differences', ...differences.flatMap((difference) => renderPair(difference, width)), ''];
}

function renderPair({ at, before, after }: Difference, width: number): string[] {
  const side = (mark: string, text: string) =>
    wrapText(sanitize(shortenText(text)), width - 6).map((line, index) => `    ${index === 0 ? mark : ' '} ${line}`);
  return [
    ...wrapText(sanitize(at), width - 2).map((line) => `  ${style('cyan', line)}`),
    ...side('−', before),
    ...side('+', after),
  ];
}

function shortenText(text: string): string {
  return shorten(toOneLine(text), longestWords, ' …');
}

function renderMemory({ how, recalled, argued }: Retrial, width: number): string[] {
  if (how === 'appeal' && recalled.length === 0)
    return wrapText(`Everything was debated anew (${printCount(argued.length, 'entry', 'entries')}).`, width);
  const named = (title: string, keys: readonly string[]) =>
    keys.length === 0 ? [] : wrapText(sanitize(`${title}: ${listKeys(keys)}`), width);
  return [...named(`Recalled (${recalled.length})`, recalled), ...named(`Debated anew (${argued.length})`, argued)];
}

function listKeys(keys: readonly string[]): string {
  const most = 12;
  return keys.length > most ? `${keys.slice(0, most).join(', ')}, … and ${keys.length - most} more` : keys.join(', ');
}

interface AppealFlags extends RetrialFlags {
  model?: string;
  statement?: string;
  stdin?: boolean;
}

/** `agon appeal ID` */
export function defineAppeal(command: Command): void {
  command
    .description(
      'Judge a past case anew, with other models and with a statement by the person concerned, and show both ' +
        'outcomes side by side. The statement is weighed but cannot convict; if it alone would change the verdict, a ' +
        'person has to review the case.',
    )
    .argument('<id>', 'id of the case, or its beginning')
    .option('--statement <text>', 'statement by the person concerned')
    .option('--stdin', 'read the statement from standard input')
    .option('--model <provider:model>', 'model of every seat that has none of its own')
    .option('--seat <seat=provider:model>', 'model of one seat (repeatable)', collect);
  addRetrialFlags(command);
  addExamples(command, [
    'agon appeal mod-3157 --statement "It is a line from a play."',
    'agon appeal mod-3157 --model anthropic:claude-sonnet-4-5 --stdin < letter.txt',
    'agon appeal eval-77c0 --seat arbiter=openai:gpt-5',
  ]);
  setAction(command, appealCase);
}

async function appealCase(id: string, flags: AppealFlags): Promise<void> {
  if (flags.statement !== undefined && flags.stdin)
    throw badFlag('--statement and --stdin cannot be combined.', 'Use one of them.');
  const { appeal, requireJudgedCase } = await import('@agonhq/core/retrials');
  const { withLedger } = await import('../open-ledger.ts');
  const { readSeatFlags } = await import('../read-settings.ts');
  const { default: model, ...seats } = readSeatFlags(flags);
  const statement = flags.stdin ? await readStandardInput() : flags.statement;
  return withLedger(flags, async (ledger, { settings, jobs }) => {
    const record = await requireJudgedCase(ledger, id);
    return holdRetrial(jobs, record, flags, (options) =>
      appeal(ledger, record.id, { ...options, jobs, settings, statement, model, seats }),
    );
  });
}

interface ReplayFlags extends RetrialFlags {
  withoutPrecedent?: string[];
  policy?: string;
}

/** `agon replay ID` */
export function defineReplay(command: Command): void {
  command
    .description(
      'Judge a past case again with one thing changed, or nothing. Turns that the change does not affect are ' +
        'recalled, the rest is debated again, and both outcomes are shown side by side.',
    )
    .argument('<id>', 'id of the case, or its beginning')
    .option('--without-precedent <id>', 'without this precedent (repeatable)', collect)
    .option('--policy <file>', 'under this policy')
    .option('--seat <seat=provider:model>', 'with this model in a seat (repeatable)', collect);
  addRetrialFlags(command);
  addExamples(command, [
    'agon replay mod-315703c5ee85a07c',
    'agon replay mod-3157 --without-precedent seed-0062',
    'agon replay mod-3157 --policy stricter.yaml',
    'agon replay mod-3157 --seat arbiter=openai:gpt-5',
  ]);
  setAction(command, replayCase);
}

async function replayCase(id: string, flags: ReplayFlags): Promise<void> {
  const given = [
    flags.withoutPrecedent && '--without-precedent',
    flags.policy && '--policy',
    flags.seat && '--seat',
  ].filter((flag) => typeof flag === 'string');
  if (given.length > 1) {
    throw badFlag(
      `${given.join(' and ')} cannot be combined.`,
      'Change one thing at a time, to see what flips the verdict.',
    );
  }
  const { loadPolicy } = await import('@agonhq/engine/policy');
  const { requireJudgedCase, replay } = await import('@agonhq/core/retrials');
  const { withLedger } = await import('../open-ledger.ts');
  const { readSeatFlags } = await import('../read-settings.ts');
  const policy = flags.policy === undefined ? undefined : await loadPolicy(flags.policy);
  const seats = readSeatFlags({ seat: flags.seat });
  return withLedger(flags, async (ledger, { settings, jobs }) => {
    const record = await requireJudgedCase(ledger, id);
    return holdRetrial(jobs, record, flags, (options) =>
      replay(
        ledger,
        record.id,
        { withoutPrecedent: flags.withoutPrecedent, policy, seats },
        { ...options, jobs, settings },
      ),
    );
  });
}
