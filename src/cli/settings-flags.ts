import { AgonError } from '../errors.ts';
import { mergeSettings, readSettings, settingsFromEnvironment, settingsFromFile, type Settings } from '../settings/index.ts';

/** The flags that stand for settings, as commander hands them over. */
export interface SettingsFlags {
  config?: string;
  policy?: string;
  calibration?: string;
  model?: string;
  debaters?: string;
  arbiter?: string;
  preprocessor?: string;
  seat?: string[];
  preset?: string;
  rounds?: string;
  turns?: string;
  earlyStop: boolean;
  without?: string[];
  vision: boolean;
  ocr: boolean;
  cache?: string;
  budgetUsd?: string;
  runBudgetUsd?: string;
}

/** File, environment, flags: the later the stronger. */
export async function settingsFor(flags: SettingsFlags): Promise<Settings> {
  return mergeSettings(
    await settingsFromFile({ file: flags.config, folder: process.cwd() }),
    settingsFromEnvironment(process.env),
    settingsFromFlags(flags),
  );
}

function settingsFromFlags(flags: SettingsFlags): Settings {
  const given = {
    seats: { default: flags.model, debaters: flags.debaters, arbiter: flags.arbiter, preprocessor: flags.preprocessor, ...namedSeats(flags.seat ?? []) },
    policy: flags.policy,
    calibration: flags.calibration,
    moderation: {
      preset: flags.preset,
      rounds: numberFrom(flags.rounds),
      turns: flags.turns,
      earlyStop: flags.earlyStop ? undefined : false,
      without: flags.without,
      vision: flags.vision ? undefined : false,
      ocr: flags.ocr ? undefined : false,
    },
    cache: flags.cache === undefined ? undefined : { directory: flags.cache },
    budget: { itemUsd: numberFrom(flags.budgetUsd), runUsd: numberFrom(flags.runBudgetUsd) },
  };
  try {
    return readSettings(withoutUndefined(given), 'flags', flagOf);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    throw new AgonError('bad-flag', error.message.replace(/^flags: /, ''), error.hint, { cause: error });
  }
}

const flagNames: Record<string, string> = {
  'seats.default': '--model',
  'seats.debaters': '--debaters',
  'seats.arbiter': '--arbiter',
  'seats.preprocessor': '--preprocessor',
  'moderation.preset': '--preset',
  'moderation.rounds': '--rounds',
  'moderation.turns': '--turns',
  'moderation.without': '--without',
  'budget.itemUsd': '--budget-usd',
  'budget.runUsd': '--run-budget-usd',
  policy: '--policy',
  calibration: '--calibration',
};

function flagOf(path: string): string {
  return Object.entries(flagNames).find(([setting]) => path.startsWith(setting))?.[1] ?? path.replace(/^seats\.?/, '--seat ').trimEnd();
}

function namedSeats(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new AgonError('bad-flag', `--seat ${pair} does not say which model sits there.`, 'Write --seat arbiter=openai:gpt-4o.');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** A number, or the text itself for the schema to refuse with a reason. */
function numberFrom(value: string | undefined): number | string | undefined {
  return value !== undefined && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (member === undefined) return [];
    const nested = typeof member === 'object' && member !== null && !Array.isArray(member);
    return [[key, nested ? withoutUndefined(member as Record<string, unknown>) : member]];
  });
  return Object.fromEntries(given);
}
