import { describe, expect, test } from 'vitest';
import {
  answerFixtures,
  doubtfulAnswer,
  pictureFixture,
  policyFixture,
  safeAnswer,
  undecidedAnswer,
  unsafeAnswer,
  votedAnswer,
} from '@agonhq/test/fixtures/answers.ts';
import { moderationJob } from '@agonhq/judges/moderation';
import { drawReportPage } from '../../report/report-page.tsx';

const decode = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<sup.*?<\/sup>|<[^>]*>/gs, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
const page = (
  answer: typeof unsafeAnswer,
  images: Record<string, string> = {},
  policy: typeof policyFixture | undefined = policyFixture,
) => drawReportPage({ job: moderationJob, answer, extras: { images, ...(policy ? { policy } : {}) } }, '');
const markdown = (answer: typeof unsafeAnswer) => moderationJob.report.markdown(answer, {});

describe('the HTML report', () => {
  test('has every statement, quotation, reason, precedent and hash of the answer', () => {
    const text = decode(page(unsafeAnswer));
    const pieces: string[] = [];
    JSON.stringify(unsafeAnswer, (key, value: unknown) => {
      const machinery = new Set([
        'inputHash',
        'kind',
        'role',
        'label',
        'job',
        'modality',
        'clause',
        'clauses',
        'hash',
        'precedent',
      ]);
      if (machinery.has(key)) return undefined;
      if (typeof value === 'string' && !value.includes('\u202e') && !/^[a-z-]+$/.test(value)) pieces.push(value);
      return value;
    });
    expect(pieces.length).toBeGreaterThan(80);
    expect(pieces.filter((piece) => !text.includes(piece))).toEqual([]);
  });

  test('says in plain words which precedents were not shown, and what is wrong with the library', () => {
    const retrieval = {
      excluded: [
        { id: 'case-1', reason: 'itself' as const },
        { id: 'case-2', reason: 'evaluation-set' as const },
        { id: 'case-<3>', reason: 'evaluation-set' as const },
      ],
      furtherExcluded: 12,
      library: { size: 4, problem: 'The library is one-sided: all of its 4 precedents are unsafe.' },
    };
    const pieces = [
      'The library is one-sided',
      'Not shown, the item itself: case-1',
      'Not shown, from the data set that is being scored: case-2, case-<3>',
      '12 further precedents',
    ];
    const text = decode(page({ ...unsafeAnswer, retrieval }));
    for (const piece of pieces) expect(text).toContain(piece);
    const said = markdown(Object.assign({ ...unsafeAnswer }, { retrieval })).replaceAll('`', '');
    for (const piece of pieces) expect(said).toContain(piece);
  });

  test('shows the most alike precedents and those that the brief draws on, and says how many there were besides', () => {
    const [first] = unsafeAnswer.precedents;
    const precedents = Array.from({ length: 30 }, (_, index) => ({
      ...first!,
      id: index === 12 ? first!.id : `alike-${index}`,
      label: index % 3 === 0 ? ('safe' as const) : ('unsafe' as const),
    }));
    const further = '24 more similar cases were shown to the panel, 17 unsafe and 7 safe';
    for (const text of [
      decode(page({ ...unsafeAnswer, precedents })),
      markdown(Object.assign({ ...unsafeAnswer }, { precedents })),
    ]) {
      for (const id of ['alike-0', 'alike-4', first!.id]) expect(text).toContain(id);
      expect(text).not.toContain('alike-5');
      expect(text).toContain(further);
    }
  });

  test('is the same for the same answer, and asks nothing of the network', () => {
    expect(page(unsafeAnswer)).toBe(page(unsafeAnswer));
    // The name of what drawings are written in.
    const loading = page(unsafeAnswer).replaceAll(' xmlns="http://www.w3.org/2000/svg"', '');
    expect(loading).not.toMatch(/<script|<link|@import|url\(|https?:/);
    expect(loading).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
  });

  test('links a marked passage to the argument that quotes it, and the argument back to the passage', () => {
    const report = page(unsafeAnswer);
    const anchors = new Set([...report.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...report.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toContain('mark-1');
    expect(links.some((link) => link!.startsWith('turn-'))).toBe(true);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });

  test('shows a struck quotation struck through, with the reason', () => {
    expect(page(unsafeAnswer)).toMatch(/<s class="[^"]*">breathe it in deeply<\/s>/);
    expect(decode(page(unsafeAnswer))).toContain('Struck: not found in any source');
  });

  test('tells which rules were checked and which decided', () => {
    const states = (answer: typeof unsafeAnswer) =>
      [...page(answer).matchAll(/<li id="rule-\d".*?<\/strong> <span[^>]*>([^<]*)</gs)].map(([, state]) => state);
    expect(states(safeAnswer)).toEqual(['Decided', 'Not reached', 'Not reached']);
    expect(states(unsafeAnswer)).toEqual(['Checked, did not apply', 'Decided', 'Not reached']);
    expect(states(doubtfulAnswer)).toEqual(['Checked, did not apply', 'Checked, did not apply', 'Decided']);
    expect(states(undecidedAnswer)).toEqual(['Not applied', 'Not applied', 'Not applied']);
    expect(decode(page(votedAnswer))).toContain('the votes of the debaters that answered decided');
  });

  test('marks seats that were not heard, and says that a person must look', () => {
    const text = decode(page(undecidedAnswer));
    expect(text.match(/Fallback used\./g)).toHaveLength(3);
    expect(text).toContain('Needs human review.');
    expect(text).toContain('no answer came in time');
  });

  test('says so when there is no precedent', () => {
    expect(decode(page(doubtfulAnswer))).toContain('No precedents were found');
  });

  test('shows pictures that are data, and nothing else in their place', () => {
    expect(page(unsafeAnswer, { 'image-1': pictureFixture })).toContain(`src="${pictureFixture}"`);
    for (const address of [
      'https://example.org/a.png',
      'javascript:alert(1)',
      'data:text/html;base64,AAAA',
      'data:image/svg+xml;base64,AAAA',
    ]) {
      expect(page(unsafeAnswer, { 'image-1': address })).not.toContain('<img');
    }
  });

  test('does without the policy: clauses go by their ids', () => {
    expect(drawReportPage({ job: moderationJob, answer: unsafeAnswer, extras: {} }, '')).toContain(
      'chemicals.toxic-mixtures',
    );
  });

  test.each(Object.entries(answerFixtures))(
    'of %s has one heading of the first rank and balanced sections',
    (_, answer) => {
      const report = page(answer);
      expect(report.match(/<h1[ >]/g)).toHaveLength(1);
      for (const tag of ['section', 'article', 'div', 'ul', 'ol', 'li', 'table', 'figure', 'mark', 'bdi', 'span']) {
        expect(
          report
            .split(`<${tag}`)
            .slice(1)
            .filter((rest) => /^[\s>]/.test(rest)).length,
          tag,
        ).toBe(report.split(`</${tag}>`).length - 1);
      }
    },
  );
});
