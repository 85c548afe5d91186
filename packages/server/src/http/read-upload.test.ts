import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import { cleanUploadName, createUniqueNames, createUploadSpace, sweepUploads } from './upload-storage.ts';
import { readUpload, type UploadOptions } from './read-upload.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-upload-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const upload = { name: 'file', least: 1, most: 3, description: '' };

function read(body: RequestInit['body'], options: Partial<UploadOptions> = {}, headers: Record<string, string> = {}) {
  const request = new Request('http://127.0.0.1/', { method: 'POST', body, headers, duplex: 'half' });
  return readUpload(request, {
    upload,
    mostBytes: 2 ** 20,
    folder,
    uploadSpace: createUploadSpace(2 ** 30),
    signal: new AbortController().signal,
    ...options,
  });
}

function form(parts: readonly (readonly [name: string, value: string | File])[]): FormData {
  const made = new FormData();
  for (const [name, value] of parts) made.append(name, value);
  return made;
}

type Body = NonNullable<RequestInit['body']>;

/** A form as a hostile client writes it. */
function raw(
  parts: readonly { disposition: string; content?: string }[],
  end = '--x--\r\n',
): [Body, Record<string, string>] {
  const body = parts
    .map(({ disposition, content = 'content' }) => `--x\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`)
    .join('');
  return [Buffer.from(body + end), { 'content-type': 'multipart/form-data; boundary=x' }];
}

async function nothingIsLeft(): Promise<void> {
  expect(await readdir(path.join(folder, 'uploads')).catch(() => [])).toEqual([]);
}

describe('an upload', () => {
  test('puts files on disk under names of its own, hashed, and fields beside them', async () => {
    const large = 'a line of text\n'.repeat(20_000);
    const { fields, files, dispose } = await read(
      form([
        ['job', 'moderation'],
        ['file', new File([large], 'items.jsonl')],
        ['file', new File(['b'], 'b.png')],
      ]),
    );
    expect(fields).toEqual({ job: 'moderation' });
    expect(files.map(({ name, bytes, hash }) => ({ name, bytes, hash }))).toEqual([
      { name: 'items.jsonl', bytes: large.length, hash: sha256(large) },
      { name: 'b.png', bytes: 1, hash: sha256('b') },
    ]);
    expect(files.map((file) => path.basename(file.path))).toEqual(['file-1', 'file-2']);
    expect(await readFile(files[0]!.path, 'utf8')).toBe(large);
    expect((await stat(path.dirname(files[0]!.path))).mode & 0o777).toBe(0o700);
    expect((await stat(files[0]!.path)).mode & 0o777).toBe(0o600);
    await dispose();
    await nothingIsLeft();
  });

  test('hands on a field that came twice as a list, whatever its name', async () => {
    const { fields, dispose } = await read(
      form([
        ['factors', 'a'],
        ['factors', 'b'],
        ['factors', 'c'],
        ['__proto__', 'd'],
        ['file', new File(['x'], 'x')],
      ]),
    );
    expect(Object.entries(fields)).toEqual([
      ['factors', ['a', 'b', 'c']],
      ['__proto__', 'd'],
    ]);
    await dispose();
  });

  test('of an empty file is a file', async () => {
    const { files, dispose } = await read(form([['file', new File([], 'empty.txt')]]));
    expect(files).toMatchObject([{ name: 'empty.txt', bytes: 0, hash: sha256('') }]);
    await dispose();
  });

  const file = { disposition: 'form-data; name="file"; filename="a.txt"' };
  test.each<[string, [Body, Record<string, string>], string]>([
    ['without a file', raw([{ disposition: 'form-data; name="job"' }]), 'has no file'],
    ['whose file has no file name', raw([{ disposition: 'form-data; name="file"' }]), 'has no file'],
    [
      'with a file of another part',
      raw([{ disposition: 'form-data; name="other"; filename="a.txt"' }, file]),
      '"other"',
    ],
    ['with too many files', raw([file, file, file, file]), 'more than 3 files'],
    [
      'with too many fields',
      raw([...Array.from({ length: 51 }, (_, number) => ({ disposition: `form-data; name="f${number}"` })), file]),
      'more than 50 fields',
    ],
    ['with a field of no name', raw([{ disposition: 'form-data; name=""' }, file]), 'no name'],
    [
      'with a very long field name',
      raw([{ disposition: `form-data; name="${'n'.repeat(101)}"` }, file]),
      'no name, or a very long one',
    ],
    [
      'with a very large field',
      raw([{ disposition: 'form-data; name="job"', content: 'x'.repeat(2 ** 20 + 1) }, file]),
      '"job" is larger',
    ],
    ['whose boundary never comes', raw([file], ''), 'not complete multipart'],
    [
      'that ends within a file',
      [
        Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of'),
        { 'content-type': 'multipart/form-data; boundary=x' },
      ],
      'not complete multipart',
    ],
    [
      'that ends within the headers of a part',
      [
        Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; file'),
        { 'content-type': 'multipart/form-data; boundary=x' },
      ],
      'not complete multipart',
    ],
    [
      'of another boundary than it says',
      [raw([file])[0], { 'content-type': 'multipart/form-data; boundary=y' }],
      'not complete multipart',
    ],
    ['of no boundary', [raw([file])[0], { 'content-type': 'multipart/form-data' }], 'no boundary'],
    ['of nothing', [Buffer.alloc(0), { 'content-type': 'multipart/form-data; boundary=x' }], 'not complete multipart'],
    [
      'of noise',
      [Buffer.alloc(200_000, 'noise '), { 'content-type': 'multipart/form-data; boundary=x' }],
      'not complete multipart',
    ],
  ])('%s is refused, and leaves nothing behind', async (_, [body, headers], words) => {
    await expect(read(body, { mostBytes: 2 ** 22 }, headers)).rejects.toMatchObject({
      code: 'bad-upload',
      message: expect.stringContaining(words),
    });
    await nothingIsLeft();
  });

  test('that is too large is not read to its end', async () => {
    let asked = 0;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')),
      pull(controller) {
        asked += 1;
        controller.enqueue(Buffer.alloc(10_000, 'x'));
      },
    });
    await expect(
      read(endless, { mostBytes: 100_000 }, { 'content-type': 'multipart/form-data; boundary=x' }),
    ).rejects.toMatchObject({ code: 'upload-too-large' });
    expect(asked).toBeLessThan(15);
    await nothingIsLeft();
  });

  test('that breaks off leaves nothing behind, nor does one whose client has gone', async () => {
    const started = () =>
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(100_000)}`);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(started()),
      async pull() {
        throw new Error('connection reset');
      },
    });
    await expect(read(broken, {}, headers)).rejects.toMatchObject({ code: 'bad-upload' });
    await nothingIsLeft();
    const client = new AbortController();
    const silent = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(started());
        client.signal.addEventListener('abort', () => controller.error(new Error('gone')));
      },
    });
    const reading = read(silent, { signal: client.signal }, headers);
    setTimeout(() => client.abort(), 50);
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    await nothingIsLeft();
  });
});

describe('the name of an uploaded file', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\me\\x.png', 'x.png'],
    ['..\\..\\x', 'x'],
    ['a\u0000b.txt', 'ab.txt'],
    ['a\r\nb\u001b[31m.txt', 'ab[31m.txt'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['.env', 'env'],
    ['...', 'file-1'],
    ['..', 'file-1'],
    ['folder/', 'file-1'],
    ['', 'file-1'],
    ['  ', 'file-1'],
    ['Zu\u0308rich.csv', 'Zürich.csv'],
    ['文件.jsonl', '文件.jsonl'],
    ['a\uD800.txt', 'a\uFFFD.txt'],
  ])('%j is %j', (given, name) => {
    expect(cleanUploadName(given, 'file-1')).toBe(name);
  });

  test('is as long as any disk takes, and keeps its end', () => {
    for (const letter of ['a', 'ü', '文', '😀']) {
      const name = cleanUploadName(`${letter.repeat(1_000)}.jsonl`, 'file-1');
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      expect(name).toMatch(/\.jsonl$/);
      expect(name.isWellFormed()).toBe(true);
    }
  });

  test('comes once', () => {
    const unique = createUniqueNames();
    expect(['cat.png', 'cat.png', 'CAT.png', 'cat-2.png', 'notes', 'notes'].map(unique)).toEqual([
      'cat.png',
      'cat-2.png',
      'CAT-3.png',
      'cat-2-2.png',
      'notes',
      'notes-2',
    ]);
  });

  test.each<[string, (index: number) => string]>([
    ['all the same', () => 'cat.png'],
    ['each twice, and the same where they are cut to be numbered', (index) => `${'a'.repeat(185)}${index >> 1}.png`],
  ])('comes once in no time, of very many: %s', (_, name) => {
    const unique = createUniqueNames();
    const began = process.cpuUsage();
    expect(new Set(Array.from({ length: 2_000 }, (__, index) => unique(name(index)))).size).toBe(2_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
  });

  test.each<[string, string, string]>([
    ['as FormData writes it', 'Zürich 1.txt', 'Zürich 1.txt'],
    ['with a path', '../../secret.txt', 'secret.txt'],
  ])('%s arrives', async (_, given, name) => {
    const { files, dispose } = await read(form([['file', new File(['x'], given)]]));
    expect(files[0]!.name).toBe(name);
    await dispose();
  });

  test('as a hostile client writes it leads nowhere', async () => {
    const { files, dispose } = await read(
      ...withHeaders(
        raw(
          ['filename="../../../x"', 'filename="C:\\\\x"', `filename*=UTF-8''..%2F..%2Fnul%00l.txt`].map((name) => ({
            disposition: `form-data; name="file"; ${name}`,
          })),
        ),
      ),
    );
    for (const { name, path: place } of files) {
      expect(name).not.toMatch(/[/\\\0]|^\./);
      expect(path.dirname(path.dirname(place))).toBe(path.join(folder, 'uploads'));
    }
    expect(files).toHaveLength(3);
    await dispose();
  });
});

function withHeaders([body, headers]: [Body, Record<string, string>]): Parameters<typeof read> {
  return [body, {}, headers];
}

test('what a killed server left is swept away, what another is reading is not', async () => {
  const uploads = path.join(folder, 'uploads');
  const ended = 2 ** 22 - 1;
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [`${ended}-aaaaaa`, `${process.pid}-bbbbbb`, `${process.ppid}-cccccc`, 'strange'])
    await mkdir(path.join(uploads, name), { recursive: true });
  await utimes(path.join(uploads, `${process.pid}-bbbbbb`), old, old);
  expect(await sweepUploads(folder)).toBe(3);
  expect(await readdir(uploads)).toEqual([`${process.ppid}-cccccc`]);
  expect(await sweepUploads(path.join(folder, 'nowhere'))).toBe(0);
});

test('all uploads together have room for so much, and what was answered makes room', async () => {
  const uploadSpace = createUploadSpace(600_000);
  const large = () => form([['file', new File([Buffer.alloc(400_000)], 'a.bin')]]);
  const first = await read(large(), { uploadSpace });
  await expect(read(large(), { uploadSpace })).rejects.toMatchObject({ code: 'too-many-uploads' });
  await first.dispose();
  await (await read(large(), { uploadSpace })).dispose();
});
