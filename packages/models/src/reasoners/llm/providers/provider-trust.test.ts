import { expect, test } from 'vitest';
import { decideTrust } from './provider-trust.ts';

test.each([
  ['http://127.0.0.1:11434/v1', 'here', 'send'],
  ['http://localhost:8000/v1', 'here', 'send'],
  ['http://[::1]:8000/v1', 'here', 'send'],
  ['http://192.168.1.20:8000/v1', 'network', 'send'],
  ['http://vllm:8000/v1', 'network', 'send'],
  ['https://models.internal/v1', 'network', 'send'],
  ['https://api.openai.com/v1', 'internet', 'mask'],
  ['https://8.8.8.8/v1', 'internet', 'mask'],
  ['https://localhost.example.com/v1', 'internet', 'mask'],
])('%s is %s: personal data is %s', (baseUrl, place, personalData) => {
  expect(decideTrust(baseUrl)).toMatchObject({ place, personalData, images: 'send', recordings: 'send' });
});

test('what the settings say holds wherever a provider is', () => {
  expect(decideTrust('https://api.openai.com/v1', { personalData: 'send', images: 'withhold' })).toMatchObject({
    personalData: 'send',
    images: 'withhold',
  });
  expect(decideTrust('http://127.0.0.1/v1', { personalData: 'mask' })).toMatchObject({ personalData: 'mask' });
});
