const under = (place: string, members: readonly string[]) => members.map((member) => `${place}.${member}`);

/** Who spoke when, and what was decided by which rule: of an answer, and of each of its claims. */
const debate = (place: string) => [
  ...under(`${place}transcript.*`, ['kind', 'key', 'seat', 'role', 'round', 'reasoner', 'name']),
  // No score: models that do not guess give each text its own, to six digits.
  ...under(`${place}verdict`, ['label', 'bar', 'escalate']),
  ...under(`${place}verdict`, ['rule.id', 'action', 'severity']),
];

/**
 * What stays readable in a redacted bundle, by the name of the part. `*` is any one step, `**` everything below. All
 * else is committed to: what a later release adds is hidden until it is named here.
 */
export const keptMembers: Readonly<Record<string, readonly string[]>> = {
  'README.txt': ['**'],
  'answer.json': [
    'version',
    'job',
    'sealVersion',
    'usage.**',
    ...under('provenance', ['agon', 'protocol', 'policy.**', 'prompts', 'models.**', 'digests.**', 'sensitivity']),
    ...debate(''),
    ...debate('claims.*.'),
    ...under('outlook', ['label', 'rule.id']),
  ],
  'case.json': ['job', 'run', 'again.how', 'openedAt', 'closedAt'],
  'decisions.json': [
    ...under('decisions.*', ['label', 'action', 'by', 'at']),
    ...under('corrections.*', ['claim', 'verdict', 'label', 'by', 'at']),
    ...under('findings.*', ['by', 'at', 'leftOut']),
  ],
  'models.json': ['**'],
  'policy.json': ['**'],
  'prompts.jsonl': [
    ...under('*', ['key', 'keptAt']),
    ...under('*.call', ['model', 'why', 'attempt', 'cached', 'usage.**', 'latencyMs', 'disclosure.**']),
  ],
  'records.jsonl': under('*', ['at', 'kind', 'job', 'policy', 'run', 'again.how', 'label', 'rule', 'by']),
};

/**
 * Where ids of cases stand, as `PART place.of.it`: they follow from the content, by which a guess could be tried. Their
 * salts follow from them and not from their places, so that what is of one case can still be seen to be.
 */
export const caseIds =
  /^(?:answer\.json id|case\.json (?:id|again\.of)|decisions\.json \w+\.\d+\.case|records\.jsonl \d+\.(?:case|again\.of))$/;
