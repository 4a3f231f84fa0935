import { readFile } from 'node:fs/promises';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';

type Rules = Pick<Schema<'AssistantSettings'>, 'synonyms' | 'pageRules'>;
export type SearchRulesTrial = Schema<'SearchRulesTrial'>;

/** `docent search-rules <site> [file]`: prints, tries or replaces the rules of a site's search. */
export function addSearchRulesCommand({ program, add }: Commands): void {
  add(
    program,
    'search-rules <site> [file]',
    'Show the synonyms and page rules of a site, or replace them with those of a YAML file',
  )
    .option('--try', 'ask the site its test questions with the rules of the file, and save nothing')
    .run((api, output, site: string, file: string | undefined, options: { try?: true }) =>
      runSearchRules(api, output, { site, file, isTry: options.try === true }),
    );
}

/** @throws DocentError `invalid_setting` if the file cannot be read as rules */
export async function runSearchRules(
  api: ApiClient,
  output: Output,
  { site, file, isTry }: { site: string; file: string | undefined; isTry: boolean },
): Promise<void> {
  const path = apiPath`/v1/project/${site}/assistant-settings`;
  const rules = file === undefined ? undefined : await readRules(file);
  if (isTry) {
    const trial = await api.post<SearchRulesTrial>(`${path}/try`, rules ?? {});
    return output.result(trialText(trial), trial);
  }
  const method = rules ? 'PATCH' : 'GET';
  const { synonyms, pageRules } = await api.request<Rules>(method, path, rules);
  output.result(rulesText({ synonyms, pageRules }), { synonyms, pageRules });
}

/** A list that the file leaves out is empty: the file has all rules. */
async function readRules(file: string): Promise<object> {
  let value: unknown;
  const { parseYaml } = await import('@docent/format/yaml-document.ts');
  try {
    ({ value } = parseYaml(await readFile(file, 'utf8'), { maxAliases: 100 }));
  } catch (cause) {
    throw new DocentError('invalid_setting', `${file}: ${errorMessage(cause)}`, { cause });
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw new DocentError(
      'invalid_setting',
      `${file} must have "synonyms" and "pageRules", as docent search-rules <site> prints them.`,
    );
  return { synonyms: [], pageRules: [], ...value };
}

/** Formats rules as a file that the command reads. */
function rulesText({ synonyms, pageRules }: Rules): string {
  const list = (lines: string[]) => (lines.length === 0 ? ' []' : `\n${lines.join('\n')}`);
  const rules = pageRules.map(
    ({ question, pin, block }) =>
      `  - question: ${JSON.stringify(question)}\n    pin: ${JSON.stringify(pin)}\n    block: ${JSON.stringify(block)}`,
  );
  return `synonyms:${list(synonyms.map((family) => `  - ${JSON.stringify(family)}`))}\npageRules:${list(rules)}`;
}

/** Says what tried settings change for the test questions of a site. */
export function trialText(trial: SearchRulesTrial): string {
  const { asked, answeredBefore, answeredAfter, gained, lost, unknownPages } = trial;
  if (asked === 0) return 'The live site has no test questions; add questions.yaml and publish.';
  return [
    `${asked} questions: answers ${gained.length} more, loses ${lost.length}; ${answeredAfter} answered, ${answeredBefore} before`,
    ...lost.map((question) => `- ${question}`),
    ...gained.map((question) => `+ ${question}`),
    ...unknownPages.map((path) => `There is no page ${path}.`),
  ].join('\n');
}
