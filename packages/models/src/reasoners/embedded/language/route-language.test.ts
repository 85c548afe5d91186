import { expect, test } from 'vitest';
import { registeredGuards, type GuardModel, type RegisteredGuard } from '../guard.ts';
import { shippedTerms } from '../text-models/terms.ts';
import { findRoute } from './route-language.ts';

const guard = (id: string, ...languages: string[]): RegisteredGuard => ({
  id,
  languages: Object.fromEntries(languages.map((code) => [code, 'balanced'])),
  open: async (): Promise<GuardModel> => ({
    id,
    read: () => Promise.reject(new Error('not asked')),
    readExchange: () => Promise.reject(new Error('not asked')),
    embed: () => Promise.reject(new Error('not asked')),
    openSecond: null,
    openFirstPass: null,
    terms: shippedTerms,
  }),
});
const english = guard('english', 'en');
const many = guard('many', 'en', 'de', 'fr', 'zh');

const said = {
  english: { text: 'Where did you put the keys to the shed?' },
  german: { text: 'Wo hast du die Schlüssel für den Schuppen hingelegt?' },
  polish: { text: 'Gdzie położyłeś klucze do szopy?' },
  nothing: { text: 'kys' },
};

test('a text goes to the first guard that judges its language', async () => {
  const routed = async (...texts: { text: string }[]) => {
    const route = await findRoute(texts, [english, many]);
    return [(await route.open()).id, route.unjudged];
  };
  expect(await routed(said.english)).toEqual(['english', null]);
  expect(await routed(said.german)).toEqual(['many', null]);
  expect(await routed(said.nothing)).toEqual(['english', null]);
  expect(await routed(said.english, said.german)).toEqual(['many', null]);
});

test('a language that no guard judges is named', async () => {
  expect((await findRoute([said.german], [english])).unjudged).toEqual({ language: 'German', judged: 'English' });
  expect((await findRoute([said.english, said.polish], [english, many])).unjudged).toEqual({
    language: 'Polish',
    judged: 'English, German, French and Chinese',
  });
});

test('languages that only different guards judge are named together', async () => {
  const { unjudged } = await findRoute([said.german, said.polish], [guard('a', 'de'), guard('b', 'pl')]);
  expect(unjudged).toMatchObject({ language: 'German and Polish' });
});

test('of many languages that are judged a few are named', async () => {
  const { unjudged } = await findRoute([said.polish], [guard('c', 'en', 'de', 'fr', 'es', 'it', 'pt', 'nl')]);
  expect(unjudged).toMatchObject({ judged: 'English, German, French, Spanish and 3 more' });
});

test('of the shipped guards the first judges English, the other mixed texts too', async () => {
  expect((await (await findRoute([said.english], registeredGuards)).open()).id).toBe('guard-2');
  expect((await (await findRoute([said.english, said.german], registeredGuards)).open()).id).toBe('languages-2');
});
