const special = /["\\]/g;

/**
 * Values as PostgreSQL reads an array, to be cast to its type: many rows are one parameter for each of their columns.
 * The driver's own way of writing arrays takes longer than the server takes to store them.
 */
export function writeArray(values: readonly (string | number | bigint | Uint8Array | null)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (index > 0) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'string') text += `"${special.test(value) ? value.replace(special, '\\$&') : value}"`;
    else if (typeof value === 'object')
      text += `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`;
    else text += String(value);
    special.lastIndex = 0;
  }
  return `${text}}`;
}
