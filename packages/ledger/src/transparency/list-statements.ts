import { AgonError } from '@agonhq/engine/agon-error';
import type { CaseOutcome, Ledger } from '../index.ts';
import { statementColumns } from './dsa-terms.ts';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { findVisibility, makeStatement, type StatementOfReasons, type StatementOptions } from './make-statement.ts';
import { isWithinPeriod, settleCase, type SettledCase } from './settle-case.ts';

/** Statements of reasons are for decisions on contents by a policy: those of this job. */
const job = 'moderation';

export interface StatementPeriod {
  from: Date;
  to: Date;
}

/** The statement of reasons of one case. Refused where nothing was decided that restricts its content. */
export async function stateReasons(
  ledger: Ledger,
  caseId: string,
  options: StatementOptions = {},
): Promise<StatementOfReasons> {
  const [outcome] = await ledger.outcomes.findOutcomes([caseId]);
  const settled = outcome && settleCase(outcome);
  const stated = outcome && settled && (await state(ledger, outcome, settled, options));
  if (stated) return stated;
  throw new AgonError(
    'no-statement',
    `There is nothing to state about case ${caseId}: ${describeWhy(outcome, settled ?? null)}.`,
    'A statement of reasons is for a decision that restricts content.',
  );
}

function describeWhy(outcome: CaseOutcome | undefined, settled: SettledCase | null): string {
  if (!outcome) return 'it has no verdict, is a replay, or is of another kind';
  if (outcome.appealOf !== null) return `it hears ${outcome.appealOf} on appeal`;
  if (!settled) return 'a person is still to decide it';
  return settled.action === null
    ? 'nobody said what is to be done'
    : `what was decided (${settled.action}) restricts nothing`;
}

/** The statements of reasons of a time, by the moment of the decision, one case in memory at a time. */
export async function* listStatements(
  ledger: Ledger,
  period: StatementPeriod,
  options: StatementOptions = {},
): AsyncGenerator<StatementOfReasons, void, void> {
  for await (const outcomes of ledger.outcomes.readOutcomes({ ...period, job }))
    for (const outcome of outcomes) {
      const settled = settleCase(outcome);
      if (!settled || !isWithinPeriod(settled.at, period)) continue;
      const stated = await state(ledger, outcome, settled, options);
      if (stated) yield stated;
    }
}

async function state(
  ledger: Ledger,
  outcome: CaseOutcome,
  settled: SettledCase,
  options: StatementOptions,
): Promise<StatementOfReasons | null> {
  if (outcome.appealOf !== null || findVisibility(settled, options.settings) === null) return null;
  const record = await ledger.cases.findCase(outcome.id);
  return record ? makeStatement(record, outcome, settled, options) : null;
}

/** Statements as lines of a table, its head first; what is not known is an empty cell, and named in the last one. */
export async function* renderStatementsCsv(
  statements: AsyncIterable<StatementOfReasons>,
): AsyncGenerator<string, void, void> {
  yield renderCsvRow(['case', 'seal', 'decided_at', ...statementColumns, 'not_known']);
  for await (const { case: id, seal, decidedAt, statement, notKnown } of statements) {
    const cells = statementColumns.map((name) => {
      const value = statement[name] ?? '';
      return typeof value === 'string' ? value : value.join(' ');
    });
    yield renderCsvRow([id, seal, decidedAt, ...cells, notKnown.join(' ')].map(renderTextCell));
  }
}
