import { Option } from 'commander';
import { FEEDBACK_STATUSES } from '../../core/analytics/feedback.ts';
import { DocentError } from '../../core/errors.ts';
import type { ApiClient, Schema } from '../api-client.ts';
import type { Output } from '../output.ts';
import { type PageOptions, printPage, type ServerCommands, type SiteOptions, withPaging, withQuery } from './server-commands.ts';

interface ListOptions extends SiteOptions, PageOptions {
  status?: string;
  about?: string;
  helpful?: string;
  path?: string;
  language?: string;
  previews?: boolean;
  from?: string;
  to?: string;
}

interface ChangeOptions extends SiteOptions {
  status?: string;
  note?: string;
}

const pathOf = (site: string) => `/v1/analytics/${encodeURIComponent(site)}/feedback`;

/** `docent feedback …` */
export function addFeedbackCommands({ program, addForSite, action }: ServerCommands): void {
  const feedback = program.command('feedback').description('Read and triage feedback from readers and agents');
  const list = addForSite(feedback, 'list', 'List the feedback of a site, newest first')
    .addOption(new Option('--status <status>', 'only feedback in this state').choices(FEEDBACK_STATUSES))
    .addOption(new Option('--about <kind>', 'only feedback on pages, or on answers').choices(['page', 'answer']))
    .addOption(new Option('--helpful <answer>', 'only helpful, or only unhelpful').choices(['yes', 'no']))
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--previews', 'only feedback on previews, which is excluded by default')
    .option('--from <date>', 'from this day or time on')
    .option('--to <date>', 'until this day or time');
  withPaging(list, 100, 20).action(action((api, output, options: ListOptions) => listFeedback(api, options, output)));
  addForSite(feedback, 'change <id>', 'Set the status or note of feedback')
    .addOption(new Option('--status <status>', 'its new status').choices(FEEDBACK_STATUSES))
    .option('--note <text>', 'a note for your colleagues; an empty text removes it')
    .action(action((api, output, id: string, options: ChangeOptions) => changeFeedback(api, id, options, output)));
}

/** `docent feedback list`: lists feedback of readers and agents, newest first. */
export async function listFeedback(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const { site, url: _url, key: _key, json: _json, helpful, from: dateFrom, to: dateTo, ...named } = options;
  const isHelpful = helpful === undefined ? undefined : helpful === 'yes';
  const path = withQuery(pathOf(site), { ...named, helpful: isHelpful, dateFrom, dateTo });
  const page = await api.request<{ feedback: Schema<'Feedback'>[]; nextCursor: string | null }>({ method: 'GET', path });
  printPage(output, page, [['ID', 'TIME', 'HELPFUL', 'STATUS', 'ABOUT', 'SAID'], ...page.feedback.map(cellsOf)]);
}

/** `docent feedback change`: sets status or note. @throws DocentError `invalid_request` if neither is given */
export async function changeFeedback(
  api: ApiClient,
  id: string,
  { site, status, note }: ChangeOptions,
  output: Output,
): Promise<void> {
  if (status === undefined && note === undefined)
    throw new DocentError('invalid_request', 'Specify what to change: --status, --note or both.');
  const body = { ...(status !== undefined && { status }), ...(note !== undefined && { note: note === '' ? null : note }) };
  const changed = await api.request<Schema<'Feedback'>>({
    method: 'PATCH',
    path: `${pathOf(site)}/${encodeURIComponent(id)}`,
    body,
  });
  output.print(`${changed.id} is ${changed.status}.${changed.note === null ? '' : ` Note: ${oneLine(changed.note)}`}`);
  output.json(changed);
}

function cellsOf({ id, createdAt, helpful, status, about, path, reason, comment, question }: Schema<'Feedback'>): string[] {
  const subject = about === 'answer' ? `answer: ${oneLine(question ?? '').slice(0, 60)}` : (path ?? '-');
  const text = [reason, comment && oneLine(comment)].filter(Boolean).join(': ');
  return [id, createdAt, helpful === null ? '-' : helpful ? 'yes' : 'no', status, subject, text || '-'];
}

/** Text that readers wrote must not control the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200);
}
