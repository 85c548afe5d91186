import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Manifest {
  name: string;
  version: string;
}

/** A registry of npm on this machine alone. */
export interface NpmRegistry extends AsyncDisposable {
  url: string;
  /** The packages of ours that were fetched from it. */
  fetched: ReadonlySet<string>;
}

/**
 * Starts a registry that has the packages of a folder, each in a folder of its own, as if they had been published: they
 * are packed by `npm pack`, into `scratch`, when they are first fetched. For all others it sends npm on to the registry
 * that npm is set up for.
 */
export async function startNpmRegistry(packages: string, scratch: string): Promise<NpmRegistry> {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  const manifests = new Map(
    globSync('@*/*/package.json', { cwd: packages }).map((file) => {
      const manifest = JSON.parse(readFileSync(path.join(packages, file), 'utf8')) as Manifest;
      return [manifest.name, { manifest, folder: path.join(packages, path.dirname(file)) }];
    }),
  );
  const packed = new Map<string, Promise<Buffer>>();
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url!, 'http://registry').pathname).slice(1);
    const own = manifests.get(asked.replace(/\.tgz$/, ''));
    if (!own) return void response.writeHead(302, { location: new URL(request.url!.slice(1), upstream).href }).end();
    const { manifest, folder } = own;
    if (!asked.endsWith('.tgz')) return sendJson(response, describePackage(manifest, url));
    if (!packed.has(manifest.name)) packed.set(manifest.name, packFolder(folder, manifest, scratch));
    packed.get(manifest.name)!.then(
      (tarball) => response.end(tarball),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    get fetched() {
      return new Set(packed.keys());
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function describePackage(manifest: Manifest, url: string): object {
  const { name, version } = manifest;
  const versions = { [version]: { ...manifest, dist: { tarball: `${url}${name}.tgz` } } };
  return { name, 'dist-tags': { latest: version }, versions };
}

async function packFolder(folder: string, { name, version }: Manifest, scratch: string): Promise<Buffer> {
  await run('npm', ['pack', folder, '--ignore-scripts', '--silent', '--pack-destination', scratch]);
  return readFile(path.join(scratch, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`));
}
