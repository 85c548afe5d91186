import { createServer, type Server } from 'node:http';
import type { StandstillLimits } from './watch-standstill.ts';

/* Answers for a process that stands still, and ends it in the end: `standstill-process.ts LIMITS`. */

const { answerMs, endMs } = JSON.parse(process.argv[2]!) as StandstillLimits;
const lookMs = Math.min(200, answerMs / 4);

/** The listening socket, as one who may answer on it; whoever closes it closes only this one. */
let socket: object | null = null;
let answering: Server | null = null;
let stood = 0;
let looked = performance.now();

const problem = {
  type: 'urn:agon:problem:standing-still',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The server is busy with something that lets nothing else through.',
  code: 'standing-still',
  hint: 'Ask again in a moment.',
};
const headers = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'retry-after': '2',
  connection: 'close',
};

function answer(): void {
  answering = createServer((_request, response) => {
    response.writeHead(503, headers).end(`${JSON.stringify(problem)}\n`);
  });
  answering.on('error', () => undefined);
  answering.listen(socket);
  socket = null;
}

setInterval(() => {
  const now = performance.now();
  // What this process slept through, the other one slept through too.
  stood += Math.min(now - looked, 2 * lookMs);
  looked = now;
  if (stood > answerMs && socket) answer();
  if (stood > endMs) {
    process.stderr.write(`Agon stood still for ${Math.round(stood / 1_000)} s and was ended.\n`);
    process.kill(process.ppid, 'SIGKILL');
    process.exit();
  }
}, lookMs);

process.on('message', (_beat, given: object | undefined) => {
  socket = given ?? socket;
  if (answering) {
    answering.close();
    answering = null;
    process.send!({ stoodMs: Math.round(stood) });
  }
  stood = 0;
});
process.on('disconnect', () => process.exit());
// A signal to the group is for the other one to answer: this one ends with it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
