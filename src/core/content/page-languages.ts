import { type ContentNode, NodesValue } from './expand/content-node.ts';
import { markdownForm } from './markdown/node-prose.ts';

const PLAIN = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'mermaid', 'ansi']);

/** Whether code in the language needs a grammar. */
export function isHighlighted(language: string): boolean {
  return !PLAIN.has(language.toLowerCase());
}

/** What has to be loaded before a page can be rendered. */
export interface PageNeeds {
  /** The languages of all code, with the line of the first block. */
  languages: Map<string, number | undefined>;
  hasFormula: boolean;
}

/** What a page needs; JSX in props included. `always` are languages that it needs whatever stands in it. */
export function collectNeeds(nodes: readonly ContentNode[], always: readonly string[]): PageNeeds {
  const needs: PageNeeds = { languages: new Map(always.map((name) => [name, undefined])), hasFormula: false };
  collect(nodes, needs);
  return needs;
}

function collect(nodes: readonly ContentNode[], needs: PageNeeds): void {
  for (const node of nodes) {
    if (node.type === 'code') add(node.language, node.line, needs.languages);
    else if (node.type === 'math') needs.hasFormula = true;
    else if (node.type === 'element') collect(node.children, needs);
    else if (node.type === 'component') {
      for (const name in node.props) {
        const value = node.props[name];
        if (value instanceof NodesValue) collect(value.nodes, needs);
      }
      collect(markdownForm(node), needs);
    }
  }
}

function add(language: string, line: number | undefined, languages: Map<string, number | undefined>): void {
  if (!languages.has(language)) languages.set(language, line);
}
