import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Ledger } from '@agonhq/ledger';
import { policyOnRecord } from '@agonhq/engine/policy';
import type { Settings } from '../settings/index.ts';
import { requireJudgedCase, type JudgedCase } from './find-case.ts';
import { judgeAgain, type RetrialResult } from './judge-again.ts';
import type { Jobs, JudgeEvent } from '@agonhq/judges/job';
import { noteLostCalibration, buildRetrial, type RetrialOptions } from './replay.ts';
import type { Retrial } from './compare.ts';
import { noteAbsent, replaceAbsent } from './installed-models.ts';
import { toSeatSettings, rotateModels, resolveSeats, readSeats } from './resolve-seats.ts';

export interface AppealOptions extends RetrialOptions {
  /** What the person concerned says: new evidence, to be weighed. */
  statement?: string;
  /**
   * Who hears the appeal in every seat that is not named; by default other models than the first time, as far as the
   * case has others.
   */
  model?: string;
  seats?: Settings['seats'];
}

/**
 * A fresh debate of a case before other seats than the first, with the new evidence; the library is today's. Nothing
 * is recalled.
 *
 * @example const { before, after } = await resultOf(appeal(ledger, id, { jobs, statement: 'A line from a play.' }))
 */
export async function* appeal(
  ledger: Ledger,
  id: string,
  options: AppealOptions,
): AsyncGenerator<JudgeEvent, Retrial, void> {
  const record = await requireJudgedCase(ledger, id);
  const { jobs, statement } = options;
  if (statement !== undefined) assertStatement(jobs, record, statement);
  const seats = seatsFor(record, options);
  const heard = yield* judgeAgain(record, {
    jobs,
    debate: `${record.id}~a${hashOf([statement ?? null, seats]).slice(7, 15)}`,
    settings: options.settings ?? {},
    changed: { seats: toSeatSettings(jobs, seats) },
    parts: {
      ...options.parts,
      ledger,
      policy: policyOnRecord(record.policy.document),
      calibration: null,
      occasion: { again: { of: record.id, how: 'appeal' } },
    },
    statement,
    signal: options.signal,
    stream: options.stream,
  });
  const changes = [
    ...(statement === undefined ? [] : ['with a statement of the person concerned']),
    ...newModels(record, heard),
  ];
  return buildRetrial(jobs.require(record.job), 'appeal', record, heard, changes, [
    ...reserves(record, heard, statement),
    ...noteLostCalibration(record, changes),
  ]);
}

function assertStatement(jobs: Jobs, { job }: JudgedCase, statement: string): void {
  if (statement.trim() === '')
    throw new AgonError('empty-statement', 'The statement is empty.', {
      library: 'Say what speaks for the content, or leave the statement out.',
      cli: 'Say what speaks for the content, or leave --statement out.',
      api: 'Say what speaks for the content, or leave `statement` out.',
    });
  if (!jobs.require(job).usesPolicy)
    throw new AgonError(
      'other-job',
      'A statement says nothing about documents.',
      'Analyse the dossier again with the new file beside the others.',
    );
}

function seatsFor(record: JudgedCase, { jobs, model, seats }: AppealOptions): Record<string, string> {
  const judges = withoutObserver(readSeats(jobs, record));
  const others =
    model === undefined
      ? rotateModels(replaceAbsent(judges))
      : Object.fromEntries(Object.keys(judges).map((seat) => [seat, model]));
  return { ...others, ...resolveSeats(jobs, record, seats) };
}

/** The preprocessor says what it sees and judges nothing: it stays unless another is named. */
function withoutObserver(models: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(models).filter(([seat]) => seat !== 'preprocessor'));
}

/** `fake:panel-b as arbiter instead of fake:panel-a`; what changed everywhere is said once. */
function newModels({ answer }: JudgedCase, heard: RetrialResult): string[] {
  const before = answer.provenance.models;
  const moved = Object.entries(heard.answer.provenance.models).filter(([seat, model]) => before[seat] !== model);
  const byModel = [...Map.groupBy(moved, ([seat, model]) => `${model} instead of ${before[seat]}`)];
  return byModel.map(([models, seats]) => `${models} as ${seats.map(([seat]) => seat).join(', ')}`);
}

function reserves({ answer }: JudgedCase, heard: RetrialResult, statement: string | undefined): string[] {
  const models = Object.entries(withoutObserver(heard.answer.provenance.models));
  const same = models.filter(([seat, model]) => answer.provenance.models[seat] === model);
  const embedded = models.every(([, model]) => model.startsWith('embedded:'));
  return [
    ...noteAbsent(withoutObserver(answer.provenance.models)),
    ...(same.length > 0
      ? [`No other model was at hand for ${same.map(([seat]) => seat).join(', ')}: name one with --model or --seat.`]
      : []),
    ...(statement !== undefined && embedded
      ? ['The embedded reasoner reads the statement but cannot weigh it: an LLM can.']
      : []),
  ];
}
