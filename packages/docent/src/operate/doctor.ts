import { writeFile } from 'node:fs/promises';
import { arch, cpus, release, totalmem } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Finding } from '@docent/server/doctor/finding.ts';
import { describeConfig, loadConfig, secretsIn } from '@docent/server/kernel/config/config.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { formatTable, type Output } from '../kernel/output.ts';
import { snapshotOf } from './backup.ts';

/** `docent doctor`: checks everything that the server needs. @returns 1 if something fails */
export async function runDoctor(
  env: NodeJS.ProcessEnv,
  options: { bundle?: string },
  output: Output,
): Promise<number> {
  const { findings, ...more } = await examined(env);
  const withoutSecrets = secretRemover(env);
  const redactedFindings = findings.map(
    (finding) => JSON.parse(withoutSecrets(JSON.stringify(finding))) as Finding,
  );
  if (options.bundle !== undefined) {
    await writeFile(
      options.bundle,
      await bundleOf({ findings: redactedFindings, ...more }, withoutSecrets),
      {
        mode: 0o600,
        flag: 'wx',
      },
    );
    output.note(`Wrote ${options.bundle}. It has no secret; look at it before you send it.`);
  }
  const rows = redactedFindings.flatMap(({ status, of, says, remedy }) => [
    [status, of, says],
    ...(remedy === undefined ? [] : [['', '', `→ ${remedy}`]]),
  ]);
  output.result(formatTable(rows), { findings: redactedFindings });
  return redactedFindings.some(({ status }) => status === 'fail') ? 1 : 0;
}

/** Wrong settings are a finding too; without them nothing else can be checked. */
async function examined(env: NodeJS.ProcessEnv) {
  let config: ReturnType<typeof loadConfig>;
  try {
    config = loadConfig(env);
  } catch (error) {
    const remedy = 'Correct the setting; the page "All settings" has them all.';
    const finding: Finding = { status: 'fail', of: 'settings', says: errorMessage(error), remedy };
    return { findings: [finding], settings: {}, counts: {}, failures: [] };
  }
  const { examine } = await import('@docent/server/start/compose-doctor.ts');
  const { findings, ...more } = await examine(config, () => snapshotOf(config));
  const settings: Finding = { status: 'ok', of: 'settings', says: 'all are valid' };
  return { findings: [settings, ...findings], settings: describeConfig(config), ...more };
}

/**
 * Returns a function that replaces every secret of the settings in a JSON text, however it got
 * there.
 */
function secretRemover(env: NodeJS.ProcessEnv): (json: string) => string {
  let secrets: string[] = [];
  try {
    secrets = secretsIn(env);
  } catch {
    // A file of a secret that cannot be read has none to show.
  }
  const forms = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

type Bundle = Awaited<ReturnType<typeof examined>>;

/**
 * A `.tar.gz` for support: what was found, settings without secrets, versions, counts, and the last
 * failures.
 */
function bundleOf(
  { findings, settings, counts, failures }: Bundle,
  withoutSecrets: (json: string) => string,
): Promise<Buffer> {
  const versions = {
    docent: manifest.version,
    storedForms: STORED_FORMS,
    node: process.version,
    system: `${process.platform} ${release()} ${arch()}`,
    cores: cpus().length,
    memoryBytes: totalmem(),
    servers: Object.fromEntries(
      findings.flatMap(({ of, version }) => (version === undefined ? [] : [[of, version]])),
    ),
  };
  async function* files() {
    for (const [name, content] of Object.entries({
      findings,
      settings,
      versions,
      counts,
      failures,
    }))
      yield {
        path: `${name}.json`,
        bytes: Buffer.from(withoutSecrets(JSON.stringify(content, null, 2))),
      };
  }
  return buffer(packBundle(files()));
}
