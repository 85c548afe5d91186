import type { OwnJobId as Job } from '../jobs/index.ts';
import { fittedWith, type FittedCalibration } from '../debate/index.ts';
import { AgonError, hintFor } from '../errors.ts';
import {
  loadCalibration,
  mergeSettings,
  readSettings,
  settingsFromEnvironment,
  settingsFromFile,
  type Settings,
} from '../settings/index.ts';

/** The flags of every job that stand for settings, as commander hands them over. */
export interface SettingsFlags {
  config?: string;
  policy?: string;
  calibration?: string;
  model?: string;
  debaters?: string;
  arbiter?: string;
  seat?: string[];
  cache?: string;
  budgetUsd?: string;
  runBudgetUsd?: string;
  budgetTokens?: string;
  runBudgetTokens?: string;
  limitConcurrency?: string;
  requestsPerMinute?: string;
  tokensPerMinute?: string;
  /** False with --no-ledger. */
  ledger?: string | false;
}

export interface ModerationSettingsFlags extends SettingsFlags {
  method?: string;
  judge?: string;
  preprocessor?: string;
  preset?: string;
  rounds?: string;
  turns?: string;
  earlyStop: boolean;
  without?: string[];
  vision: boolean;
  ocr: boolean;
}

export interface EvaluationSettingsFlags extends SettingsFlags {
  auditor?: string[];
  detector?: string[];
  critic?: string;
  judge?: string;
  preset?: string;
  evaluator?: string;
  rounds?: string;
  agents?: string;
  consensus: boolean;
  reference?: string;
}

export interface DocumentsSettingsFlags extends SettingsFlags {
  factorAgent?: string;
  affirmative?: string;
  dissenting?: string;
  synthesizer?: string;
  preset?: string;
  method?: string;
  maxFactors?: string;
  retrieved?: string;
  concurrency?: string;
  ocr: boolean;
}

/** File, environment, flags: the later the stronger. The guard is a judge whose model is Agon's own. */
export async function readModerationSettings(flags: ModerationSettingsFlags): Promise<Settings> {
  const guard = flags.method === 'guard';
  return readLayers('moderation', flags, {
    seats: { preprocessor: flags.preprocessor, judge: guard ? 'embedded:guard-1' : flags.judge },
    moderation: {
      preset: flags.preset,
      method: guard ? 'judge' : flags.method,
      rounds: numberFrom(flags.rounds),
      turns: flags.turns,
      earlyStop: flags.earlyStop ? undefined : false,
      without: flags.without,
      vision: flags.vision ? undefined : false,
      ocr: flags.ocr ? undefined : false,
    },
  });
}

/** As for moderation. */
export async function readEvaluationSettings(flags: EvaluationSettingsFlags): Promise<Settings> {
  const guard = flags.evaluator === 'guard';
  return readLayers('evaluation', flags, {
    seats: {
      auditor: oneOrList(flags.auditor),
      detector: oneOrList(flags.detector),
      critic: flags.critic,
      judge: guard ? 'embedded:guard-1' : flags.judge,
    },
    evaluation: {
      preset: flags.preset,
      method: guard ? 'judge' : flags.evaluator,
      rounds: numberFrom(flags.rounds),
      agents: numberFrom(flags.agents),
      consensus: flags.consensus ? undefined : false,
      reference: flags.reference,
    },
  });
}

export async function readDocumentsSettings(flags: DocumentsSettingsFlags): Promise<Settings> {
  return readLayers('documents', flags, {
    seats: {
      'factor-agent': flags.factorAgent,
      affirmative: flags.affirmative,
      dissenting: flags.dissenting,
      synthesizer: flags.synthesizer,
    },
    documents: {
      preset: flags.preset,
      method: flags.method,
      maxFactors: numberFrom(flags.maxFactors),
      retrieved: numberFrom(flags.retrieved),
      concurrency: numberFrom(flags.concurrency),
      ocr: flags.ocr ? undefined : false,
    },
  });
}

export interface ServerSettingsFlags extends SettingsFlags {
  host?: string;
  port?: string;
  auth?: string;
  allowedHost?: string[];
  origin?: string[];
  concurrency?: string;
  queue?: string;
  drainSeconds?: string;
}

/** For a server, which does all jobs. */
export async function readServerSettings(flags: ServerSettingsFlags): Promise<Settings> {
  return readLayers(null, flags, {
    seats: {},
    server: {
      host: flags.host,
      port: numberFrom(flags.port),
      auth: flags.auth,
      allowedHosts: flags.allowedHost,
      origins: flags.origin,
      concurrency: numberFrom(flags.concurrency),
      queue: numberFrom(flags.queue),
      drainSeconds: numberFrom(flags.drainSeconds),
    },
  });
}

/** For commands that do not start a new case: how models are reached, and where the ledger is. */
export async function readInstallationSettings(
  flags: Pick<SettingsFlags, 'config' | 'ledger' | 'policy' | 'cache' | 'budgetUsd' | 'runBudgetUsd'>,
): Promise<Settings> {
  return readLayers(null, flags, { seats: {} });
}

/** The models that --model and --seat name, by seat. */
export function readSeats({ model, seat }: Pick<SettingsFlags, 'model' | 'seat'>): NonNullable<Settings['seats']> {
  return settingsFromFlags({ seats: { default: model, ...readNamedSeats(seat ?? []) } }).seats ?? {};
}

type Given = Record<string, unknown>;

async function readLayers(
  job: Job | null,
  flags: SettingsFlags,
  { seats, ...own }: { seats: Given } & Given,
): Promise<Settings> {
  if (flags.calibration !== undefined && job !== null && isCalibrated(job))
    await assertFittedFor(job, flags.calibration);
  return mergeSettings(
    await settingsFromFile({ file: flags.config, folder: process.cwd() }),
    settingsFromEnvironment(process.env),
    settingsFromFlags({
      seats: {
        default: flags.model,
        debaters: flags.debaters,
        arbiter: flags.arbiter,
        ...seats,
        ...readNamedSeats(flags.seat ?? []),
      },
      policy: flags.policy,
      ledger: flags.ledger,
      calibration: flags.calibration,
      ...own,
      cache: flags.cache === undefined || flags.cache === 'ledger' ? flags.cache : { directory: flags.cache },
      ...takeSpending(flags),
    }),
  );
}

/** What models may be asked for and what may be spent, of every job. */
export type SpendingFlags = Pick<
  SettingsFlags,
  | 'budgetUsd'
  | 'runBudgetUsd'
  | 'budgetTokens'
  | 'runBudgetTokens'
  | 'limitConcurrency'
  | 'requestsPerMinute'
  | 'tokensPerMinute'
>;

/** The same as settings of their own. */
export function readSpending(flags: SpendingFlags): Pick<Settings, 'budget' | 'defaults'> {
  return settingsFromFlags(takeSpending(flags));
}

function takeSpending(flags: SpendingFlags): Given {
  return {
    budget: {
      itemUsd: numberFrom(flags.budgetUsd),
      itemTokens: numberFrom(flags.budgetTokens),
      runUsd: numberFrom(flags.runBudgetUsd),
      runTokens: numberFrom(flags.runBudgetTokens),
    },
    defaults: {
      concurrency: numberFrom(flags.limitConcurrency),
      requestsPerMinute: numberFrom(flags.requestsPerMinute),
      tokensPerMinute: numberFrom(flags.tokensPerMinute),
    },
  };
}

/** A configuration file may serve several jobs and name the calibration of one; a flag is meant for this one. */
async function assertFittedFor(job: FittedCalibration['job'], file: string): Promise<void> {
  const { job: fitted } = await loadCalibration(file);
  if (fitted !== job)
    throw new AgonError(
      'calibration-mismatch',
      `The calibration ${file} was fitted on ${fitted}, not on ${job}.`,
      `Fit one with \`${fittedWith[job]}\`, or leave --calibration out.`,
    );
}

function isCalibrated(job: Job): job is FittedCalibration['job'] {
  return Object.hasOwn(fittedWith, job);
}

function settingsFromFlags(given: Given): Settings {
  try {
    return readSettings(withoutUndefined(given), 'flags', nameFlag);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    throw new AgonError('bad-flag', error.message.replace(/^flags: /, ''), hintFor(error, 'cli'), { cause: error });
  }
}

/** Settings whose flags are not called by the last part of their names. */
const flagNames: Record<string, string> = {
  'seats.default': '--model',
  'evaluation.method': '--evaluator',
  'evaluation.consensus': '--no-consensus',
  'documents.maxFactors': '--max-factors',
  'server.allowedHosts': '--allowed-host',
  'server.origins': '--origin',
  'server.drainSeconds': '--drain-seconds',
  'budget.itemUsd': '--budget-usd',
  'budget.runUsd': '--run-budget-usd',
  'budget.itemTokens': '--budget-tokens',
  'budget.runTokens': '--run-budget-tokens',
  'defaults.concurrency': '--limit-concurrency',
  'defaults.requestsPerMinute': '--requests-per-minute',
  'defaults.tokensPerMinute': '--tokens-per-minute',
};

const seatFlags = [
  'debaters',
  'arbiter',
  'preprocessor',
  'auditor',
  'detector',
  'critic',
  'judge',
  'factor-agent',
  'affirmative',
  'dissenting',
  'synthesizer',
];

function nameFlag(path: string): string {
  if (flagNames[path]) return flagNames[path];
  const [group, name] = path.split('.') as [string, string | undefined];
  if (group !== 'seats') return `--${name ?? group}`;
  return name !== undefined && seatFlags.includes(name) ? `--${name}` : `--seat ${name ?? ''}`.trimEnd();
}

function readNamedSeats(pairs: readonly string[]): Given {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1)
        throw new AgonError(
          'bad-flag',
          `--seat ${pair} does not say which model sits there.`,
          'Write --seat arbiter=openai:gpt-4o.',
        );
      const [seat, model] = [pair.slice(0, at), pair.slice(at + 1)];
      return [seat, seat === 'auditor' || seat === 'detector' ? oneOrList(model.split(',')) : model];
    }),
  );
}

function oneOrList(values: readonly string[] | undefined): unknown {
  return values?.length === 1 ? values[0] : values;
}

/** A number, or the text itself for the schema to refuse with a reason. */
function numberFrom(value: string | undefined): number | string | undefined {
  return value !== undefined && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function withoutUndefined(value: Given): Given {
  const given = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (member === undefined) return [];
    const nested = typeof member === 'object' && member !== null && !Array.isArray(member);
    return [[key, nested ? withoutUndefined(member as Given) : member]];
  });
  return Object.fromEntries(given);
}
