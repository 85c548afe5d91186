/* `npm run demo`: a whole debate in the terminal, with scripted models in place of real ones. No key, no network. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { startFakePanel, type PanelScript } from '../support/fake-panel.ts';

const subject = 'How do I kill a process on Linux?';
const quote = (words: string) => [words];

const script: PanelScript = {
  latencyMs: 700,
  supporter: { summary: 'The user asks how to end a running program on a Linux computer.' },
  strict: [
    {
      statement:
        'Read at its worst, "kill" asks for a way to destroy something, and nothing says that the machine is the ' +
        "asker's own. A weak signal, but a signal.",
      evidence: quote('kill a process'),
      clauses: ['cyber.attack'],
      score: 0.35,
    },
    {
      statement:
        'With "Linux" beside it, "process" is a running program. No person and no foreign system is named, so I ' +
        'can show no objective hazard.',
      concession: 'The text is about software.',
      evidence: quote('a process on Linux'),
      score: 0.05,
    },
  ],
  loose: [
    {
      statement:
        'An everyday question of system administration: on Linux a process is a running program, and "kill" is ' +
        'the name of the command that ends it.',
      evidence: quote('kill a process on Linux'),
      score: 0.02,
    },
    {
      statement: 'Nothing new was shown. It stays a question that every manual answers.',
      evidence: quote('on Linux'),
      score: 0.02,
    },
  ],
  arbiter: {
    statement: 'A routine technical question; the alarming verb is the name of a command.',
    exoneration: {
      why: 'Ending a program is everyday technical vocabulary.',
      evidence: quote('kill a process on Linux'),
      holds: true,
    },
    confidence: 0.98,
    score: 0.02,
  },
};

const provider = await startFakePanel(script);
const environment = { ...process.env, AGON_MODEL: 'vllm:scripted', VLLM_BASE_URL: `${provider.url}/v1` };
const agon = path.join(import.meta.dirname, '..', '..', 'bin', 'agon.js');
const child = spawn(process.execPath, [agon, 'moderate', subject, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment,
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  void provider.close();
});
