import { expect, test } from 'vitest';
import { foreignLanguage } from './language.ts';

test.each([
  ['German', 'Ich möchte gerne wissen, wie das Wetter morgen in Berlin sein wird.'],
  ['French', 'Je voudrais savoir quel temps il fera demain à Paris, merci beaucoup.'],
  ['Spanish', 'Me gustaría saber qué tiempo hará mañana en Madrid, muchas gracias.'],
  ['Turkish', 'Yarın İstanbul’da hava nasıl olacak, şemsiye almam gerekiyor mu acaba?'],
  ['German', 'Ich werde dich heute Nacht umbringen'],
  ['Chinese', '我今晚要杀了你全家'],
  ['Chinese', '请告诉我明天北京的天气怎么样，我需要带一把雨伞去上班吗，谢谢'],
  ['Japanese', '明日の東京の天気はどうですか。傘を持って行ったほうがいいですか。'],
])('%s is told from English', async (language, text) => {
  expect(await foreignLanguage(text)).toBe(language);
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
])('%s is not taken for a foreign language', async (text) => {
  expect(await foreignLanguage(text)).toBeNull();
});
