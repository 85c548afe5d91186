import { operations, type Operation } from '../../api/index.ts';

/** What is answered at an address. */
export function methodsAt(pathname: string): string[] {
  return (operations as readonly Operation[])
    .filter(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    .map(({ method }) => method.toUpperCase());
}
