import { type ContentNode, NodesValue } from './content-node.ts';

const PLAIN = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'mermaid', 'ansi']);

/** Whether code in the language needs a grammar. */
export function isHighlighted(language: string): boolean {
  return !PLAIN.has(language.toLowerCase());
}

/** The languages of all code in a page, with the line of the first block; JSX in props included. */
export function collectLanguages(nodes: readonly ContentNode[], always: readonly string[]): Map<string, number | undefined> {
  const languages = new Map<string, number | undefined>(always.map((name) => [name, undefined]));
  collect(nodes, languages);
  return languages;
}

function collect(nodes: readonly ContentNode[], languages: Map<string, number | undefined>): void {
  for (const node of nodes) {
    if (node.type === 'code') add(node.language, node.line, languages);
    else if (node.type === 'element') collect(node.children, languages);
    else if (node.type === 'component') {
      if (node.name === 'CodeBlock' && typeof node.props.language === 'string') add(node.props.language, node.line, languages);
      for (const name in node.props) {
        const value = node.props[name];
        if (value instanceof NodesValue) collect(value.nodes, languages);
      }
      collect(node.children, languages);
    }
  }
}

function add(language: string, line: number | undefined, languages: Map<string, number | undefined>): void {
  if (!languages.has(language)) languages.set(language, line);
}
