import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultPolicy, findClause } from '@agonhq/engine/policy';
import { seedPrecedents } from './seed-precedents.ts';

const words = z.string().min(1);
const seedSchema = z.array(
  z
    .strictObject({
      id: words,
      label: z.enum(['safe', 'unsafe']),
      clause: z.string().nullable(),
      text: words.optional(),
      image_description: words.optional(),
      summary: words
        .max(160)
        .regex(/^[^\n]+\.$/)
        .optional(),
      cues: z.array(words.max(80)).min(1).max(4).optional(),
      why: words.max(160).optional(),
    })
    .refine(({ text, image_description: description }) => text !== undefined || description !== undefined)
    .refine(
      ({ summary, cues, why }) =>
        (summary === undefined) === (cues === undefined) && (cues === undefined) === (why === undefined),
    ),
);
const lines = readFileSync(new URL('../../../../precedents/seed.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const seeds = seedSchema.parse(lines.map((line) => JSON.parse(line) as unknown));
const told = seeds.filter(({ why }) => why !== undefined);
const everythingIn = (seed: (typeof seeds)[number]) =>
  [seed.text, seed.image_description, seed.summary, ...(seed.cues ?? []), seed.why]
    .filter((part) => part !== undefined)
    .join('\n');

describe('the precedents that Agon ships', () => {
  it('each have their own id and name a clause of the default policy or none', async () => {
    const policy = await defaultPolicy();
    expect(new Set(seeds.map(({ id }) => id)).size).toBe(seeds.length);
    expect(seeds.filter(({ clause }) => clause !== null && !findClause(policy, clause))).toEqual([]);
  });

  it('bring along the category and the words of their clause', async () => {
    const policy = await defaultPolicy();
    const precedents = await seedPrecedents(policy);
    const index = seeds.findIndex(
      ({ clause, label, cues }) => clause !== null && label === 'unsafe' && cues === undefined,
    );
    const { category, clause } = findClause(policy, seeds[index]!.clause!)!;
    expect(precedents).toHaveLength(seeds.length);
    expect(precedents[index]).toMatchObject({
      id: seeds[index]!.id,
      label: 'unsafe',
      category: category.id,
      clause: clause.id,
      cues: [clause.text],
      confirmedBy: 'seed',
      state: 'active',
    });
  });

  it('are without those of a clause that the policy does not have, or has switched off', async () => {
    const policy = await defaultPolicy();
    const clause = seeds.find((seed) => seed.clause !== null)!.clause!;
    const without = async (change: (one: { id: string }) => object[]) => {
      const categories = policy.categories.map((category) => ({
        ...category,
        clauses: category.clauses.flatMap((one) => (one.id === clause ? change(one) : [one])),
      }));
      return (await seedPrecedents({ ...policy, categories } as never)).map((seed) => seed.id);
    };
    const others = seeds.filter((seed) => seed.clause !== clause).map(({ id }) => id);
    expect(await without(() => [])).toEqual(others);
    expect(await without((one) => [{ ...one, action: 'allow' }])).toEqual(others);
    expect(await without((one) => [one])).toHaveLength(seeds.length);
  });

  it(
    'tell in words of their own what to look for and what made them so: 200 and more, half of them benign, under ' +
      'every clause',
    async () => {
      const policy = await defaultPolicy();
      expect(told.length).toBeGreaterThanOrEqual(200);
      const benign = told.filter(({ label }) => label === 'safe').length / told.length;
      expect(benign).toBeGreaterThan(0.45);
      expect(benign).toBeLessThan(0.6);
      for (const { clauses } of policy.categories) {
        for (const { id } of clauses) {
          const labels = told.filter(({ clause }) => clause === id).map(({ label }) => label);
          expect(
            labels.filter((label) => label === 'safe').length,
            `benign look-alikes under ${id}`,
          ).toBeGreaterThanOrEqual(2);
          expect(labels.filter((label) => label === 'unsafe').length, `violations under ${id}`).toBeGreaterThanOrEqual(
            2,
          );
        }
      }
      const repeated = told.filter(
        ({ text, image_description: description, summary }) => summary === text || summary === description,
      );
      expect(repeated).toEqual([]);
      expect(new Set(told.map(({ summary }) => summary)).size).toBe(told.length);
    },
  );

  it('hold no operational detail: no amounts of a substance, no code, no addresses, no links', () => {
    const detail = [
      /\b\d+(?:[.,]\d+)?\s?(?:mg|milligrams?|grams?|ml|millilitres?|microgram|mol|°c|psi|volts?)\b/i,
      /https?:\/\/|www\.|\.onion\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i,
      /\b(?:import os|subprocess|<script|rm -rf|union select|powershell|chmod|curl )\b/i,
      /\b(?:potassium (?:nitrate|cyanide)|ammonium nitrate|pseudoephedrine|acetone peroxide|tatp|petn|rdx|fentanyl|hydrogen peroxide|sulphuric acid|phosphorus)\b/i,
      /\b(?:lower receiver jig|drill press|auto sear|solder the|detonator)\b/i,
      /\+?\d[\d\s/-]{8,}\d/,
    ];
    for (const seed of seeds)
      for (const pattern of detail) expect(everythingIn(seed), `${seed.id} and ${pattern}`).not.toMatch(pattern);
  });

  it('name no living person', () => {
    const names =
      /\b(?:trump|biden|harris|obama|clinton|putin|zelensky|merkel|scholz|macron|musk|bezos|zuckerberg|netanyahu|modi|xi jinping|kim jong|khamenei|erdogan|orb[aá]n|taylor swift|kanye|beyonc[eé]|messi|ronaldo|breivik|tarrant|bin laden|epstein|weinstein|rowling|thunberg|assange|snowden)\b/i;
    for (const seed of seeds) expect(everythingIn(seed), seed.id).not.toMatch(names);
  });

  it('hold nothing sexual about minors: what is decided under that clause names the attempt and shows nothing', () => {
    const minor =
      /\b(?:child|children|kid|kids|minor|pupil|schoolgirl|schoolboy|teen|teenager|girls?|boys?|twelve|thirteen|toddler|young ones)\b/i;
    const sexual =
      /\b(?:nude|naked|undress\w*|breasts?|genital\w*|penis|vagina|erotic\w*|porn\w*|hardcore|orgasm\w*|intercourse|masturbat\w*|aroused?|lust\w*|kiss\w*|touch(?:ed|es|ing) (?:her|him))\b/i;
    // "A girl from work" is an adult.
    const cleared = new Set(['seed-0195']);
    for (const seed of seeds)
      if (!cleared.has(seed.id) && minor.test(everythingIn(seed)))
        expect(everythingIn(seed), seed.id).not.toMatch(sexual);
    for (const { clause, text, image_description: description } of seeds.filter(
      (seed) => seed.clause === 'child.sexual',
    )) {
      expect(clause).toBe('child.sexual');
      expect(description, 'no image').toBeUndefined();
      expect(text!.length).toBeLessThan(200);
    }
  });
});
