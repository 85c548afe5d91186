import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import { readPages } from '@agonhq/core/async-items';
import { hashBits } from '@agonhq/engine/fingerprint';
import type { FoundImage, FoundState, Ledger } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, choice, setLedgerAction } from '../define-command.ts';
import { saveFile } from '../files.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

const states = ['waiting', 'reported', 'dismissed'];

interface QueueFlags extends LedgerFlags {
  state?: FoundState;
  list?: string;
  json?: boolean;
}

/** `agon known-images queue` */
export function defineKnownImagesQueue(command: Command): void {
  command.description('List the known images that came in, the newest first. The images themselves are not kept.');
  addQueueFlags(command).option('--json', 'print one JSON object per line');
  addExamples(command, ['agon known-images queue', 'agon known-images queue --state waiting --json']);
  setLedgerAction(command, async ({ ledger }: OpenLedger, flags: QueueFlags) => {
    let count = 0;
    for await (const found of readFound(ledger, flags)) {
      count += 1;
      printLines([flags.json ? JSON.stringify(found) : formatFound(found)]);
    }
    if (!flags.json) printLines([style('dim', printCount(count, 'known image'))]);
  });
}

/** `agon known-images export` */
export function defineKnownImagesExport(command: Command): void {
  command.description('Write the known images that came in as a report: hashes, lists and cases, never an image.');
  addQueueFlags(command)
    .addOption(choice('--format <format>', 'format of the report', ['json', 'csv'], 'json'))
    .option('--out <file>', 'file to write (default: standard output)');
  addExamples(command, [
    'agon known-images export --out report.json',
    'agon known-images export --format csv --state waiting > report.csv',
  ]);
  setLedgerAction(command, async ({ ledger }: OpenLedger, flags: QueueFlags & ExportFlags) => {
    const { renderFoundImages } = await import('@agonhq/core/known-images');
    const found: FoundImage[] = [];
    for await (const one of readFound(ledger, flags)) found.push(one);
    const report = renderFoundImages(found, flags.format);
    if (flags.out === undefined) process.stdout.write(report);
    else await saveFile(flags.out, report, 'Choose another file for the report.', { mode: 0o600 });
  });
}

interface ExportFlags {
  format: 'json' | 'csv';
  out?: string;
}

/** `agon known-images settle ID` */
export function defineKnownImagesSettle(command: Command): void {
  command
    .description('Record what became of a known image that came in.')
    .argument('<id>', 'id of the entry')
    .addOption(
      choice(
        '--as <state>',
        'reported to whom it concerns, or dismissed as another image',
        states.slice(1),
        'reported',
      ),
    )
    .requiredOption('--by <name>', 'who decided')
    .option('--note <text>', 'what was done');
  addLedgerFlags(command);
  addExamples(command, ['agon known-images settle known-5be2a90c11d43f9a --as reported --by mara --note "Case 4711"']);
  setLedgerAction(command, async ({ ledger }: OpenLedger, id: string, flags: SettleFlags) => {
    const { as: state, by, note = null } = flags;
    const found = await ledger.knownImages.settle(id, { state, by, note });
    if (!found)
      throw new AgonError(
        'unknown-known-image',
        `The queue has no entry ${id}.`,
        '`agon known-images queue` lists them.',
      );
    printLines([formatFound(found)]);
  });
}

interface SettleFlags extends LedgerFlags {
  as: Exclude<FoundState, 'waiting'>;
  by: string;
  note?: string;
}

function addQueueFlags(command: Command): Command {
  return addLedgerFlags(command)
    .addOption(choice('--state <state>', 'only entries in this state', states))
    .option('--list <name>', 'only entries of this list');
}

function readFound(ledger: Ledger, { state, list }: QueueFlags): AsyncIterable<FoundImage> {
  const filter = { ...(state ? { state } : {}), ...(list ? { list } : {}) };
  return readPages((after) => ledger.knownImages.listFound(filter, { limit: 200, after }));
}

function formatFound({
  id,
  foundAt,
  list,
  entry,
  distance,
  mirrored,
  case: caseId,
  image,
  item,
  state,
  note,
}: FoundImage): string {
  const said = [entry.label, note].flatMap((words) => (words === null ? [] : [sanitize(words)])).join('; ');
  return (
    `${style('cyan', id)}  ${formatMoment(foundAt)}  ${state}  ` +
    `on ${sanitize(list)}, distance ${distance} of ${hashBits}` +
    `${mirrored ? ', mirrored' : ''}  ${sanitize(caseId ?? image)}${item === null ? '' : ` (${sanitize(item)})`}` +
    (said === '' ? '' : style('dim', `  ${said}`))
  );
}
