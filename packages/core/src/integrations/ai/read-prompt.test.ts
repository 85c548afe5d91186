import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGuard } from '../../guard/index.ts';
import { readPrompt } from './read-prompt.ts';
import type { SdkPrompt } from './sdk-types.ts';

/** Whatever can be judged is. */
const { choices: all } = createGuard({ toolCalls: 'judge', toolResults: 'judge' });
const text = (words: string) => ({ type: 'text' as const, text: words });
const image = (...bytes: number[]) => ({
  type: 'file' as const,
  mediaType: 'image/png',
  data: { type: 'data' as const, data: new Uint8Array(bytes) },
});

test('every text and every image of a user is judged in the turn in which it was sent, wherever it stands', () => {
  const part = fc.oneof(
    fc.stringMatching(/^\w{1,8}$/).map(text),
    fc.nat(255).map((byte) => image(byte)),
  );
  const turns = fc.array(fc.array(part, { maxLength: 3 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(turns, (said) => {
      const prompt: SdkPrompt = said.flatMap((content, index) => [
        ...(index > 0 ? [{ role: 'assistant' as const, content: [text('An answer.')] }] : []),
        { role: 'user' as const, content },
      ]);
      const read = readPrompt(prompt, all);
      const judged = [...(read.earlier ?? []).filter(({ by }) => by !== 'assistant'), read];
      const expected = said
        .map((content) => ({
          text: content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n\n'),
          images: content.flatMap((one) => (one.type === 'file' ? [[...one.data.data]] : [])),
        }))
        // The last turn is there, whatever it holds; an earlier one that is empty says nothing.
        .filter((turn, index) => index === said.length - 1 || turn.text !== '' || turn.images.length > 0);
      expect(judged.map((turn) => turn.text)).toEqual(expected.map((turn) => turn.text));
      expect(judged.map(({ images = [] }) => images.map(({ data }) => [...data]))).toEqual(
        expected.map(({ images }) => images),
      );
    }),
    { numRuns: 50 },
  );
});

test('what the model said before is judged by itself, with the question that it answered', () => {
  const prompt: SdkPrompt = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [text('First question')] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'I think.' },
        text('First answer'),
        { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: { at: 'it' } },
      ],
    },
    { role: 'user', content: [text('Second question')] },
  ];
  const { earlier = [], text: last, question } = readPrompt(prompt, all);
  expect(earlier).toMatchObject([
    { text: 'First question' },
    { by: 'assistant', question: 'First question', text: 'I think.' },
    { by: 'assistant', question: 'First question', text: 'First answer' },
    { by: 'assistant', question: 'First question', text: '{"at":"it"}' },
  ]);
  expect([last, question]).toEqual(['Second question', 'Second question']);
  for (const [choice, gone, name] of [
    ['reasoning', 'I think.', 'reasoning'],
    ['answers', 'First answer', 'answer'],
    ['toolCalls', '{"at":"it"}', 'tool-call'],
  ] as const) {
    const less = readPrompt(prompt, { ...all, [choice]: 'skip' });
    expect(less.earlier?.map((turn) => turn.text)).toEqual(
      earlier.map((turn) => turn.text).filter((words) => words !== gone),
    );
    expect(less.skipped).toEqual([name]);
  }
});

test('an image that is not judged is named', () => {
  const prompt: SdkPrompt = [{ role: 'user', content: [text('Look'), image(1)] }];
  expect(readPrompt(prompt, { ...all, images: 'skip' })).toMatchObject({ images: [], skipped: ['image'] });
});
