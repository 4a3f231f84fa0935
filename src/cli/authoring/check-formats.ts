import { type Diagnostic, placesOf } from '../../core/diagnostics.ts';

const COMMANDS: Record<Diagnostic['severity'], string> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * Formats findings as workflow commands, which GitHub shows beside the lines of a pull request.
 * @param prefix path of the documentation folder from the root of the repository; empty if it is the root
 */
export function annotations(findings: readonly Diagnostic[], prefix: string): string {
  return findings
    .flatMap(apart)
    .map((one) => {
      const place = {
        file: one.file === '' ? undefined : joined(prefix, one.file),
        line: one.line?.toString(),
        col: one.column?.toString(),
        title: one.code,
      };
      const properties = Object.entries(place)
        .filter((entry): entry is [string, string] => entry[1] !== undefined)
        .map(([name, value]) => `${name}=${escapeProperty(value)}`);
      return `::${COMMANDS[one.severity]} ${properties.join(',')}::${escapeData(`${one.message} ${one.remedy}`)}`;
    })
    .join('\n');
}

/** Returns one finding per location, which is how these formats show them. */
function apart(one: Diagnostic): Diagnostic[] {
  const { severity, code, message, remedy } = one;
  return placesOf(one).map((place) => ({ severity, code, message, remedy, ...place }));
}

/** A line break would start another command, which a file name or text must not be able to do. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function joined(prefix: string, file: string): string {
  return prefix === '' ? file : `${prefix}/${file}`;
}

const LEVELS: Record<Diagnostic['severity'], string> = { error: 'error', warning: 'warning', info: 'note' };

/** Formats findings as SARIF 2.1.0, the exchange format of code scanners. */
export function sarifLog(findings: readonly Diagnostic[], prefix: string): object {
  const rules = [...new Set(findings.map((one) => one.code))].sort().map((id) => ({ id }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      { tool: { driver: { name: 'docent', rules } }, results: findings.flatMap(apart).map((one) => sarifResult(one, prefix)) },
    ],
  };
}

function sarifResult(one: Diagnostic, prefix: string): object {
  const region =
    one.line === undefined
      ? {}
      : { region: { startLine: one.line, ...(one.column === undefined ? {} : { startColumn: one.column }) } };
  const uri = joined(prefix, one.file).split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: one.code,
    level: LEVELS[one.severity],
    message: { text: `${one.message} ${one.remedy}` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }],
  };
}
