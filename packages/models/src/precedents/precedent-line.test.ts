import { expect, test } from 'vitest';
import { isMereRefusal } from './precedent-line.ts';

test.each([
  "I'm sorry, but I can't assist with this request.",
  'Sorry, I can’t provide a detailed, objective description of this image.',
  "I'm sorry, but I can't describe this image. Is there anything else I can help you with?",
  "What does the sign say? || I'm sorry, but I can't help with that.",
])('%s says nothing about its case', (text) => {
  expect(isMereRefusal(text)).toBe(true);
});

test.each([
  'I cannot write a threatening letter to your neighbour. Can I help you with something else?',
  "I'm sorry, I can't come tonight, but I will find you.",
  "I'm sorry, but I can't help with that. || A man waves a knife at a waiter.",
  'A poster in a clinic.',
])('%s says what it is about', (text) => {
  expect(isMereRefusal(text)).toBe(false);
});
