import { expect, test } from 'vitest';
import { ownJobs } from '../own-jobs.ts';
import type { JudgedCase } from './find-case.ts';
import { resolveSeats, rotateModels, toSeatSettings } from './resolve-seats.ts';

const models = {
  auditor: 'a:one',
  'detector#1': 'a:one',
  'detector#2': 'a:two',
  'detector#3': 'a:three',
  arbiter: 'a:judge',
};
const record = {
  id: 'case-1',
  job: 'evaluation',
  settings: {},
  answer: { provenance: { models } },
} as unknown as JudgedCase;

test('a role stands for all of its seats, in turn where it is given several models, and a seat for itself', () => {
  expect(resolveSeats(ownJobs, record, { detector: ['b:x', 'b:y'] })).toEqual({
    'detector#1': 'b:x',
    'detector#2': 'b:y',
    'detector#3': 'b:x',
  });
  expect(resolveSeats(ownJobs, record, { 'detector#2': 'b:x', auditor: 'b:y' })).toEqual({
    'detector#2': 'b:x',
    auditor: 'b:y',
  });
  expect(resolveSeats(ownJobs, record)).toEqual({});
});

test('a seat that a case does not have is refused, with those that it has', () => {
  expect(() => resolveSeats(ownJobs, record, { 'loose-debater': 'b:x' })).toThrow(
    expect.objectContaining({ code: 'no-such-seat', hint: expect.stringContaining('detector#2') as string }) as Error,
  );
});

test('nobody hears an appeal from the seat it sat in, where a case has several models', () => {
  const rotated = rotateModels(models);
  expect(Object.keys(rotated)).toEqual(Object.keys(models));
  for (const [seat, model] of Object.entries(models)) expect(rotated[seat]).not.toBe(model);
  expect(new Set(Object.values(rotated))).toEqual(new Set(Object.values(models)));
  expect(rotateModels({ arbiter: 'a:one' })).toEqual({ arbiter: 'a:one' });
});

test('what is no name of a model is left for its owner to bring', () => {
  expect(toSeatSettings(ownJobs, { arbiter: 'a:judge', auditor: 'program:mine', critic: 'mine' })).toEqual({
    arbiter: 'a:judge',
  });
});
