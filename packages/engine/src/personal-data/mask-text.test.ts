import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { createMask, findPersonalData, listPeople } from './index.ts';

const kindsIn = (text: string) =>
  findPersonalData(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('what is personal', () => {
  test.each([
    ['Write to anna.keller+shop@mail.example.co.uk.', ['mail anna.keller+shop@mail.example.co.uk']],
    ['anna (at) example (dot) org', ['mail anna (at) example (dot) org']],
    ['Call +49 171 1234567 or 0171 1234567', ['phone +49 171 1234567', 'phone 0171 1234567']],
    ['(212) 555-0187', ['phone (212) 555-0187']],
    ['my number is 612345678', ['phone 612345678']],
    ['IBAN DE89 3704 0044 0532 0130 00 please', ['account DE89 3704 0044 0532 0130 00']],
    ['card 4111 1111 1111 1111', ['card 4111 1111 1111 1111']],
    ['SSN 219-09-9999', ['id 219-09-9999']],
    ['DNI 12345678Z', ['id 12345678Z']],
    [
      'from 93.184.216.34 and 2606:2800:220:1:248:1893:25c8:1946',
      ['ip 93.184.216.34', 'ip 2606:2800:220:1:248:1893:25c8:1946'],
    ],
    ['ask @anna_k, she knows', ['handle @anna_k']],
    ['https://bob:pw@host.example/x?token=abc123&page=2', ['login bob:pw', 'token abc123']],
    ['https://social.example/users/anna', ['handle anna']],
  ])('%s', (text, expected) => {
    expect(kindsIn(text)).toEqual(expected);
  });

  test.each([
    'In 2024, 1998-2003, on 17.11.2026 and 2026-11-17.',
    'It costs 1 234 567 € or $1,299.00, order number 4000123456.',
    'Version 10.4.2.1, v1.2.3.4, 127.0.0.1 and 192.168.1.7',
    'ISBN 978-3-16-148410-0 and ISBN 0-306-40615-2',
    'card 4111 1111 1111 1112, DE89 3704 0044 0532 0130 02',
    '@everyone @media (min-width: 10px) std::vector 12:30:45 @babel/core',
    'https://example.org/a/b?page=2&sort=asc',
    'Pi is 3.14159265358979, and 0.0712345678 is small.',
  ])('and what is not: %s', (text) => {
    expect(kindsIn(text)).toEqual([]);
  });
});

describe('a mask', () => {
  test('gives the same value the same placeholder, and tells ways to write it apart', () => {
    const mask = createMask(['Anna@x.org, anna@x.org and bob@y.org']);
    expect(mask.mask('bob@y.org to anna@x.org: Anna@x.org')).toBe('[mail-2] to [mail-1.2]: [mail-1]');
    expect(mask.unmask('[MAIL-1.2] and [mail-9]')).toBe('anna@x.org and [mail-9]');
  });

  test('takes a number for the same whether its leading zero is dialled or not', () => {
    const mask = createMask();
    expect(mask.mask('Call 0171 1234567, or my number 1711234567.')).toBe('Call [phone-1], or my number [phone-1.2].');
  });

  test('knows the people of the context by their names, parts of them and ids', () => {
    const people = listPeople({
      author: 'Anna Keller',
      authorId: 7,
      thread: 'Anna',
      userId: 'u-4711',
      channel: 'bikes',
    });
    expect(people.map(({ name }) => name)).toEqual(['Anna Keller', '7', 'u-4711']);
    const mask = createMask([], people);
    expect(mask.mask('ANNA KELLER, i.e. Keller (u-4711), 7 bikes\nauthorId: 7')).toBe(
      '[person-1], i.e. [person-1.2] ([person-2]), 7 bikes\nauthorId: [person-3]',
    );
  });

  test('knows a single name with and without its capital', () => {
    const mask = createMask([], [{ member: 'author', name: 'anna' }]);
    expect(mask.mask('Anna, anna, ANNA')).toBe('[person-1], [person-1.2], ANNA');
  });

  test('goes on by itself when it is forked: a debate that is taken up again sends the same words', () => {
    const base = createMask(['a@x.org']);
    expect([base.fork().mask('b@x.org'), base.fork().mask('c@x.org')]).toEqual(['[mail-2]', '[mail-2]']);
    expect(base.fork().mask('shared@x.org', 'shared')).toBe('[mail-r1]');
  });

  test('hides a number where it is only repeated', () => {
    expect(createMask(['my number is 612345678']).mask('It says 612345678.')).toBe('It says [phone-1].');
  });

  test('writes values into JSON as JSON has them', () => {
    const mask = createMask([], [{ member: 'author', name: 'the "boss" x' }]);
    const masked = mask.mask('the "boss" x says');
    expect(JSON.parse(mask.unmask(`{"said":${JSON.stringify(masked)}}`, 'json'))).toEqual({
      said: 'the "boss" x says',
    });
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.emailAddress(),
    fc.webUrl({ withQueryParameters: true }),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom(
      '[mail-1]',
      '[Mail-1.2]',
      '[text-1]',
      '[[phone-3]',
      '@anna',
      'tel 0171 1234567',
      '+1 212 555 0187',
      'Anna',
      '[mail-',
      '1]',
    ),
    fc.stringMatching(/^[0-9 +().-]{0,30}$/),
  );

  test('can be taken off whatever it was put on', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), fc.constantFrom('', ' ', '\n'), (one, other, glue) => {
        const mask = createMask([other.join(glue)], [{ member: 'author', name: 'Anna Keller' }]);
        const text = one.join(glue);
        const masked = mask.mask(text);
        expect(mask.unmask(masked)).toBe(text);
        expect(JSON.parse(mask.unmask(JSON.stringify(masked), 'json'))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('takes no longer for a long text than its length asks for', () => {
    const texts = [
      'a1.'.repeat(60_000),
      '+1 '.repeat(20_000),
      '@'.repeat(60_000),
      '1 '.repeat(60_000),
      'DE12 '.repeat(20_000),
    ];
    expect(threadTime(() => void createMask(texts))).toBeLessThan(4_000);
  });
});
