import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { transports, type ExternalGuard, undecided, worstReading, type ExternalReading } from './guard.ts';
import { harmBenchCls } from './harmbench-cls.ts';
import { isOfOlderVersion, llamaGuard } from './llama-guard.ts';
import { shieldGemma } from './shieldgemma.ts';
import { controversies, shieldLm, shieldLmBaseOf, shieldLmBases } from './shieldlm.ts';
import { addUsage, noUsage } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { Classifier, ClassifierReply } from '@agonhq/models/reasoners';
import type { Dialogue } from './external-system.ts';
import { sumExternalUsage, assertAnswered, toExternalJudgement, type ExternalSystem } from './external-system.ts';

export const guardNames = ['llama-guard', 'shieldgemma', 'shieldlm', 'harmbench-cls'] as const;
type GuardName = (typeof guardNames)[number];

/** What may stand behind a model's name: `?base=qwen&controversial=unsafe`. */
const optionsOf: Record<GuardName, Readonly<Record<string, readonly string[]>>> = {
  'llama-guard': { transport: transports },
  shieldgemma: { transport: transports },
  'harmbench-cls': { transport: transports },
  shieldlm: { transport: transports, base: shieldLmBases, controversial: controversies },
};

/** `shieldlm:vllm:thu-coai/ShieldLM-14B-qwen?controversial=unsafe`, taken apart. */
export function readGuardName(name: string): { guard: ExternalGuard; model: string } {
  const parts = /^(?<family>[^:]+):(?<model>[^\s:?]+:[^\s?]+)(?:\?(?<options>\S*))?$/.exec(name)?.groups;
  const family = guardNames.find((one) => one === parts?.['family']);
  if (!parts || !family) throw unknownSystem(name);
  const model = parts['model']!;
  return { model, guard: guardWith(family, model, readOptions(name, optionsOf[family], parts['options'] ?? '')) };
}

function guardWith(family: GuardName, model: string, options: Readonly<Record<string, string>>): ExternalGuard {
  const transport = transports.find((one) => one === options['transport']);
  switch (family) {
    case 'llama-guard': {
      const older = isOfOlderVersion(model);
      if (older && transport === 'completions')
        throw badFlag(
          `The whole prompt is that of Llama Guard 3, and ${model} is not.`,
          'Leave transport=completions out: the template that it is served with knows its prompt.',
        );
      return llamaGuard({ transport, named: !older });
    }
    case 'shieldgemma':
      return shieldGemma({ transport });
    case 'harmbench-cls':
      return harmBenchCls({ transport });
    case 'shieldlm': {
      const base = shieldLmBases.find((one) => one === options['base']) ?? shieldLmBaseOf(model);
      return shieldLm({
        base,
        transport,
        controversial: controversies.find((one) => one === options['controversial']),
      });
    }
  }
}

/** What stands behind a question mark; what is not known there is refused. */
export function readOptions(
  name: string,
  known: Readonly<Record<string, readonly string[]>>,
  text: string,
): Record<string, string> {
  const options = Object.fromEntries(new URLSearchParams(text));
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, option) || !known[option]!.includes(value)) {
      const words = Object.entries(known).map(([one, values]) => `${one}=${values.join('|')}`);
      throw badFlag(
        `${name}: ${option}=${value} is no option of ${name.split(/[:?]/, 1)[0]}.`,
        `Its options are ${words.join(', ')}.`,
      );
    }
  }
  return options;
}

function unknownSystem(name: string): AgonError {
  const family = guardNames.find((one) => name.split(/[:?]/, 1)[0] === one);
  if (family)
    return badFlag(
      `${name} does not name the model that is asked.`,
      `Write ${family}:provider:model, for example ` +
        `${family}:vllm:${family === 'llama-guard' ? 'meta-llama/Llama-Guard-3-8B' : 'my-model'}.`,
    );
  return badFlag(
    `${name}: there is no such system.`,
    `Systems of others are ${guardNames.map((one) => `${one}:provider:model`).join(', ')}, azure-content-safety, ` +
      'openai-moderation[:model] and predictions:NAME=FILE.jsonl.',
  );
}

interface GuardSystemOptions<Subject> {
  name: string;
  guard: ExternalGuard;
  classifier: Classifier;
  /** What the guard reads of a subject. */
  observe(subject: Subject, signal: AbortSignal): Promise<Dialogue>;
}

/** A guard model behind a URL, as a system to be measured. */
export function guardSystem<Subject>({
  name,
  guard,
  classifier,
  observe,
}: GuardSystemOptions<Subject>): ExternalSystem<Subject> {
  const { prompt, transport, options, maxOutputTokens } = guard;
  let spent = noUsage;
  return {
    name,
    kind: 'external',
    models: [classifier.id],
    configuration: hashOf({ prompt, transport, options, maxOutputTokens, classifier: classifier.fingerprint }),
    async judge(subject, signal) {
      const questions = guard.ask(await observe(subject, signal));
      const ask = classifier.forItem();
      const replies = await Promise.all(
        questions.map(({ question }) => ask(question, { maxOutputTokens, logprobs: true, signal })),
      );
      spent = replies.reduce((sum, { usage }) => addUsage(sum, usage), spent);
      const readings = replies.map((reply, index) => readingOf(reply, questions[index]!.about));
      const said = replies.map((reply, index) => wordsOf(reply, questions[index]!.about)).join('\n');
      return toExternalJudgement(classifier.id, worstReading(readings), said, sumExternalUsage(replies));
    },
    spent: () => spent,
    close: async () => {},
  };

  function readingOf(reply: ClassifierReply, about: string | null): ExternalReading {
    if (reply.outcome === 'answered') return guard.read({ about, text: reply.text, places: reply.places });
    assertAnswered(classifier.id, reply);
    return undecided;
  }
}

function wordsOf(reply: ClassifierReply, about: string | null): string {
  const words = reply.outcome === 'answered' ? reply.text.trim() : reply.said || reply.detail;
  return about === null ? words : `${about}: ${words}`;
}
