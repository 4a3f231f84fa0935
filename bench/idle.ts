import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { residentMegabytes } from './measure.ts';

/*
 * How long the platform takes until it is ready, on a new and on an existing data folder, and its
 * memory after some idle seconds.
 *
 *   node bench/idle.ts [--starts 4] [--seconds 10]
 */

const { values } = parseArgs({
  options: { starts: { type: 'string', default: '4' }, seconds: { type: 'string', default: '10' } },
});

async function measure(title: string, dataFolder?: string): Promise<string> {
  const startedAt = performance.now();
  const docent = await startDocent({ dataFolder });
  const readySeconds = (performance.now() - startedAt) / 1000;
  await wait(Number(values.seconds) * 1000);
  process.stdout.write(
    `${title}: ready after ${readySeconds.toFixed(2)} s, ${residentMegabytes(docent.child.pid as number).toFixed(0)} MB resident when idle\n`,
  );
  await docent.stop();
  return docent.dataFolder;
}

process.stdout.write(`Node.js ${process.versions.node}\n`);
const folder = await measure('first start (publishes the sample site)');
for (let run = 1; run < Number(values.starts); run++)
  await measure(`start ${run + 1}, same data`, folder);
await removeTemporaryFolders();
