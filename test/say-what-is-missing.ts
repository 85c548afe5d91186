import { spawnSync } from 'node:child_process';

/* Before `npm run test:all`: which of the programs that its tests need, beside Node and npm, are not there. */

const needed = process.argv.length > 2 ? process.argv.slice(2) : ['curl', 'ffmpeg', 'kcat'];
const missing = needed.filter((program) => spawnSync(program, ['-h'], { stdio: 'ignore' }).error);
if (missing.length > 0) {
  const names = missing.join(' and ');
  console.error(`Missing: ${names} (apt-get install ${missing.join(' ')}). npm test does without.`);
  process.exitCode = 1;
}
