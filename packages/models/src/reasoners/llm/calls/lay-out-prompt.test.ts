import { describe, expect, test } from 'vitest';
import { appendReply, boundInputTokens, estimateInputTokens, layOutMessages } from './lay-out-prompt.ts';

const prompt = { instructions: 'Rules.', caseFile: 'Case.', transcript: 'Said.', task: 'Task.' };
const image = { id: 'image-1', mediaType: 'image/png', hash: 'sha256:1', data: new Uint8Array([1]) };
const contentOf = (...args: Parameters<typeof layOutMessages>) => layOutMessages(...args).messages[0]!.content;
const text = (words: string) => ({ type: 'text', text: words });
const file = { type: 'file', mediaType: 'image/png', data: image.data };

describe('a prompt is laid out', () => {
  test('as one text: the case, what was said, the task', () => {
    expect(layOutMessages(prompt, { vision: true })).toEqual({
      instructions: 'Rules.',
      messages: [{ role: 'user', content: 'Case.\n\nSaid.\n\nTask.' }],
    });
    expect(contentOf({ ...prompt, caseFile: '', transcript: '' }, { vision: true })).toBe('Task.');
  });

  test('with its images behind the case, for a model that can look at them', () => {
    const seen = { ...prompt, attachments: [image, image] };
    expect(contentOf(seen, { vision: true })).toEqual([text('Case.'), file, file, text('Said.\n\nTask.')]);
    expect(contentOf(seen, { vision: false })).toBe('Case.\n\nSaid.\n\nTask.');
  });

  test('in parts, for a model that is told them apart', () => {
    expect(contentOf(prompt, { vision: true, inParts: true })).toEqual([text('Case.'), text('Said.'), text('Task.')]);
  });

  test('with its schema in the task, for a model that cannot be given one', () => {
    expect(contentOf(prompt, { vision: true, schemaText: '{"type":"object"}' })).toMatch(
      /^Case\.\n\nSaid\.\n\nTask\.\n\nAnswer with one JSON object[^]*\n\{"type":"object"\}$/,
    );
  });

  test('with the answer that was off, and what was wrong with it, behind it', () => {
    const corrected = (answer: unknown) =>
      layOutMessages(prompt, { vision: true, correction: { answer, problem: 'No such quote.' } }).messages.slice(1);
    expect(corrected('{"a":1}')).toEqual([
      { role: 'assistant', content: '{"a":1}' },
      { role: 'user', content: 'No such quote.' },
    ]);
    expect(corrected({ a: 1 })[0]).toEqual({ role: 'assistant', content: '{"a":1}' });
    const again = appendReply(layOutMessages(prompt, { vision: true }), ' \n', 'Nothing came.');
    expect(again.messages.map(({ content }) => content)).toEqual([
      'Case.\n\nSaid.\n\nTask.',
      '(no answer)',
      'Nothing came.',
    ]);
    expect(again.instructions).toBe('Rules.');
  });
});

describe('the tokens of a conversation', () => {
  const conversation = (...contents: (string | object[])[]) =>
    ({ instructions: 'äbc', messages: contents.map((content) => ({ role: 'user', content })) }) as never;

  test('are at most its bytes, with what images and messages add to them', () => {
    const bound = boundInputTokens(conversation('1234', [text('56'), file]), '{}');
    expect(bound).toBe(4 + 2 + 4 + 2 + 26_000 + 3 * 64 + 512);
    expect(boundInputTokens(conversation(), '')).toBe(4 + 64 + 512);
  });

  test('are guessed at a quarter of its bytes, and a thousand for an image', () => {
    expect(estimateInputTokens(conversation('1234', [text('56'), file, file]), '{}')).toBe(3 + 2_000);
    expect(estimateInputTokens(conversation('1'), '')).toBe(2);
  });
});
