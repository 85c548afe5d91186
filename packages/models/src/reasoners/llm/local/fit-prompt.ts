/*
 * A small context holds less than a debate says. What matters least is cut first, what is asked never; what seats have
 * in common is cut to the same length for all of them, so that the prefix in memory stays the same.
 */

/** What a part of a prompt is: `rules`: the general rules and the policy; `task`: what is asked, and never cut. */
export type FittedPartKind = 'rules' | 'case' | 'said' | 'task';

export interface PromptPart {
  kind: FittedPartKind;
  text: string;
}

/** What was left out of a prompt. */
export interface Cut {
  kind: Exclude<FittedPartKind, 'task'>;
  tokens: number;
  of: number;
}

type CountTokens = (text: string) => number;

/** In this order, to this share of the room; `exactly`: no further than it takes. */
const steps: { kind: Cut['kind']; share: number; exactly: boolean }[] = [
  { kind: 'rules', share: 0.3, exactly: false },
  { kind: 'said', share: 0.2, exactly: true },
  { kind: 'case', share: 0.35, exactly: false },
  { kind: 'said', share: 0, exactly: true },
  { kind: 'rules', share: 0, exactly: true },
  { kind: 'case', share: 0, exactly: true },
];

/**
 * Cuts a prompt to so many tokens: of the policy its end, of what was said its beginning, of the case its middle.
 * Null when not even the task fits.
 */
export function fitPrompt(
  parts: readonly PromptPart[],
  room: number,
  count: CountTokens,
): { parts: PromptPart[]; cuts: Cut[] } | null {
  const sizes = parts.map(({ text }) => count(text));
  const fitted = parts.map((part, index) => ({ ...part, tokens: sizes[index]! }));
  const total = () => fitted.reduce((sum, { tokens }) => sum + tokens, 0);
  for (const { kind, share, exactly } of steps) {
    if (total() <= room) break;
    const own = fitted.filter((part) => part.kind === kind);
    const held = own.reduce((sum, { tokens }) => sum + tokens, 0);
    const floor = Math.floor(share * room);
    let target = exactly ? Math.max(floor, held - (total() - room)) : floor;
    // Several parts of one kind: the last is the latest, and keeps what there is room for.
    for (const part of own.toReversed()) {
      const kept = Math.min(part.tokens, target);
      if (kept < part.tokens) {
        part.text = shorten(parts[fitted.indexOf(part)]!.text, kept, keeps[kind], count);
        part.tokens = count(part.text);
      }
      target = Math.max(0, target - part.tokens);
    }
  }
  if (total() > room) return null;
  const cuts = fitted.flatMap(({ kind, tokens }, index): Cut[] =>
    kind !== 'task' && tokens < sizes[index]! ? [{ kind, tokens: sizes[index]! - tokens, of: sizes[index]! }] : [],
  );
  return { parts: fitted.map(({ kind, text }) => ({ kind, text })), cuts };
}

const keeps = { rules: 'start', said: 'end', case: 'both' } as const;

const mark = '[… cut …]';

/** A line that says where untrusted text begins or ends. It stays: what it sets apart must stay set apart. */
const fenceLine = /^<<[a-z]{6} .*>>\n?$/;

/** Leaves out no more pieces than it takes. */
function shorten(text: string, target: number, keep: 'start' | 'end' | 'both', count: CountTokens): string {
  const pieces = text.split(/(?<=\n)/).flatMap((line) => {
    if (fenceLine.test(line)) return [{ text: line, isFence: true }];
    return (line.match(/\S{1,12}\s*|\s+/gu) ?? []).map((piece) => ({ text: piece, isFence: false }));
  });
  const cutBy = (number: number) => {
    const from = { start: pieces.length - number, end: 0, both: Math.floor((pieces.length - number) / 2) }[keep];
    const left = [
      ...pieces.slice(0, from),
      { text: `${mark}\n` },
      ...pieces.slice(from, from + number).filter(({ isFence }) => isFence),
      ...pieces.slice(from + number),
    ];
    return left.map((piece) => piece.text).join('');
  };
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (count(cutBy(middle)) <= target) high = middle;
    else low = middle + 1;
  }
  const cut = cutBy(low);
  // Nothing but fences and the mark: where there is no fence to keep, nothing stays.
  return low === pieces.length && !pieces.some(({ isFence }) => isFence) ? '' : cut;
}

const names = { rules: 'the rules and the policy', said: 'what was said', case: 'the case file' };

/** The cuts in words. */
export function describeCuts(cuts: readonly Cut[], contextTokens: number): string {
  const listed = cuts.map(({ kind, tokens, of }) => `${tokens} of ${of} tokens of ${names[kind]}`);
  return `the prompt was cut to a context of ${contextTokens} tokens: ${listed.join(', ')} left out`;
}
