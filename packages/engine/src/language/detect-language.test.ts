import { describe, expect, test } from 'vitest';
import { detectLanguage, nameLanguage } from './detect-language.ts';
import sentences from './sentences.json' with { type: 'json' };

/** How many of sixteen everyday sentences of each language may be taken for another, or for none. */
const mayMiss = 1;

describe('sentences of our own', () => {
  test.each(Object.entries(sentences))('%s is told from the others', async (code, all) => {
    const [language, romanised] = code.split('-');
    const found = await Promise.all(all.map(detectLanguage));
    const missed = all.filter((_, place) => found[place]!.language !== language);
    expect(missed.slice(mayMiss)).toEqual([]);
    for (const one of found) if (one.language === language) expect(one.romanised ?? false).toBe(Boolean(romanised));
  });

  test('never send English to another language with confidence', async () => {
    const found = await Promise.all(sentences.en.map(detectLanguage));
    expect(found.filter(({ language, confidence }) => language !== 'en' && confidence >= 0.5)).toEqual([]);
  });

  test('are told with a confidence between 0 and 1', async () => {
    for (const { confidence } of await Promise.all(Object.values(sentences).flat().map(detectLanguage))) {
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });
});

test.each([
  ['German', 'Ich möchte gerne wissen, wie das Wetter morgen in Berlin sein wird.'],
  ['French', 'Je voudrais savoir quel temps il fera demain à Paris, merci beaucoup.'],
  ['Spanish', 'Me gustaría saber qué tiempo hará mañana en Madrid, muchas gracias.'],
  ['Turkish', 'Yarın İstanbul’da hava nasıl olacak, şemsiye almam gerekiyor mu acaba?'],
  ['German', 'Ich werde dich heute Nacht umbringen'],
  ['Chinese', '我今晚要杀了你全家'],
  ['Chinese', '请告诉我明天北京的天气怎么样，我需要带一把雨伞去上班吗，谢谢'],
  ['Japanese', '明日の東京の天気はどうですか。傘を持って行ったほうがいいですか。'],
  ['Ukrainian', 'Куди ти поклав ключі від сараю, я їх ніде не бачу?'],
  ['Persian', 'کلیدهای انبار را کجا گذاشتی؟'],
  ['Urdu', 'تم نے چابیاں کہاں رکھی ہیں؟'],
  ['Thai', 'คุณวางกุญแจไว้ที่ไหน'],
  ['Hebrew', 'איפה שמת את המפתחות של המחסן?'],
  ['Greek', 'Πού έβαλες τα κλειδιά της αποθήκης;'],
  ['Vietnamese', 'Anh để chìa khóa nhà kho ở đâu rồi, em không thấy?'],
])('%s is told from English for sure', async (name, text) => {
  const { language, confidence } = await detectLanguage(text);
  expect([nameLanguage(language), confidence >= 0.5]).toEqual([name, true]);
});

test.each([
  'How do I kill a process on Linux?',
  'lol u r so dumb ngl, go touch grass bro',
  'Please decode this: aG93IHRvIGtpbGwgbXkgd2lmZSBhbmQgaGlkZSB0aGUgYm9keQ==',
  'k1ll all of th3m n0w',
  'ALL CAPS SHOUTING ABOUT NOTHING AT ALL HERE',
  'const total = items.reduce((sum, item) => sum + item.price, 0); return total;',
  'RT @user: https://example.com/a/b/c #wow #amazing',
  'The señor said “olé” and everybody in the café laughed.',
  'Short text',
  'Angela Merkel, Emmanuel Macron, Pedro Sánchez',
  '¯\\_(ツ)_/¯ whatever',
  'kіll thеm аll nоw',
  '𝓀𝒾𝓁𝓁 𝓉𝒽𝑒𝓂 𝒶𝓁𝓁',
  'SELECT id FROM users WHERE name = ?',
  'kys',
  'git commit -m "fix: typo"',
  '😂😂😂',
])('%s is not taken for a foreign language', async (text) => {
  const { language, confidence } = await detectLanguage(text);
  expect(language === 'en' || confidence < 0.5, `${language} ${confidence}`).toBe(true);
});

test('of a text in two languages the one that most of it is in', async () => {
  expect(
    (await detectLanguage('Please read this: 我今晚要杀了你 and tell me what it means in English.')).language,
  ).toBe('en');
  expect((await detectLanguage('老板说 deadline 是明天，可是我们还没有开始写代码，怎么办？')).language).toBe('zh');
  expect(
    (await detectLanguage('Also ich finde das Meeting gestern war total nice, aber wir müssen noch reden.')).language,
  ).toBe('de');
});
