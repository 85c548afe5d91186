import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { toOneLine } from '../../text/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { confirm } from '../terminal/confirm.ts';
import { formatCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

/** `agon ledger forget ID|sha256:…` */
export function define(command: Command): void {
  command
    .description(
      'Delete what a case judged, what was said about it and what was learnt from it, in every case about the same ' +
        'content. Verdicts, seals and decisions stay.',
    )
    .argument('<id>', 'id of a case, or hash of the judged content (sha256:…)')
    .option('--yes', 'do not ask for confirmation');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger forget mod-315703c5ee85a07c', 'agon ledger forget sha256:9f2c… --yes']);
  setAction(command, forgetSubject);
}

async function forgetSubject(id: string, flags: LedgerFlags & { yes?: boolean }): Promise<number> {
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const subject = await findSubject(ledger, id);
    const { rows } = await ledger.cases.listCases({ subject }, { limit: 1000 });
    if (rows.length === 0)
      throw new AgonError(
        'unknown-subject',
        `${ledger.place} holds nothing with the hash ${subject}.`,
        'Pass the id of a case, or the `subject.hash` of its answer.',
      );
    if (rows.every(({ forgottenAt }) => forgottenAt !== null)) {
      printLines([`Already forgotten on ${formatMoment(rows[0]!.forgottenAt!)}.`]);
      return exitCodes.judged;
    }
    const excerpt = toOneLine(rows[0]!.excerpt ?? '')
      .slice(0, 60)
      .toWellFormed();
    const what = excerpt === '' ? '' : ` “${sanitize(excerpt)}”`;
    const cases = formatCount(rows.length, 'case');
    const question = `Forget${what} and what was said about it in ${cases}? This cannot be undone.`;
    if (!(await confirm(question, flags))) {
      printLines(['Nothing was forgotten.']);
      return exitCodes.judged;
    }
    const debates = await ledger.cases.forgetSubject(subject);
    printLines([`Forgotten in ${formatCount(debates, 'case')}. Verdicts, seals and decisions stay.`]);
    return exitCodes.judged;
  });
}

async function findSubject(ledger: Ledger, id: string): Promise<string> {
  if (id.startsWith('sha256:')) return id;
  const { requireCase } = await import('../../retrials/index.ts');
  return (await requireCase(ledger, id)).subject;
}
