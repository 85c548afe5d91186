import { createAgon } from '../../agon.ts';
import { documentsReport, openClaimResults, readClaimData, runClaims, type ClaimData, type ClaimRun, type ClaimSystem } from '../../bench/index.ts';
import type { Usage } from '../../debate/index.ts';
import type { DocumentMethod } from '../../documents/index.ts';
import { AgonError } from '../../errors.ts';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import { documentsTable } from '../bench-documents-table.ts';
import { claimOptionsFrom, type DataFlags } from '../bench-flags.ts';
import { onInterrupt } from '../interrupt.ts';
import { offTheRecord } from '../off-the-record.ts';
import { errorLine, exitCodes } from '../print-error.ts';
import { progressLine } from '../progress-line.ts';
import { documentsSettingsFor, type DocumentsSettingsFlags } from '../settings-flags.ts';
import { affordable } from '../../runs/index.ts';

export interface BenchDocumentsFlags extends DataFlags, Omit<DocumentsSettingsFlags, 'concurrency'> {
  root?: string;
  systems?: string[];
  out?: string;
  json?: boolean;
}

interface OpenClaimSystem extends ClaimSystem {
  spent(): Usage;
  close(): Promise<void>;
}

const methods: Record<string, DocumentMethod> = { full: 'debate', embedded: 'debate', single: 'single', 'zero-shot': 'zero-shot' };

/** `agon bench documents`: returns the exit code. */
export async function benchDocumentsCommand(flags: BenchDocumentsFlags): Promise<number> {
  const reading = claimOptionsFrom(flags);
  const sets = await Promise.all(flags.data.map((file) => readClaimData(file, reading)));
  const { concurrency: _, ...others } = flags;
  const systems = await openSystems(flags.systems, await documentsSettingsFor(others));
  const results = await openClaimResults(flags.out);
  try {
    for (const data of sets) {
      const runs: ClaimRun[] = [];
      for (const system of systems) runs.push(await measure(system, data, results, flags));
      const report = documentsReport(data, runs);
      process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${documentsTable(report).join('\n')}\n`);
    }
  } finally {
    await results.close();
    await Promise.all(systems.map((system) => system.close()));
  }
  return exitCodes.judged;
}

/** The systems of `--systems`; without it the debate, called `embedded` when no seat is an LLM's. */
async function openSystems(names: readonly string[] | undefined, settings: Settings): Promise<OpenClaimSystem[]> {
  const unknown = names?.find((name) => !Object.hasOwn(methods, name));
  if (unknown !== undefined) throw new AgonError('bad-flag', `--systems ${unknown}: there is no such system.`, `Systems are ${Object.keys(methods).join(', ')}.`);
  if (names) return Promise.all([...new Set(names)].map((name) => openSystem(name, settings)));
  const whole = await openSystem('full', settings);
  return [{ ...whole, name: whole.embedded ? 'embedded' : 'full' }];
}

async function openSystem(name: string, settings: Settings): Promise<OpenClaimSystem & { embedded: boolean }> {
  const agon = await createAgon(offTheRecord(mergeSettings(settings, { documents: { method: methods[name]! } })), { jobs: ['documents'] });
  const { configuration, models } = agon.documentsProvenance();
  return {
    name,
    configuration,
    embedded: Object.values(models).every((model) => model.startsWith('embedded:')),
    analyze: async (files, claims, signal) => {
      const analysis = await agon.analyze(files, { factors: claims, signal });
      analysis.claims.forEach((answer) => affordable(answer));
      return analysis;
    },
    spent: () => agon.spent(),
    close: () => agon.close(),
  };
}

async function measure(system: OpenClaimSystem, data: ClaimData, results: Awaited<ReturnType<typeof openClaimResults>>, flags: BenchDocumentsFlags): Promise<ClaimRun> {
  const interrupt = onInterrupt();
  const line = progressLine({ quiet: flags.quiet === true, spent: () => system.spent() });
  try {
    const run = await runClaims(system, data, {
      results,
      concurrency: flags.concurrency,
      onProgress: line.show,
      onError: (error, at) => line.note(`${data.file}, ${system.name}, line ${at}: ${errorLine(error)}`),
      signal: interrupt.signal,
    });
    const judged = run.outcomes.flatMap((outcome) => outcome.judged ?? []);
    line.end(run.summary, Object.fromEntries([...Map.groupBy(judged, ({ label }) => label)].map(([label, { length }]) => [label, length])));
    if (judged.length === 0) throw new AgonError('nothing-judged', `No claim of ${data.file} could be judged: there is nothing to measure.`, 'The lines above say why.');
    return run;
  } catch (error) {
    line.stop();
    if (!interrupt.signal.aborted) throw error;
    const hint = flags.out === undefined ? 'With a results file, the next run goes on where this one stopped.' : 'Run the same command again: it goes on where it stopped.';
    throw new AgonError('cancelled', 'The run was stopped.', hint, { cause: error });
  } finally {
    interrupt.dispose();
  }
}
