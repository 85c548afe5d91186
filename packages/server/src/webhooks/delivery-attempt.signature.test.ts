import { expect, test } from 'vitest';
import { isSigned } from '@agonhq/test/support/webhook-receiver.ts';
import { createSecret, signDelivery } from './delivery-attempt.ts';

test('a delivery is signed as the specification of Standard Webhooks shows it', () => {
  const signed = signDelivery('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: new Date(1_614_265_330_000),
  });
  expect(signed).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each([createSecret(), 'sixteen characters', 'whsec_not base64!'])(
  'a receiver who knows the secret can tell it from any other: %s',
  (secret) => {
    const body = '{"a":"ä"}';
    const headers = signDelivery(secret, { id: 'delivery-1', body, at: new Date() });
    const key = secret.startsWith('whsec_not') ? `whsec_${Buffer.from(secret).toString('base64')}` : secret;
    expect(isSigned({ headers, body }, key)).toBe(true);
    expect(isSigned({ headers, body: '{"a":"a"}' }, key)).toBe(false);
    expect(isSigned({ headers, body }, createSecret())).toBe(false);
    expect(isSigned({ headers: { ...headers, 'webhook-id': 'delivery-2' }, body }, key)).toBe(false);
    expect(isSigned({ headers: { ...headers, 'webhook-timestamp': '1' }, body }, key)).toBe(false);
  },
);

test('secrets are long, and no two are the same', () => {
  const made = new Set(Array.from({ length: 100 }, createSecret));
  expect(made.size).toBe(100);
  for (const secret of made) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
});
