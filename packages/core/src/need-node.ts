/*
 * Imported before all else by what programs import, so that an older Node says what it lacks. bin/agon.js says the same
 * of the command. A named import that an older Node lacks would end it earlier: such names are taken from the module.
 */

const required = 24;

if (Number.parseInt(process.versions.node, 10) < required) {
  const message =
    `Agon needs Node ${required} or newer; this is ${process.version}. Install Node ${required}, or \`npm install ` +
    `node@${required}\` beside it; agon/client runs with older ones too. (old-node)`;
  const error = Object.assign(new Error(message), { code: 'old-node' });
  // Where nobody catches it, a trace of our own files would bury the line.
  delete error.stack;
  throw error;
}
