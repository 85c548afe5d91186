import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { splitMessageSentences, splitSentences } from './split-sentences.ts';

const split = (text: string, options = {}) =>
  splitSentences(text, options).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  test.each([
    [
      'abbreviations',
      'Mr. Smith of Acme Inc. met Dr. Jones. They agreed.',
      ['Mr. Smith of Acme Inc. met Dr. Jones.', 'They agreed.'],
    ],
    [
      'a company that ends a sentence',
      'It was bought by Acme Corp. The price was low.',
      ['It was bought by Acme Corp.', 'The price was low.'],
    ],
    ['decimals and amounts', 'Sales rose 3.5 % to $4.6 m. Costs fell.', ['Sales rose 3.5 % to $4.6 m.', 'Costs fell.']],
    ['initials', 'J. P. Morgan lent to H. G. Wells. He paid.', ['J. P. Morgan lent to H. G. Wells.', 'He paid.']],
    [
      'U.S. within and at the end',
      'U.S. Treasury yields rose. We left the U.S. The dollar fell.',
      ['U.S. Treasury yields rose.', 'We left the U.S.', 'The dollar fell.'],
    ],
    [
      'e.g., i.e. and No.',
      'Some costs, e.g. Freight, rose. See No. 5, i.e. Rent.',
      ['Some costs, e.g. Freight, rose.', 'See No. 5, i.e. Rent.'],
    ],
    ['quotations', '“Will it last?” he asked. “Yes.” She left.', ['“Will it last?” he asked.', '“Yes.”', 'She left.']],
    ['numbers of a list', '1. Revenue grew. 2. Costs fell.', ['1. Revenue grew.', '2. Costs fell.']],
    [
      'Chinese and Japanese',
      '收入增长了15%。成本下降了。利益は増えた！本当？',
      ['收入增长了15%。', '成本下降了。', '利益は増えた！', '本当？'],
    ],
    [
      'months',
      'On Dec. 31, 2023 it closed. It reopened on Jan. 2.',
      ['On Dec. 31, 2023 it closed.', 'It reopened on Jan. 2.'],
    ],
    [
      'a number that begins one',
      'Sales fell in 2022. 2023 was better. 12 stores closed, incl. 3 in Asia, approx. 2 in May.',
      ['Sales fell in 2022.', '2023 was better.', '12 stores closed, incl. 3 in Asia, approx. 2 in May.'],
    ],
    ['a unit of one letter', 'Debt was $5 M. Interest fell.', ['Debt was $5 M.', 'Interest fell.']],
    [
      'German abbreviations',
      'Er stieg z. B. in Asien, d. h. stark. Der Gewinn fiel.',
      ['Er stieg z. B. in Asien, d. h. stark.', 'Der Gewinn fiel.'],
    ],
    [
      'Japanese speech',
      '「利益も増えた。」と述べた。翌年は下がった。',
      ['「利益も増えた。」と述べた。', '翌年は下がった。'],
    ],
    [
      'marks that open the next Japanese sentence',
      '利益は2.5億円だった。「好調だ。」と述べた。（注1）売上は増えた！',
      ['利益は2.5億円だった。', '「好調だ。」と述べた。', '（注1）売上は増えた！'],
    ],
    [
      'marks that open the next Chinese sentence',
      '利润下降2.5%。“好的。”“不。”',
      ['利润下降2.5%。', '“好的。”', '“不。”'],
    ],
    [
      'an abbreviation in brackets within Chinese',
      '公司（ACME Inc.）成立于2001年。收入增长。',
      ['公司（ACME Inc.）成立于2001年。', '收入增长。'],
    ],
    ['wrapped lines', 'Revenue grew by\n15 % in Q3.\nCosts fell.', ['Revenue grew by\n15 % in Q3.', 'Costs fell.']],
  ])('%s', (_, text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  test('take no longer for asides without end', () => {
    const took = threadTime(() => expect(splitSentences('so! it '.repeat(30_000))).toHaveLength(1));
    expect(took).toBeLessThan(5000);
  });

  test('the items of a list stand apart', () => {
    expect(split('Revenue grew\nCosts fell. Margins rose', { linesApart: true })).toEqual([
      'Revenue grew',
      'Costs fell.',
      'Margins rose',
    ]);
  });

  test('are in order, do not overlap, and hold every letter', () => {
    const words = fc.constantFrom(
      'Acme',
      'Inc.',
      'U.S.',
      '3.5',
      '%',
      '“',
      '”',
      '?',
      '!',
      '.',
      '…',
      '\n',
      ' ',
      '收入。',
      '收入。「',
      '（',
      'e.g.',
      '(a)',
      '1.',
      '\u2028',
      '🙂',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((all) => all.join(' ')),
        ),
        fc.boolean(),
        (text, linesApart) => {
          const sentences = splitSentences(text, { linesApart });
          let end = 0;
          for (const sentence of sentences) {
            expect(sentence.start).toBeGreaterThanOrEqual(end);
            expect(sentence.end).toBeGreaterThan(sentence.start);
            expect(text.slice(end, sentence.start).trim()).toBe('');
            end = sentence.end;
          }
          expect(text.slice(end).trim()).toBe('');
        },
      ),
    );
  });
});

describe('sentences of other languages', () => {
  const whole: [string, string[]][] = [
    ['Chinese', ['我找不到钥匙。', '你看见了吗？', '没有！', '“那就算了。”', '她走了。', '（他没有回答。）']],
    ['Japanese', ['電車が遅れた。', '歩いて行こう！', '本当ですか？', '（彼は笑った。）']],
    ['Korean', ['기차가 늦었다. ', '우리는 걸어갔다. ', '정말이야? ', '응!']],
    ['Arabic', ['أين وضعت المفاتيح؟ ', 'لا أجدها. ', 'سأبحث غدا! ', 'شكرا.']],
    ['Urdu', ['تم کہاں ہو؟ ', 'میں گھر پر ہوں۔ ', 'جلدی آؤ۔']],
    ['Hindi', ['ट्रेन देर से आई। ', 'डॉ. शर्मा पैदल गए। ', 'क्या तुम ठीक हो? ', 'हाँ।']],
    ['Thai', ['คุณวางกุญแจไว้ที่ไหน ', 'ช่วยหาให้หน่อยได้ไหม ', 'ผมต้องไปทำงานแล้ว']],
    ['Russian', ['Он живёт на ул. Ленина с 1998 г. по сей день. ', 'Куда ты идёшь? ', 'Я не знаю.']],
    ['German', ['Am 3. Oktober kommt Dr. Meier. ', 'Am 4. April fährt er heim. ', 'Warum?']],
    ['Spanish', ['El Sr. García y la Sra. López viven en EE. UU. ', '¿Dónde están? ', '¡No lo sé!']],
    ['French', ['M. Dupont et Mme. Durand sont là. ', 'Où allez-vous ? ', 'Je ne sais pas !']],
    ['Portuguese', ['O Sr. Silva e a Dra. Costa chegaram. ', 'Onde estão? ', 'Não sei.']],
    ['Italian', ['Il Sig. Rossi e il Dott. Bianchi sono qui. ', 'Dove andate? ', 'Non lo so.']],
    ['Dutch', ['Dhr. Jansen komt om negen uur. ', 'Mevr. de Vries niet. ', 'Waarom?']],
    ['Polish', ['Mieszka przy ul. Długiej od 5. maja. ', 'Np. wczoraj o godz. 9 padało. ', 'Dlaczego?']],
    ['Turkish', ['Dr. Yılmaz 3. katta oturuyor. ', 'Nerede? ', 'Bilmiyorum.']],
    ['Indonesian', ['Bpk. Budi tinggal di Jl. Merdeka. ', 'Di mana? ', 'Tidak tahu.']],
  ];

  test.each(whole)('%s, in documents and in messages', (_, sentences) => {
    const text = sentences.join('');
    const expected = sentences.map((sentence) => sentence.trim());
    expect(split(text)).toEqual(expected);
    expect(splitMessageSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });

  test('take nothing from English', () => {
    expect(split('We sold 12. September was better.')).toHaveLength(2);
    expect(split('He studied EE. The rest is history.')).toHaveLength(2);
  });
});
