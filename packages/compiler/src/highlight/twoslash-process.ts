import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  CodeHint,
  CodeNote,
  ExplainedCode,
} from '@docent/format/content/page/page-renderer.ts';
import { createTwoslasher } from 'twoslash/core';
import ts from 'typescript-js';
import { answerQuestions } from '../process/bounded-process.ts';

/** Request to the process: code in TypeScript or JavaScript. */
export interface TwoslashQuestion {
  code: string;
  extension: string;
}

/** Errors caused by the absence of the author's packages: they say nothing about the code. */
const OF_THE_PLACE: ReadonlySet<number> = new Set([
  2307, 2503, 2580, 2582, 2591, 2688, 2792, 2875, 7016, 7026,
]);
const MAX_TEXT_LENGTH = 1_000;
const MAX_HINTS = 500;
const MAX_COMPLETIONS = 8;

/**
 * The only files are the compiler's own declarations of the language and of browsers: an author's
 * code sees nothing of the machine.
 */
function libraryFiles(): Map<string, string> {
  const folder = dirname(fileURLToPath(import.meta.resolve('typescript-js')));
  const files = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    if (/^lib\.[\w.]+\.d\.ts$|^lib\.d\.ts$/.test(name))
      files.set(`/${name}`, readFileSync(`${folder}/${name}`, 'utf8'));
  }
  return files;
}

const twoslasher = createTwoslasher({
  // The package's types refer to another build of the same compiler.
  tsModule: ts as never,
  vfsRoot: '/',
  fsMap: libraryFiles(),
  compilerOptions: {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    moduleDetection: ts.ModuleDetectionKind.Force,
  },
  handbookOptions: { noErrorValidation: true },
});

type TwoslashNode = ReturnType<typeof twoslasher>['nodes'][number];

function short(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function hintOf(node: TwoslashNode): CodeHint | undefined {
  if (node.type !== 'hover' || node.length === 0) return undefined;
  const docs = node.docs?.trim();
  const place = { line: node.line, start: node.character, length: node.length };
  return { ...place, text: short(node.text), docs: docs ? short(docs) : undefined };
}

function noteOf(node: TwoslashNode): CodeNote | undefined {
  const place = { line: node.line, start: node.character, length: node.length };
  switch (node.type) {
    case 'query':
      return { ...place, kind: 'type', text: short(node.text) };
    case 'error':
      if (OF_THE_PLACE.has(Number(node.code))) return undefined;
      return {
        ...place,
        kind: node.level === 'warning' ? 'warning' : 'error',
        text: short(node.text),
      };
    case 'completion': {
      const names = node.completions.slice(0, MAX_COMPLETIONS).map(({ name }) => name);
      return { ...place, kind: 'completion', text: names.join('  ') };
    }
    case 'tag': {
      const kind = node.name === 'error' ? 'error' : node.name === 'warn' ? 'warning' : 'log';
      // A tag is a line of its own that is removed; its text belongs below the line before.
      return {
        line: Math.max(0, node.line - 1),
        start: 0,
        length: 0,
        kind,
        text: short(node.text ?? ''),
      };
    }
    default:
      return undefined;
  }
}

function explain({ code, extension }: TwoslashQuestion): ExplainedCode {
  try {
    const result = twoslasher(code, extension, {
      customTags: ['log', 'warn', 'error', 'annotate'],
    });
    const hints = result.nodes.map(hintOf).filter((hint) => hint !== undefined);
    const notes = result.nodes.map(noteOf).filter((note) => note !== undefined);
    return { code: result.code.replace(/\n$/, ''), hints: hints.slice(0, MAX_HINTS), notes };
  } catch (error) {
    const problem =
      error instanceof Error
        ? short(error.message.replace(/^#+|\s+/g, ' ').trim())
        : 'the compiler failed';
    return { code, hints: [], notes: [], problem };
  }
}

answerQuestions(explain);
