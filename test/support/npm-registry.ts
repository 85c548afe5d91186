import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Published {
  manifest: { name: string; version: string };
  file: string;
  tarball: Buffer;
}

export interface NpmRegistry {
  url: string;
  close(): Promise<void>;
}

/**
 * A registry of npm that has the packages of a folder, each in a folder of its own, as if they had been published; for
 * all others it sends npm on to the registry that npm is set up for.
 */
export async function startNpmRegistry(packages: string, folder: string): Promise<NpmRegistry> {
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  const upstream = stdout.trim();
  const published = new Map<string, Published>();
  for (const name of readdirSync(packages)) {
    const one = await pack(path.join(packages, name), folder);
    published.set(one.manifest.name, one);
  }
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url!, 'http://registry').pathname).slice(1);
    const own = published.get(asked);
    const sent = [...published.values()].find(({ file }) => file === asked);
    if (sent) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(sent.tarball);
    else if (own)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describe(own, url())));
    else response.writeHead(302, { location: new URL(request.url!.slice(1), upstream).href }).end();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}

async function pack(place: string, folder: string): Promise<Published> {
  const manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')) as Published['manifest'];
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: place,
    maxBuffer: 32e6,
  });
  const file = `${manifest.name}-${manifest.version}.tgz`;
  return { manifest, file, tarball: readFileSync(path.join(folder, file)) };
}

function describe({ manifest, file, tarball }: Published, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const version = { ...manifest, dist: { tarball: `${url}${file}`, integrity } };
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: version },
  };
}
