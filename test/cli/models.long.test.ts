import { expect, test } from 'vitest';
import { installAgon } from '../support/other-installation.ts';
import { openCourt } from '../support/run-agon.ts';

interface Listed {
  whole: boolean;
  models: { id: string; isPart: boolean; bytes: number; state: string; files: { path: string; state: string }[] }[];
}

test('the models are listed with what they are for, size and licence', async () => {
  const court = await openCourt();
  const { code, stdout, stderr } = await court.agon(['models']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/✓ guard-2 .+ English, by two minds · \d+ MB in 4 files · MIT/);
  expect(stdout).toMatch(/✓ languages-2 .+ German, Spanish, .+ Turkish and Chinese · \d+ MB/);
  expect(stdout).toMatch(/✓ images-1\/text .+ 9 files · Apache-2.0/);
});

test('all models of text take at most 120 MB', async () => {
  const court = await openCourt();
  const { models } = JSON.parse((await court.agon(['models', '--json'])).stdout) as Listed;
  const text = models.filter(({ id }) => /^(?:guard|languages)-/.test(id));
  expect(text).toHaveLength(2);
  expect(text.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(120e6);
});

test(
  'a file that is not the one that was shipped is named, and the exit code says so',
  { timeout: 60_000 },
  async () => {
    const altered = installAgon({ hash: `sha256:${'5'.repeat(64)}` });
    const { code, stdout } = await altered.agon(['models', '--json'], {});
    const { whole, models } = JSON.parse(stdout) as Listed;
    expect([code, whole]).toEqual([1, false]);
    expect(models.filter(({ state }) => state !== 'there' && state !== 'not-added')).toMatchObject([
      { id: 'guard-2', state: 'altered' },
    ]);
  },
);
