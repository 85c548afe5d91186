import { ownJobs } from '@agonhq/core/own-jobs';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { listSettings } from '@agonhq/core/settings';
import { findFreePort } from '../support/find-free-port.ts';
import { leastEnvironment } from '../support/least-environment.ts';
import { startPostgres, type PostgresServer } from '../support/postgres.ts';
import { launcher } from '../support/run-agon.ts';
import { until } from '../support/until.ts';

const root = path.join(import.meta.dirname, '..', '..');
const folder = path.join(root, 'docs', 'deploy', 'kubernetes');

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** What of a document the tests below look at; that it is whole and right, Kubernetes' own schemas say. */
const container = z.object({
  args: z.array(z.string()),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
  envFrom: z.array(
    z.object({
      configMapRef: z.object({ name: z.string() }).optional(),
      secretRef: z.object({ name: z.string() }).optional(),
    }),
  ),
  resources: z.object({ requests: z.object({ memory: z.string() }), limits: z.object({ memory: z.string() }) }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const workload = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number().default(30),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const files = readdirSync(folder).filter((name) => !/^kustomization|values/.test(name));
const documents = files.flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => ({
    file,
    object: document.toJS() as KubernetesObject,
  })),
);
const find = (kind: string, name: string) =>
  documents.find(({ object }) => object.kind === kind && object.metadata.name === name)!.object;
const podOf = (kind: string, name: string) => workload.parse(find(kind, name)).spec.template.spec;

/** The module that describes a kind: Kubernetes' schema, compiled, and its type. */
const moduleOf = ({ apiVersion, kind }: KubernetesObject) =>
  apiVersion.startsWith('keda.sh')
    ? `@kubernetes-models/keda/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

/** The compiler refuses members that a literal's type does not have: schemas of Kubernetes let them pass. */
function checkTypes(objects: readonly KubernetesObject[]): string {
  const place = path.join(root, 'node_modules', '.cache', `agon-kubernetes-${process.pid}`);
  mkdirSync(place, { recursive: true });
  const lines = objects.map(
    (object, index) =>
      `import type { I${object.kind} as Type${index} } from '${moduleOf(object)}';\n` +
      `export const object${index}: Type${index} = ${JSON.stringify(object)};`,
  );
  writeFileSync(path.join(place, 'objects.ts'), lines.join('\n'));
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', target: 'es2024', types: [] };
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['objects.ts'] }));
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8' });
  rmSync(place, { recursive: true });
  return stdout;
}

describe('the manifests for Kubernetes', () => {
  test.each(documents.map(({ file, object }) => [`${file}: ${object.kind} ${object.metadata.name}`, object] as const))(
    '%s is valid by its schema',
    async (_, object) => {
      const models = (await import(moduleOf(object))) as Record<string, new (data: object) => { validate(): void }>;
      new models[object.kind]!(object).validate();
    },
  );

  test('have no member that Kubernetes does not know', () => {
    expect(checkTypes(documents.map(({ object }) => object))).toBe('');
    const server = structuredClone(find('Deployment', 'agon-server')) as KubernetesObject & {
      spec: { template: { spec: { containers: object[] } } };
    };
    Object.assign(server.spec.template.spec.containers[0]!, { readynessProbe: {} });
    expect(checkTypes([server])).toMatch(/readynessProbe/);
  }, 60_000);

  test('are all in the kustomization, but for the examples', () => {
    const { resources } = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    expect(resources.toSorted()).toEqual(files.filter((name) => !name.includes('.example.')).toSorted());
  });

  test('name each other rightly', () => {
    for (const { object } of documents.filter(({ object: { kind } }) => /^(Deployment|Job)$/.test(kind))) {
      const { containers, volumes } = workload.parse(object).spec.template.spec;
      const [{ envFrom, volumeMounts }] = containers;
      for (const { configMapRef, secretRef } of envFrom)
        expect(configMapRef ? find('ConfigMap', configMapRef.name) : find('Secret', secretRef!.name)).toBeDefined();
      expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.map(({ name }) => name).toSorted());
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(variables('ConfigMap')['AGON_HOME']);
    }
    for (const name of ['agon-server', 'agon-worker']) {
      const scaler = find('HorizontalPodAutoscaler', name) as unknown as { spec: { scaleTargetRef: { name: string } } };
      expect(find('Deployment', scaler.spec.scaleTargetRef.name)).toBeDefined();
    }
  });

  test('set variables that Agon or Node reads, and give a server and a worker the time that they ask for', () => {
    const known = new Set([
      ...listSettings(ownJobs).flatMap(({ variables: names }) => names),
      'AGON_HOME',
      'AGON_API_KEY',
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'NODE_OPTIONS',
    ]);
    const set = Object.keys({ ...variables('ConfigMap'), ...variables('Secret') });
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    const seconds = (args: readonly string[]) => Number(args[args.indexOf('--drain-seconds') + 1]);
    const [server, worker] = [podOf('Deployment', 'agon-server'), podOf('Deployment', 'agon-worker')];
    expect(server.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(variables('ConfigMap')['AGON_UNREADY_SECONDS']) + seconds(server.containers[0].args) + 5,
    );
    expect(worker.terminationGracePeriodSeconds).toBeGreaterThan(seconds(worker.containers[0].args) + 5);
  });
});

function variables(kind: 'ConfigMap' | 'Secret'): Record<string, string> {
  const { data = {}, stringData = {} } = find(kind, 'agon') as KubernetesObject & {
    data?: Record<string, string>;
    stringData?: Record<string, string>;
  };
  return { ...data, ...stringData };
}

describe('the program, started as the manifests say', () => {
  let postgres: PostgresServer;
  let environment: Record<string, string>;
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    postgres = await startPostgres();
    environment = {
      ...leastEnvironment(),
      ...variables('ConfigMap'),
      ...variables('Secret'),
      AGON_DATABASE_URL: await postgres.newDatabase(),
      AGON_HOME: await mkdtemp(path.join(tmpdir(), 'agon-kubernetes-')),
    };
  }, 60_000);

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await postgres.stop();
  });

  /** With another port: there may be somebody at this one. */
  async function start(kind: string, name: string) {
    const [{ args, ports }] = podOf(kind, name).containers;
    const free = await findFreePort();
    const port = ports[0]?.containerPort;
    const given = args.map((arg) => (port === undefined ? arg : arg.replace(new RegExp(`\\b${port}$`), String(free))));
    if (port !== undefined) expect(given).not.toEqual(args);
    const child = spawn(process.execPath, [launcher, ...given], { cwd: tmpdir(), env: environment, stdio: 'pipe' });
    children.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    const ended = new Promise<number | null>((resolve) =>
      child.once('exit', (code) => {
        children.delete(child);
        resolve(code);
      }),
    );
    return { child, port: free, ended, said: () => said };
  }

  /** As a kubelet asks: by the address of the pod. */
  const ask = (port: number, where: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const asked = get(
        { host: '127.0.0.1', port, path: where, headers: { host: `10.244.1.7:${port}`, ...headers } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => resolve({ status: answer.statusCode!, text }));
        },
      );
      asked.on('error', () => resolve({ status: 0, text: '' }));
    });

  async function answersProbes(name: string, port: number): Promise<void> {
    const [own] = podOf('Deployment', name).containers;
    for (const each of [own.startupProbe, own.readinessProbe, own.livenessProbe]) {
      const { httpGet } = probe.parse(each);
      expect(own.ports.map(({ name: named }) => named)).toContain(httpGet.port);
      await until(async () => (await ask(port, httpGet.path)).status === 200, 60);
    }
  }

  const megabytes = (child: ChildProcess) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
  const limitOf = (name: string) => {
    const { memory } = podOf('Deployment', name).containers[0].resources.limits;
    return Number(/^(\d+)Gi$/.exec(memory)![1]) * 1024;
  };

  test('the job makes the ledger, and finds it up to date the next time', async () => {
    for (const expected of [/schema/, /up to date/]) {
      const { ended, said } = await start('Job', 'agon-migrate');
      expect([await ended, said()]).toEqual([0, expect.stringMatching(expected)]);
    }
  }, 60_000);

  test('the server answers its probes, judges, and stays below its memory', async () => {
    const { child, port, ended } = await start('Deployment', 'agon-server');
    await answersProbes('agon-server', port);
    const headers = { authorization: `Bearer ${environment['AGON_API_KEY']}`, 'content-type': 'application/json' };
    for (let number = 0; number < 50; number += 1) {
      const body = JSON.stringify({ text: `A note about gardens, number ${number}.` });
      const answer = await fetch(`http://127.0.0.1:${port}/api/jobs/moderation/cases`, {
        method: 'POST',
        headers,
        body,
      });
      expect(answer.status).toBe(200);
    }
    expect((await ask(port, '/metrics', headers)).text).toMatch(/^agon_queue_items 0$/m);
    console.info(`A server after 50 judgements: ${Math.round(megabytes(child))} MiB`);
    if (process.platform === 'linux') expect(megabytes(child)).toBeLessThan(limitOf('agon-server'));
    child.kill('SIGTERM');
    await until(async () => (await ask(port, '/readyz')).status === 503, 5);
    expect((await ask(port, '/healthz')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 120_000);

  test('the worker answers its probes, and tells what the autoscalers ask for', async () => {
    const { child, port, ended } = await start('Deployment', 'agon-worker');
    await answersProbes('agon-worker', port);
    const pod = workload.parse(find('Deployment', 'agon-worker')).spec.template;
    expect(pod.metadata.annotations).toMatchObject({
      'prometheus.io/port': String(pod.spec.containers[0].ports[0]!.containerPort),
    });
    const { text } = await ask(port, pod.metadata.annotations['prometheus.io/path']!);
    const scaler = find('HorizontalPodAutoscaler', 'agon-worker') as KubernetesObject & {
      spec: { metrics: [{ external: { metric: { name: string } } }] };
    };
    const { name } = scaler.spec.metrics[0].external.metric;
    expect(text).toMatch(new RegExp(`^${name} 0$`, 'm'));
    for (const file of ['prometheus-adapter.values.yaml', 'keda.example.yaml'])
      expect(readFileSync(path.join(folder, file), 'utf8')).toMatch(new RegExp(`\\b${name}\\{`));
    expect(megabytes(child)).toBeLessThan(limitOf('agon-worker'));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 120_000);
});
