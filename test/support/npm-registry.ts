import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a registry serves: a package of one version, by its tarball. */
interface Served {
  name: string;
  version: string;
  tarball: Buffer;
}

/** A registry of npm with one package, on this machine alone. */
export interface Registry extends AsyncDisposable {
  url: string;
}

/** Starts a registry over plain HTTP with the little metadata that npm asks for. */
export async function startRegistry({ name, version, tarball }: Served): Promise<Registry> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    if (decodeURIComponent(request.url ?? '') !== `/${name}`) return void response.writeHead(404).end('{}');
    const published = { name, version, dist: { tarball: `${url}package-${version}.tgz` } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: published } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}
