import type { Diagnostic } from '../diagnostics.ts';
import { type JsonObject, type JsonValue, parseJsonDocument } from './json-document.ts';
import { docsSchema } from './json-schema.ts';
import { formatPath } from './parse-leniently.ts';
import { readSiteConfig } from './read-site-config.ts';
import { movedSettings, upgradeMintJson } from './upgrade-mint-json.ts';

/** What an older configuration becomes. */
export interface UpgradedFile {
  /** Content of the new docs.json. */
  text: string;
  /** Settings that have another name or place now, as authors write paths. */
  moved: { from: string; to: string }[];
  /** Settings without a counterpart, and what holds instead. */
  lost: { name: string; instead: string }[];
  /** What is wrong with the values, as the new file has them. */
  diagnostics: Diagnostic[];
}

/** The address that editors and other tools know the format by. */
const FORMAT_SCHEMA = 'https://mintlify.com/docs.json';

/**
 * Makes a docs.json of an older `mint.json`.
 * @param schema address for `$schema`; by default that of the format
 * @throws JsonSyntaxError where the file is not JSON
 * @throws DocentError `build_failed` where it has no usable navigation
 */
export function upgradeFile(mintText: string, schema = FORMAT_SCHEMA): UpgradedFile {
  const { value } = parseJsonDocument(mintText, 'mint.json');
  const old: JsonObject = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const { settings, lost } = upgradeMintJson(old);
  const text = `${JSON.stringify(inSchemaOrder({ ...settings, $schema: schema }), null, 2)}\n`;
  const { diagnostics } = readSiteConfig({ readText: (path) => (path === 'docs.json' ? text : undefined) });
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
