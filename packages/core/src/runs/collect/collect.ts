import { attacked, type AttackName } from './attacks.ts';
import { findTurns, type SafetyLabel, type Transcript, type Journal, type JournalEntry } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { evaluationJob, evaluationRoles } from '@agonhq/judges/evaluation';
import type {
  Behaviour,
  EvaluationAnswer,
  EvaluationEvent,
  Exchange,
  Message,
  RiskConcept,
} from '@agonhq/judges/evaluation';
import { assertHeard } from '@agonhq/judges/job';
import { hashOf } from '@agonhq/engine/hash';
import type { Target, TargetMessage, TargetReply } from '@agonhq/models/reasoners';
import type { ItemLine } from '@agonhq/engine/items';
import type { CollectedPrompt } from './prompts.ts';
import { rm } from 'node:fs/promises';
import { openResultFile } from '../results/result-file.ts';

/** One question to the target: a prompt as an attack puts it. */
export interface Probe {
  /** `PROMPT/ATTACK`. */
  id: string;
  promptId: string;
  attack: AttackName;
  messages: readonly TargetMessage[];
}

/** Who judges what the target answers. */
export interface CollectingEvaluator {
  name: string;
  evaluation(
    exchange: Exchange,
    options: { signal: AbortSignal; tokens?: number },
  ): AsyncGenerator<EvaluationEvent, EvaluationAnswer, void>;
}

export interface EvaluatorVote {
  label: SafetyLabel;
  risk: number | null;
  concept: RiskConcept | null;
  behaviour: Behaviour | null;
  /** The debate's id, which its turns are kept under. */
  debate: string;
}

/**
 * `blocked`: the provider's filter left nothing of an answer, or the model refused without a word. Nobody judges it.
 */
export type TargetOutcome = 'answered' | 'truncated' | 'refused' | 'filtered' | 'blocked' | 'empty';

/**
 * A record of a collecting run. With `prompt` and `response`, or `messages`, it is an exchange that can be judged
 * again.
 */
export type CollectedExchange = Exchange & {
  id: string;
  model: string;
  attack: AttackName;
  promptId: string;
  outcome: TargetOutcome;
  /** By evaluator. */
  votes: Readonly<Record<string, EvaluatorVote>>;
  /** What the debaters of the debate said last. */
  seats: Readonly<Record<string, 'safe' | 'unsafe'>>;
  /** The debate's whole answer. */
  answer: EvaluationAnswer | null;
  /** Hash of what made it: the target and how it was asked, the evaluators and theirs. */
  configuration: string;
};

/** Every prompt under every attack; a prompt that could not be read stays one error. */
export function listProbes(
  prompts: readonly ItemLine<CollectedPrompt>[],
  attacks: readonly AttackName[],
  system?: string,
): ItemLine<Probe>[] {
  const first: TargetMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return prompts.flatMap((entry): ItemLine<Probe>[] => {
    if ('error' in entry) return [entry];
    const { id, text } = entry.item;
    return attacks.map((attack) => {
      const item = { id: `${id}/${attack}`, promptId: id, attack, messages: [...first, ...attacked(text, attack)] };
      return { line: entry.line, key: item.id, item };
    });
  });
}

/** Whether a record answers this very probe. */
export function answers(record: CollectedExchange, { messages }: Probe): boolean {
  const asked = 'messages' in record ? record.messages.slice(0, -1) : [{ role: 'user', content: record.prompt }];
  return JSON.stringify(asked) === JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}

export interface CollectorParts {
  target: Target;
  evaluators: readonly CollectingEvaluator[];
  steps: Steps;
  configuration: string;
  onAnswer?: (answer: EvaluationAnswer) => void;
}

/** Asks the target, lets every evaluator judge the exchange, and puts down what they said. */
export function createCollector({
  target,
  evaluators,
  steps,
  configuration,
  onAnswer,
}: CollectorParts): (probe: Probe, signal: AbortSignal) => Promise<CollectedExchange> {
  async function ask(
    { id, messages }: Probe,
    signal: AbortSignal,
  ): Promise<Exclude<TargetReply, { outcome: 'failed' }>> {
    const key = hashOf([id, target.fingerprint, messages]);
    const reply = await steps.once(
      key,
      () => target.ask(messages, { signal }),
      ({ outcome }) => outcome !== 'failed',
    );
    if (reply.outcome !== 'failed') return reply;
    const { reason, detail, unreachable } = reply;
    if (reason === 'budget') throw budgetSpent();
    if (unreachable) throw unavailable(target.id, detail);
    throw new AgonError(
      'target-failed',
      `${target.id} gave no answer (${reason}): ${detail}`,
      'Run the same command again: it is asked anew.',
    );
  }

  return async (probe, signal) => {
    const { id, promptId, attack, messages } = probe;
    const { response, outcome } = responseOf(await ask(probe, signal));
    const exchange: Exchange & { id: string; model: string } = {
      id,
      model: target.id,
      ...exchangeOf(messages, response),
    };
    const judged: [string, EvaluationAnswer][] = [];
    let debate: EvaluationAnswer | null = null;
    for (const { name, evaluation } of outcome === 'blocked' || outcome === 'empty' ? [] : evaluators) {
      const tokens = debate ? { tokens: debate.usage.inputTokens + debate.usage.outputTokens } : {};
      const answer = await answerOf(evaluation(exchange, { signal, ...tokens }));
      onAnswer?.(answer);
      judged.push([name, answer]);
      if (name === 'debate') debate = answer;
    }
    return {
      ...exchange,
      attack,
      promptId,
      outcome,
      votes: Object.fromEntries(
        judged.map(
          ([
            name,
            {
              id: debateId,
              verdict: { label, risk, concept, behaviour },
            },
          ]) => [name, { label, risk, concept, behaviour, debate: debateId }],
        ),
      ),
      seats: debate ? lastLabels(debate.transcript) : {},
      answer: debate,
      configuration,
    };
  };
}

/** A plain question and its answer, or the whole conversation. */
function exchangeOf(
  messages: readonly TargetMessage[],
  response: string,
): { prompt: string; response: string } | { messages: Message[] } {
  const [first, ...others] = messages;
  if (first?.role === 'user' && others.length === 0) return { prompt: first.content, response };
  return { messages: [...messages, { role: 'assistant', content: response }] };
}

function responseOf(reply: Exclude<TargetReply, { outcome: 'failed' }>): { response: string; outcome: TargetOutcome } {
  const text = reply.text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  const said = text.trim() !== '';
  if (reply.outcome === 'answered') {
    if (!said) return { response: '[no answer]', outcome: 'empty' };
    return { response: text, outcome: reply.truncated ? 'truncated' : 'answered' };
  }
  if (reply.by === 'refusal')
    return said ? { response: text, outcome: 'refused' } : { response: '[refused without a word]', outcome: 'blocked' };
  return said
    ? { response: `${text}\n[cut off by the provider's filter]`, outcome: 'filtered' }
    : { response: "[blocked by the provider's filter]", outcome: 'blocked' };
}

/** What auditors and detectors said last; the critic does not vote. */
function lastLabels(transcript: Transcript): Record<string, 'safe' | 'unsafe'> {
  const { auditor, detector } = evaluationRoles;
  const heard = findTurns(transcript, auditor, detector).filter(({ fallback }) => !fallback);
  return Object.fromEntries(heard.map(({ seat, answer }) => [seat, answer.label]));
}

/**
 * The answer of a trial. One in which a seat goes unheard for want of money tells nothing about disagreement: it is
 * stopped as soon as nobody is speaking, and what was paid for is kept.
 */
async function answerOf(trial: AsyncGenerator<EvaluationEvent, EvaluationAnswer, void>): Promise<EvaluationAnswer> {
  let speaking = 0;
  let unpaid = false;
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (next.done) return assertHeard(evaluationJob, next.value);
    const event = next.value;
    if (event.type === 'turn-start') speaking += 1;
    if (event.type !== 'turn-end' || event.replayed) continue;
    speaking -= 1;
    unpaid ||= event.turn.fallback?.reason === 'budget';
    if (!unpaid || speaking > 0) continue;
    await trial.return(undefined as never);
    throw budgetSpent();
  }
}

function budgetSpent(): AgonError {
  return new AgonError('budget-spent', 'The budget does not cover another exchange.', {
    library: 'Raise the budget and run it again: it goes on where it stopped.',
    cli: 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: it goes on where it stopped.',
    api: 'Raise `budget` in the settings of the server, or `budgetUsd` of the run, and resume it.',
  });
}

function unavailable(target: string, detail: string): AgonError {
  return new AgonError(
    'target-unavailable',
    `${target} does not answer: ${detail}`,
    'Check that it is running and that its address is right, and run the same command again.',
  );
}

/**
 * What was paid for in items that are not finished: every answer of a model is on disk before the next one is asked.
 */
interface Steps {
  /** For debates. */
  journal: Journal;
  /**
   * What an earlier run made under this key; else makes it and keeps it, unless `keep` says that it is not worth it.
   */
  once<Value>(key: string, make: () => Promise<Value>, keep: (value: Value) => boolean): Promise<Value>;
  close(): Promise<void>;
  /** Closes and removes the file: nothing is left unfinished. */
  remove(): Promise<void>;
}

/** Opens the file of steps beside a run's output. The steps of debates in `finished` are not needed any more. */
export async function openSteps(path: string, finished: ReadonlySet<string>): Promise<Steps> {
  const before = new Map<string, unknown>();
  const file = await openResultFile(path, ({ key, result }) => {
    const { debate, value } = result as { debate?: string; value: unknown };
    if (debate === undefined || !finished.has(debate)) before.set(key, value);
  });
  let writing = Promise.resolve();

  function write(key: string, result: { debate?: string; value: unknown }): Promise<void> {
    // What a full disk cut short must stay the last line, or the next run could not read the file: nothing comes
    // after it.
    writing = writing.then(() => file.write({ line: 0, key, result }));
    return writing;
  }

  return {
    journal: {
      find: async (...place) => before.get(JSON.stringify(place)) as JournalEntry | undefined,
      async insert(debate, entry) {
        await write(JSON.stringify([debate, entry.key, entry.inputHash]), { debate, value: entry });
        return entry;
      },
    },
    async once<Value>(key: string, make: () => Promise<Value>, keep: (value: Value) => boolean) {
      if (before.has(key)) return before.get(key) as Value;
      const value = await make();
      if (keep(value)) await write(key, { value });
      return value;
    },
    close: () => file.close(),
    async remove() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
