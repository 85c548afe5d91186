import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of this machine that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const held = createServer().listen(0, '127.0.0.1');
  await once(held, 'listening');
  const { port } = held.address() as AddressInfo;
  held.close();
  await once(held, 'close');
  return port;
}
