/** What to do next, by the code of an error: over HTTP nobody has the flags and commands that its own hint names. */
const hints: Record<string, string> = {
  'already-retired': 'GET /api/precedents/{id} shows it.',
  'binary-text': 'Send text as UTF-8, and images in `images`.',
  'budget-spent':
    'Raise the budget in the settings of the server (budget), or of the run (budgetUsd), and ask again: what was ' +
    'argued is recalled.',
  cancelled: 'Ask again: what was argued is recalled.',
  'empty-statement': 'Say what speaks for the content, or leave `statement` out.',
  'empty-subject': 'Send a text, or images.',
  'missing-response': 'Send what the model answered as `response`.',
  'no-plan': 'It was made by another version, or not as a run: send its input again as a new one.',
  'no-reason': 'Say why, in `why`.',
  'no-reasoner': 'Name a model for it in the settings of the server: seats.',
  'no-such-precedent': 'GET /api/precedents lists them.',
  'nobody-heard': 'See that the provider answers, then try the failed items again: POST /api/runs/{id}/retry-failed.',
  'not-proposed': 'GET /api/precedents?state=proposed lists those that wait.',
  'path-outside-root': 'Send the files with the run, and name each by its name alone.',
  'run-exists': 'Go on with it: POST /api/runs/{id}/resume; or give another name.',
  'unknown-case': 'GET /api/cases lists them.',
  'unknown-clause': 'GET /api/policies/{hash} shows what it has.',
  'unknown-column': 'The first row names the columns; `map` says what a column is called: {"text": "COLUMN"}.',
};

/** It names a flag, or a command of Agon. */
const forTerminals = /(?:^|[\s(`])(?:--|agon )[a-z]/;

/** The hint of an error for somebody who asks over HTTP. */
export function hintOverHttp(code: string, hint: string): string {
  return forTerminals.test(hint) ? (hints[code] ?? hint) : hint;
}
