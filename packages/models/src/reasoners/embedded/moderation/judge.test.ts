import { describe, expect, test } from 'vitest';
import { vigenere } from '@agonhq/test/support/vigenere.ts';
import { createAgon } from '@agonhq/core/app';
import { findTurns } from '@agonhq/engine/debate';
import { verifyAnswer, type Content } from '@agonhq/judges/moderation';
import { bareGuard } from './judge.ts';

const environment = {};
const open = (moderation: NonNullable<Parameters<typeof createAgon>[0]>['moderation']) =>
  createAgon({ moderation }, { environment, secret: 'test', only: ['moderation'] });
const judge = await open({ method: 'judge' });

const threat = 'I will stab you in the neck tonight, you filthy pig.';
const contents: Content[] = [
  { text: threat },
  { text: 'What a lovely morning, the garden is full of birds.' },
  { text: 'You are not as clever as you think.' },
  { images: [{ description: 'A man points a gun at the head of a kneeling prisoner.' }] },
  { text: 'What kind of bird is this?', images: [{ description: 'A small brown bird sits on a branch.' }] },
  {
    text: 'Look at these two.',
    images: [
      { description: 'A cat sleeps on a sofa.' },
      { description: 'A man holds a knife to the throat of a woman.' },
    ],
  },
  { images: [{ description: 'A cat sleeps on a sofa.' }, { description: 'A dog in the snow.' }] },
];

describe('the embedded judge', () => {
  test.each(contents.map((content, index) => [index, content] as const))(
    'says of content %i what the bare guard says, in all six digits',
    async (_index, content) => {
      const [alone, { verdict }] = [await bareGuard(content), await judge.moderate(content)];
      expect(verdict.label).toBe(alone.label);
      expect(verdict.risk).toBeCloseTo(alone.probability!, 6);
    },
  );

  test('quotes the passages that drive its score, and names the nearest clause', async () => {
    const answer = await judge.moderate({
      text: `Good morning to you all. ${threat}`,
      images: [{ description: 'A street at night.' }],
    });
    expect(answer.verdict).toMatchObject({ label: 'unsafe', rule: { id: 'judge' } });
    expect(answer.verdict.evidence.length).toBeGreaterThan(0);
    expect(answer.verdict.evidence.every(({ verified }) => verified)).toBe(true);
    expect(answer.verdict.categories).toHaveLength(1);
    expect(findTurns(answer.transcript).map(({ seat }) => seat)).toEqual(['judge']);
    expect(answer.precedents).toEqual([]);
    expect(verifyAnswer(answer, { policy: judge.policy }).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  });

  test('quotes each image by itself where several are read as one message', async () => {
    const { verdict } = await judge.moderate(contents[5]!);
    expect(verdict.evidence.every(({ verified }) => verified)).toBe(true);
    expect(verdict.degraded.filter(({ kind }) => kind === 'struck-evidence')).toEqual([]);
  });

  test('leaves another language to people', async () => {
    const { verdict } = await judge.moderate(
      'Θα ήθελα να μάθω τι καιρό θα κάνει αύριο στην Αθήνα και αν χρειάζομαι ομπρέλα.',
    );
    expect(verdict).toMatchObject({ label: 'undecided', escalate: true, rule: { id: 'unsupported-language' } });
  });

  test('reads what is disguised in plain letters', async () => {
    const disguised = [
      Buffer.from(threat).toString('base64'),
      Array.from(threat).toReversed().join(''),
      `${'The committee met on Tuesday and talked about the new library. '.repeat(80)}${btoa(threat)}`,
    ];
    for (const text of disguised) {
      const answer = await judge.moderate(text);
      expect(answer.verdict).toMatchObject({ label: 'unsafe', degraded: [] });
      expect(answer.verdict.evidence[0]!.quote).toContain('stab you in the neck');
      expect(verifyAnswer(answer, { policy: judge.policy }).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    }
  });

  test('calls nothing safe that nobody can read', async () => {
    const answer = await judge.moderate(vigenere('What a lovely morning, the garden is full of birds.'));
    expect(answer.verdict).toMatchObject({
      label: 'undecided',
      risk: null,
      escalate: true,
      rule: { id: 'unreadable' },
    });
    expect(verifyAnswer(answer, { policy: judge.policy }).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  });

  test.each(['vote', 'role-free', 'control'] as const)(
    'in every seat of %s says the same: what the guard says',
    async (method) => {
      const agon = await open({ method });
      for (const content of contents.slice(0, 3)) {
        const [alone, answer] = [await bareGuard(content), await agon.moderate(content)];
        expect(answer.verdict.label).toBe(alone.label);
        expect(new Set(findTurns(answer.transcript).map(({ score }) => score)).size).toBe(1);
        expect(findTurns(answer.transcript)).toHaveLength(method === 'control' ? 6 : 4);
      }
    },
  );
});
