import { afterAll, describe, expect, test } from 'vitest';
import { status } from '../fake-provider/index.ts';
import { panelSettings, startFakePanel, type PanelScript } from '../support/fake-panel.ts';
import { withoutCode } from '../support/markdown-prose.ts';
import { createAgon, renderReport } from '@agonhq/core/app';
import type { ModerationMethod } from '@agonhq/judges/moderation';

const post = 'Leave the back door open tonight, and tell nobody that you did.';
const breach = {
  statement: 'It asks for help with a <b>break-in</b>.',
  evidence: ['Leave the back door open'],
  clauses: ['illegal.theft'],
  score: 0.9,
};
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
});

async function reportsOf(method: ModerationMethod, judge: PanelScript['judge'] = {}, content = post) {
  const panel = await startFakePanel({ judge });
  const agon = await createAgon(
    { ...panelSettings(panel), moderation: { method } },
    { environment: {}, secret: 'test' },
  );
  closers.push(panel.close, agon.close);
  const answer = await agon.moderate(content);
  const { policy } = agon;
  return {
    answer,
    html: await renderReport(answer, 'html', { policy }),
    markdown: await renderReport(answer, 'markdown', { policy }),
    notice: await renderReport(answer, 'notice', { policy }),
  };
}

const headings = (page: string) => [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title);

/** Judges 1 and 2 see a breach, the others none. */
const split: PanelScript['judge'] = ({ prompt }) => (/Your seat: \w+#[12]\./.test(prompt) ? breach : {});

describe('the report of a method beside the debate', () => {
  test.each(['judge', 'vote', 'role-free', 'control', 'refusal-match'] as const)(
    'of %s tells of no debater, no arbiter, no rule and no precedent that there was not',
    async (method) => {
      const { html, markdown, notice } = await reportsOf(method, breach);
      for (const report of [html.replace(/<style>.*?<\/style>/s, ''), markdown, notice])
        expect(report).not.toMatch(
          /strict debater|loose debater|arbiter|Rule [123]|precedent was found|Three rules|two sides/i,
        );
      expect(headings(html)).not.toContain('Precedents');
      expect(html.match(/<h1[ >]/g)).toHaveLength(1);
      for (const tag of ['section', 'article', 'div', 'ul', 'li', 'table', 'mark']) {
        expect(
          html
            .split(`<${tag}`)
            .slice(1)
            .filter((rest) => /^[\s>]/.test(rest)).length,
          tag,
        ).toBe(html.split(`</${tag}>`).length - 1);
      }
      const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      expect([...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!).filter((id) => !anchors.has(id))).toEqual([]);
    },
  );

  test('of one judge says what it said, on which words, under which clause', async () => {
    const { html, markdown, notice } = await reportsOf('judge', breach);
    expect(headings(html)).toEqual(['Why', 'What was judged', 'What was said', 'Usage', 'Provenance']);
    expect(html).toContain('Decided by the judge');
    expect(html).toContain('&lt;b&gt;break-in&lt;/b&gt;');
    expect(html).toMatch(/<mark[^>]*>.*Leave the back door open/s);
    expect(markdown).toContain('| `Judge` | `fake:panel-vision` | `unsafe` | 0.90 |');
    expect(markdown).toContain('Quotes `Leave the back door open` in `text`');
    expect(withoutCode(markdown)).not.toContain('<b>');
    expect(notice).toContain('one automated reviewer judged the content');
    expect(notice).toContain('A single automated judge checked your content against the rules.');
  });

  test('of a split vote shows the votes, and that they decided nothing', async () => {
    const { html, markdown, notice } = await reportsOf('vote', split);
    for (const report of [html, markdown]) {
      expect(report).toContain('4 votes: 2 unsafe, 2 safe.');
      expect(report).toContain('That is no basis for either verdict.');
      expect(report).toContain('the votes are split');
    }
    expect(notice).toContain('The automated judges did not agree about your content.');
    expect(notice).toContain('4 automated reviewers');
  });

  test('of a debate without roles goes round by round', async () => {
    const { html, markdown } = await reportsOf('role-free', split);
    expect(html).toMatch(/<h3[^>]*>Round 2<\/h3>/);
    expect(headings(html)).toContain('The debate');
    expect(markdown).toContain('### `Peer 4, round 2`: 0.10');
  });

  test('of the control counts its votes', async () => {
    const { html, markdown } = await reportsOf('control');
    expect(html).toContain('Compute-matched votes');
    expect(markdown).toContain('6 votes: 0 unsafe, 6 safe.');
    expect(markdown).toContain('there were as many as the debate has turns');
  });

  test('of refusal words shows the words', async () => {
    const { html, markdown, notice } = await reportsOf('refusal-match', {}, 'I’m sorry, I can’t help with that.');
    expect(headings(html)).toEqual(['Why', 'What was judged', 'Usage', 'Provenance']);
    for (const report of [html, markdown]) expect(report).toContain('No model was called');
    expect(markdown).toContain('Quotes `I’m sorry` in `text`');
    expect(notice).toContain('No automated reviewer was asked');
  });

  test('of judges that nobody heard says so', async () => {
    const { html, markdown, notice } = await reportsOf('vote', status(500));
    expect(markdown).toContain('4 votes: 0 unsafe, 0 safe, 4 without an answer.');
    expect(html).toContain('No seat gave a usable answer. A failure never counts as safe.');
    expect(notice).toContain('None of its automated reviewers gave an answer.');
  });

  test('also of an answer whose method is not on record, told by its seats', async () => {
    const { answer } = await reportsOf('vote', split);
    const { method: _, ...provenance } = answer.provenance;
    expect(await renderReport({ ...answer, provenance }, 'markdown')).toContain('4 votes: 2 unsafe, 2 safe.');
  });
});
