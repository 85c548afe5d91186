import { Parser } from 'htmlparser2';
import { DOMParser } from 'linkedom';

/** What we use of a node of a parsed HTML or XML file. */
export interface MarkupNode {
  nodeType: number;
  localName: string;
  textContent: string;
  childNodes: Iterable<MarkupNode>;
  getAttribute(name: string): string | null;
}

export const elementNode = 1;
export const textNode = 3;

/** No page that people read comes near; a tree of more takes a time that grows with its square. */
const deepest = 500;

/** Parses markup without loading, running or expanding anything it names. */
export function parseMarkup(text: string, type: 'text/html' | 'text/xml'): MarkupNode {
  assertDepth(text, type);
  return new DOMParser().parseFromString(text, type) as unknown as MarkupNode;
}

function assertDepth(text: string, type: 'text/html' | 'text/xml'): void {
  let depth = 0;
  const count = {
    onopentagname() {
      depth += 1;
      if (depth > deepest) throw new RangeError(`It is nested more than ${deepest} deep.`);
    },
    onclosetag() {
      depth -= 1;
    },
  };
  new Parser(count, { xmlMode: type === 'text/xml' }).end(text);
}

/** All elements of a name below a node, whatever prefix they have. */
export function findElements(node: MarkupNode, name: string): MarkupNode[] {
  const found: MarkupNode[] = [];
  const visit = (parent: MarkupNode): void => {
    for (const child of parent.childNodes) {
      if (child.nodeType !== elementNode) continue;
      if (readTagName(child) === name) found.push(child);
      visit(child);
    }
  };
  visit(node);
  return found;
}

/** An attribute of parsed XML: the parser leaves `&amp;`, `&lt;` and `&gt;` in attributes as they are written. */
export function readXmlAttribute(node: MarkupNode, name: string): string | null {
  return (
    node
      .getAttribute(name)
      ?.replace(/&(amp|lt|gt);/gu, (_, entity: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[entity]) ?? null
  );
}

/** `sheet` of `<x:sheet>`. */
export function readTagName(node: MarkupNode): string {
  return node.localName.split(':').at(-1)!.toLowerCase();
}
