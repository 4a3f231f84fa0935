import type { ApiDocument, ApiOperation } from './api-document.ts';
import { curlSample } from './curl-sample.ts';
import { javascriptSample } from './javascript-sample.ts';
import { listAt, textAt, valueAt } from './json-value.ts';
import { pythonSample } from './python-sample.ts';
import { sampleRequest } from './sample-request.ts';

/** A code example of one language. */
export interface CodeSample {
  /** Language of the code block. */
  language: string;
  /** Title of the tab. */
  label: string;
  code: string;
}

const MAX_SAMPLES = 20;
const SHELLS = new Set(['bash', 'shell', 'sh', 'curl', 'zsh']);

const LABELS: ReadonlyMap<string, string> = new Map([
  ['bash', 'cURL'],
  ['shell', 'cURL'],
  ['curl', 'cURL'],
  ['javascript', 'JavaScript'],
  ['js', 'JavaScript'],
  ['typescript', 'TypeScript'],
  ['ts', 'TypeScript'],
  ['python', 'Python'],
  ['go', 'Go'],
  ['java', 'Java'],
  ['php', 'PHP'],
  ['ruby', 'Ruby'],
  ['csharp', 'C#'],
  ['rust', 'Rust'],
  ['swift', 'Swift'],
  ['kotlin', 'Kotlin'],
]);

/**
 * Request examples of an operation. The author's own (`x-codeSamples`) come first and replace the generated ones; cURL is always
 * among them, because it works for every reader.
 */
export function codeSamples(document: ApiDocument, operation: ApiOperation, baseUrls: readonly string[] = []): CodeSample[] {
  if (operation.webhook) return [];
  const own = ownSamples(operation);
  const hasShell = own.some((sample) => SHELLS.has(sample.language));
  if (own.length > 0 && hasShell) return own;
  const request = sampleRequest(document, operation, baseUrls);
  const curl: CodeSample = { language: 'bash', label: 'cURL', code: curlSample(request) };
  if (own.length > 0) return [...own, curl];
  return [
    curl,
    { language: 'python', label: 'Python', code: pythonSample(request) },
    { language: 'javascript', label: 'JavaScript', code: javascriptSample(request) },
  ];
}

function ownSamples(operation: ApiOperation): CodeSample[] {
  const key = ['x-codeSamples', 'x-code-samples', 'x-codesamples'].find((name) => valueAt(operation.raw, name) !== undefined);
  const samples: CodeSample[] = [];
  for (const item of key === undefined ? [] : listAt(operation.raw, key).slice(0, MAX_SAMPLES)) {
    const source = textAt(item, 'source');
    if (source === undefined) continue;
    const language = (textAt(item, 'lang') ?? 'text').toLowerCase();
    const label = textAt(item, 'label') ?? LABELS.get(language) ?? textAt(item, 'lang') ?? 'Example';
    samples.push({ language, label, code: source.slice(0, 20_000).trimEnd() });
  }
  return samples;
}
