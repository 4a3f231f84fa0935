import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './http.ts';
import { freePort } from './start-docent.ts';

const PROGRAM = '/usr/sbin/clickhouse-server';

/** Whether Debian's package of ClickHouse is installed; without it, its tests are skipped. */
export const hasClickHouse = existsSync(PROGRAM);

/** A server for tests, on a free port of the loopback interface. */
export interface TestClickHouse {
  url: string;
  stop(): Promise<void>;
}

export async function startClickHouse(): Promise<TestClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-clickhouse-'));
  const [http, tcp] = [await freePort(), await freePort()];
  const password = 'a-password';
  const users = `<profiles><default></default></profiles><quotas><default></default></quotas>
    <users><docent><password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></docent></users>`;
  await writeFile(join(folder, 'users.xml'), `<yandex>${users}</yandex>`);
  await writeFile(
    join(folder, 'config.xml'),
    `<yandex><logger><level>warning</level><console>true</console></logger><listen_host>127.0.0.1</listen_host>
      <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile>
      <default_database>default</default_database><mark_cache_size>67108864</mark_cache_size></yandex>`,
  );
  const server = spawn(PROGRAM, [`--config-file=${folder}/config.xml`], {
    cwd: folder,
    stdio: 'ignore',
  });
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  await until(async () => {
    if (server.exitCode !== null) throw new Error('ClickHouse ended.');
    return fetch(`http://127.0.0.1:${http}/`).catch(() => undefined);
  });
  return {
    url: `http://docent:${password}@127.0.0.1:${http}/default`,
    async stop() {
      process.off('exit', killWithUs);
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
