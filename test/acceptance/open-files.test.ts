import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import {
  cleanEnvironment,
  main,
  removeTemporaryFolders,
  temporaryFolder,
} from '../support/start-docent.ts';

afterAll(removeTemporaryFolders);

test.skipIf(process.platform !== 'linux')(
  'a start with too few open files ends with one clear line and touches no data, instead of breaking the database',
  async () => {
    const dataFolder = await temporaryFolder();
    const program = [process.execPath, main, 'serve'];
    const child = spawn('/bin/sh', ['-c', 'ulimit -n 128 && exec "$0" "$@"', ...program], {
      env: { ...cleanEnvironment(), DOCENT_DATA: dataFolder, DOCENT_PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    const [code] = await once(child, 'close');
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^docent: The system allows this process only 128 open files, .*"ulimit -n 65536"\.$/,
      ),
    ]);
    expect(code).toBe(3);
    expect(await readdir(dataFolder)).toEqual([]);
  },
  120_000,
);
