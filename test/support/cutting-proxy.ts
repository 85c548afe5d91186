import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that breaks when it is told to. */
export interface CuttingProxy extends AsyncDisposable {
  url: string;
  /** How many connections came. */
  connections: number;
  /** Breaks all connections, in the middle of whatever they carry. */
  cut(): void;
  /** Of the answer that comes after so many nothing is heard: its connection breaks instead. */
  loseAnswer(after?: number): void;
}

export async function cuttingProxy(to: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  let leftToLose = -1;
  const server = createServer((incoming) => {
    proxy.connections += 1;
    const outgoing = connect(Number(port), hostname);
    outgoing.on('data', () => {
      if (leftToLose >= 0 && (leftToLose -= 1) < 0) incoming.resetAndDestroy();
    });
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 0,
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    loseAnswer(after = 0) {
      leftToLose = after;
    },
    async [Symbol.asyncDispose]() {
      proxy.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
