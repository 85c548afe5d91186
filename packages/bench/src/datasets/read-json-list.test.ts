import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListMembers } from './read-json-list.ts';

async function membersOf(bytes: Buffer, cuts: readonly number[]): Promise<unknown[]> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const pieces = (async function* () {
    for (const [index, place] of places.slice(1).entries()) yield bytes.subarray(places[index], place);
  })();
  const members: unknown[] = [];
  for await (const text of readListMembers(pieces, { name: 'x.json', largest: 1_000_000 }))
    members.push(JSON.parse(text));
  return members;
}

test('the members of any list are those that JSON.parse finds, wherever its bytes are cut and however it is laid out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ stringUnit: 'binary' })),
      fc.array(fc.nat()),
      fc.constantFrom(undefined, 2, '\t'),
      async (list, cuts, space) => {
        const text = JSON.stringify(list, null, space);
        // What UTF-8 cannot hold comes back as JSON.parse would read it.
        const bytes = Buffer.from(text);
        expect(await membersOf(bytes, cuts)).toEqual(JSON.parse(bytes.toString('utf8')));
      },
    ),
  );
});
