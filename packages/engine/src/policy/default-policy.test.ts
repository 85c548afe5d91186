import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { defaultPolicy, findClause, renderPolicy } from './index.ts';

const policy = await defaultPolicy();
const clauses = policy.categories.flatMap((category) => category.clauses);

describe('the default policy', () => {
  it('covers the harms we promise to judge', () => {
    expect(policy.categories.map((category) => category.title)).toEqual([
      'Hate and discrimination',
      'Harassment',
      'Violence and incitement',
      'Extremism',
      'Weapons and explosives',
      'Dangerous chemicals and biology',
      'Self-harm and dangerous acts',
      'Sexual content',
      'Child safety',
      'Drugs and illegal goods',
      'Fraud and deception',
      'Cyber-attacks',
      'Privacy',
      'Misinformation and historical distortion',
      'Business and state secrets',
      'Animal and environmental harm',
      'Biased values',
      'Prompt attacks',
    ]);
  });

  it('costs a prompt at most 440 tokens', () => {
    expect(encode(renderPolicy(policy)).length).toBeLessThanOrEqual(440);
  });

  it('says each clause in a phrase', () => {
    for (const { text } of clauses)
      expect(text.split(' ').length, text).toSatisfy((words: number) => words >= 4 && words <= 14);
  });

  it('shows where each clause begins and where it ends', () => {
    for (const { id, violations, exonerations } of clauses) {
      for (const examples of [violations, exonerations]) {
        expect(examples.length, id).toBeGreaterThanOrEqual(3);
        expect(examples.length, id).toBeLessThanOrEqual(4);
      }
    }
  });

  it('never gives the same example twice', () => {
    const examples = clauses.flatMap((clause) =>
      [...clause.violations, ...clause.exonerations].map((example) => JSON.stringify(example)),
    );
    expect(new Set(examples).size).toBe(examples.length);
  });

  it('has examples of images, alone and with a text, on both sides', () => {
    for (const side of ['violations', 'exonerations'] as const) {
      const images = clauses
        .flatMap((clause) => clause[side])
        .filter((example) => example.imageDescription !== undefined);
      expect(images.filter((example) => example.text === undefined).length, side).toBeGreaterThan(4);
    }
    const pairs = clauses
      .flatMap((clause) => clause.violations)
      .filter((example) => example.text && example.imageDescription);
    expect(pairs.length).toBeGreaterThan(4);
  });

  it('is read once', () => {
    expect(defaultPolicy()).toBe(defaultPolicy());
  });
});

describe('a clause', () => {
  it('is found by its id, with its category', () => {
    expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length);
    for (const { id } of clauses) {
      const found = findClause(policy, id);
      expect(found?.clause.id).toBe(id);
      expect(id.startsWith(`${found?.category.id}.`)).toBe(true);
    }
  });

  it.each(['weapons', 'weapons.nothing', '', 'toString'])('is not found by "%s"', (id) => {
    expect(findClause(policy, id)).toBeUndefined();
  });
});

describe('the policy in a prompt', () => {
  it('is the preamble and one line a clause, each clause once', () => {
    const [preamble, ...lines] = renderPolicy(policy).split('\n');
    expect(preamble).toBe(policy.preamble);
    expect(lines).toEqual(clauses.map(({ id, text }) => ` ${id} ${text}`));
    for (const { id } of clauses) expect(renderPolicy(policy).split(` ${id} `)).toHaveLength(2);
  });

  it('does without a preamble', () => {
    const { preamble: _preamble, ...plain } = policy;
    expect(renderPolicy(plain)).toBe(renderPolicy(policy).split('\n').slice(1).join('\n'));
  });
});
