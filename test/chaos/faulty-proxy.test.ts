import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openLink, type FaultyLink } from './faulty-proxy.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that says everything back, behind a link. */
async function openEcho() {
  const far = new Set<Socket>();
  const server = createServer((socket) => {
    far.add(socket);
    socket.on('error', () => undefined).on('close', () => far.delete(socket));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await openLink(() => (server.address() as AddressInfo).port);
  closers.push(
    () => link.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  return { link, far };
}

function call(link: FaultyLink) {
  const socket = connect(link.port, '127.0.0.1');
  const seen = { said: '', over: false };
  socket
    .setEncoding('utf8')
    .on('data', (words: string) => (seen.said += words))
    .on('error', () => undefined)
    .on('close', () => (seen.over = true));
  closers.unshift(() => socket.destroy());
  return { socket, seen };
}

test('a link that is well carries both ways, and is cut in the middle', async () => {
  const { link } = await openEcho();
  const { socket, seen } = call(link);
  socket.write('hello');
  await until(() => seen.said === 'hello');
  link.cut();
  await until(() => seen.over);
});

test('a black hole swallows until it is healed, and nothing is lost or out of order', async () => {
  const { link } = await openEcho();
  const { socket, seen } = call(link);
  socket.write('a');
  await until(() => seen.said === 'a');
  link.setMode({ kind: 'black-hole' });
  for (const word of ['b', 'c', 'd']) socket.write(word);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).toEqual({ said: 'a', over: false });
  link.setMode({ kind: 'pass' });
  await until(() => seen.said === 'abcd');
});

test('of a half-open connection the far side is gone, and the near side hears of it when it is healed', async () => {
  const { link, far } = await openEcho();
  const { socket, seen } = call(link);
  socket.write('a');
  await until(() => seen.said === 'a');
  link.setMode({ kind: 'half-open' });
  await until(() => far.size === 0);
  socket.write('b');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).toEqual({ said: 'a', over: false });
  link.setMode({ kind: 'pass' });
  await until(() => seen.over);
});

test('a slow link is late, and one that refuses takes no connection', async () => {
  const { link } = await openEcho();
  link.setMode({ kind: 'slow', delayMs: 60 });
  const { socket, seen } = call(link);
  const began = performance.now();
  socket.write('a');
  await until(() => seen.said === 'a');
  expect(performance.now() - began).toBeGreaterThanOrEqual(110);
  link.setMode({ kind: 'refuse' });
  await until(() => seen.over);
  const { seen: refused } = call(link);
  await until(() => refused.over);
  expect(refused.said).toBe('');
});
