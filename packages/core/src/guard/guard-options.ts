import { z } from 'zod';
import type { AgonParts } from '../kits/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Settings } from '../settings/index.ts';
import type { GuardReport, GuardVerdict } from './guard-verdict.ts';

const judgeOrSkip = z.enum(['judge', 'skip']);
const passOrBlock = z.enum(['pass', 'block']);
const settings = z.custom<Settings>((value) => typeof value === 'object' && value !== null, 'must be settings');

function callback<Told>() {
  return z.custom<(told: Told) => void>((value) => typeof value === 'function', 'must be a function').optional();
}

const optionsSchema = z.strictObject({
  /** `hold`: nothing unjudged leaves. `pass-and-stop`: judged while it streams, and cut off at a hit. */
  mode: z.enum(['hold', 'pass-and-stop']).default('hold'),
  /** What is done on a hit; `mark` and `report` let it pass, one with the verdict on it. */
  onHit: z.enum(['stop', 'replace', 'mark', 'report']).default('stop'),
  /** What is said instead, by `replace`. */
  replacement: z.string().min(1).default('This was withheld: it breaks the rules of this service.'),
  /** What becomes of what nobody could decide, such as a text in a language that the model does not read. */
  onUndecided: passOrBlock.default('pass'),
  /** What becomes of what was not judged because the guard itself failed. */
  onError: passOrBlock.default('block'),
  /** What becomes of what the guard does not read: a recording, a PDF, an image that is named by its address. */
  onUnread: passOrBlock.default('block'),
  /** What a model is asked: the whole conversation, but for what the guard has judged already. */
  prompts: judgeOrSkip.default('judge'),
  answers: judgeOrSkip.default('judge'),
  reasoning: judgeOrSkip.default('judge'),
  images: judgeOrSkip.default('judge'),
  toolCalls: judgeOrSkip.default('skip'),
  toolResults: judgeOrSkip.default('skip'),
  /** Whether readings of a sentence have to agree before an answer is over, or any of them is a hit. */
  hits: z.enum(['agreed', 'either']).default('agreed'),
  /** How many characters before a new sentence it is judged with. */
  context: z.int().min(0).max(5000).default(240),
  /** Policy, sensitivity, ledger and seats, as `createAgon` takes them; cases are kept only where `ledger` says so. */
  settings: settings.optional(),
  /** What else `createAgon` takes: a ledger that is open, the environment. */
  parts: z.custom<AgonParts>((value) => typeof value === 'object' && value !== null, 'must be parts').optional(),
  /** Who is asked where the embedded guard is unsure: before anything leaves, or in the background. */
  debate: z.strictObject({ settings, when: z.enum(['before', 'background']).default('before') }).optional(),
  /** Told every verdict, that of a background debate too. */
  onVerdict: callback<GuardVerdict>(),
  /** Told once for each guarded call, when it is over. */
  onReport: callback<GuardReport>(),
  /** Load the models when the guard is made and not with the first text. */
  warm: z.boolean().default(false),
});

export type GuardOptions = z.input<typeof optionsSchema>;
export type GuardChoices = z.output<typeof optionsSchema>;

/** Reads the options of a guard, or says in one line what is wrong with them. */
export function readGuardOptions(options: GuardOptions = {}): GuardChoices {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AgonError(
    'bad-guard-options',
    `The guard cannot be made: ${issue!.path.join('.') || 'options'}: ${issue!.message}.`,
    'docs/guard.md lists every option with its values.',
  );
}
