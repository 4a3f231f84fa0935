import type { Commands } from '../kernel/commands.ts';

/** Adds the commands for those who run the server. They use its settings, on its machine. */
export function addOperatorCommands({ addLocal }: Commands, env: NodeJS.ProcessEnv): void {
  const load = () => import('./backup.ts');
  addLocal(
    'backup <file>',
    'Copy everything that the server has into one archive, while it runs; - writes to standard output',
  )
    .option(
      '--encrypt <passphrase-file>',
      'encrypt it with the passphrase in this file, in the format of "age"',
    )
    .run(async (output, file: string, options: object) =>
      (await load()).runBackup(env, file, options, output),
    );
  addLocal(
    'restore <file>',
    'Restore a backup into the empty storage that the settings name; - reads standard input',
  )
    .option('--passphrase <file>', 'file with the passphrase of an encrypted backup')
    .option('--replace', 'delete what the storage has')
    .option(
      '--new-secret',
      'accept a DOCENT_SECRET other than that of the backup: links and sessions end',
    )
    .run(async (output, file: string, options: object) =>
      (await load()).runRestore(env, file, options, output),
    );
  addLocal(
    'verify-store',
    'Check that the file store has every file that the database names, with its hash; exits with 1 if not',
  )
    .option('--quick', 'only whether the files exist, without reading them')
    .run(async (output, options: { quick?: boolean }) =>
      (await import('./verify-store.ts')).runVerifyStore(env, options, output),
    );
  addLocal(
    'doctor',
    'Check settings, folders, disk, dependencies, versions, jobs and files; exits with 1 if something fails',
  )
    .option(
      '--bundle <file>',
      'also write what was found, versions and settings without secrets into this .tar.gz, for support',
    )
    .run(async (output, options: { bundle?: string }) =>
      (await import('./doctor.ts')).runDoctor(env, options, output),
    );
  addLocal('migrate', 'Run the pending migrations of the database')
    .option(
      '--from <data-folder>',
      'first copy the data of a stopped server with embedded storage into the empty storage that the settings name',
    )
    .option('--replace', 'with --from, delete what the storage has')
    .option(
      '--new-secret',
      'with --from, accept a DOCENT_SECRET other than that of the data folder: links and sessions end',
    )
    .run(async (output, { from, ...choices }: { from?: string }) =>
      from === undefined
        ? (await import('./serve.ts')).runMigrate(env, output)
        : (await load()).runMove(env, from, choices, output),
    );
}
