import { cppSample, cSample, csharpSample, rustSample, swiftSample } from './compiled-samples.ts';
import { curlSample } from './curl-sample.ts';
import { goSample } from './go-sample.ts';
import { javaSample, kotlinSample } from './java-sample.ts';
import { javascriptSample } from './javascript-sample.ts';
import { pythonSample } from './python-sample.ts';
import type { SampleRequest } from './sample-request.ts';
import { type PlainRequest, plainRequest } from './sample-text.ts';
import { dartSample, phpSample, powershellSample, rubySample } from './script-samples.ts';

/** A language of request examples. */
export interface SampleLanguage {
  /** Language of the code block. */
  language: string;
  /** Title of the tab. */
  label: string;
  /** Undefined if the language has no concise way to send such a request. */
  write(request: SampleRequest): string | undefined;
}

function plain(language: string, label: string, write: (request: PlainRequest) => string): SampleLanguage {
  return {
    language,
    label,
    write: (request) => {
      const text = plainRequest(request);
      return text && write(text);
    },
  };
}

const CURL: SampleLanguage = { language: 'bash', label: 'cURL', write: curlSample };
const PYTHON: SampleLanguage = { language: 'python', label: 'Python', write: pythonSample };
const JAVASCRIPT: SampleLanguage = { language: 'javascript', label: 'JavaScript', write: javascriptSample };
const CSHARP = plain('csharp', 'C#', csharpSample);
const CPP = plain('cpp', 'C++', cppSample);
const GO = plain('go', 'Go', goSample);

/** Languages by all names that authors use. */
export const sampleLanguages: ReadonlyMap<string, SampleLanguage> = new Map([
  ...['curl', 'bash', 'shell', 'sh', 'zsh'].map((name) => [name, CURL] as const),
  ...['python', 'py', 'python3'].map((name) => [name, PYTHON] as const),
  ...['javascript', 'js'].map((name) => [name, JAVASCRIPT] as const),
  ...['node', 'nodejs', 'node.js'].map((name) => [name, { ...JAVASCRIPT, label: 'Node.js' }] as const),
  ...['typescript', 'ts'].map((name) => [name, { ...JAVASCRIPT, language: 'typescript', label: 'TypeScript' }] as const),
  ['php', plain('php', 'PHP', phpSample)],
  ...['go', 'golang'].map((name) => [name, GO] as const),
  ['java', plain('java', 'Java', javaSample)],
  ...['ruby', 'rb'].map((name) => [name, plain('ruby', 'Ruby', rubySample)] as const),
  ...['powershell', 'pwsh', 'ps1'].map((name) => [name, plain('powershell', 'PowerShell', powershellSample)] as const),
  ['swift', plain('swift', 'Swift', swiftSample)],
  ...['csharp', 'c#', 'cs'].map((name) => [name, CSHARP] as const),
  ...['dotnet', '.net'].map((name) => [name, { ...CSHARP, label: '.NET' }] as const),
  ['c', plain('c', 'C', cSample)],
  ...['c++', 'cpp', 'cplusplus'].map((name) => [name, CPP] as const),
  ...['kotlin', 'kt'].map((name) => [name, plain('kotlin', 'Kotlin', kotlinSample)] as const),
  ...['rust', 'rs'].map((name) => [name, plain('rust', 'Rust', rustSample)] as const),
  ['dart', plain('dart', 'Dart', dartSample)],
]);

/** The default languages. */
export const defaultSampleLanguages: readonly SampleLanguage[] = [CURL, PYTHON, JAVASCRIPT];
