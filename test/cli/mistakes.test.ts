import { truncate } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { agon, oneLine, openCourt, type RunOptions } from '../support/run-agon.ts';

/** Runs a command that must fail in one line, before any model is asked. */
async function refused(
  args: readonly string[],
  options: RunOptions & { files?: Record<string, string | Uint8Array> } = {},
) {
  const { files = {}, ...rest } = options;
  const court = await openCourt();
  for (const [name, content] of Object.entries(files)) await court.file(name, content);
  const ran = await court.agon(args, rest);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toMatch(oneLine);
  expect(ran.stderr.split('\n')).toHaveLength(2);
  expect(court.panel.requests).toEqual([]);
  return { code: ran.code, line: ran.stderr };
}

describe('usage: one line, exit 2', () => {
  test.concurrent.each<[args: string[], says: RegExp]>([
    [['moderat', 'x'], /unknown command 'moderat' \(Did you mean moderate\?\)/],
    [['moderate', 'x', '--imag', 'y'], /unknown option '--imag' \(Did you mean --image\?\)/],
    [['moderate', 'x', '--\u001b[31mred\u009b0m'], /unknown option '--\\u001b\[31mred\\u009b0m'/],
    [['moderate', 'two', 'words'], /too many arguments.+quotes/],
    [['moderate', '--image'], /argument missing/],
    [['moderate', 'x', '--stdin'], /A text cannot be combined with --stdin/],
    [['moderate', 'x', '--file', 'i.jsonl'], /--file cannot be combined/],
    [['moderate', '--file', 'i.jsonl', '--report', 'a.html'], /is not a report on a file of items\. .*\.sarif/],
    [['moderate', 'x', '--out', 'o.jsonl'], /--out needs --file/],
    [['moderate', 'x', '--fail-on', 'bad'], /--fail-on bad is not .+safe, unsafe, undecided/],
    [['moderate', '--file', 'i.jsonl', '--concurrency', '0'], /a number from 1 to 9999/],
    [['moderate', '--file', 'i.jsonl', '--order', 'random'], /Allowed choices are input, as-done/],
    [['moderate', 'x', '--report', 'a.pdf'], /"a\.pdf".+\.html, \.md, \.json/],
    [['moderate', 'x', '--json', '--report', 'notice'], /both print to standard output/],
    [['moderate', 'x', '--rounds', '9'], /--rounds: must be at most 3/],
    [['moderate', 'x', '--rounds', 'two'], /--rounds: must be a (whole )?number/],
    [['moderate', 'x', '--turns', 'random'], /--turns: must be one of "together", "alternate"/],
    [['moderate', 'x', '--without', 'judge'], /--without: must be one of "retrieval"/],
    [['moderate', 'x', '--preset', 'fast'], /--preset: must be "paper"/],
    [['moderate', 'x', '--model', 'gpt-4o'], /--model: must name a model as provider:model/],
    [['moderate', 'x', '--arbiter', 'gpt-4o'], /--arbiter: must name a model/],
    [['moderate', 'x', '--seat', 'arbiter'], /--seat arbiter does not say which model/],
    [['moderate', 'x', '--seat', 'jury=a:b'], /--seat: there is no setting "jury"\. Known here: default, debaters/],
    [['moderate', 'x', '--budget-usd', '-1'], /--budget-usd: must be more than 0/],
    [['policy', 'test', '--concurrency', 'all'], /a number from 1 to 9999/],
    [['verify'], /missing required argument/],
  ])('agon %j', async (args, says) => {
    const { code, stdout, stderr } = await agon(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(says);
  });
});

describe('settings: one line that names the file, the key and the fix', () => {
  test.concurrent.each<[name: string, args: string[], options: Parameters<typeof refused>[1], says: RegExp]>([
    [
      'a configuration that is not there',
      ['--config', 'none.yaml'],
      {},
      /none\.yaml cannot be read: there is no such file\./,
    ],
    ['a broken configuration', ['--config', 'b.yaml'], { files: { 'b.yaml': 'seats: [' } }, /b\.yaml cannot be read: /],
    [
      'a wrong setting',
      ['--config', 'w.json'],
      { files: { 'w.json': '{"moderation":{"rouds":2}}' } },
      /w\.json: moderation: there is no setting "rouds"\. Known here: preset, method, /,
    ],
    [
      'two configurations',
      [],
      { files: { 'agon.config.yaml': '{}' } },
      /more than one configuration here: agon\.config\.json, agon\.config\.yaml/,
    ],
    [
      'a wrong variable',
      [],
      { environment: { AGON_MODERATION_ROUNDS: 'many' } },
      /environment: AGON_MODERATION_ROUNDS: must be/,
    ],
    ['an unknown provider', ['--model', 'nobody:gpt'], {}, /There is no provider "nobody"\. .+NOBODY_BASE_URL/],
    [
      'a budget without a price',
      ['--model', 'fake:unpriced', '--budget-usd', '1'],
      {},
      /price of fake:unpriced is not known/,
    ],
    ['a policy that is not there', ['--policy', 'none.yaml'], {}, /none\.yaml/],
    [
      'a broken policy',
      ['--policy', 'p.yaml'],
      { files: { 'p.yaml': 'name: x\nversion: "1"\ncategories: []\n' } },
      /p\.yaml.+line|line.+p\.yaml|p\.yaml:\d+/,
    ],
  ])('%s', async (_name, args, options, says) => {
    const { code, line } = await refused(['moderate', 'x', ...args], options);
    expect(code).toBe(1);
    expect(line).toMatch(says);
  });
});

test('a configuration in TypeScript is read without a word of warning, also in a package that is not of modules', async () => {
  const court = await openCourt();
  await court.file('package.json', '{ "name": "somebody" }');
  await court.file(
    'mine.ts',
    "const rounds: number = 1; export default { seats: { default: 'fake:panel' }, providers: { fake: { baseUrl: " +
      `'${court.panel.url}/v1' } }, moderation: { rounds } };`,
  );
  const { code, stderr } = await court.agon(['moderate', 'x', '-q', '--config', 'mine.ts']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(court.panel.requests).toHaveLength(4);
});

describe('bad input: one line with a hint, and nobody is asked', () => {
  test.concurrent.each<[name: string, args: string[], options: RunOptions, says: RegExp]>([
    [
      '1 MB of text',
      ['moderate', '--stdin'],
      { stdin: 'word '.repeat(200_000) },
      /1,000,000 characters; at most 200,000.+moderation\.maxCharacters.+\(text-too-long\)/,
    ],
    [
      'binary as text',
      ['moderate', '--stdin'],
      { stdin: Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 7) % 256)) },
      /\(binary-text\)/,
    ],
    ['control characters as text', ['moderate', '--stdin'], { stdin: 'a\u0000b' }, /\(binary-text\)/],
    [
      'half of a surrogate pair',
      ['moderate', '--stdin'],
      { stdin: Buffer.from([0x61, 0xed, 0xa0, 0xbd, 0x62]) },
      /\(binary-text\)/,
    ],
    ['an image that is not there', ['moderate', '--image', 'none.png'], {}, /none\.png.+\(image-not-found\)/],
    ['a folder as an image', ['moderate', '--image', '.'], {}, /\(image-is-directory\)/],
    [
      'a file of items that is not there',
      ['moderate', '--file', 'none.jsonl'],
      {},
      /none\.jsonl cannot be read: there is no such file\. .+\(unreadable-file\)/,
    ],
    ['a folder of items', ['moderate', '--file', '.'], {}, /is a folder.+\(unreadable-file\)/],
    [
      'a folder as output',
      ['moderate', '--file', 'agon.config.json', '--out', '.'],
      {},
      /cannot be written: it is a folder\. .+\(cannot-write\)/,
    ],
    ['an answer that is not there', ['verify', 'none.json'], {}, /none\.json cannot be read: there is no such file/],
    ['a policy to test that is not there', ['policy', 'test', 'none.yaml'], {}, /none\.yaml/],
    ['a clause that is not in the policy', ['policy', 'test', '--clause', 'nope'], {}, /no clause or category "nope"/],
  ])('%s', async (_name, args, options, says) => {
    const { code, line } = await refused(args, options);
    expect(code).toBe(1);
    expect(line).toMatch(says);
  });

  test.concurrent.each<[name: string, make: () => Promise<Uint8Array | string>, says: RegExp]>([
    ['a text called .png', async () => 'not an image', /wrong\.png is not an image.+Convert/],
    ['an SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg"/>', /wrong\.png is an SVG/],
    ['a corrupt image', async () => (await red(64, 64)).subarray(0, 90), /wrong\.png is corrupt or cut short/],
    ['a decompression bomb', () => red(7_200, 7_200), /wrong\.png unpacks to .+; the limit is 50 megapixels/],
  ])('%s as an image', async (_name, make, says) => {
    const { code, line } = await refused(['moderate', 'Look', '--image', 'wrong.png'], {
      files: { 'wrong.png': await make() },
    });
    expect(code).toBe(1);
    expect(line).toMatch(says);
  });

  test('a huge image', async () => {
    const court = await openCourt();
    await truncate(await court.file('huge.png', await red(8, 8)), 30_000_000);
    const { code, stderr } = await court.agon(['moderate', '--image', 'huge.png']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: huge\.png .+\(image-too-large\)\n$/);
  });
});

async function red(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'red' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer();
}
