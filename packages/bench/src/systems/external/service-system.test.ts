import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDialogue } from '../../jobs/evaluation/labelled-exchange.ts';
import { contentAsText } from '../../jobs/moderation/labelled-content.ts';
import { splitIntoPieces } from './service-system.ts';

describe('a content as text', () => {
  test('is its text and the words for its images', () => {
    expect(contentAsText({ text: 'Look!', images: [{ description: 'A duck.' }, { description: 'A pond.' }] })).toBe(
      'Look!\n\nImage: A duck.\n\nImage: A pond.',
    );
    expect(contentAsText({ images: [{ description: 'A duck.' }] })).toBe('Image: A duck.');
    expect(contentAsText({ text: ' as it is \n' })).toBe(' as it is \n');
  });

  test('has no words for an image that nobody described', () => {
    expect(() => contentAsText({ images: [{ file: 'duck.png' }] })).toThrow(
      expect.objectContaining({ code: 'no-description' }),
    );
  });
});

describe('an exchange as a dialogue', () => {
  test('is a prompt and its response', () => {
    expect(toDialogue({ prompt: 'Hi', response: 'Hello.' })).toEqual({
      turns: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
      ],
      prompt: 'Hi',
      response: 'Hello.',
    });
  });

  test('has speakers who take turns, the user first, and no system message', () => {
    const { turns, prompt, response } = toDialogue({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'assistant', content: 'Welcome.' },
        { role: 'user', content: 'One' },
        { role: 'user', content: 'Two' },
        { role: 'assistant', content: 'Let me look.' },
        { role: 'tool', content: '42' },
        { role: 'assistant', content: 'It is 42.' },
      ],
    });
    expect(turns).toEqual([
      { role: 'user', content: 'One\n\nTwo' },
      { role: 'assistant', content: 'Let me look.' },
      { role: 'user', content: '42' },
      { role: 'assistant', content: 'It is 42.' },
    ]);
    expect({ prompt, response }).toEqual({ prompt: '42', response: 'It is 42.' });
  });
});

describe('a long text in pieces', () => {
  test('loses nothing, and no piece is too long or ends within a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\u{1F986}'), maxLength: 200 }),
        fc.integer({ min: 2, max: 30 }),
        (text, most) => {
          const pieces = splitIntoPieces(text, most);
          expect(text.startsWith(pieces.join(''))).toBe(true);
          expect(text.slice(pieces.join('').length).trim()).toBe('');
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(most);
            expect(piece.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  test('is cut between words', () => {
    expect(splitIntoPieces('one two three', 8)).toEqual(['one two ', 'three']);
  });
});
