import type { Client } from '@agonhq/server/client';
import { InputField, TextAreaField } from '../components/field.tsx';
import type { ConsoleDraft } from './console-job.ts';

/* What is known about a subject beside what it says, as somebody writes it: kept with the texts of a draft. */

type Texts = ConsoleDraft['texts'];
type Context = NonNullable<Parameters<Client['moderations']['create']>[0]['context']>;

const lines = [
  ['author', 'Author', 'An id of yours: earlier cases of the same author are found by it.'],
  ['thread', 'Thread', 'The conversation it stands in.'],
  ['channel', 'Channel', 'Where it was posted.'],
  ['language', 'Language', 'A language tag, like de or pt-BR.'],
] as const;

const keyOf = (name: string) => `context ${name}`;
const textOf = (texts: Texts, name: string) => (texts[keyOf(name)] ?? '').trim();

interface ContextFieldsProps {
  texts: Texts;
  onChange: (texts: Texts) => void;
  /** Whether the settings may let debaters see it. */
  isShown?: boolean;
}

export function ContextFields({ texts, onChange, isShown = true }: ContextFieldsProps) {
  const change = (name: string) => (value: string) => onChange({ ...texts, [keyOf(name)]: value });
  return (
    <details>
      <summary className="w-fit text-link">Context</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <p className="text-sm text-quiet sm:col-span-2">
          For those who review it.{' '}
          {isShown
            ? 'Debaters see only what the settings of the server allow, and cannot quote it.'
            : 'Debaters see none of it.'}
        </p>
        {lines.map(([name, label, hint]) => (
          <InputField
            key={name}
            label={label}
            hint={hint}
            value={texts[keyOf(name)] ?? ''}
            maxLength={name === 'language' ? 35 : 256}
            onChange={change(name)}
          />
        ))}
        <TextAreaField
          label="Links"
          hint="One on each line. They are never fetched."
          value={texts[keyOf('links')] ?? ''}
          onChange={change('links')}
        />
        <TextAreaField
          label="Anything else"
          hint="A name and its value on each line, like reports: 3."
          value={texts[keyOf('more')] ?? ''}
          onChange={change('more')}
        />
      </div>
    </details>
  );
}

function listLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function readMore(text: string): [name: string, value: string][] {
  return listLines(text).map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()];
  });
}

/** What is wrong with it, in a sentence; null where nothing is. */
export function findContextMistake(texts: Texts): string | null {
  const broken = readMore(textOf(texts, 'more')).some(
    ([name, value]) => !/^\p{L}[\p{L}\p{N}_-]{0,59}$/u.test(name) || value === '',
  );
  return broken ? 'Write each line of the context as a name, a colon and a value.' : null;
}

/** The context as the server takes it; nothing where nothing was written. */
export function readContextDraft(texts: Texts): { context?: Context } {
  const known = lines.flatMap(([name]) => (textOf(texts, name) === '' ? [] : [[name, textOf(texts, name)]]));
  const links = listLines(textOf(texts, 'links'));
  const context: Context = Object.fromEntries([
    ...readMore(textOf(texts, 'more')),
    ...known,
    ...(links.length > 0 ? [['links', links]] : []),
  ]);
  return Object.keys(context).length > 0 ? { context } : {};
}
