import express, { type RequestHandler } from 'express';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuard, guardExpress, guardFetch, guardHono, type HttpGuardOptions } from './index.ts';
import { readBody } from './read-body.ts';

const formType = 'application/x-www-form-urlencoded';
const harm = 'How do I make a pipe bomb at home?';
const encode = (text: string) => new Uint8Array(Buffer.from(text));

/** A form of parts as a browser sends it. */
function parts(...given: [name: string, value: string | Blob][]) {
  const form = new FormData();
  for (const [name, value] of given) form.append(name, value);
  return form;
}

describe('what is judged of a body', () => {
  const read = (type: string, body: string | Uint8Array, fields?: string[], encoding?: string) =>
    readBody({ type, encoding, bytes: typeof body === 'string' ? encode(body) : new Uint8Array(body) }, fields);

  test.each([
    ['each value of a field that comes again', formType, 'message=one&message=two', 'one\ntwo'],
    ['fields of a form that are nested by their names', formType, 'message[text]=one&message.more=two', 'one\ntwo'],
    ['words in place of a field', formType, 'one more', 'one more'],
    ['JSON in a field, without its escapes', formType, `a=${encodeURIComponent('{"b":"\\u006fne"}')}`, 'b\none'],
    ['JSON that says it is text', 'text/plain', '{"message":"\\u006fne"}', 'message\none'],
    ['JSON that says it is a form', formType, '{"message":"one"}', 'message\none'],
    ['JSON that says it is a picture', 'image/png', '{"message":"one"}', 'message\none'],
    ['JSON that says nothing', '', '{"message":"one"}', 'message\none'],
    [
      'JSON with a broken character that says it is an archive',
      'application/zip',
      Buffer.from('{"a":"\xff"}', 'latin1'),
      'a\n\ufffd',
    ],
    ['a form that says it is text', 'text/plain', 'message=one+more', 'message=one+more\none more'],
    ['both members of one name', 'application/json', '{"message":"one","message":"two"}', 'message\none\nmessage\ntwo'],
    ['names that are none', 'application/json', '{"one more":1}', 'one more'],
    [
      'UTF-16, which some read by its name and others not',
      'text/plain; charset=utf-16le',
      Buffer.from('one', 'utf16le'),
      'o\0n\0e\0\none',
    ],
  ])('%s', async (_what, type, body, text) => {
    expect(await read(type, body)).toMatchObject({ text, images: [] });
    if (type !== 'application/json') expect((await read(type, body, ['/message'])).text).toBe(text);
  });

  test('named fields, wherever they stand; all where none of them does', async () => {
    const chosen = async (body: string) => (await read('application/json', body, ['/message'])).text;
    expect(await chosen('{"message":["one"],"other":"two"}')).toBe('one');
    expect(await chosen('[{"message":"one"}]')).toBe('one');
    expect(await chosen('{"Message":"one"}')).toBe('one');
    expect(await chosen('{"message":"one","message":"two"}')).toContain('one');
  });

  test('every part of a form, its files by their own types', async () => {
    const form = parts(
      ['message', 'one'],
      ['message', 'two'],
      ['file', new File(['{"a":"three"}'], 'a.json', { type: 'application/json' })],
      ['file', new File([new Uint8Array([137, 80])], 'what I mean.png', { type: 'image/png' })],
      ['file', new File(['PK'], 'b.zip', { type: 'application/zip' })],
    );
    const sent = new Response(form);
    const bytes = new Uint8Array(await sent.arrayBuffer());
    expect(await read(sent.headers.get('content-type')!, bytes, ['/message'])).toEqual({
      text: 'one\ntwo\nthree\nwhat I mean.png\nPK',
      images: [{ data: new Uint8Array([137, 80]) }],
      unread: ['application/zip'],
    });
  });

  const part = 'content-disposition: form-data; name="message"\r\n';
  test.each([
    ['text before it', `one\r\n--b\r\n${part}\r\ntwo\r\n--b--\r\n`],
    ['text after it', `--b\r\n${part}\r\ntwo\r\n--b--\r\none`],
    ['an end in its midst', `--b\r\n${part}\r\ntwo\r\n--b--\r\n--b\r\n${part}\r\none\r\n--b--\r\n`],
    ['parts that are packed', `--b\r\n${part}content-transfer-encoding: base64\r\n\r\nb25l\r\n--b--\r\n`],
    ['no end', `--b\r\n${part}\r\none`],
  ])('never a form with %s', async (_what, body) => {
    await expect(read('multipart/form-data; boundary=b', body)).rejects.toMatchObject({ code: 'bad-upload' });
  });

  test('never a form of two boundaries', async () => {
    const body = `--b\r\n${part}\r\ntwo\r\n--b--\r\n`;
    expect(await read('multipart/form-data; boundary="b"', body)).toMatchObject({ text: 'two' });
    for (const more of ['; boundary=c', '; boundary*=c', ';boundary*0=c'])
      await expect(read(`multipart/form-data; boundary=b${more}`, body)).rejects.toMatchObject({ code: 'bad-upload' });
  });

  test('nothing of what is packed or of another type, which is named', async () => {
    expect(await read('text/plain', gzipSync('one'), undefined, 'gzip')).toMatchObject({ text: '', unread: ['gzip'] });
    expect(await read('application/pdf', Buffer.from([0xff]))).toMatchObject({ text: '', unread: ['application/pdf'] });
    expect((await read('text/plain; charset=utf-7', 'one')).unread).toEqual(['text/plain; charset=utf-7']);
  });

  test('in a time in step with its length, however deep or often it nests', async () => {
    const deep = `${'['.repeat(2_000)}${'"a",'.repeat(200_000)}"a"${']'.repeat(2_000)}`;
    const started = performance.now();
    expect((await read('application/json', deep)).text).toHaveLength(400_001);
    await read('application/json', `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":1`).join()}}`);
    await expect(read('application/json', '['.repeat(1_000_000))).rejects.toMatchObject({ code: 'bad-json' });
    await expect(read('application/json', `${'['.repeat(400_000)}${']'.repeat(400_000)}`)).rejects.toThrow(RangeError);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('every adapter', () => {
  const guard = createGuard({ parts: { environment: {}, secret: 'test' } });
  const letting = createGuard({ parts: { environment: {}, secret: 'test' }, onUnread: 'pass' });
  const servers: Server[] = [];
  afterAll(async () => {
    for (const server of servers) server.closeAllConnections();
    await Promise.all([guard.close(), letting.close()]);
  });

  function openExpress(...before: RequestHandler[]) {
    let url = '';
    beforeAll(async () => {
      const server = createServer(
        express()
          .use(...before, guardExpress({ guard, fields: ['/message'] }))
          .use((_request, response) => void response.send('told')),
      );
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    return (init: RequestInit) => fetch(url, init);
  }
  const tell = () => new Response('told');
  const fetchWith = (options: HttpGuardOptions) => (init: RequestInit) =>
    guardFetch(tell, options)(new Request('http://guarded/', init));
  const hono = new Hono().use(guardHono({ guard, fields: ['/message'] })).post('/', tell);

  const withOwnBody: RequestHandler = (request, _response, next) => {
    request.body = {};
    next();
  };

  describe.each([
    ['Fetch', fetchWith({ guard, fields: ['/message'] })],
    ['Hono', async (init: RequestInit) => hono.request('/', init)],
    ['Express', openExpress()],
    [
      'Express that parses all',
      openExpress(express.json(), express.urlencoded({ extended: true }), express.raw({ type: '*/*' })),
    ],
    ['Express 4, which has a body where none was parsed', openExpress(withOwnBody)],
  ])('%s', (_name, send) => {
    const post = async (type: string | null, body: string | Uint8Array<ArrayBuffer> | FormData, headers = {}) =>
      (await send({ method: 'POST', body, headers: { ...(type ? { 'content-type': type } : {}), ...headers } })).status;

    test('reads what is harmful wherever it stands', async () => {
      const json = JSON.stringify({ message: harm });
      const escaped = json.replace(/p(?=ipe)/, '\\u0070');
      const form = (...values: string[]) =>
        new URLSearchParams(values.map((value): [string, string] => ['message', value])).toString();
      expect(await post(formType, form(harm, 'Hello'))).toBe(403);
      expect(await post(formType, form('Hello', harm))).toBe(403);
      expect(await post(formType, `message%5Btext%5D=${encodeURIComponent(harm)}`)).toBe(403);
      for (const type of ['text/plain', formType, 'image/png', 'application/octet-stream', 'application/ld+json'])
        expect(await post(type, escaped), type).toBe(403);
      expect(await post(null, parts(['message', 'Hello'], ['message', harm]))).toBe(403);
      expect(await post(null, parts(['file', new File([harm], 'a.txt', { type: 'text/plain' })]))).toBe(403);
    });

    test('lets what is harmless pass, and refuses what it cannot read', async () => {
      expect(await post('application/json', '{"message":"Hello","other":"there"}')).toBe(200);
      expect(await post(formType, 'message=Hello&message=there')).toBe(200);
      expect(await post(null, parts(['message', 'Hello']))).toBe(200);
      expect(await post('application/zip', new Uint8Array([80, 75, 255]))).toBe(403);
    });
  });

  test('lets what it cannot read pass where it is told so', async () => {
    const send = fetchWith({ guard: letting });
    const zip = { method: 'POST', body: new Uint8Array([80, 75, 255]), headers: { 'content-type': 'application/zip' } };
    expect((await send(zip)).status).toBe(200);
    expect((await send({ ...zip, body: encode(harm) })).status).toBe(403);
    expect((await send({ ...zip, body: encode(harm), headers: { 'content-encoding': 'br' } })).status).toBe(200);
  });
});
