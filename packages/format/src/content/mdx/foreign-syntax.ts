import { nodesIn, type SourceNode, type SourceProblem } from '../nodes/source-node.ts';
import { componentOfBlock } from './foreign-blocks.ts';

const GITBOOK_BLOCKS =
  /^(?:hint|tabs?|stepper|step|content-ref|embed|file|code|swagger|openapi|columns?|updates?|include)$/;
const JEKYLL_BLOCKS = /^(?:highlight|raw|link|post_url|include_relative|assign)$/;

interface Syntax {
  platform: string;
  /** What it is, as the message names it. */
  what: string;
  remedy: string;
}

/** The beginning of a line that other platforms treat as markup. */
const MARK =
  /^[ \t]*(?:(?<container>:{3,})[ \t]*(?<name>[A-Za-z][\w.-]*)|(?<mark>!!!|\?\?\?\+?)[ \t]+(?<kind>[A-Za-z][\w-]*)|(?<tab>===[!+]?[ \t]+["'])|\{%-?[ \t]*(?<block>[a-z][\w-]*)|(?<include><<<[ \t]+\S|--8<--)|\{\{[<%][ \t]*(?<shortcode>[A-Za-z][\w-]*))/;

/** Most texts have none of these signs. */
const SIGNS = /:::|!!!|\?\?\?|===|\{%|<<<|--8<--|\{\{[<%]/;

/**
 * Finds markup of other documentation platforms that is text here: blocks without a component,
 * includes, shortcodes. Code is not searched.
 * @param root the tree of a file
 * @param source its text
 */
export function foreignSyntax(root: SourceNode, source: string): SourceProblem[] {
  const problems: SourceProblem[] = [];
  if (!SIGNS.test(source)) return problems;
  const isCode = ({ tagName }: SourceNode) => tagName === 'pre' || tagName === 'code';
  for (const node of nodesIn(root, (candidate) => !isCode(candidate))) {
    if (isCode(node)) continue;
    // A tree of Markdown with HTML has positions of elements only.
    let line = node.position?.start.line ?? 1;
    let isLineStart = true;
    for (const child of node.children ?? []) {
      line = child.position?.start.line ?? line;
      if (child.type === 'text') {
        const lines = (child.value ?? '').split('\n');
        for (const [index, text] of lines.entries()) {
          const syntax = index > 0 || isLineStart ? syntaxOf(text) : undefined;
          if (syntax) problems.push(problemAt(line + index, syntax));
        }
        line += lines.length - 1;
        isLineStart = (lines.at(-1) as string).trim() === '' && (isLineStart || lines.length > 1);
      } else isLineStart = child.tagName === 'br';
    }
  }
  return problems;
}

function problemAt(line: number, { platform, what, remedy }: Syntax): SourceProblem {
  const message = `${what} is markup of ${platform}; it is shown as text.`;
  return { severity: 'warning', code: 'foreign-syntax', message, remedy, line, column: 1 };
}

function syntaxOf(text: string): Syntax | undefined {
  const { container, name, mark, kind, tab, block, include, shortcode } =
    MARK.exec(text)?.groups ?? {};
  if (container !== undefined && name !== undefined) return containerSyntax(name);
  if (mark !== undefined && kind !== undefined) {
    const isFolded = mark !== '!!!';
    return {
      platform: 'MkDocs',
      what: `"${mark} ${kind}"`,
      remedy: isFolded ? written('Accordion') : calloutRemedy(kind),
    };
  }
  if (tab !== undefined)
    return {
      platform: 'MkDocs',
      what: '"=== …"',
      remedy: 'Write <Tabs><Tab title="…">…</Tab></Tabs>.',
    };
  if (block !== undefined && GITBOOK_BLOCKS.test(block))
    return { platform: 'GitBook', what: `"{% ${block} %}"`, remedy: blockRemedy(block) };
  if (block !== undefined && JEKYLL_BLOCKS.test(block))
    return {
      platform: 'Jekyll',
      what: `"{% ${block} %}"`,
      remedy: 'Write it in Markdown, or remove it.',
    };
  if (include !== undefined) {
    const isMkDocs = include.startsWith('--8');
    const remedy =
      'Put the text into a snippet and import it: import Part from "/snippets/part.mdx".';
    return {
      platform: isMkDocs ? 'MkDocs' : 'VitePress',
      what: isMkDocs ? '"--8<--"' : '"<<<"',
      remedy,
    };
  }
  if (shortcode !== undefined)
    return {
      platform: 'Hugo',
      what: `The shortcode "${shortcode}"`,
      remedy: 'Write it in Markdown, or use a component.',
    };
  return undefined;
}

function containerSyntax(name: string): Syntax {
  // `::: package.module.Class` generates a reference.
  if (name.includes('.'))
    return {
      platform: 'MkDocs (mkdocstrings)',
      what: '":::" with a name of code',
      remedy: 'Generate the reference with "sdk" in docs.json.',
    };
  return {
    platform: 'Docusaurus, VitePress and Starlight',
    what: `":::${name}"`,
    remedy: calloutRemedy(name),
  };
}

function blockRemedy(block: string): string {
  return block === 'hint' ? calloutRemedy('info') : calloutRemedy(block);
}

function calloutRemedy(kind: string): string {
  const component = componentOfBlock(kind);
  return component === undefined
    ? 'Write it in Markdown, or use a component such as <Note>…</Note>.'
    : written(component);
}

function written(component: string): string {
  switch (component) {
    case 'Accordion':
      return 'Write <Accordion title="…">…</Accordion>.';
    case 'Tabs':
      return 'Write <Tabs><Tab title="…">…</Tab></Tabs>.';
    case 'Steps':
      return 'Write <Steps><Step title="…">…</Step></Steps>.';
    default:
      return `Write <${component}>…</${component}>.`;
  }
}
