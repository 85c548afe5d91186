import { describe, expect, test } from 'vitest';
import { makeCompletionRequest, readCompletion } from './completion.ts';

const signal = new AbortController().signal;
const terms = { maxOutputTokens: 10, temperature: 0, reasoning: false, signal } as never;
const chat = { messages: [{ role: 'user' as const, content: 'Hello?' }] };
const model = { model: 'm', logprobs: false };
const answered = (choice: object, more: object = {}) => readCompletion({ choices: [choice], ...more });

describe('a request for a completion', () => {
  test('bounds the answer in the words that the model knows, and says a temperature where there is one', () => {
    expect(makeCompletionRequest(chat, model, terms)).toEqual({
      path: '/chat/completions',
      body: { model: 'm', max_tokens: 10, temperature: 0, messages: chat.messages },
    });
    const reasoning = { ...(terms as object), reasoning: true, temperature: undefined } as never;
    expect(makeCompletionRequest({ prompt: 'p' }, model, reasoning)).toEqual({
      path: '/completions',
      body: { model: 'm', max_completion_tokens: 10, prompt: 'p' },
    });
  });
});

describe('a completion', () => {
  test('is its text, whichever API it came from', () => {
    expect(answered({ message: { content: 'a' }, finish_reason: 'stop' })).toMatchObject({
      text: 'a',
      finish: 'stop',
      rawFinish: 'stop',
      tokens: null,
      places: null,
    });
    expect(answered({ text: 'b' })).toMatchObject({ text: 'b', finish: 'other' });
    expect('rawFinish' in answered({ text: 'b' })).toBe(false);
    expect(answered({ message: { content: null } }).text).toBe('');
    for (const body of [{}, { choices: [] }, null, 'text'])
      expect(() => readCompletion(body)).toThrow(expect.objectContaining({ message: expect.any(String) }));
  });

  test('ends as its provider says; a refusal is one, though it ends as any', () => {
    const finishes = ['stop', 'length', 'content_filter', 'tool_calls'];
    expect(finishes.map((finish) => answered({ text: 'x', finish_reason: finish }).finish)).toEqual([
      'stop',
      'length',
      'content-filter',
      'other',
    ]);
    expect(answered({ message: { content: 'c', refusal: 'No.' }, finish_reason: 'stop' })).toMatchObject({
      text: 'No.',
      finish: 'content-filter',
      rawFinish: 'stop',
    });
    expect(answered({ message: { content: 'c', refusal: '' }, finish_reason: 'stop' })).toMatchObject({
      text: 'c',
      finish: 'stop',
    });
  });

  test('counts tokens, those from a cache apart, where the provider does', () => {
    const tokensOf = (usage: unknown) => answered({ text: 'x' }, { usage }).tokens;
    expect(tokensOf({ prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } })).toEqual({
      inputTokens: 9,
      outputTokens: 3,
      cachedTokens: 4,
    });
    expect(tokensOf({ prompt_tokens: 9 })).toEqual({ inputTokens: 9, outputTokens: 0, cachedTokens: 0 });
    expect([tokensOf(null), tokensOf({ prompt_tokens: 'many' })]).toEqual([null, null]);
  });

  test('tells at each place what was said, and then what else could have been, the likeliest first', () => {
    const top = [
      { token: 'no', logprob: -3 },
      { token: 'yes', logprob: -0.1 },
      { token: 'maybe', logprob: -1 },
    ];
    const placesOf = (logprobs: unknown) => answered({ text: 'x', logprobs }).places;
    const told = [
      [
        { token: 'yes', logprob: -0.1 },
        { token: 'maybe', logprob: -1 },
        { token: 'no', logprob: -3 },
      ],
    ];
    expect(placesOf({ content: [{ token: 'yes', logprob: -0.1, top_logprobs: top }] })).toEqual(told);
    expect(
      placesOf({
        tokens: ['', 'yes'],
        token_logprobs: [null, -0.1],
        top_logprobs: [null, { no: -3, yes: -0.1, maybe: -1 }],
      }),
    ).toEqual(told);
    expect(placesOf({ tokens: ['yes'], token_logprobs: [-0.1] })).toEqual([[{ token: 'yes', logprob: -0.1 }]]);
    expect([placesOf({ content: [] }), placesOf(undefined), placesOf({ tokens: 'x' })]).toEqual([null, null, null]);
  });

  test('keeps the first eight places: a verdict stands at the beginning', () => {
    const content = Array.from({ length: 12 }, (_, n) => ({ token: String(n), logprob: 0 }));
    expect(answered({ text: 'x', logprobs: { content } }).places!.map(([said]) => said!.token)).toEqual(
      Array.from('01234567'),
    );
  });
});
