import type { BundledLanguageInfo } from 'shiki/core';
import { bundledLanguagesInfo } from 'shiki/langs';
import { splitLanguage } from '../../core/content/code/code-meta.ts';

/** Words that authors use for text without a grammar. */
const PLAIN = new Set([
  '',
  ...'text txt plaintext plain none raw output log-output tree ansi mermaid stdout stderr console-output prompt ascii url gitignore'.split(
    ' ',
  ),
]);

/** Spellings that the grammars do not know themselves. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['curl', 'shellscript'],
  ['command', 'shellscript'],
  ['cmd', 'bat'],
  ['terminal', 'shellscript'],
  ['shell-session', 'shellsession'],
  ['sh-session', 'shellsession'],
  ['env', 'dotenv'],
  ['.env', 'dotenv'],
  ['golang', 'go'],
  ['node', 'javascript'],
  ['nodejs', 'javascript'],
  ['javascriptreact', 'jsx'],
  ['typescriptreact', 'tsx'],
  ['react', 'jsx'],
  ['python3', 'python'],
  ['py3', 'python'],
  ['pycon', 'python'],
  ['ipython', 'python'],
  ['c#', 'csharp'],
  ['.net', 'csharp'],
  ['dotnet', 'csharp'],
  ['f#', 'fsharp'],
  ['objective-c++', 'objective-cpp'],
  ['protocol-buffers', 'proto'],
  ['protobuf', 'proto'],
  ['postgres', 'sql'],
  ['postgresql', 'sql'],
  ['mysql', 'sql'],
  ['sqlite', 'sql'],
  ['gradle', 'groovy'],
  ['tf', 'terraform'],
  ['conf', 'ini'],
  ['cfg', 'ini'],
  ['svg', 'xml'],
  ['xhtml', 'html'],
  ['htm', 'html'],
  ['ndjson', 'jsonl'],
  ['cargo', 'toml'],
  ['powershell-session', 'powershell'],
  ['bash-session', 'shellsession'],
  ['wget', 'shellscript'],
  ['docker-compose', 'yaml'],
  ['kubernetes', 'yaml'],
  ['helm', 'yaml'],
  ['json-ld', 'json'],
  ['jsonld', 'json'],
  ['geojson', 'json'],
  ['bun', 'typescript'],
  ['deno', 'typescript'],
  ['mongodb', 'javascript'],
  ['tsql', 'sql'],
  ['pgsql', 'sql'],
  ['bigquery', 'sql'],
  ['snowflake', 'sql'],
  ['clickhouse', 'sql'],
  ['xsd', 'xml'],
  ['plist', 'xml'],
  ['jinja2', 'jinja'],
  ['patch', 'diff'],
  ['sol', 'solidity'],
  ['starlark', 'python'],
  ['jenkinsfile', 'groovy'],
  ['cuda', 'cpp'],
  ['fortran', 'fortran-free-form'],
  ['systemverilog', 'system-verilog'],
]);

const infos: ReadonlyMap<string, BundledLanguageInfo> = new Map(
  bundledLanguagesInfo.flatMap((info) => [info.id, ...(info.aliases ?? [])].map((name) => [name, info] as const)),
);

/** Result for a fence's first word: a grammar, text that needs none, or an unknown language. */
export type CodeLanguage = { kind: 'grammar'; info: BundledLanguageInfo } | { kind: 'plain' } | { kind: 'unknown' };

/** Looks up a language in any spelling (`JSON`, `py`, `curl`, `js{1,3}`). */
export function findCodeLanguage(word: string): CodeLanguage {
  const name = splitLanguage(word).language.toLowerCase();
  if (PLAIN.has(name)) return { kind: 'plain' };
  const info = infos.get(SPELLINGS.get(name) ?? name);
  return info ? { kind: 'grammar', info } : { kind: 'unknown' };
}
