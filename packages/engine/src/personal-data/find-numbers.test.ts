import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAccounts, findCards, findNationalNumbers } from './find-numbers.ts';
import { findPeople, listPeople } from './find-people.ts';

const valuesIn = (found: readonly { value: string }[]) => found.map(({ value }) => value);

describe('national numbers', () => {
  const numbers: Record<string, { right: string[]; wrong: string[] }> = {
    'United States': {
      right: ['219-09-9999', '899-01-0001'],
      wrong: ['000-12-3456', '666-12-3456', '900-12-3456', '123-00-4567', '123-45-0000', '1219-09-9999'],
    },
    'United Kingdom': {
      right: ['AB 12 34 56 C', 'AB123456C'],
      wrong: ['BG123456C', 'AB123456E', 'DA123456A', 'AO123456A', 'GB123456A', 'ZZ123456A'],
    },
    Spain: {
      right: ['12345678Z', 'X1234567L', 'Y1234567X', '12345678-Z'],
      wrong: ['12345678A', 'X1234567M', '12345679Z'],
    },
    Italy: { right: ['RSSMRA85T10A562S'], wrong: ['RSSMRA85F10A562S', 'RSSMRA85T10A562', 'RSSMRA85T10AA62S'] },
    Brazil: {
      right: ['529.982.247-25', '111.444.777-35'],
      wrong: ['529.982.247-26', '529.982.247-35', '111.444.777-25'],
    },
    Poland: { right: ['44051401359', '02070803628'], wrong: ['44051401358', '44131401352', '44053201357'] },
    Sweden: {
      right: ['811228-9874', '19811228-9874', '670919-9530'],
      wrong: ['811228-9873', '811328-9873', '811232-9878'],
    },
    France: { right: ['2 55 08 14 168 025 38', '255081416802538'], wrong: ['255081416802539', '255131416802538'] },
    China: { right: ['11010519491231002X', '34052419800101001X'], wrong: ['110105194912310021', '340524198001010010'] },
    Germany: { right: [], wrong: ['12 345 678 901'] },
  };

  test.each(Object.entries(numbers))('of %s prove themselves', (_, { right, wrong }) => {
    for (const number of right)
      expect(valuesIn(findNationalNumbers(`It is ${number}, I think.`)), number).toEqual([
        number.replaceAll(/[^\dA-Z]/g, ''),
      ]);
    for (const number of wrong) expect(findNationalNumbers(`It is ${number}, I think.`), number).toEqual([]);
  });

  test('of Germany are found where they are called so', () => {
    expect(valuesIn(findNationalNumbers('Steuer-ID: 12 345 678 901'))).toEqual(['12345678901']);
    expect(findNationalNumbers('Steuer-ID heute nicht, aber 12\n345 678 901')).toEqual([]);
  });

  test('are no part of a longer number or word', () => {
    for (const text of ['x12345678Z', '12345678Za', '3-12345678Z', '811228-98741', '1.529.982.247-25'])
      expect(findNationalNumbers(text), text).toEqual([]);
  });

  test('stand where they are written', () => {
    const [found] = findNationalNumbers('My DNI is 12345678-z!');
    expect(found).toMatchObject({ kind: 'id', start: 10, end: 20, value: '12345678Z' });
  });
});

describe('cards and accounts', () => {
  test('law: of all last digits one makes a card, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.stringMatching(/^[0-9]{14}$/), (first, rest) => {
        fc.pre(!/^(\d)\1*$/.test(`${first}${rest}`));
        const cards = '0123456789'.split('').filter((digit) => findCards(`${first}${rest}${digit}`).length > 0);
        expect(cards).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });

  test('cards have thirteen to nineteen digits, in groups or without', () => {
    expect(valuesIn(findCards('4222222222222 and 5105 1051 0510 5100 and 378282246310005'))).toEqual(
      ['4222222222222', '5105105105105100'].concat('378282246310005'),
    );
    expect(findCards('4222 2222 2222 and 2222222222222222 and 1111111111111117')).toEqual([]);
    expect(findCards('4111111111111111.5 and 0.4111111111111111')).toEqual([]);
  });

  test('cards are found before a date, a check number or another card', () => {
    for (const text of ['4111 1111 1111 1111 12/27 123', '4111 1111 1111 1111 123', '4111111111111111 123'])
      expect(valuesIn(findCards(text)), text).toEqual(['4111111111111111']);
    expect(valuesIn(findCards('4111 1111 1111 1111 5105 1051 0510 5100'))).toEqual([
      '4111111111111111',
      '5105105105105100',
    ]);
  });

  test('accounts add up, whatever stands behind them', () => {
    expect(valuesIn(findAccounts('DE89 3704 0044 0532 0130 00 and gb82west12345698765432.'))).toEqual([
      'DE89370400440532013000',
      'GB82WEST12345698765432',
    ]);
    expect(findAccounts('DE88 3704 0044 0532 0130 00, XDE89370400440532013000, DE893704004405320130')).toEqual([]);
  });
});

describe('people of a context', () => {
  test('are named by members that are called so, in whatever case, each of a list', () => {
    const named = listPeople({
      authorName: 'Ada Kern',
      'reply-to_user': 'bo',
      Victim: ['Cy', ' Di '],
      customerId: 4711,
      title: 'Ed',
      thread: 'Flo',
      owner: '',
      contact: 'x'.repeat(81),
      profile: 'y'.repeat(80),
      email: { deep: 'z' },
    });
    expect(named.map(({ member, name }) => `${member}: ${name}`)).toEqual([
      'authorName: Ada Kern',
      'reply-to_user: bo',
      'Victim: Cy',
      'Victim: Di',
      'customerId: 4711',
      `profile: ${'y'.repeat(80)}`,
    ]);
    expect(listPeople(undefined)).toEqual([]);
  });

  test('are found by full names in any case, by parts of them in theirs, and by ids', () => {
    const found = (text: string, name: string, member = 'author') =>
      findPeople(text, [{ member, name }]).map(({ start, end }) => text.slice(start, end));
    expect(found('ADA KERN, Kern, Ada, kern, Kerns', 'Ada Kern')).toEqual(['ADA KERN', 'Ada', 'Kern']);
    expect(found('Li-Na and Li', 'Li-Na Wu')).toEqual(['Li-Na']);
    expect(found('u.4711 and u-4711 and u.47112', 'u.4711')).toEqual(['u.4711']);
    expect(found('7 bikes\nauthor: 7', '7')).toEqual(['7']);
    expect(found('12345 bikes and 123456', '12345')).toEqual([]);
    expect(found('123456 bikes', '123456')).toEqual(['123456']);
    expect(found('an ox, Al and ox\nauthor: ox', 'ox')).toEqual(['ox']);
    expect(found('the cat, Cat and CAT', 'cat')).toEqual(['cat', 'Cat']);
    expect(findPeople('ADA KERN', [{ member: 'author', name: 'Ada Kern' }])[0]).toMatchObject({ value: 'ada kern' });
  });
});
