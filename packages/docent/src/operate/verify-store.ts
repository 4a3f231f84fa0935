import type { StoreFault } from '@docent/server/backup/verify-store.ts';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import type { Output } from '../kernel/output.ts';
import { snapshotOf } from './backup.ts';

/** The rest is in the output for programs. */
const MAX_LISTED = 20;

/**
 * `docent verify-store`: compares the file store with the database, while the server runs. @returns the exit code
 */
export async function runVerifyStore(
  env: NodeJS.ProcessEnv,
  options: { quick?: boolean },
  output: Output,
): Promise<number> {
  const config = loadConfig(env);
  const [{ openBackupSource }, { verifyStore }] = await Promise.all([
    import('@docent/server/start/compose-backup.ts'),
    import('@docent/server/backup/verify-store.ts'),
  ]);
  const source = await openBackupSource(config, await snapshotOf(config));
  try {
    const report = await verifyStore(source, { quick: options.quick === true }, (files) =>
      output.progress(`Checked ${files} files`),
    );
    const { files, faults, unnamed } = report;
    const result =
      faults.length === 0
        ? 'nothing is missing'
        : `${faults.length} ${faults.length === 1 ? 'thing is' : 'things are'} incomplete`;
    const lines = [
      ...faults.flatMap(describeFault),
      ...listed('not named by anything, left to the clean-up', unnamed),
      `${files} files; ${result}.`,
    ];
    output.result(lines.join('\n'), report);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await source.close();
  }
}

function describeFault({ site, of, missing, changed, remedy }: StoreFault): string[] {
  return [
    `site ${site}, ${of}`,
    ...listed('  missing', missing),
    ...listed('  another content', changed),
    `  → ${remedy}`,
  ];
}

function listed(title: string, keys: readonly string[]): string[] {
  const lines = keys.slice(0, MAX_LISTED).map((key) => `${title}  ${key}`);
  return keys.length > MAX_LISTED
    ? [...lines, `${title}  … and ${keys.length - MAX_LISTED} more (--json lists all)`]
    : lines;
}
