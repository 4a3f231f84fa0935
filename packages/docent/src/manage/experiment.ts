import { readFile } from 'node:fs/promises';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { parseYaml } from '@docent/format/yaml-document.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands } from '../kernel/commands.ts';
import { formatTable, type Output } from '../kernel/output.ts';

type Experiment = Schema<'AssistantExperiment'>;

interface ExperimentOptions {
  site: string;
  file?: string | undefined;
  share?: string;
  end?: true;
  adopt?: true;
}

/** `docent experiment <site> [file]`: starts, shows or ends an experiment of an assistant. */
export function addExperimentCommand({ program, add }: Commands): void {
  add(
    program,
    'experiment <site> [file]',
    'Show the experiment of an assistant, start one with the other settings of a YAML file, or end it',
  )
    .option('--share <percent>', 'percentage of new conversations with the other settings', '50')
    .option('--end', 'end the experiment')
    .option('--adopt', 'with --end: save the other settings')
    .run((api, output, site: string, file: string | undefined, options: object) =>
      runExperiment(api, output, { site, file, ...options }),
    );
}

/** @throws DocentError `invalid_setting` if the file cannot be read as settings */
export async function runExperiment(
  api: ApiClient,
  output: Output,
  { site, file, share, end, adopt }: ExperimentOptions,
): Promise<void> {
  const path = apiPath`/v1/project/${site}/assistant-experiment`;
  if (end) {
    await api.delete(`${path}?adopt=${adopt === true}`);
    return output.result(adopt ? 'Ended; the other settings are saved.' : 'Ended.', {});
  }
  const body = file === undefined ? undefined : await readSettings(file);
  const answer = body
    ? await api.post<Experiment>(path, { ...body, share: Number(share) })
    : await api.get<Experiment>(path);
  output.result(experimentText(answer), answer);
}

async function readSettings(file: string): Promise<object> {
  try {
    const { value } = parseYaml(await readFile(file, 'utf8'), { maxAliases: 100 });
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new DocentError('invalid_setting', `${file}: ${errorMessage(cause)}`, { cause });
  }
  throw new DocentError(
    'invalid_setting',
    `${file} must have "model", "instructions", "synonyms" or "pageRules".`,
  );
}

const ROWS = [
  ['Conversations', 'conversations'],
  ['Answers', 'answers'],
  ['Answered', 'answered'],
  ['In part', 'partly'],
  ['Not in the docs', 'notInDocs'],
  ['Refused', 'refused'],
  ['Failed', 'failed'],
  ['Helpful', 'helpful'],
  ['Not helpful', 'notHelpful'],
  ['Tokens', 'tokens'],
  ['Cost in US dollars', 'costUsd'],
] as const;

function experimentText({ experiment }: Experiment): string {
  if (experiment === null) return 'No experiment runs.';
  const { share, startedAt, current, other } = experiment;
  const rows = ROWS.map(([title, name]) => [
    title,
    String(current[name] ?? '-'),
    String(other[name] ?? '-'),
  ]);
  return formatTable([[`SINCE ${startedAt}`, 'CURRENT', `OTHER (${share} %)`], ...rows]);
}
