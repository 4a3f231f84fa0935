import type { Diagnostic } from '../diagnostics.ts';
import { type JsonObject, type JsonValue, parseJsonDocument } from '../json-document.ts';
import { docsSchema } from './json-schema.ts';
import { formatPath } from './parse-leniently.ts';
import { readSiteConfig } from './read-site-config.ts';
import { SCHEMA_FILE } from './starter-site.ts';
import { movedSettings, upgradeMintJson } from './upgrade-mint-json.ts';

/** The result of upgrading an older configuration. */
export interface UpgradedFile {
  /** Content of the new docs.json. */
  text: string;
  /** Settings with a new name or place, as paths in author notation. */
  moved: { from: string; to: string }[];
  /** Settings without a counterpart, and what applies instead. */
  lost: { name: string; instead: string }[];
  /** Faults of the values, at their paths in the new file. */
  diagnostics: Diagnostic[];
}

/** The schema URL of the format, known to editors and other tools. */
const FORMAT_SCHEMA = `./${SCHEMA_FILE}`;

/**
 * Converts an older `mint.json` to a docs.json.
 * @throws JsonSyntaxError if the file is not JSON
 * @throws DocentError `build_failed` if it has no usable navigation
 */
export function upgradeFile(mintText: string): UpgradedFile {
  const { value } = parseJsonDocument(mintText, 'mint.json');
  const old: JsonObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const { settings, lost } = upgradeMintJson(old);
  const text = `${JSON.stringify(inSchemaOrder({ ...settings, $schema: FORMAT_SCHEMA }), null, 2)}\n`;
  const { diagnostics } = readSiteConfig({
    readText: (path) => (path === 'docs.json' ? text : undefined),
  });
  return {
    text,
    moved: movedSettings(old),
    lost: lost.map(({ path, instead }) => ({ name: formatPath(path), instead })),
    diagnostics,
  };
}

function inSchemaOrder(settings: JsonObject): JsonObject {
  const order = Object.keys(docsSchema().properties ?? {});
  const place = (key: string) => (order.indexOf(key) + order.length + 1) % (order.length + 1);
  const entries = Object.entries(settings).sort(([a], [b]) => place(a) - place(b));
  return Object.fromEntries(entries) satisfies Record<string, JsonValue>;
}
