import { expect, it } from 'vitest';
import { ingestDocument } from '@agonhq/documents/ingest';
import { checkNumbers } from '@agonhq/documents/numbers';
import { reportFormats, reportPair } from './generate.ts';
import { contradictionKinds } from './report.ts';
import { atRightPlace } from './right-place.ts';

it.each(contradictionKinds)('A planted contradiction of the kind %s changes one place and is named', async (kind) => {
  const { truth, consistent, contradictory } = await reportPair(900 + contradictionKinds.indexOf(kind), 'json', kind);
  const [before, after] = [consistent, contradictory].map((bytes) => new TextDecoder().decode(bytes));
  expect(truth.kind).toBe(kind);
  expect(truth.before).not.toBe(truth.after);
  expect(after).not.toBe(before);
  expect(after).toContain(truth.after);
  if (truth.sentence !== undefined) expect(before).not.toContain(truth.sentence);
});

it.each(reportFormats)('The same seed gives the same %s report', async (format) => {
  const [first, second] = await Promise.all([reportPair(77, format, 'total'), reportPair(77, format, 'total')]);
  const text = async (bytes: Uint8Array): Promise<string> =>
    (await ingestDocument(bytes, `report.${format}`, { readImageText: null })).text;
  expect(second.truth).toEqual(first.truth);
  expect(await text(second.contradictory)).toBe(await text(first.contradictory));
  expect(await text(first.contradictory)).not.toBe(await text(first.consistent));
});

it('A total that was altered is flagged in its cell, and its twin is not', async () => {
  const { truth, consistent, contradictory } = await reportPair(78, 'csv', 'total');
  const dossier = async (bytes: Uint8Array) => ({
    documents: [await ingestDocument(bytes, 'report.csv', { readImageText: null })],
  });
  const [clean, planted] = await Promise.all([dossier(consistent), dossier(contradictory)]);
  expect(checkNumbers(clean).filter(({ outcome }) => outcome === 'conflict')).toEqual([]);
  expect(
    checkNumbers(planted).some((finding) => finding.outcome === 'conflict' && atRightPlace(finding, truth, planted)),
  ).toBe(true);
});
