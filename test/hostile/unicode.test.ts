import { afterAll, beforeAll, expect } from 'vitest';
import { createAgon, readDocument, type Agon } from '@agonhq/core/app';
import { createQuoteFinder } from '@agonhq/engine/evidence';
import { startFakeProvider, type FakeProvider } from '../fake-provider/index.ts';
import { panelReply, panelSettings, roleOf } from '../support/fake-panel.ts';
import { tribunalReply } from '../support/fake-tribunal.ts';
import { describeHostile, type HostileCase } from './corpus.ts';
import { readOrRefuse } from './refusal.ts';

/* Letters that look, count, sort or join otherwise than they seem: judged or refused; ranges point at their quote. */

const threat = 'I will bring a bomb to the station';
const between = (mark: string) => Array.from(threat).join(mark);
const mapped = (offset: number) =>
  Array.from(threat)
    .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(offset + letter.charCodeAt(0) - 97) : letter))
    .join('');
const tags = Array.from(threat)
  .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  .join('');

const samples: Record<string, string> = {
  'plain letters': threat,
  'composed accents': 'Ich gehe spa\u00f6t nach M\u00fcnchen, na\u00efve caf\u00e9',
  'decomposed accents': 'Ich gehe spa\u006f\u0308t nach Mu\u0308nchen, nai\u0308ve cafe\u0301',
  'Cyrillic look-alikes': 'I will br\u0456ng \u0430 b\u043emb t\u043e the st\u0430ti\u043en',
  'Greek look-alikes': 'I will bring \u03b1 b\u03bfmb to the stati\u03bfn',
  'full-width letters': mapped(0xff41),
  'mathematical bold': mapped(0x1d41a),
  'mathematical script': mapped(0x1d4ea),
  'letters in circles': mapped(0x24d0),
  ligatures: 'The \ufb01rst o\ufb03ce \ufb02oor is \ufb00 limits',
  'a letter that grows when it is made small': '\u0130stanbul \u0130\u0130\u0130 bomb',
  'a letter that grows when it is made large': 'Stra\u00dfe \u00df\u00df\u00df \u0149 \ufb03',
  'Hangul, composed and not': '\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165',
  'zero-width spaces': between('\u200b'),
  'zero-width joiners': between('\u200d'),
  'soft hyphens': between('\u00ad'),
  'word joiners': between('\u2060'),
  'byte order marks': between('\ufeff'),
  'variation selectors': between('\ufe0f'),
  'Mongolian separators': between('\u180e'),
  'combining grapheme joiners': between('\u034f'),
  'tags alone': `Good day${tags}`,
  'right to left override': `\u202e${threat}\u202c`,
  'isolates without end': `${'\u2066'.repeat(100)}${threat}`,
  'overrides 500 deep': `${'\u202e'.repeat(500)}${threat}${'\u202c'.repeat(500)}`,
  Hebrew: '\u05d0\u05e0\u05d9 \u05d0\u05d1\u05d9\u05d0 \u05e4\u05e6\u05e6\u05d4 \u05dc\u05ea\u05d7\u05e0\u05d4',
  'Arabic with marks':
    '\u0633\u064e\u0623\u064f\u062d\u0652\u0636\u0650\u0631\u064f \u0642\u064f\u0646\u0652\u0628\u064f\u0644\u064e\u0629\u064b',
  'Hebrew and Latin in turn': '\u05d0\u05d1\u05d2 abc \u05d3\u05d4\u05d5 def 123 \u05d6\u05d7',
  'a surrogate alone at the end': `${threat}\ud83d`,
  'a surrogate alone at the beginning': `\ude00${threat}`,
  'surrogates the wrong way round': `\ude00\ud83d ${threat}`,
  'surrogates between letters': between('\ud800'),
  'ten thousand combining marks': `bomb${'\u0301'.repeat(10_000)} station`,
  'marks without a letter': `\u0301\u0302\u0303 ${threat}`,
  'towers of marks': Array.from(threat)
    .map((letter) => `${letter}${'\u0334\u0301\u0302\u0323'.repeat(10)}`)
    .join(''),
  'a family of emoji':
    '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66 will bring \ud83d\udca3 to the \ud83d\ude89',
  'a flag and half a flag': '\ud83c\udde9\ud83c\uddea \ud83c\udde9 bomb \ud83c\uddea',
  'skin tones alone': '\ud83c\udffb\ud83c\udffc\ud83c\udffd bomb',
  'a joiner sequence of a thousand': `${'\ud83d\udc68\u200d'.repeat(1_000)}bomb`,
  'letters of private use': '\ue000\uf8ff\u{f0000} bomb to the station',
  'letters that are none': '\ufffe\uffff\u{1fffe} bomb to the station',
  'the replacement character': '\ufffd\ufffd bomb \ufffd',
  'NUL and other controls': 'bo\u0000mb\u0001 to\u0008 the\u007f station\u009b',
  'line and paragraph separators': 'a bomb\u2028to the\u2029station\u0085tomorrow',
  'spaces of every width': 'a\u00a0bomb\u2003to\u3000the\u205fstation\u2009now',
  'quotation marks and dashes': '\u201cA bomb\u201d \u2014 he\u2019d \u00absaid\u00bb \u2011 to the station',
  'digits of other scripts': '\u0664\u0665\u0666 bombs, \u0967\u0968\u0969 stations, \uff11\uff12',
  'superscripts and fractions': 'bomb\u00b2 \u00bd \u2153 station\u2070',
  'a Thai text without spaces':
    '\u0e09\u0e31\u0e19\u0e08\u0e30\u0e19\u0e33\u0e23\u0e30\u0e40\u0e1a\u0e34\u0e14\u0e21\u0e32\u0e17\u0e35\u0e48\u0e2a\u0e16\u0e32\u0e19\u0e35',
  'a Chinese text': '\u6211\u660e\u5929\u4f1a\u628a\u70b8\u5f39\u5e26\u5230\u8f66\u7ad9\u3002',
};

let provider: FakeProvider;
let agon: Agon;
beforeAll(async () => {
  provider = await startFakeProvider();
  agon = await createAgon(
    { ...panelSettings(provider), defaults: { retries: 0, timeoutMs: 30_000 } },
    { environment: {}, secret: 'hostile' },
  );
}, 60_000);
afterAll(async () => {
  await agon?.close();
  await provider?.close();
});

/** Pieces of a text as a model would quote it: the whole, cut in half, without marks, in other forms. */
const quotesOf = (text: string) => [
  text,
  text.slice(0, Math.ceil(text.length / 2)),
  text.slice(3),
  text.normalize('NFC'),
  text.normalize('NFKD'),
  text.replace(/\p{Cf}/gu, ''),
];

const isBroken = (text: string, at: number) =>
  /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '');

function expectRanges(answer: {
  sources: readonly { id: string; text: string }[];
  transcript: readonly object[];
  verdict: { evidence: readonly object[] };
}): void {
  const evidence = [
    ...answer.verdict.evidence,
    ...answer.transcript.flatMap((entry) => ('evidence' in entry ? (entry.evidence as object[]) : [])),
  ];
  for (const each of evidence as { verified: boolean; quote: string; source: string; start: number; end: number }[]) {
    if (!each.verified) continue;
    const text = answer.sources.find(({ id }) => id === each.source)!.text;
    expect(text.slice(each.start, each.end)).toBe(each.quote);
    expect([isBroken(text, each.start), isBroken(text, each.end)], 'no character is cut').toEqual([false, false]);
  }
}

const ways: Record<string, (text: string) => Promise<unknown>> = {
  'a quote': async (text) => {
    for (const quote of quotesOf(text)) {
      const range = createQuoteFinder(quote)({ id: 'text', text: `Before. ${text} After.` });
      if (range === null) continue;
      const whole = `Before. ${text} After.`;
      expect(range.start >= 0 && range.start < range.end && range.end <= whole.length).toBe(true);
      expect([isBroken(whole, range.start), isBroken(whole, range.end)]).toEqual([false, false]);
    }
  },
  moderation: (text) =>
    readOrRefuse(async () => {
      const evidence = quotesOf(text).slice(0, 4);
      const risk = { why: 'So it says.', evidence, holds: true, clauses: [] };
      const script = { strict: [{ evidence, score: 0.9 }], arbiter: { risk, score: 0.9 } };
      provider.script = (request) => panelReply(script, request);
      const [first, again] = [await agon.moderate(text), await agon.moderate(text)];
      expectRanges(first);
      expect(again.subject.hash).toBe(first.subject.hash);
      expect(roleOf(provider.requests.at(-1)!)).toBe('arbiter');
    }),
  evaluation: (text) =>
    readOrRefuse(async () => {
      const evidence = quotesOf(text).slice(0, 4);
      provider.script = (request) => tribunalReply({ auditor: { evidence, label: 'unsafe' } }, request);
      expectRanges(await agon.evaluate({ prompt: text, response: text }));
    }),
  ...Object.fromEntries(
    ['txt', 'md', 'csv', 'json', 'html'].map((kind) => [
      `a document (${kind})`,
      (text: string) =>
        readOrRefuse(async () => {
          const written = {
            txt: text,
            md: `# ${text}\n\n${text}\n`,
            csv: `${text},b\n1,"${text}"\n`,
            json: JSON.stringify({ [text]: text }),
            html: `<!doctype html><html><body><h1>${text}</h1><p>${text}</p></body></html>`,
          }[kind]!;
          const document = await readDocument(
            { name: `${text.slice(0, 40)}.${kind}`, bytes: Buffer.from(written) },
            { ocr: false },
          );
          expect(document.text.isWellFormed()).toBe(true);
          // oxlint-disable-next-line no-control-regex -- a name is shown in terminals and pages
          expect(document.name).not.toMatch(/[\u0000-\u001f/\\]/);
          for (const { start, end } of document.blocks)
            expect(start >= 0 && start <= end && end <= document.text.length).toBe(true);
        }),
    ]),
  ),
};

const cases: HostileCase[] = Object.entries(ways).flatMap(([way, run]) =>
  Object.entries(samples).map(([name, text]) => ({ name: `${way}: ${name}`, run: () => run(text) })),
);

describeHostile('unicode', cases, { every: 25 });
