import type { Schema } from '../../api/client.ts';
import { count, duration, money } from '../../ui/format.ts';
import { Badge } from '../../ui/values.tsx';

type Answer = Schema<'AssistantThreadAnswer'>;

const TOOLS = {
  search: 'Searched',
  read_page: 'Opened',
  list_pages: 'Listed the pages of',
  grep: 'Looked for',
} as const;

/** Shows what an answer is based on: what the assistant looked up and read, and what it cost. */
export function AnswerBasis({ message }: { message: Answer }) {
  const { basis } = message;
  if (basis === null) return null;
  const facts = factsOf(message);
  return (
    <details className="text-s">
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text">
        What it is based on
      </summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md border border-line p-3">
        <ul className="flex flex-col gap-1">
          {basis.lookups.map(({ tool, input }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored list does not change
            <li key={index} className="break-words">
              <span className="text-muted">{TOOLS[tool]}</span> {input === '' ? 'the site' : input}
            </li>
          ))}
        </ul>
        {basis.passages.length === 0 ? (
          <p className="text-muted">It read no page.</p>
        ) : (
          <ol aria-label="Sections that it read" className="flex flex-col gap-1">
            {basis.passages.map(({ title, headings, url, score, isCited }) => (
              <li key={url} className="flex items-baseline gap-2">
                <span className="w-9 shrink-0 text-right tabular-nums text-muted">
                  {score === null ? '–' : score.toFixed(2)}
                </span>
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className="min-w-0 break-words hover:underline"
                >
                  {[title, ...headings].join(' › ')}
                </a>
                {isCited && <Badge>in the answer</Badge>}
              </li>
            ))}
          </ol>
        )}
        {facts.length > 0 && <p className="text-xs text-muted">{facts.join(' · ')}</p>}
      </div>
    </details>
  );
}

/** What an answer took: tokens, cost and time, in words. */
export function factsOf({ usage, timings }: Answer): string[] {
  const { inputTokens, outputTokens, costUsd } = usage;
  return [
    inputTokens !== null && `${count(inputTokens)} tokens read`,
    outputTokens !== null && `${count(outputTokens)} written`,
    costUsd !== null && money(costUsd),
    timings.firstTextMs !== null && `first words after ${duration(timings.firstTextMs)}`,
  ].filter((fact) => fact !== false);
}
