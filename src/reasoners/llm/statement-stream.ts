/**
 * Turns the growing text of an answer into pieces of its first field, the statement. What was passed on cannot be
 * taken back: after a retry, pieces go on only where the new answer says more of the same.
 */
export function streamStatement(onDelta: (delta: string) => void): (textSoFar: string) => void {
  let sent = '';
  return (textSoFar) => {
    const statement = firstString(textSoFar);
    if (statement.length > sent.length && statement.startsWith(sent)) {
      onDelta(statement.slice(sent.length));
      sent = statement;
    }
  };
}

const opening = /^[^{]*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"/;
const wholeCharacters = /^(?:[^"\\]+|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/i;

/** The first field of an object that is still being written, as far as it goes, if it is a string. */
function firstString(text: string): string {
  const start = opening.exec(text);
  if (start === null) return '';
  const written = wholeCharacters.exec(text.slice(start[0].length))![0];
  // A model that writes JSON by hand may leave line breaks as they are.
  const value = JSON.parse(
    `"${written.replaceAll(/[\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1))}"`,
  ) as string;
  // Half of a surrogate pair is held back until the other half is there.
  return /[\ud800-\udbff]$/.test(value) ? value.slice(0, -1) : value;
}
