import { openGuard } from '@agonhq/models/reasoners/embedded/guard';
import { isContested, judgeAlone } from '@agonhq/models/reasoners/embedded/text-models/terms';
import { openGuardTrial } from '@agonhq/core/runs/cascade';

/*
 * A measured process: the guard judges alone what it is sent. `after` as it does now; `before` as it did while every
 * text was read whole and the other model was asked where the first was in doubt.
 */

export interface Judged {
  wallMs: number;
  /** Of all threads, the models' own included. */
  cpuMs: number;
  answers: { label: string; passed: boolean }[];
}

const isBefore = process.argv[2] === 'before';
const trial = await openGuardTrial('moderation', isBefore ? { firstPass: false } : {}, { environment: {} });
const guard = await openGuard();
await (isBefore ? guard.openSecond!() : guard.openFirstPass!());

process.on('message', (texts: string[]) => void judgeAll(texts).then((judged) => process.send!(judged)));
process.send!('ready');

async function judgeAll(texts: readonly string[]): Promise<Judged> {
  const answers: Judged['answers'] = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const left = texts.entries();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const [index, text] of left) answers[index] = await judge(text);
    }),
  );
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000, answers };
}

async function judge(text: string): Promise<Judged['answers'][number]> {
  const { verdict } = await trial.judge(text);
  if (isBefore) await askOther(text);
  return { label: verdict.label, passed: verdict.rule.why.includes('in the first pass') };
}

/** The first reading is known already. */
async function askOther(text: string): Promise<void> {
  const { logits } = await guard.read(text);
  if (isContested(guard.terms.text, judgeAlone(guard.terms.text, logits))) await (await guard.openSecond!()).read(text);
}
