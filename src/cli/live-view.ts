import type { ModerationEvent } from '../moderation/index.ts';
import { debateBlocks, type Block } from './debate-blocks.ts';
import { initialState, nextState, type DebateState } from './debate-state.ts';

/** Shows a trial while it goes on. */
export interface LiveView {
  show(event: ModerationEvent): void;
  /** Leaves what was shown on the screen and stops. */
  end(): void;
}

const framesPerSecond = 12;

/** Redraws the part of the trial that still changes; parts that are done scroll up as ordinary output. */
export function liveView(stream: NodeJS.WriteStream): LiveView {
  let state: DebateState = initialState;
  let settled = 0;
  let drawn = 0;
  let stale = false;
  const timer = setInterval(() => stale && draw(), 1000 / framesPerSecond);
  stream.write('\u001b[?25l');

  return {
    show(event) {
      state = nextState(state, event);
      stale = true;
    },
    end() {
      clearInterval(timer);
      draw();
      stream.write('\u001b[?25h');
    },
  };

  function draw(): void {
    stale = false;
    const blocks = debateBlocks(state, width(stream));
    const finished = leading(blocks.slice(settled));
    const changing = blocks.slice(settled + finished.length).flatMap((block) => block.lines);
    const fits = changing.slice(-Math.max(1, (stream.rows ?? 24) - 2));
    const erase = drawn > 0 ? `\u001b[${drawn}A\u001b[J` : '';
    const lines = [...finished.flatMap((block) => block.lines), ...fits];
    stream.write(`${erase}${lines.map((line) => `${line}\n`).join('')}`);
    settled += finished.length;
    drawn = fits.length;
  }
}

/** The blocks at the front that will not change any more. */
function leading(blocks: readonly Block[]): Block[] {
  const open = blocks.findIndex((block) => !block.done);
  return open === -1 ? [...blocks] : blocks.slice(0, open);
}

export function width(stream: NodeJS.WriteStream): number {
  return Math.min(Math.max(stream.columns ?? 100, 40), 140);
}
