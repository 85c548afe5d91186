import {
  argumentSchema,
  defineJob,
  defineRole,
  findLastTurn,
  findTurns,
  inOrder,
  rounds,
  together,
  turn,
  type Question,
  type Transcript,
} from '@agonhq/agon';
import { z } from 'zod';

/* Should this pull request be merged? An advocate and a reviewer argue, a maintainer finds, code decides. */

const pullRequest = z.object({
  title: z.string().min(1),
  description: z.string().default(''),
  diff: z.string().min(1),
  /** What the tests said. */
  checks: z.string().optional(),
});

const findingsSchema = z.object({
  statement: z.string(),
  /** What must be mended before it can be merged, each with the line it is about. */
  blockers: z.array(z.object({ why: z.string(), quote: z.string() })),
  score: z.number().min(0).max(1),
});

/** The score of all roles: 0 is ready, 1 must not be merged. */
const howToScore = 'score: how much speaks against merging, from 0 to 1.';

const advocate = defineRole({
  id: 'advocate',
  instructions: `You speak for merging: what the change does well, quoted from the diff. ${howToScore}`,
  schema: argumentSchema,
  temperature: 0.3,
  fallback: () => ({ statement: 'No answer.', evidence: [], score: 0.5 }),
  program: (question) => ({
    statement: 'The change is small enough to be read, and says what it does.',
    evidence: addedLines(question).slice(0, 1),
    score: 0.2,
  }),
});

const reviewer = defineRole({
  id: 'reviewer',
  instructions: `You look for what would break: bugs, missing tests, leaked secrets, quoted from the diff. ${howToScore}`,
  schema: argumentSchema,
  temperature: 0.3,
  fallback: () => ({ statement: 'No answer.', evidence: [], score: 0.5 }),
  program: (question) => {
    const doubtful = doubtfulLines(question);
    return {
      statement: doubtful.length > 0 ? 'These lines are not ready.' : 'Nothing in it stands out.',
      evidence: doubtful,
      score: doubtful.length > 0 ? 0.9 : 0.1,
    };
  },
});

const maintainer = defineRole({
  id: 'maintainer',
  instructions:
    'You weigh both sides. List only blockers that you can quote from the diff or the checks; none if there are ' +
    `none. ${howToScore}`,
  schema: findingsSchema,
  temperature: 0,
  read: ({ statement, blockers, score }) => ({ statement, score, quotes: blockers.map(({ quote }) => quote) }),
  fallback: () => ({ statement: 'No answer.', blockers: [], score: 0.5 }),
  program: (question) => ({
    statement: 'Judged by the lines that the reviewer quotes.',
    blockers: doubtfulLines(question).map((quote) => ({ why: 'not ready', quote })),
    score: doubtfulLines(question).length > 0 ? 0.9 : 0.1,
  }),
});

export default defineJob({
  id: 'merge',
  version: '1',
  title: 'Merge',
  description: 'Should this pull request be merged?',
  subject: 'pull request',
  labels: ['merge', 'hold', 'undecided'],
  input: pullRequest,
  sources: ({ title, description, diff, checks }) => [
    { id: 'title', text: title },
    ...(description.trim() === '' ? [] : [{ id: 'description', text: description }]),
    { id: 'diff', text: diff },
    ...(checks === undefined ? [] : [{ id: 'checks', text: checks }]),
  ],
  roles: { advocate, reviewer, maintainer },
  protocol: (seats) =>
    inOrder(
      rounds({ max: 2, until: sidesAgree }, together(turn(seats.advocate), turn(seats.reviewer))),
      turn(seats.maintainer),
    ),

  /** Rule 1: a blocker that stands in the diff holds the merge. Rule 2: else it is merged, unless nobody weighed it. */
  decide(transcript) {
    const weighed = findLastTurn(transcript, maintainer);
    if (!weighed || weighed.fallback)
      return { label: 'undecided', score: null, rule: { id: 'no-maintainer', why: 'The maintainer was not heard.' } };
    const { score, evidence, answer } = weighed;
    const standing = evidence.filter(({ verified }) => verified);
    if (standing.length > 0) {
      const why = answer.blockers.map((blocker) => blocker.why).join('; ');
      return { label: 'hold', score, rule: { id: 'blocker', why }, evidence: standing };
    }
    if (answer.blockers.length > 0) {
      const why = 'The maintainer names blockers, but none of the lines it quotes is in the pull request.';
      return { label: 'undecided', score, rule: { id: 'evidence-struck', why } };
    }
    return { label: 'merge', score, rule: { id: 'no-blocker', why: answer.statement } };
  },
});

/** Nothing is left to argue when both sides score alike. */
function sidesAgree(transcript: Transcript): string | undefined {
  const scores = findTurns(transcript, advocate, reviewer)
    .slice(-2)
    .map(({ score }) => score ?? 0.5);
  return Math.abs(scores[0]! - scores[1]!) <= 0.2 ? 'sides-agree' : undefined;
}

function addedLines({ caseFile }: Question): string[] {
  const diff = caseFile.sources.find(({ id }) => id === 'diff')?.text ?? '';
  return diff.split('\n').filter((line) => line.startsWith('+') && line.trim() !== '+');
}

function doubtfulLines(question: Question): string[] {
  return addedLines(question).filter((line) => /TODO|FIXME|console\.log|password\s*=|\.only\(/.test(line));
}
