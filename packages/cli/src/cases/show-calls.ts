import { badFlag } from '@agonhq/engine/agon-error';
import type { ModelCall } from '@agonhq/engine/debate';
import type { Case, KeptCall, Ledger } from '@agonhq/ledger';
import { renderCurl } from '@agonhq/engine/view';
import { formatInteger } from '../terminal/format.ts';
import { printLines, printNote, sanitize, style } from '../terminal/style.ts';

/** What models were sent for the turns of a case, and what they said. */
export async function showCalls(
  ledger: Ledger,
  record: Case,
  { json, curl, turn }: { json?: boolean; curl?: boolean; turn?: string },
): Promise<void> {
  const kept = await ledger.calls.listCalls(record.id, turn);
  if (turn !== undefined && kept.length === 0) throw noSuchTurn(record, turn);
  if (json) return printLines([JSON.stringify({ version: 1, case: record.id, calls: kept.map(toJson) })]);
  if (kept.length === 0) return printNote(explainNone(record));
  printLines(curl ? kept.flatMap(renderCommand) : kept.flatMap(renderKept));
}

function toJson({ key, call }: KeptCall): unknown {
  return { turn: key, ...call, curl: renderCurl(call) };
}

function noSuchTurn({ answer }: Case, turn: string): Error {
  const turns = (answer?.transcript ?? []).flatMap((entry) => (entry.kind === 'turn' ? [entry.key] : []));
  return badFlag(
    `--turn ${turn}: nothing is on record of such a turn.`,
    turns.length > 0 ? `The turns are ${turns.join(', ')}.` : 'The case has no turns.',
  );
}

function explainNone({ forgottenAt }: Case): string {
  return forgottenAt === null
    ? 'nothing was sent to a language model.'
    : 'what models were sent was forgotten with the content.';
}

function renderCommand({ key, call }: KeptCall): string[] {
  const command = renderCurl(call);
  return [
    `# ${sanitize(key)}`,
    ...(command === null ? ['# nothing was sent: the reply came from the cache'] : [command]),
  ];
}

function renderKept({ key, call }: KeptCall): string[] {
  return [
    `${style('bold', sanitize(key))} ${style('dim', listFacts(call).map(sanitize).join(' · '))}`,
    ...(call.problem === null ? [] : [style('yellow', sanitize(call.problem))]),
    ...renderPart('system', call.instructions),
    ...call.messages.flatMap(({ role, content }) => renderPart(role, content)),
    ...(call.reply ? renderPart(`reply (${call.reply.finish})`, call.reply.text) : []),
    '',
  ];
}

function listFacts({ model, why, attempt, cached, usage, latencyMs }: ModelCall): string[] {
  return [
    model,
    why === 'answer' ? '' : why,
    attempt > 1 ? `attempt ${attempt}` : '',
    cached ? 'from the cache' : '',
    `${formatInteger(usage.inputTokens)} + ${formatInteger(usage.outputTokens)} tokens`,
    usage.cachedTokens > 0 ? `${formatInteger(usage.cachedTokens)} cached by the provider` : '',
    usage.costUsd === null ? 'price unknown' : `$${usage.costUsd.toFixed(4)}`,
    `${(latencyMs / 1000).toFixed(1)} s`,
  ].filter(Boolean);
}

function renderPart(title: string, text: string): string[] {
  return [style('dim', `--- ${title}`), ...text.split('\n').map(sanitize)];
}
