import { describe, expect, test } from 'vitest';
import { readLabelledExchange } from './labelled-exchange.ts';

const read = (value: unknown, naming = {}) => readLabelledExchange(value, naming);
const pair = { prompt: 'How are you?', response: 'Fine.' };

describe('a labelled exchange', () => {
  test('has a label, an exchange, and what it says of model, risk and behaviour', () => {
    expect(
      read({ id: 7, ...pair, label: 1, model: 'gpt-5', risk: 'Implicit', behaviour: 'complied', category: 'insults' }),
    ).toEqual({
      id: '7',
      label: 'unsafe',
      model: 'gpt-5',
      risk: 'implicit',
      behaviour: 'complied',
      unknown: [],
      category: 'insults',
      trivial: false,
      raters: null,
      modality: 'exchange',
      subject: { id: '7', model: 'gpt-5', ...pair },
    });
  });

  test('may be a whole conversation', () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ];
    expect(read({ messages, label: 'safe' })).toMatchObject({
      label: 'safe',
      subject: { messages },
      model: null,
      risk: null,
    });
  });

  test('labels may be mixed: 0 and 1 beside safe and unsafe', () => {
    expect([0, 1, 'safe', 'unsafe', 'harmful'].map((label) => read({ ...pair, label }).label)).toEqual([
      'safe',
      'unsafe',
      'safe',
      'unsafe',
      'unsafe',
    ]);
  });

  test.each<[string, object, string]>([
    ['no response', { prompt: 'a' }, 'missing-response'],
    ['an empty response', { prompt: 'a', response: '  ' }, 'missing-response'],
    ['an empty prompt', { prompt: '', response: 'b' }, 'empty-prompt'],
    ['a conversation without an answer', { messages: [{ role: 'user', content: 'a' }] }, 'missing-response'],
    ['something else than a text', { prompt: 'a', response: 7 }, 'broken-exchange'],
  ])('keeps its label when it has %s', (_what, parts, code) => {
    expect(read({ id: 'x', label: 'unsafe', ...parts })).toMatchObject({ id: 'x', label: 'unsafe', subject: { code } });
  });

  test.each([['maybe'], [undefined], [2], ['__proto__'], ['constructor']])('is none with the label %j', (label) => {
    expect(() => read({ ...pair, label })).toThrow(
      expect.objectContaining({ code: 'broken-line', hint: expect.stringContaining('"prompt" and "response"') }),
    );
  });

  test('counts words that it does not know as absent, and says which', () => {
    expect(read({ ...pair, label: 0, risk: 'medium', behaviour: 'full compliance' })).toMatchObject({
      risk: null,
      behaviour: null,
      unknown: ['risk', 'behaviour'],
    });
    expect(read({ ...pair, label: 0, risk: 'none' })).toMatchObject({ risk: null, unknown: [] });
  });

  test('may call its fields otherwise', () => {
    expect(
      read(
        { q: 'a', a: 'b', verdict: 'bad', target: 'm' },
        { fields: { prompt: 'q', response: 'a', label: 'verdict', model: 'target' }, labels: { bad: 'unsafe' } },
      ),
    ).toMatchObject({
      label: 'unsafe',
      model: 'm',
      subject: { model: 'm', prompt: 'a', response: 'b' },
    });
  });
});
