import path from 'node:path';
import {
  checkItem,
  checkNothing,
  renderAnnotations,
  renderJunit,
  renderSarif,
  renderSummary,
  type CiCheck,
  type JudgedItem,
} from '@agonhq/core/ci-reports';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import { version } from '@agonhq/engine/version';
import { assertReportWritable, saveFile } from '../files.ts';

interface CheckReportFlags {
  file: string;
  out?: string;
  report?: string[];
  failOn?: string[];
  quiet?: boolean;
}

/** What builds are told of a file of items, once all are judged. */
export interface CheckReports {
  add(item: JudgedItem): void;
  /** `nothing`: why there was nothing to judge, which no build takes for success. */
  write(nothing: AgonError | null): Promise<void>;
}

type Render = (command: string, checks: readonly CiCheck[]) => string;

const byEnding: Record<string, Render> = {
  '.xml': renderJunit,
  '.md': renderSummary,
  '.sarif': (_command, checks) => renderSarif(checks, { version }),
};

/** Opens the reports of `--report` with `--file`; a wrong name or folder is refused before anything is judged. */
export async function openCheckReports(job: Job, command: string, flags: CheckReportFlags): Promise<CheckReports> {
  const { file, out, report = [], failOn = ['unsafe'], quiet } = flags;
  const renders = report.map((name) => ({ name, render: findRender(name) }));
  if (report.includes('github') && out === undefined)
    throw badFlag(
      '--report github prints to standard output, as the results do.',
      'Write the results to a file: --out results.jsonl.',
    );
  for (const { name } of renders) if (name !== 'github') await assertReportWritable(name);
  const checks: { line: number; check: CiCheck }[] = [];
  return {
    add(item) {
      if (renders.length === 0) return;
      const check = checkItem(item, { job, file: file === '-' ? null : file, failOn });
      checks.push({ line: item.line, check });
    },
    async write(nothing) {
      const inOrder = checks.toSorted((a, b) => a.line - b.line).map(({ check }) => check);
      if (nothing) inOrder.unshift(checkNothing(nothing, file === '-' ? null : file));
      for (const { name, render } of renders) {
        const text = render(`agon ${command}`, inOrder);
        if (name === 'github') process.stdout.write(text);
        else {
          await saveFile(name, text, 'Choose another file; with --out nothing is judged twice.');
          if (!quiet) process.stderr.write(`Report: ${name}\n`);
        }
      }
    },
  };
}

function findRender(name: string): Render {
  const render =
    name === 'github'
      ? (_command: string, checks: readonly CiCheck[]) => renderAnnotations(checks)
      : byEnding[path.extname(name).toLowerCase()];
  if (render) return render;
  throw new AgonError(
    'unknown-report-format',
    `${name} is not a report on a file of items.`,
    'End the name in .md, .xml (JUnit) or .sarif, or use github for annotations. A whole report is of one item.',
  );
}
