import { z } from 'zod';
import { base64Text } from '../base64.ts';
import { AgonError } from '../errors.ts';
import type { Chamber } from './chamber.ts';

/* How files come with a call: in base64, or by a path where a folder was opened. */

export const base64 = z.string().min(1).regex(base64Text, 'must be base64, or a data: URL in base64');

export const pathBelow = z.string().min(1).max(4096);

export function filesOf({ files }: Chamber): NonNullable<Chamber['files']> {
  if (files) return files;
  throw new AgonError(
    'no-root',
    'No folder was opened: files cannot be named by their path.',
    'Give the text or the bytes, or start with `agon mcp --root FOLDER`.',
  );
}
