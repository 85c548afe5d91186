import { Transform } from 'node:stream';

const newline = 0x0a;

/**
 * Hands on line by line, however long one is: what gathers a message piece by piece copies it each time. A line that
 * is too long is dropped.
 */
export function wholeLines(longest: number, onDropped: () => void): Transform {
  let pieces: Buffer[] = [];
  let length = 0;

  function gather(piece: Buffer): void {
    length += piece.length;
    if (length <= longest) pieces.push(piece);
    else pieces = [];
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        gather(chunk.subarray(from, at + 1));
        if (length <= longest) this.push(Buffer.concat(pieces));
        else onDropped();
        pieces = [];
        length = 0;
        from = at + 1;
      }
      if (from < chunk.length) gather(chunk.subarray(from));
      done();
    },
  });
}
