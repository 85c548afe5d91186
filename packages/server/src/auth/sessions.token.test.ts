import { describe, expect, test } from 'vitest';
import { createSessionSigner } from './sessions.ts';

const secret = 'the secret of the installation';
const session = { key: 'abcdefabcdef', endsAt: 1_800_000_000_000 };
const keptHash = 'sha256:0123';

describe('a session', () => {
  const text = createSessionSigner(secret).write(session, keptHash);

  test('says whose it is and when it ends, and is signed', () => {
    const read = createSessionSigner(secret).read(text)!;
    expect(read).toMatchObject(session);
    expect(read.isSignedFor(keptHash)).toBe(true);
    expect(text).toMatch(/^[\w.-]+$/);
    expect(text).not.toContain(keptHash);
  });

  test('is not signed by another installation, nor for another key, nor when a word of it was changed', () => {
    expect(createSessionSigner('another secret').read(text)!.isSignedFor(keptHash)).toBe(false);
    expect(createSessionSigner(secret).read(text)!.isSignedFor('sha256:4567')).toBe(false);
    for (const changed of [
      text.replace('abcdefabcdef', 'abcdefabcdee'),
      text.replace('1800000000', '1900000000'),
      text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ]) {
      expect(createSessionSigner(secret).read(changed)?.isSignedFor(keptHash) ?? false, changed).toBe(false);
    }
  });

  test.each([
    '',
    '.',
    '..',
    'a.b.c',
    `${text}.`,
    `${text}x`,
    ` ${text}`,
    text.slice(0, -1),
    '__proto__.1.',
    'a'.repeat(5_000),
  ])('is not made of %j', (nonsense) => {
    expect(createSessionSigner(secret).read(nonsense)).toBeNull();
  });
});
