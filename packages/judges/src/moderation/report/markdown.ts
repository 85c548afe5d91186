import { describePictureMatch } from '@agonhq/engine/fingerprint';
import type { Policy } from '@agonhq/engine/policy';
import {
  codeCell,
  codeSpan,
  contextBlocks,
  markdownList,
  markdownTable,
  passageBlocks,
  renderDebateMarkdown,
  sourceBlocks,
  statement,
} from '@agonhq/engine/reports';
import { describeLabel, formatPercent } from '@agonhq/engine/view';
import type { ModerationAnswer } from '../moderation-answer.ts';
import { passageWords, viewModeration, type ModerationView, type PrecedentsView } from '../view.ts';

/** The report as Markdown that is safe to paste into an issue. */
export function writeModerationMarkdown(answer: ModerationAnswer, policy: Policy | undefined): string {
  const view = viewModeration(answer);
  return renderDebateMarkdown({
    answer,
    view,
    policy,
    judged: listJudged(answer, view),
    chart: view.isDebate ? tabulateScores(view) : '',
    afterDebate: view.isDebate ? listPrecedents(view.precedents) : [],
  });
}

function listJudged(
  { sources, subject }: ModerationAnswer,
  { images, recordings, citations }: ModerationView,
): string[] {
  return [
    '## What was judged',
    markdownList(
      recordings.map(({ recording: { id, mediaType, hash }, length }) =>
        [codeSpan(id), length, codeSpan(mediaType), codeSpan(hash)].join(', '),
      ),
    ),
    markdownList(
      images.map(({ image: { id, mediaType, hash }, size, shownAt }) =>
        [
          codeSpan(id),
          shownAt !== null && `at ${shownAt}`,
          size,
          mediaType !== null && codeSpan(mediaType),
          hash === null ? 'only a description was given' : codeSpan(hash),
        ]
          .filter(Boolean)
          .join(', '),
      ),
    ),
    ...sources.flatMap((source) => sourceBlocks(source, citations)),
    ...contextBlocks(subject),
    ...passageBlocks(citations, passageWords),
  ];
}

function tabulateScores({ scores: { columns, series } }: ModerationView): string {
  return markdownTable(
    ['Risk', ...columns],
    series.map(({ name, points }) => [
      codeCell(name),
      ...columns.map((_, column) => {
        const point = points.find((candidate) => candidate.column === column);
        return point ? `${point.risk.text}${point.isStandIn ? ' (fallback)' : ''}` : '';
      }),
    ]),
  );
}

function listPrecedents({ problem, shown, further, patterns, exclusions, furtherExcluded }: PrecedentsView): string[] {
  return [
    '## Precedents',
    problem === null ? '' : `**The precedent library has a problem.** ${codeSpan(problem)}`,
    shown.length === 0 ? 'No precedent was found.' : '',
    ...shown.flatMap(({ precedent: { id, label, category, similarity, summary, why, cues: own, picture }, cues }) => [
      `**${describeLabel(label).title}**, ${formatPercent(similarity)} similar: ${codeSpan(id)}` +
        (category === null ? '' : `, ${codeSpan(category)}`),
      picture === undefined ? '' : `Found by its pixels: ${describePictureMatch(picture)}.`,
      statement(summary),
      why === undefined ? '' : `Reason: ${codeSpan(why)}`,
      markdownList(own.map((cue) => `Cue: ${codeSpan(cue)}`)),
      markdownList(
        cues.flatMap(({ cue, difference }) => [`Similar: ${codeSpan(cue)}`, `Different: ${codeSpan(difference)}`]),
      ),
    ]),
    further ?? '',
    markdownList(patterns.map((pattern) => `Pattern: ${codeSpan(pattern)}`)),
    markdownList([
      ...exclusions.map(({ reason, ids }) => `Not shown, ${reason}: ${ids.map(codeSpan).join(', ')}`),
      ...(furtherExcluded === null ? [] : [furtherExcluded]),
    ]),
  ];
}
