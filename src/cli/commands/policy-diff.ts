import { diffPolicies, loadPolicy } from '../../policy/index.ts';
import { renderPolicyDiff } from '../policy/policy-diff-lines.ts';
import { exitCodes } from '../print-error.ts';
import { printLines } from '../terminal/style.ts';

/** `agon policy diff OLD NEW`: returns the exit code. */
export async function policyDiffCommand(before: string, after: string, flags: { json?: boolean }): Promise<number> {
  const [from, to] = [await loadPolicy(before), await loadPolicy(after)];
  const changes = diffPolicies(from, to);
  const named = ({ hash, name, version }: typeof from) => ({ hash, name, version });
  printLines(
    flags.json
      ? [JSON.stringify({ version: 1, from: named(from), to: named(to), changes })]
      : renderPolicyDiff(from, to, changes),
  );
  return exitCodes.judged;
}
