import { sealAnswer, type Answer } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import type { UnrecordedOpening } from '@agonhq/ledger';
import type { GuardCase } from '@agonhq/test/support/guard-cases.ts';

/**
 * Many cases from those that the guard judged: each has a text of its own, of which its quotations are, and the hashes
 * that follow from it; and a context, where one is given.
 */
export function varyCase({ opened, answer, description }: GuardCase, name: string, context?: ItemContext): GuardCase {
  const given = answer as unknown as Answer & { subject: { hash: string } };
  const text = `${given.sources[0]!.text} (${name})`;
  const hash = sha256(text);
  const id = `mod-${sha256(`${hash} ${opened.configuration}`).slice(7, 23)}`;
  const { seal: _, ...content } = {
    ...given,
    id,
    subject: { ...given.subject, hash, ...(context ? { context } : {}) },
    sources: [{ ...given.sources[0]!, text }],
    transcript: given.transcript.map((entry) =>
      'inputHash' in entry ? { ...entry, inputHash: sha256(`${entry.inputHash} ${name}`) } : entry,
    ),
  };
  const last = content.transcript.at(-1);
  const verdict = last?.kind === 'computed' ? { verdict: last.value } : {};
  const varied: UnrecordedOpening = {
    ...opened,
    id,
    ...(context ? { context } : {}),
    subject: { hash, content: { text } },
  };
  return { opened: varied, answer: sealAnswer({ ...content, ...verdict }), description };
}
