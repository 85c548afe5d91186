import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { saveFile } from '../files.ts';
import { sanitize } from '../terminal/style.ts';

/** `agon verifier` */
export function defineVerifier(command: Command): void {
  command
    .description(
      'Write a web page that checks evidence bundles: one file, which works offline in a browser and sends nothing ' +
        'anywhere. For the person concerned, or an auditor without Agon.',
    )
    .option('--out <file>', 'file to write', 'verifier.html');
  addExamples(command, ['agon verifier --out verifier.html']);
  setAction(command, writeVerifier);
}

async function writeVerifier({ out }: { out: string }): Promise<void> {
  const { readVerifierPage } = await import('@agonhq/ledger/bundle');
  await saveFile(out, await readVerifierPage(), 'Choose another file with --out.');
  process.stderr.write(`Wrote ${sanitize(out)}.\n`);
}
