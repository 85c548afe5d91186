import { describe, expect, test } from 'vitest';
import type { Guard, GuardOptions } from '@agonhq/core/guard';
import { after, before, guardContract, harm, listen, type Said } from './guard-contract.ts';
import { until } from './until.ts';

/** A part of what a model says. */
export type SaidPart =
  | { text: string }
  | { reasoning: string }
  | { tool: string; args: { at: string } }
  | { file: Uint8Array };

/** What a model says behind a guard, part by part. */
export interface SaidParts extends Omit<Said, 'pieces'> {
  parts: readonly SaidPart[];
}

/** What came of it to whoever asked. */
export interface Heard {
  text: string;
  reasoning: string;
  /** What tools were called with. */
  calls: { at: string }[];
  files: Uint8Array[];
}

/** How somebody asks a model through an adapter: for its stream, or for its whole answer. */
export interface ModelAdapter {
  stream(said: SaidParts, guard: Guard, leave: AbortSignal): AsyncIterable<Partial<Heard>>;
  generate(said: SaidParts, guard: Guard, leave: AbortSignal): Promise<Partial<Heard>>;
}

const nothing: Heard = { text: '', reasoning: '', calls: [], files: [] };

function join(a: Heard, b: Partial<Heard>): Heard {
  return {
    text: a.text + (b.text ?? ''),
    reasoning: a.reasoning + (b.reasoning ?? ''),
    calls: [...a.calls, ...(b.calls ?? [])],
    files: [...a.files, ...(b.files ?? [])],
  };
}

/** What every guard of a model does, beside what all guards do: with calls of tools, reasoning and files. */
export function modelGuardContract({ stream, generate }: ModelAdapter): void {
  guardContract({
    // Code units: the halves of a character come apart.
    cutFinely: (text) => text.split(''),
    async *hear({ pieces, ...said }, guard, leave) {
      const parts = pieces.map((piece) => ({ text: piece as string }));
      for await (const { text } of stream({ ...said, parts }, guard, leave)) if (text) yield text;
    },
  });

  const never = new AbortController().signal;
  const hear = {
    async streamed(said: SaidParts, guard: Guard): Promise<Heard> {
      let heard = nothing;
      for await (const one of stream(said, guard, never)) heard = join(heard, one);
      return heard;
    },
    whole: async (said: SaidParts, guard: Guard) => join(nothing, await generate(said, guard, never)),
  };

  const call = { tool: 'look', args: { at: 'a map' } };
  const file = Uint8Array.of(37, 80, 68, 70);
  const deltas = (words: string) => words.split(/(?<= )/);

  describe.each(['streamed', 'whole'] as const)('an answer that is heard %s', (how) => {
    async function ask(parts: readonly SaidPart[], options: GuardOptions = {}) {
      const { guard, reports, verdicts } = listen(options);
      const heard = await hear[how]({ parts, everyMs: how === 'streamed' ? 5 : 0 }, guard);
      expect(reports).toHaveLength(1);
      return { ...heard, report: reports[0]!, verdicts };
    }

    test('has all its parts where nothing is stopped, in either mode', async () => {
      const parts = [
        ...deltas('Let me think about it. ').map((reasoning) => ({ reasoning })),
        ...deltas(before).map((text) => ({ text })),
        call,
      ];
      for (const mode of ['hold', 'pass-and-stop'] as const) {
        const heard = await ask(parts, { mode, toolCalls: 'judge' });
        expect(heard).toMatchObject({ text: before, reasoning: 'Let me think about it. ', calls: [call.args] });
        expect(heard.report).toMatchObject({ done: 'passed', skipped: [] });
      }
    });

    test.each(['hold', 'pass-and-stop'] as const)('calls no tool after harm (%s)', async (mode) => {
      const { calls, report } = await ask([{ text: before }, { text: harm }, call], { mode });
      expect(calls).toEqual([]);
      expect(report).toMatchObject({ done: 'stopped', hit: { of: 'answer', label: 'unsafe' } });
    });

    test('calls no tool with harm where calls are judged, and names them where they are not', async () => {
      const harmful = { tool: 'look', args: { at: harm } };
      expect(await ask([harmful], { toolCalls: 'judge' })).toMatchObject({ calls: [], report: { done: 'stopped' } });
      const passed = await ask([harmful]);
      expect([passed.calls, passed.report.done]).toEqual([[harmful.args], 'passed']);
      expect(passed.report.skipped).toContain('tool-call');
    });

    test('says no harm in its reasoning, unless that is skipped', async () => {
      const parts = [{ reasoning: harm }, { reasoning: after }, { text: before }];
      const judged = await ask(parts);
      expect(judged).toMatchObject({ text: '', reasoning: '', report: { done: 'stopped' } });
      const skipped = await ask(parts, { reasoning: 'skip' });
      expect(skipped).toMatchObject({ text: before, report: { done: 'passed', skipped: ['reasoning'] } });
    });

    test('ends before a file that nobody reads, or has it where that is wanted', async () => {
      const parts = [{ text: before }, { file }, { text: after }];
      const stopped = await ask(parts);
      expect(stopped).toMatchObject({ files: [], report: { done: 'stopped' } });
      expect(stopped.report.hit?.error?.code).toBe('wrong-media-type');
      expect(before.startsWith(stopped.text)).toBe(true);
      const passed = await ask(parts, { onUnread: 'pass' });
      expect(passed).toMatchObject({ text: before + after, report: { done: 'passed' } });
      expect(passed.files.map((bytes) => [...bytes])).toEqual([[...file]]);
      expect(passed.report.skipped).toHaveLength(1);
      expect(await ask(parts, { onHit: 'report' })).toMatchObject({
        text: before + after,
        report: { done: 'reported' },
      });
    });

    test('is replaced, marked or only reported, as the options say', async () => {
      const parts = [{ text: harm }];
      const replaced = await ask(parts, { onHit: 'replace', replacement: 'Withheld.' });
      expect(replaced).toMatchObject({ text: 'Withheld.', report: { done: 'replaced' } });
      expect(await ask(parts, { onHit: 'mark' })).toMatchObject({ text: harm, report: { done: 'marked' } });
      expect(await ask(parts, { onHit: 'report' })).toMatchObject({ text: harm, report: { done: 'reported' } });
    });
  });

  test('a whole answer that is empty, fails or is not waited for has a report', async () => {
    const { guard, reports } = listen();
    expect(join(nothing, await generate({ parts: [] }, guard, never))).toEqual(nothing);
    await expect(generate({ parts: [{ text: before }], fails: true }, guard, never)).rejects.toThrow();
    const [stays, leave] = [new AbortController(), new AbortController()];
    const asked = generate({ parts: [{ text: before }], stays }, guard, leave.signal);
    setTimeout(() => leave.abort(), 200);
    await expect(asked).rejects.toThrow();
    await until(() => stays.signal.aborted && reports.length === 3);
    expect(reports.map(({ done }) => done)).toEqual(['passed', 'aborted', 'aborted']);
  });
}
