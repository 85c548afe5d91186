import { describe, expect, it } from 'vitest';
import { diffPolicies, listActions, parsePolicy, proposeAction, writePolicy } from './index.ts';

const clause = (id: string, severity: string, action = '') => `
      - id: house.${id}
        text: ${id}
        severity: ${severity}
        violations: [ a ${id} ]
        exonerations: [ no ${id} ]${action && `\n        action: ${action}`}`;
const rules = (clauses: string, actions = '') =>
  `name: House rules\nversion: 1\n${actions}categories:\n  - id: house\n    title: House\n    clauses:${clauses}\n`;
const parse = (clauses: string, actions?: string) => parsePolicy(rules(clauses, actions), 'my.yaml');

const own = 'actions:\n  age-gate: Your post is shown to adults only.\n  remove: We have deleted your post.\n';
const policy = parse(
  clause('spam', 'low') +
    clause('insult', 'medium', 'age-gate') +
    clause('threat', 'high', 'escalate') +
    clause('weapon', 'high') +
    clause('abuse', 'critical', 'forbid'),
  own,
);
const broken = (...clauses: string[]) =>
  proposeAction(policy, { label: 'unsafe', clauses: clauses.map((id) => `house.${id}`) });

describe('the action that a policy gives', () => {
  it('is that of the gravest clause; a clause that names none has the default of its severity', () => {
    expect(broken('spam')).toEqual({ action: 'label', severity: 'low' });
    expect(broken('spam', 'insult')).toEqual({ action: 'age-gate', severity: 'medium' });
    expect(broken('abuse', 'threat')).toEqual({ action: 'remove', severity: 'critical' });
  });

  it('is of two clauses that are as grave that of the one which stands first in the policy, in whatever order', () => {
    expect(broken('weapon', 'threat')).toEqual({ action: 'escalate', severity: 'high' });
    expect(broken('threat', 'weapon')).toEqual({ action: 'escalate', severity: 'high' });
  });

  it('is to allow what is safe, and to ask a person where nothing was decided or no clause was named', () => {
    expect(proposeAction(policy, { label: 'safe', clauses: [] })).toEqual({ action: 'allow', severity: null });
    expect(proposeAction(policy, { label: 'undecided', clauses: [] })).toEqual({ action: 'escalate', severity: null });
    expect(broken('nothing')).toEqual({ action: 'escalate', severity: null });
    expect(proposeAction(policy, { label: 'unsafe', clauses: null })).toEqual({ action: 'remove', severity: null });
  });

  it('is said in words of the policy where it has them', () => {
    expect(listActions(policy)).toContainEqual({ id: 'remove', text: 'We have deleted your post.', own: true });
    expect(listActions(policy)).toContainEqual({
      id: 'age-gate',
      text: 'Your post is shown to adults only.',
      own: true,
    });
    expect(listActions(policy).find(({ id }) => id === 'warn')).toMatchObject({ own: false });
  });

  it('must be one of the six, or one that the policy names', () => {
    expect(() => parse(clause('spam', 'low', 'removed'))).toThrow(
      '"action" must be remove, restrict, label, warn, escalate, allow, or one that the policy names under actions',
    );
    expect(() => parse(clause('spam', 'low'), 'actions:\n  Age Gate: Adults only.\n')).toThrow('kebab-case');
    expect(() => parse(clause('spam', 'low'), 'actions:\n  forbid: Forbidden.\n')).toThrow('"forbid"');
  });

  it('stays in a copy of the file, shows in a comparison, and changes the hash', () => {
    expect(parsePolicy(writePolicy(policy), 'copy.yaml')).toEqual(policy);
    const plain = parse(clause('spam', 'low'));
    const named = parse(clause('spam', 'low', 'warn'), own);
    expect(named.hash).not.toBe(plain.hash);
    expect(diffPolicies(plain, named).map(({ at, what }) => `${at} ${what}`)).toEqual([
      'policy actions',
      'house.spam action',
    ]);
  });
});
