import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

/**
 * How clients of hosted services export, in plain sh: start, poll, request the bundle, download it
 * under its own name.
 */
const byDomain = `set -eu
JOB=$(curl -sS -f -X POST "$BASE_URL/v1/static-export/jobs" \\
  -H "Authorization: Bearer $ADMIN_KEY" -H "Content-Type: application/json" \\
  -d "{\\"domain\\": \\"$DOMAIN\\"}")
JOB_ID=$(printf '%s' "$JOB" | sed -n 's/.*"jobId":"\\([^"]*\\)".*/\\1/p')
for _ in $(seq 1 60); do
  STATUS=$(curl -sS -f "$BASE_URL/v1/static-export/jobs/$JOB_ID" -H "Authorization: Bearer $ADMIN_KEY" \\
    | sed -n 's/.*"status":"\\([a-z]*\\)".*/\\1/p')
  [ "$STATUS" = "failed" ] && { echo "export failed" >&2; exit 1; }
  [ "$STATUS" = "completed" ] && break
  sleep "$POLL_SECONDS"
done
[ "$STATUS" = "completed" ]
BUNDLE=$(curl -sS -f -X POST "$BASE_URL/v1/static-export/jobs/$JOB_ID/bundle" -H "Authorization: Bearer $ADMIN_KEY")
BUNDLE_URL=$(printf '%s' "$BUNDLE" | sed -n 's/.*"bundleUrl":"\\([^"]*\\)".*/\\1/p')
curl -sS -f -L -OJ "$BUNDLE_URL"
printf '%s' "$BUNDLE"
`;

/** The newer form: one job of a project, whose status contains the link. */
const byProject = `set -eu
JOB_ID=$(curl -sS -f -X POST "$BASE_URL/v1/static-export/$PROJECT_ID/jobs" -H "Authorization: Bearer $ADMIN_KEY" \\
  | sed -n 's/.*"jobId":"\\([^"]*\\)".*/\\1/p')
for _ in $(seq 1 60); do
  JOB=$(curl -sS -f "$BASE_URL/v1/static-export/$PROJECT_ID/jobs/$JOB_ID" -H "Authorization: Bearer $ADMIN_KEY")
  case "$JOB" in
    *'"status":"failed"'*) echo "export failed" >&2; exit 1 ;;
    *'"status":"completed"'*) break ;;
  esac
  sleep "$POLL_SECONDS"
done
curl -sS -f -L -OJ "$(printf '%s' "$JOB" | sed -n 's/.*"bundleUrl":"\\([^"]*\\)".*/\\1/p')"
printf '%s' "$JOB"
`;

describe('a shell script that starts, polls and downloads an export', () => {
  let docent: RunningDocent;
  let projectId: string;
  beforeAll(async () => {
    docent = await sharedDocent();
    await publishArchive(docent, 'basic', tarball(fixtureSite('basic')));
    const projects = (await (
      await call(docent, docent.adminKey, 'GET', '/v1/projects')
    ).json()) as {
      projects: { projectId: string; slug: string }[];
    };
    projectId = projects.projects.find(({ slug }) => slug === 'basic')?.projectId as string;
  });
  afterAll(removeTemporaryFolders);

  async function run(script: string, env: Record<string, string> = {}) {
    const cwd = await temporaryFolder();
    const child = spawn('sh', ['-c', script], {
      cwd,
      env: {
        PATH: process.env.PATH,
        BASE_URL: docent.apiUrl,
        ADMIN_KEY: docent.adminKey,
        DOMAIN: 'basic',
        PROJECT_ID: projectId,
        POLL_SECONDS: '0.2',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr, cwd };
  }

  test.each([
    ['by domain', byDomain],
    ['by project', byProject],
  ])('gets the complete bundle, named after site and date, %s', async (_, script) => {
    const { code, stdout, stderr, cwd } = await run(script);
    expect([code, stderr]).toEqual([0, '']);
    const [file, ...others] = readdirSync(cwd);
    expect(others).toEqual([]);
    expect(file).toMatch(/^basic-export-\d{4}-\d\d-\d\d\.tar\.gz$/);
    const bytes = readFileSync(join(cwd, file as string));
    const { sizeBytes, sha256 } = JSON.parse(stdout) as { sizeBytes: number; sha256: string };
    expect([bytes.byteLength, createHash('sha256').update(bytes).digest('hex')]).toEqual([
      sizeBytes,
      sha256,
    ]);
  });

  test('fails with an error if the key or the site is wrong', async () => {
    expect((await run(byDomain, { ADMIN_KEY: 'svc_nonsense' })).stderr).toContain('401');
    expect((await run(byProject, { PROJECT_ID: 'nobody' })).stderr).toContain('404');
  });
});
