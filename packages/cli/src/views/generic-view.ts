import type { CaseFile } from '@agonhq/engine/debate';
import type { Job, JobAnswer, JudgeEvent } from '@agonhq/judges/job';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import {
  renderBar,
  printCase,
  renderPairs,
  renderRound,
  renderSpeaker,
  printTurn,
  type PrintedBlock,
} from './debate-parts.ts';
import {
  advanceState,
  initialState,
  rebuildState,
  type DebateState,
  type ShownTurn,
  type TrialEvent,
} from './debate-state.ts';
import type { JobView } from './watch-case.ts';
import { renderVerdict } from './render-verdict.ts';

/** Shows the debates of any job: the sources, what was said, and the verdict. */
export function createGenericView({ debates }: Job): JobView<JobAnswer, JudgeEvent, DebateState> {
  return {
    isTransient: false,
    start: () => initialState,
    advance: (state, event) => (isDebateEvent(event) ? advanceState(state, event) : state),
    draw: renderDebate,
    rebuild: (answer) => rebuildState(answer.transcript, { sources: readSources(answer) }),
    renderVerdict: (answer, width) =>
      debates(answer).flatMap(({ verdict }) => renderVerdict({ ...answer, verdict }, width)),
  };
}

/** Other events of a job are its own matter. */
function isDebateEvent(event: JudgeEvent): event is TrialEvent {
  return event.type === 'case-ready' ? 'caseFile' in event : !/-ready$|^claim-/.test(event.type);
}

function readSources(answer: JobAnswer & { sources?: CaseFile['sources'] }): CaseFile['sources'] {
  return answer.sources ?? [];
}

/** Turns in the order in which they began, those of a round together. */
function renderDebate(state: DebateState, width: number): PrintedBlock[] {
  const parts = Map.groupBy(state.turns, ({ key, round }) => (round === null ? key : `round ${round}`));
  return [
    ...(state.caseFile ? [printCase('Case', state.caseFile.sources, width)] : []),
    ...[...parts.values()].map((turns) => renderPart(state, turns, width)),
  ];
}

function renderPart(state: DebateState, turns: readonly ShownTurn[], width: number): PrintedBlock {
  const [first] = turns as [ShownTurn, ...ShownTurn[]];
  const { round } = first;
  if (round === null) return renderSpeaker(nameSeat(first), first, width);
  const ended = state.rounds.find((end) => end.round === round);
  const rows = renderPairs(turns, width, renderScored, []);
  const note = ended?.stop ? ` · ${ended.stop.replaceAll('-', ' ')}` : '';
  return renderRound({ round, note: sanitize(note) }, rows, width, ended !== undefined);
}

function renderScored(shown: ShownTurn, width: number): string[] {
  const score = shown.turn?.score ?? null;
  const standing =
    score === null ? style('dim', shown.turn ? '' : 'speaking …') : `${renderBar(score)} ${score.toFixed(2)}`;
  const heading = `${style('bold', nameSeat(shown).toUpperCase())} ${standing}`.trimEnd();
  return printTurn(shown, width, wrapText(heading, width));
}

function nameSeat({ seat }: ShownTurn): string {
  const name = sanitize(seat).replaceAll(/[-#]/g, ' ');
  return `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
}
