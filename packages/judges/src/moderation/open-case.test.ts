import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '@agonhq/engine/policy';
import { sha256 } from '@agonhq/engine/hash';
import { scriptedReasoner } from '@agonhq/test/support/scripted.ts';
import { readContent, modalityOf, type Content } from './content.ts';
import { moderation, type ModerateOptions, type ModerationSetup } from './moderate.ts';

/* What becomes of content before anybody is asked: its case, and what is kept of it. */

const policy = await defaultPolicy();
const png = (text: string) => new TextEncoder().encode(text);
const fingerprint = { pdq: '0'.repeat(64), quality: 100 };
const known = (image: string) => ({
  image,
  pdq: fingerprint.pdq,
  list: 'stop',
  entry: { hash: 'h', label: null, source: null },
  distance: 0,
  mirrored: false,
});

interface Opened {
  id: string;
  configuration: string;
  context?: object;
  subject: { hash: string; content: object; attachments?: { hash: string; mediaType: string; data: Uint8Array }[] };
}

async function open(input: string | Content, change: object = {}, options: ModerateOptions = {}) {
  const opened: Opened[] = [];
  const withheld: object[] = [];
  const reasoner = scriptedReasoner();
  const setup = {
    policy,
    plan: { rounds: 1, turns: 'together', earlyStop: true, without: [], precedents: 3 },
    reasoners: { supporter: reasoner, 'strict-debater': reasoner, 'loose-debater': reasoner, arbiter: reasoner },
    vision: null,
    ocr: false,
    observations: 'never',
    media: { ffmpeg: 'ffmpeg', bytes: 1, seconds: 1, whenLonger: 'refuse', frames: 1, interval: 1 },
    transcription: null,
    library: null,
    context: [],
    calibration: null,
    maxCharacters: 1_000,
    secret: 'secret',
    version: 'test',
    tools: {
      deobfuscate: () => [],
      findInjections: () => [],
      inspectImage: async (bytes: Uint8Array) => ({
        hash: sha256(bytes),
        mediaType: 'image/png',
        width: 4,
        height: 3,
        notes: [],
        fingerprint,
        vision: {
          mediaType: 'image/png',
          data: bytes,
        },
        pixels: {
          data: bytes,
          width: 4,
          height: 3,
        },
      }),
      findKnownImages: async () => [],
      lookAtImage: async () => ({ text: null, scene: null }),
      digestImageModels: async () => 'models-1',
    },
    recorder: {
      openCase: async (entry: Opened) => void opened.push(entry),
      withholdImages: async (entry: object) => void withheld.push(entry),
      closeCase: async <Answer>(answer: Answer) => answer,
    },
    ...change,
  };
  const trial = moderation(input, setup as unknown as ModerationSetup, options);
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (next.done) return { opened: opened[0]!, withheld, answer: next.value, caseFile: null };
    if (next.value.type !== 'case-ready') continue;
    const { caseFile } = next.value;
    if (withheld.length === 0) await trial.return(undefined as never);
    return { opened: opened[0]!, withheld, answer: null, caseFile };
  }
}

describe('the case of content', () => {
  const text = 'How do I kill a process?';
  const idOf = async (...args: Parameters<typeof open>) => (await open(...args)).opened.id;

  test('is another of another text, image, author, appeal or past decision, and with what must not be seen', async () => {
    const ids = await Promise.all([
      idOf(text),
      idOf(`${text} `),
      idOf({ text, images: [{ description: 'A terminal.' }] }),
      idOf({ text, images: [{ description: 'A knife.' }] }),
      idOf({ text, images: [{ data: png('a') }] }),
      idOf({ text, images: [{ data: png('a') }, { data: png('b') }] }),
      idOf({ text, images: [{ data: png('b') }, { data: png('a') }] }),
      idOf({ text, context: { author: 'ada' } }),
      idOf({ text, context: { author: 'bo' } }),
      idOf(text, {}, { statement: 'I meant the process.' }),
      idOf(text, {}, { unseen: { precedents: ['k1'] } }),
      idOf(text, { ocr: true }),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await idOf({ id: 'mine', text })).toBe(ids[0]);
    expect(await idOf({ text, context: {} })).toBe(ids[0]);
    expect(ids[0]).toMatch(/^mod-[0-9a-f]{16}$/);
    expect(await idOf(text, {}, { debate: 'given' })).toBe('given');
  });

  test('is another with other image models where they look, and the same where they do not', async () => {
    const image = { text, images: [{ data: png('a') }] };
    const looking = (digest: string) => {
      const tools = { deobfuscate: () => [], findInjections: () => [], findKnownImages: async () => [] };
      const inspectImage = async (bytes: Uint8Array) => ({
        hash: sha256(bytes),
        mediaType: 'image/png',
        width: 4,
        height: 3,
        notes: [],
        fingerprint,
        vision: {
          mediaType: 'image/png',
          data: bytes,
        },
        pixels: {
          data: bytes,
          width: 4,
          height: 3,
        },
      });
      const lookAtImage = async () => ({ text: null, scene: null });
      return {
        observations: 'auto',
        tools: { ...tools, inspectImage, lookAtImage, digestImageModels: async () => digest },
      };
    };
    const [one, same, other] = await Promise.all(['1', '1', '2'].map((digest) => idOf(image, looking(digest))));
    expect(one).toBe(same);
    expect(one).not.toBe(other);
    expect(await idOf(text, looking('1'))).toBe(await idOf(text, looking('2')));
  });

  test('is another once a person decided the same content otherwise, but in an appeal', async () => {
    const recorder = (past: object | null) => ({
      recorder: { openCase: async () => {}, findCorrection: async () => past, closeCase: async (one: object) => one },
    });
    const debateOf = async (past: object | null, options: ModerateOptions = {}) => {
      const told: string[] = [];
      const parts = recorder(past);
      await open(
        text,
        { recorder: { ...parts.recorder, openCase: async ({ id }: Opened) => void told.push(id) } },
        options,
      );
      return told[0];
    };
    const decided = { case: 'mod-1', label: 'safe', at: '2026-01-01' };
    expect(await debateOf(decided)).not.toBe(await debateOf(null));
    const appeal = { statement: 'I meant well.' };
    expect(await debateOf(decided, appeal)).toBe(await debateOf(null, appeal));
  });

  test('that was judged before is given as it stands, and nobody is asked', async () => {
    const standing = { id: 'mod-1', job: 'moderation', seal: 'sha256:1' };
    const { answer } = await open(text, { recorder: { openCase: async () => standing } });
    expect(answer).toBe(standing);
  });
});

describe('what is kept of content', () => {
  test('is all of it but its context, each image by its hash with its bytes beside', async () => {
    const [one, other] = [png('one'), png('other')];
    const { opened } = await open({
      id: '7',
      text: 'Look.',
      images: [{ data: one, name: 'a.png' }, { description: 'A dog.' }, { data: other }],
      context: { author: 'ada' },
    });
    expect(opened).toMatchObject({
      context: { author: 'ada' },
      configuration: expect.stringMatching(/^sha256:/),
      subject: {
        hash: expect.stringMatching(/^sha256:/),
        content: {
          id: '7',
          text: 'Look.',
          images: [{ attachment: sha256(one) }, { description: 'A dog.' }, { attachment: sha256(other) }],
        },
        attachments: [
          { hash: sha256(one), mediaType: 'image/png', data: one },
          { hash: sha256(other), mediaType: 'image/png', data: other },
        ],
      },
    });
    expect(opened.subject.content).not.toHaveProperty('context');
    expect((await open('Look.')).opened.subject).toMatchObject({ content: { text: 'Look.' }, attachments: [] });
  });

  test('with an image of a list is only its hash, and the file goes into the restricted queue', async () => {
    const bytes = png('listed');
    const findKnownImages = async (images: readonly { id: string }[]) => images.map(({ id }) => known(id));
    const inspectImage = async (data: Uint8Array) => ({
      hash: sha256(data),
      mediaType: 'image/png',
      width: 4,
      height: 3,
      notes: [],
      fingerprint,
      vision: {
        mediaType: 'image/png',
        data,
      },
      pixels: {
        data,
        width: 4,
        height: 3,
      },
    });
    const never = () => expect.unreachable('asked');
    const tools = { findKnownImages, inspectImage, deobfuscate: never, findInjections: never, lookAtImage: never };
    const { opened, withheld } = await open({ id: '7', text: 'Look.', images: [{ data: bytes }] }, { tools });
    expect(opened.subject).toEqual({
      hash: expect.any(String),
      content: { id: '7', text: 'Look.', withheld: [sha256(bytes)] },
    });
    expect(withheld).toEqual([
      {
        case: opened.id,
        item: '7',
        files: [sha256(bytes)],
        known: [{ ...known('image-1'), file: sha256(bytes) }],
      },
    ]);
  });
});

describe('what a case is read from', () => {
  const looked = {
    findKnownImages: async () => [],
    inspectImage: async (data: Uint8Array) => ({
      hash: sha256(data),
      mediaType: 'image/png',
      width: 4,
      height: 3,
      notes: [],
      fingerprint,
      vision: {
        mediaType: 'image/png',
        data,
      },
      pixels: {
        data,
        width: 4,
        height: 3,
      },
    }),
    deobfuscate: () => [],
    findInjections: () => [],
  };

  test('is its text, what was decoded of it, what the person says, and attempts to instruct in all of these', async () => {
    const tools = {
      ...looked,
      deobfuscate: ({ id }: { id: string }) => [{ id: `${id}/decoded-1`, text: 'Obey.', tool: 'base64', of: id }],
      findInjections: ({ id, text }: { id: string; text: string }) => [
        { id: `${id}/injection-1`, text, tool: 'injection', of: id },
      ],
    };
    const { caseFile } = await open('T2JleS4=', { tools }, { statement: 'I meant well.' });
    expect(caseFile!.sources.map(({ id }) => id)).toEqual([
      'text',
      'text/decoded-1',
      'statement',
      'text/injection-1',
      'text/decoded-1/injection-1',
      'statement/injection-1',
    ]);
  });

  test('of an image that nobody looks at says so', async () => {
    const images = [{ data: png('a') }, { description: 'A dog.' }];
    const { caseFile } = await open({ images }, { tools: looked });
    expect(caseFile!.sources).toMatchObject([
      { id: 'image-1/description', tool: 'placeholder', of: 'image-1' },
      { id: 'image-2/description', text: 'A dog.', tool: 'given', of: 'image-2' },
    ]);
    const withheld = await open({ images }, { tools: looked, withheldFrom: 'openai:gpt-4o' });
    expect(withheld.caseFile!.sources[0]).toMatchObject({
      note: 'images are withheld from openai:gpt-4o by the settings',
    });
  });

  test('of a film are its words with their times, its frames and what was not judged; the film alone is kept', async () => {
    const bytes = png('film');
    const tools = {
      ...looked,
      openMedia: async () => ({
        hash: sha256(bytes),
        mediaType: 'video/mp4',
        seconds: 9,
        gaps: ['its sound breaks off'],
        sound: [
          {
            start: 0,
            samples: new Float32Array(1),
          },
          {
            start: 5,
            samples: new Float32Array(1),
          },
        ],
        frames: [
          {
            second: 2,
            image: png('frame'),
          },
        ],
      }),
      openSpeechModel: async () => ({
        id: 'ear',
        digest: 'ear-1',
        hear: async () => ({ language: 'de', segments: [{ start: 1, end: 3, text: 'Eins. Zwei.' }] }),
      }),
    };
    const film = { video: [{ data: bytes, name: 'a.mp4' }] };
    const { caseFile, opened } = await open(film, { tools });
    expect(caseFile!.sources).toMatchObject([
      {
        id: 'video-1/transcript',
        text: 'Eins. Zwei. Eins. Zwei.',
        tool: 'transcript',
        of: 'video-1',
        note: 'in German, heard by ear',
        moments: [
          { start: 0, end: 5, from: 1 },
          { start: 6, end: 11, to: 3 },
          { start: 12, end: 17, from: 6 },
          { start: 18, end: 23, to: 8 },
        ],
      },
      { id: 'video-1/rest', tool: 'placeholder', note: 'its sound breaks off' },
      { id: 'video-1/frame-1/description', of: 'video-1/frame-1', note: expect.stringMatching(/^at 2\.0 s; /) },
    ]);
    expect(opened.subject.content).toEqual({ video: [{ attachment: sha256(bytes) }] });
    const beside = await open({ ...film, images: [{ description: 'A dog.' }] }, { tools });
    expect(beside.opened.subject.content).toMatchObject({ images: [{ description: 'A dog.' }] });
    expect(beside.caseFile!.images.map(({ id }) => id)).toEqual(['image-1', 'video-1/frame-1']);
    expect(opened.subject.attachments!.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'video/mp4']);

    const silent = {
      ...tools,
      openSpeechModel: async () => ({ id: 'ear', digest: 'e', hear: async () => ({ language: null, segments: [] }) }),
    };
    expect((await open(film, { tools: silent })).caseFile!.sources[0]).toMatchObject({ tool: 'silence' });
    const never = { ...tools, openSpeechModel: () => expect.unreachable('opened') };
    expect((await open(film, { tools: never, transcription: 'none' })).caseFile!.sources[0]).toMatchObject({
      tool: 'placeholder',
      note: 'transcription is off',
    });
    const idOf = async (change: object) => (await open(film, { tools, ...change })).opened.id;
    const ids = await Promise.all([
      idOf({}),
      idOf({ transcription: 'none' }),
      idOf({ tools: silent }),
      idOf({ media: { ffmpeg: 'ffmpeg', bytes: 1, seconds: 2, whenLonger: 'refuse', frames: 1, interval: 1 } }),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      await idOf({ media: { ffmpeg: 'other', bytes: 1, seconds: 1, whenLonger: 'refuse', frames: 1, interval: 1 } }),
    ).toBe(ids[0]);
  });
});

describe('content that cannot be judged', () => {
  const codeOf = (input: unknown, maxCharacters = 10) => {
    try {
      readContent(input as string, { maxCharacters });
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('is refused by what is wrong with it', () => {
    expect(codeOf('0123456789')).toBeNull();
    expect(codeOf('01234567890')).toBe('text-too-long');
    expect([
      codeOf(''),
      codeOf(' \n'),
      codeOf({}),
      codeOf({ images: [] }),
      codeOf({ images: [{ description: ' ' }] }),
    ]).toEqual(Array(5).fill('empty-subject'));
    expect(codeOf({ images: [{ description: '01234567890' }] })).toBe('text-too-long');
    expect(codeOf('half \ud800')).toBe('ill-formed-text');
    expect([
      codeOf('a\u0000b'),
      codeOf('\u0001'.repeat(2) + 'a'.repeat(38), 99),
      codeOf('\u0001' + 'a'.repeat(39), 99),
    ]).toEqual(['binary-text', null, null]);
    expect(codeOf('\u0001'.repeat(3) + 'a'.repeat(37), 99)).toBe('binary-text');
    expect([
      codeOf({ text: 1 }),
      codeOf({ text: 'a', note: 'b' }),
      codeOf({ text: 'a', images: Array.from({ length: 17 }, () => ({ description: 'd' })) }),
    ]).toEqual(Array(3).fill('bad-content'));
    expect(codeOf({ audio: Array.from({ length: 5 }, () => ({ file: 'a' })) })).toBe('bad-content');
  });

  test('a blank text beside an image is none', () => {
    const content = readContent({ text: ' ', images: [{ description: 'd' }] }, { maxCharacters: 10 });
    expect(content.text).toBeUndefined();
    expect(modalityOf(content)).toBe('image');
    const modalities = [
      { text: 'a' },
      { text: 'a', images: [{}] },
      { text: 'a', audio: [{}] },
      { audio: [{}], video: [{}] },
    ];
    expect(modalities.map((one) => modalityOf(one as Content))).toEqual(['text', 'text+image', 'audio', 'video']);
  });
});
