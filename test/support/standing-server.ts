import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchStandstill } from '@agonhq/core/app';

/* A watched server that stands still for as long as it is asked to: `standing-server.ts LIMITS`. Says its port. */

const server = createServer(({ url = '/' }, response) => {
  response.setHeader('connection', 'close').end('here');
  const until = performance.now() + Number(new URL(url, 'http://any').searchParams.get('stand') ?? 0);
  response.on('close', () => {
    while (performance.now() < until);
  });
});
server.listen(0, '127.0.0.1', () => {
  watchStandstill(server, {
    ...(JSON.parse(process.argv[2]!) as object),
    onStood: (ms) => process.stdout.write(`stood ${ms}\n`),
  });
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
