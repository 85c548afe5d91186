import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { Calibration, DebateEvent } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Agon } from '@agonhq/core/app';
import type { Ledger } from '@agonhq/ledger';
import { measureRisk } from '@agonhq/engine/statistics';
import type { OpenFolder } from './read-given-files.ts';
import { writeFigure } from './show-verdict.ts';

/** How content is judged, where an assistant says it. */
export const methods = ['debate', 'guard'] as const;
type Method = (typeof methods)[number];

/** Tools that judge put a case on record, and judge the same twice alike. */
export const judging = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What the tools work with. */
export interface ToolContext {
  /** The Agon that judges: as configured, or by a method. */
  agon(method?: Method): Promise<Agon>;
  /** Null when nothing is kept on record. */
  ledger: Ledger | null;
  /** Null unless a folder was opened to assistants. */
  files: OpenFolder | null;
}

type TrialEvent =
  | DebateEvent
  | { type: 'case-ready'; calibration?: Calibration }
  | { type: 'dossier-ready' | 'claims-ready' | 'claim-start' | 'claim-end' };

/** Holds a trial for an assistant: tells each turn, where it was asked to, and stops when the call is cancelled. */
export async function runTrial<Answer>(
  context: ServerContext,
  hold: (signal: AbortSignal) => AsyncGenerator<TrialEvent, Answer, void>,
): Promise<Answer> {
  const { _meta: about, signal } = context.mcpReq;
  const token = about?.progressToken;
  const trial = hold(signal);
  let turns = 0;
  // Known once a case is ready: the seats of a dossier have scores that are no risks.
  let calibration: Calibration | null | undefined;
  let step = await trial.next();
  for (; !step.done; step = await trial.next()) {
    const event = step.value;
    if (event.type === 'case-ready') calibration = event.calibration ?? null;
    if (token === undefined || event.type !== 'turn-end') continue;
    turns += 1;
    const { seat, score } = event.turn;
    const figure =
      calibration === undefined
        ? writeFigure('score', score)
        : writeFigure('risk', measureRisk(score, calibration).risk);
    const message = `${event.scope === null ? '' : `${event.scope}: `}${seat} spoke${figure}`;
    await context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress: turns, message },
    });
  }
  return step.value;
}

/** A result with its words and its values; what goes wrong is told to the assistant, with what to do. */
export async function answerTool(work: () => Promise<{ text: string; value: object }>): Promise<CallToolResult> {
  try {
    const { text, value } = await work();
    return { content: [{ type: 'text', text }], structuredContent: value };
  } catch (error) {
    const { message, hint, code } = AgonError.is(error) ? error : unforeseen(error);
    return { isError: true, content: [{ type: 'text', text: `${message} ${hint} (${code})` }] };
  }
}

/** Its details are for whoever runs the server, not for an assistant. */
function unforeseen(error: unknown): AgonError {
  process.stderr.write(`agon: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return new AgonError(
    'internal',
    'An unexpected error occurred.',
    'See the standard error of `agon mcp` for details.',
  );
}
