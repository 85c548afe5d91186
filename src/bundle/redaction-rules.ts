const under = (place: string, members: readonly string[]) => members.map((member) => `${place}.${member}`);

/** Who spoke when, and what was decided by which rule: of an answer, and of each of its claims. */
const debate = (place: string) => [
  ...under(`${place}transcript.*`, ['kind', 'key', 'seat', 'role', 'round', 'reasoner', 'name']),
  ...under(`${place}verdict`, ['label', 'risk', 'bar', 'score', 'probability', 'confidence', 'escalate']),
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
    'id',
    'job',
    'sealVersion',
    'seal',
    'usage.**',
    ...under('provenance', ['agon', 'protocol', 'policy.**', 'prompts', 'models.**', 'digests.**', 'sensitivity']),
    ...debate(''),
    ...debate('claims.*.'),
    ...under('outlook', ['label', 'rule.id']),
  ],
  'case.json': ['id', 'job', 'run', 'again.**', 'openedAt', 'closedAt'],
  'decisions.json': [
    ...under('decisions.*', ['id', 'case', 'label', 'action', 'by', 'at']),
    ...under('corrections.*', ['id', 'case', 'claim', 'verdict', 'label', 'by', 'at']),
    ...under('findings.*', ['case', 'by', 'at', 'leftOut']),
  ],
  'models.json': ['**'],
  'policy.json': ['**'],
  'prompts.jsonl': [
    ...under('*', ['key', 'keptAt']),
    ...under('*.call', ['model', 'why', 'attempt', 'cached', 'usage.**', 'latencyMs', 'disclosure.**']),
  ],
  'records.jsonl': under('*', [
    'at',
    'kind',
    'case',
    'job',
    'policy',
    'run',
    'again.**',
    'label',
    'rule',
    'seal',
    'by',
  ]),
};
