import type { BundlePart } from './parts.ts';
import type { Predicate } from './statement.ts';
import { encodeText } from '@agonhq/engine/container';

const contents: readonly (readonly [string, string])[] = [
  ['answer.json', 'the answer as it stands on record: verdict, debate, evidence, seal'],
  ['case.json', 'when it was judged, in which run, under which settings, with which context'],
  ['subject/', 'what was judged: content.json, and files by the SHA-256 of their bytes'],
  ['policy.json', 'the written rules that it was judged by'],
  ['precedents.json', 'the decided cases that the debaters were shown'],
  ['prompts.jsonl', 'what models were sent for each turn, and what they said'],
  ['models.json', 'which model sat where, and the hashes of those that ran inside Agon'],
  ['decisions.json', 'what people decided and corrected since'],
  ['records.jsonl', 'what happened to the case, each line with the hash of the line before it'],
];

const ofRun: readonly (readonly [string, string])[] = [
  ['cases/', 'a bundle of its own for each case that was judged'],
  ['items.jsonl', 'every item of the run: its case and verdict, or why it has none'],
  ['run.json', 'the run: its job, configuration and times'],
];

const always: readonly (readonly [string, string])[] = [
  ['public-key.pem', 'the public key that fits the signature'],
  ['statement.dsse.json', 'the signed list of all these files with their SHA-256'],
];

/** Tells a stranger what this is and how to check it. */
export function writeBundleReadme(predicate: Predicate): BundlePart {
  const listed = [...(predicate.kind === 'case' ? contents : ofRun), ...always];
  const about = predicate.kind === 'case' ? `case ${predicate.case}` : `run ${predicate.run}`;
  const lines = [
    `Evidence of ${about} (${predicate.job}), as of ${predicate.asOf}, by Agon ${predicate.madeBy.agon}`,
    '',
    ...listed.map(([name, what]) => `  ${name.padEnd(20)} ${what}`),
    '',
    ...(predicate.redacted
      ? [
          'REDACTED. Where {"$redacted": "sha256:..."} stands, something was left out that reveals the ' +
            'content. The hash',
          'is of a secret salt of 32 bytes followed by what stood there; whoever issued this can open it.',
          '',
        ]
      : []),
    ...predicate.leftOut.map(({ what, why }) => `Left out: ${what}: ${why}.`),
    ...(predicate.leftOut.length > 0 ? [''] : []),
    'How to check it, offline:',
    '',
    '  with Agon     agon verify THIS-FILE.agon.zip --key issuer.pem',
    '  in a browser  open the verifier page (agon verifier --out verifier.html) and drop this file on it',
    '  by hand       the payload of statement.dsse.json is base64 of an in-toto statement with the SHA-256 of each',
    '                file; its signature is Ed25519 over the DSSE pre-authentication encoding of the payload',
    '',
    'Get issuer.pem from the issuer, not from here: the key in public-key.pem shows that nothing was changed since it',
    `was signed, not who signed it. Its id is ${predicate.keyId}.`,
    '',
  ];
  return { name: 'README.txt', bytes: encodeText(lines.join('\n')) };
}
