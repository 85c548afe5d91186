import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { createAgon, type Agon } from '@agonhq/core/app';
import { defaultPolicy, loadPolicy, type Clause, type Policy } from '@agonhq/engine/policy';
import { measureClauses } from '@agonhq/models/reasoners';
import { scale } from './scale.ts';
import { table } from './table.ts';

/*
 * `npm run bench:policy`: how well the embedded reasoner judges by clauses that it was never trained for. Each clause
 * of packages/lab/bench/policy/clauses.yaml is learnt from its text and its first examples, in a policy of its own and once in one
 * together with the others, and tried on texts of other phrasings and on everyday texts that it has not seen; then
 * kinds of harm of the default policy are switched off. `--json` prints the numbers alone.
 */

const folder = path.join(import.meta.dirname, 'policy');
const heldOut = z
  .record(z.string(), z.object({ breaks: z.array(z.string()), keeps: z.array(z.string()) }))
  .parse(parse(await readFile(path.join(folder, 'held-out.yaml'), 'utf8')));
const everyday = (await readFile(path.join(folder, 'everyday.txt'), 'utf8'))
  .trim()
  .split('\n')
  .slice(0, scale(1_000, 6));
const examples = scale(4, 4);
const suite = await loadPolicy(path.join(folder, 'clauses.yaml'));
const clauses = suite.categories.flatMap((category) => category.clauses).slice(0, scale(100, 2));

interface Row {
  clause: string;
  /** Shares of the texts that break the clause, that look alike, and of the everyday texts that were flagged. */
  caught: number;
  alike: number;
  everyday: number;
  recognised: string;
  judged: boolean;
}

const rows: Row[] = [];
for (const clause of clauses) rows.push(await measure(clause));
const together = await measureTogether();
const allowed = await measureAllowed();

if (process.argv.includes('--json')) console.log(JSON.stringify({ examples, rows, together, allowed }, null, 2));
else print();

function policyOf(wanted: readonly Clause[]): Policy {
  const categories = suite.categories.flatMap((category) => {
    const kept = category.clauses
      .filter(({ id }) => wanted.some((clause) => clause.id === id))
      .map((clause) => ({
        ...clause,
        violations: clause.violations.slice(0, examples),
        exonerations: clause.exonerations.slice(0, examples),
      }));
    return kept.length > 0 ? [{ ...category, clauses: kept }] : [];
  });
  return { ...suite, categories, hash: `bench:${wanted.map(({ id }) => id).join()}` };
}

async function openUnder(policy: Policy): Promise<Agon> {
  return createAgon({ ledger: false }, { policy, only: ['moderation'], environment: { AGON_SECRET: 'bench' } });
}

/** The share of texts that are unsafe; with a clause, under that clause. */
async function shareFlagged(texts: readonly string[], agon: Agon, clause?: string): Promise<number> {
  const answers = await Promise.all(texts.map((text) => agon.moderate(text, { withoutCopies: true })));
  const flagged = answers.filter(
    ({ verdict }) =>
      verdict.label === 'unsafe' &&
      (clause === undefined || verdict.categories.some((category) => category.clause === clause)),
  );
  return flagged.length / texts.length;
}

async function measure(clause: Clause): Promise<Row> {
  const policy = policyOf([clause]);
  const agon = await openUnder(policy);
  const { breaks, keeps } = heldOut[clause.id]!;
  const [reliability] = await measureClauses(policy);
  return {
    clause: clause.id,
    caught: await shareFlagged(breaks.slice(0, scale(100, 4)), agon, clause.id),
    alike: await shareFlagged(keeps.slice(0, scale(100, 4)), agon),
    everyday: await shareFlagged(everyday, agon),
    recognised: `${reliability!.recognised} of ${reliability!.of}`,
    judged: reliability!.judged,
  };
}

/** All clauses in one policy: how many are caught, under the right clause, and false alarms of all together. */
async function measureTogether() {
  const agon = await openUnder(policyOf(clauses));
  const caught = [];
  for (const { id } of clauses) caught.push(await shareFlagged(heldOut[id]!.breaks.slice(0, scale(100, 4)), agon, id));
  return {
    caught: caught.reduce((sum, share) => sum + share, 0) / caught.length,
    everyday: await shareFlagged(everyday, agon),
  };
}

interface SwitchedOff {
  category: string;
  /** The share that is flagged under the default policy, with its category switched off, and with each other one. */
  before: number;
  off: number;
  others: number;
  /** And under a policy that has only a clause about something else. */
  elsewhere: number;
}

/** Switches each category of the default policy off in turn. */
async function measureAllowed(): Promise<SwitchedOff[]> {
  const harms = z
    .record(z.string(), z.array(z.string()))
    .parse(parse(await readFile(path.join(folder, 'harms.yaml'), 'utf8')));
  const categories = Object.keys(harms).slice(0, scale(100, 2));
  const defaults = await defaultPolicy();
  const allowing = (category: string): Policy => ({
    ...defaults,
    hash: `bench:without-${category}`,
    categories: defaults.categories.map((one) =>
      one.id === category
        ? { ...one, clauses: one.clauses.map((clause) => ({ ...clause, action: 'allow' as const })) }
        : one,
    ),
  });
  const shipped = await openUnder(defaults);
  const custom = await openUnder(policyOf([clauses[0]!]));
  const without = new Map<string, Agon>();
  for (const category of categories) without.set(category, await openUnder(allowing(category)));
  const rows: SwitchedOff[] = [];
  for (const category of categories) {
    const texts = harms[category]!;
    const others = [];
    for (const other of categories) if (other !== category) others.push(await shareFlagged(texts, without.get(other)!));
    rows.push({
      category,
      before: await shareFlagged(texts, shipped),
      off: await shareFlagged(texts, without.get(category)!),
      others: others.reduce((sum, share) => sum + share, 0) / others.length,
      elsewhere: await shareFlagged(texts, custom),
    });
  }
  return rows;
}

function print(): void {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const mean = (pick: (row: Row) => number) => rows.reduce((sum, row) => sum + pick(row), 0) / rows.length;
  console.log(
    table(
      ['clause', 'caught', 'alike, flagged', 'everyday, flagged', 'recognised unseen', 'judged'],
      [
        ...rows.map((row) => [
          row.clause,
          percent(row.caught),
          percent(row.alike),
          percent(row.everyday),
          row.recognised,
          row.judged ? 'yes' : 'no',
        ]),
        [
          'mean',
          percent(mean((row) => row.caught)),
          percent(mean((row) => row.alike)),
          percent(mean((row) => row.everyday)),
          '',
          '',
        ],
        ['all in one policy', percent(together.caught), '', percent(together.everyday), '', ''],
      ],
    ),
  );
  console.log();
  console.log(
    table(
      ['category', 'flagged', 'when switched off', 'when another is', 'under a policy about something else'],
      allowed.map((row) => [
        row.category,
        percent(row.before),
        percent(row.off),
        percent(row.others),
        percent(row.elsewhere),
      ]),
    ),
  );
}
