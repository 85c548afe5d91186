/** Passes bytes on up to the last character that is there whole, as UTF-8 has them. */
export function cutCharacters(): TransformStream<Uint8Array, Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = findWholeEnd(bytes);
      rest = bytes.subarray(end);
      if (end > 0) controller.enqueue(bytes.subarray(0, end));
    },
    flush(controller) {
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
}

function findWholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Passes the events of a server on one by one, each with the empty line that ends it, as they were written. */
export function cutEvents(): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const end = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g;
  let text = '';
  return new TransformStream({
    transform(chunk, controller) {
      end.lastIndex = Math.max(0, text.length - 3);
      text += decoder.decode(chunk, { stream: true });
      let start = 0;
      while (end.test(text)) {
        controller.enqueue(encoder.encode(text.slice(start, end.lastIndex)));
        start = end.lastIndex;
      }
      text = text.slice(start);
    },
    flush(controller) {
      text += decoder.decode();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
}

/** An event of a server: what it says, as what, and what else is written in it. */
export function readEvent(block: string): { data: string | null; type: string; comments: string[] } {
  const data: string[] = [];
  const comments: string[] = [];
  let type = '';
  for (const line of block.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line)!;
    if (name === 'data') data.push(value);
    else if (/\s/.test(value) || !['', 'event', 'id', 'retry'].includes(name)) comments.push(`${line}\n`);
    else if (name === 'event') type = value;
  }
  return { data: data.length > 0 ? data.join('\n') : null, type, comments };
}
