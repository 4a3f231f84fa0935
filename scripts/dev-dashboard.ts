import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '@docent/format/error-message.ts';
import { buildDashboard } from './build-dashboard.ts';

// `npm run dev:dashboard`: serves Docent, and after each change below packages/dashboard/src builds the dashboard, restarts the server and
// reloads the open pages. Options of `docent serve` may follow.
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/dashboard');
/** An editor may write several files at once. */
const SETTLE_MS = 50;

/** Reloads a page if the document now refers to other files than the open page. */
const RELOAD = `(() => {
  const names = (html) => [...html.matchAll(/\\/dashboard\\/assets\\/[\\w.-]+/g)].join();
  let open;
  setInterval(async () => {
    const answer = await fetch(location.href).catch(() => undefined);
    const now = answer?.ok ? names(await answer.text()) : '';
    if (now !== '' && now !== (open ??= now)) location.reload();
  }, 500);
})();`;

let server: ChildProcess | undefined;

async function update(): Promise<void> {
  const next = `${folder}-next`;
  await buildDashboard(next, RELOAD);
  // Without the stamp, the next ordinary start builds the dashboard again, without the script
  // above.
  for (const old of [folder, `${folder}.stamp`]) await rm(old, { recursive: true, force: true });
  await rename(next, folder);
  if (server?.exitCode === null && server.kill()) await once(server, 'exit');
  server = spawn(
    process.execPath,
    ['packages/docent/src/main.ts', 'serve', ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
}

let isChanged = true;
watch(join(root, 'packages/dashboard/src'), { recursive: true }, () => {
  isChanged = true;
});
for (;;) {
  if (isChanged) {
    isChanged = false;
    await update().catch((error: unknown) => process.stderr.write(`${errorMessage(error)}\n`));
  }
  await sleep(SETTLE_MS);
}
