import { addUsage, noUsage } from '../../../debate/index.ts';
import { hashOf } from '../../../hash.ts';
import type { Classifier, ClassifierReply } from '../../../reasoners/index.ts';
import type { Dialogue } from './dialogue.ts';
import { addedUp, assertAnswered, withWhatWasSaid, type ExternalSystem } from './external-system.ts';
import { undecided, worst, type Guard, type Reading } from './guard.ts';

export interface GuardSystemOptions<Subject> {
  name: string;
  guard: Guard;
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
      return withWhatWasSaid(classifier.id, worst(readings), said, addedUp(replies));
    },
    spent: () => spent,
    close: async () => {},
  };

  function readingOf(reply: ClassifierReply, about: string | null): Reading {
    if (reply.outcome === 'answered') return guard.read({ about, text: reply.text, places: reply.places });
    assertAnswered(classifier.id, reply);
    return undecided;
  }
}

function wordsOf(reply: ClassifierReply, about: string | null): string {
  const words = reply.outcome === 'answered' ? reply.text.trim() : reply.said || reply.detail;
  return about === null ? words : `${about}: ${words}`;
}
