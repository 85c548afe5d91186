import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { positive } from '../flags.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import {
  addPrecedentsFlags,
  formatLabel,
  indentText,
  withPrecedents,
  type PrecedentsFlags,
} from './with-precedents.ts';

/** `agon precedents search TEXT` */
export function define(command: Command): void {
  command
    .description('Find the precedents that a debate about a text would see.')
    .argument('<text>', 'text that would be judged')
    .option('--limit <n>', 'find at most n precedents', positive, 10);
  addPrecedentsFlags(command);
  addExamples(command, [
    'agon precedents search "how to kill a process"',
    'agon precedents search "send me your password" --limit 3 --json',
  ]);
  setAction(command, searchPrecedents);
}

async function searchPrecedents(text: string, flags: PrecedentsFlags & { limit: number }): Promise<number> {
  return withPrecedents(flags, async ({ library }) => {
    const opened = await library({
      onProgress: ({ done, total }) => process.stderr.write(`Embedded ${done} of ${total} precedents.\n`),
    });
    const retrieval = await opened.search({ text, limit: flags.limit, signal: new AbortController().signal });
    if (flags.json) return printLines([JSON.stringify(retrieval)]);
    const { precedents, excluded, furtherExcluded = 0, library: state } = retrieval;
    const lines = precedents.flatMap(({ id, label, category, summary, cues, why, similarity }) => [
      `${similarity.toFixed(3)} ${formatLabel(label)} ${style('cyan', sanitize(id))} ` +
        style('dim', sanitize(category ?? '')),
      ...indentText(summary),
      ...(why === undefined ? [] : indentText(`Why: ${why}`)),
      ...(cues.length > 0 ? indentText(`Cues: ${cues.join('; ')}`) : []),
    ]);
    printLines([
      ...(lines.length > 0 ? lines : ['No precedent is similar.']),
      ...excluded.map(({ id, reason }) => style('dim', `Not shown: ${sanitize(id)} (${reason})`)),
      ...(furtherExcluded > 0 ? [style('dim', `Not shown: ${furtherExcluded} more`)] : []),
    ]);
    if (state.problem !== null) process.stderr.write(style('yellow', `${sanitize(state.problem)}\n`));
  });
}
