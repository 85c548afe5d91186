import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { saveFile } from '../files.ts';
import { printLines } from '../terminal/style.ts';

/** `agon signing-key show` */
export function defineSigningKeyShow(command: Command): void {
  command
    .description('Print the id of the key that signs evidence bundles, and those that it replaced.')
    .option('--json', 'print them as JSON');
  addExamples(command, ['agon signing-key show']);
  setAction(command, showKeys);
}

async function showKeys(flags: { json?: boolean }): Promise<void> {
  const { listPublicKeys } = await import('@agonhq/ledger/bundle');
  const keys = await listPublicKeys(process.env);
  printLines(
    flags.json
      ? [JSON.stringify({ version: 1, keys })]
      : keys.map(({ id, signs }) => `${id}  ${signs ? 'signs' : 'was replaced; still checks what it signed'}`),
  );
}

/** `agon signing-key export` */
export function defineSigningKeyExport(command: Command): void {
  command
    .description('Print the public keys as PEM, for those who check bundles: the one that signs, then earlier ones.')
    .option('--current', 'only the one that signs now')
    .option('--out <file>', 'write to this file (default: standard output)');
  addExamples(command, ['agon signing-key export > issuer.pem', 'agon verify case.agon.zip --key issuer.pem']);
  setAction(command, exportKeys);
}

async function exportKeys({ current, out }: { current?: boolean; out?: string }): Promise<void> {
  const { listPublicKeys } = await import('@agonhq/ledger/bundle');
  const keys = (await listPublicKeys(process.env)).filter(({ signs }) => signs || !current);
  const pem = keys.map((key) => key.pem).join('');
  if (out === undefined) printLines([pem.trimEnd()]);
  else await saveFile(out, pem, 'Choose another file with --out.');
}

/** `agon signing-key rotate` */
export function defineSigningKeyRotate(command: Command): void {
  command.description(
    'Replace the key that signs evidence bundles. The old private key is deleted; its public key is kept, so that ' +
      'older bundles can still be checked.',
  );
  addExamples(command, ['agon signing-key rotate && agon signing-key export --out issuer.pem']);
  setAction(command, rotateKey);
}

async function rotateKey(): Promise<void> {
  const { rotateSigningKey } = await import('@agonhq/ledger/bundle');
  const { id } = await rotateSigningKey(process.env);
  printLines([id]);
  process.stderr.write('Bundles are signed with this key from now on. Hand its public key to those who check them.\n');
}
