import { DocentError } from '../../core/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

export interface FeedbackOptions {
  site: string;
  status?: string;
  about?: string;
  helpful?: string;
  path?: string;
  language?: string;
  previews?: boolean;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

interface Feedback {
  id: string;
  about: 'page' | 'answer';
  path: string | null;
  comment: string | null;
  reason: string | null;
  createdAt: string;
  status: string;
  note: string | null;
  helpful: boolean | null;
  question: string | null;
}

const pathOf = (site: string) => `/v1/analytics/${encodeURIComponent(site)}/feedback`;

/** `docent feedback list`: lists feedback of readers and agents, newest first. */
export async function listFeedback(api: ApiClient, options: FeedbackOptions, output: Output): Promise<void> {
  const { site, helpful, from: dateFrom, to: dateTo, ...named } = options;
  const asked = new URLSearchParams();
  const isHelpful = helpful === undefined ? undefined : helpful === 'yes';
  for (const [name, value] of Object.entries({ ...named, helpful: isHelpful, dateFrom, dateTo }))
    if (value !== undefined) asked.set(name, String(value));
  const page = await api.request<{ feedback: Feedback[]; nextCursor: string | null }>({
    method: 'GET',
    path: `${pathOf(site)}?${asked}`,
  });
  output.print(formatTable([['ID', 'TIME', 'HELPFUL', 'STATUS', 'ABOUT', 'SAID'], ...page.feedback.map(cellsOf)]));
  if (page.nextCursor !== null && !output.isJson) output.note(`There is more: --cursor ${page.nextCursor}`);
  output.json(page);
}

/** `docent feedback change`: sets status or note. @throws DocentError `invalid_request` if neither is given */
export async function changeFeedback(
  api: ApiClient,
  id: string,
  { site, status, note }: { site: string; status?: string; note?: string },
  output: Output,
): Promise<void> {
  if (status === undefined && note === undefined)
    throw new DocentError('invalid_request', 'Specify what to change: --status, --note or both.');
  const body = { ...(status !== undefined && { status }), ...(note !== undefined && { note: note === '' ? null : note }) };
  const changed = await api.request<Feedback>({ method: 'PATCH', path: `${pathOf(site)}/${encodeURIComponent(id)}`, body });
  output.print(`${changed.id} is ${changed.status}.${changed.note === null ? '' : ` Note: ${oneLine(changed.note)}`}`);
  output.json(changed);
}

function cellsOf({ id, createdAt, helpful, status, about, path, reason, comment, question }: Feedback): string[] {
  const subject = about === 'answer' ? `answer: ${oneLine(question ?? '').slice(0, 60)}` : (path ?? '-');
  const said = [reason, comment && oneLine(comment)].filter(Boolean).join(': ');
  return [id, createdAt, helpful === null ? '-' : helpful ? 'yes' : 'no', status, subject, said || '-'];
}

/** Text that readers wrote must not control the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200);
}
