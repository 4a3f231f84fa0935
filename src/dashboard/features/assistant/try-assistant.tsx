import { type FormEvent, useRef, useState } from 'react';
import { messageOf, request } from '../../api/client.ts';
import { eventsOf } from '../../api/events.ts';
import { refresh, type Site } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Markdown, Sources } from '../../ui/markdown.tsx';
import { Card, Notice } from '../../ui/page.tsx';

interface Source {
  url: string;
  title: string;
}

interface Turn {
  question: string;
  answer: string;
  sources: Source[];
  fault?: string;
}

/** A form to ask the assistant of a site, as its readers do. */
export function TryAssistant({ site, isEnabled, starters }: { site: Site; isEnabled: boolean; starters: readonly string[] }) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [isBusy, setBusy] = useState(false);
  const thread = useRef<string>(undefined);
  const field = useRef<HTMLInputElement>(null);

  const ask = async (question: string) => {
    if (question.trim() === '' || isBusy) return;
    setBusy(true);
    setTurns((all) => [...all, { question, answer: '', sources: [] }]);
    const change = (make: (turn: Turn) => Turn) => setTurns((all) => [...all.slice(0, -1), make(all.at(-1) as Turn)]);
    try {
      thread.current = await askAssistant(site.slug, question, thread.current, {
        onText: (text) => change((turn) => ({ ...turn, answer: turn.answer + text })),
        onSource: (source) => change((turn) => ({ ...turn, sources: [...turn.sources, source] })),
      });
    } catch (error) {
      change((turn) => ({ ...turn, fault: messageOf(error) }));
    }
    setBusy(false);
    await refresh({ queryKey: ['threads', site.projectId] });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const question = field.current?.value ?? '';
    if (field.current) field.current.value = '';
    void ask(question);
  };
  const restart = () => {
    thread.current = undefined;
    setTurns([]);
  };
  return (
    <Card
      title="Try it"
      about="Uses the saved settings"
      className="lg:sticky lg:top-8"
      action={
        turns.length > 0 && (
          <Button size="sm" variant="ghost" onClick={restart}>
            Start over
          </Button>
        )
      }
    >
      <div aria-live="polite" className="flex max-h-[28rem] min-h-48 flex-col gap-5 overflow-y-auto p-4">
        {turns.length === 0 && starters.length === 0 && (
          <p className="m-auto max-w-56 text-center text-muted">Ask what your readers would ask.</p>
        )}
        {turns.length === 0 &&
          starters.map((question) => (
            <Button
              key={question}
              size="sm"
              className="!h-auto justify-start py-1.5 text-left !whitespace-normal"
              onClick={() => ask(question)}
            >
              {question}
            </Button>
          ))}
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added
          <div key={index} className="flex flex-col gap-2">
            <p className="self-end rounded-lg bg-accent-soft px-3 py-1.5 text-s">{turn.question}</p>
            {turn.answer === '' && turn.fault === undefined && <div className="skeleton animate-pulse h-4 w-2/3" />}
            <div className="text-s">
              <Markdown text={turn.answer} base={site.url} />
            </div>
            {turn.fault !== undefined && <Notice tone="danger">{turn.fault}</Notice>}
            <Sources sources={turn.sources} className="text-xs" />
          </div>
        ))}
      </div>
      <form onSubmit={onSubmit} className="flex gap-1 border-t border-line p-2">
        <input
          ref={field}
          aria-label="Question"
          placeholder={site.published && isEnabled ? 'Ask a question' : 'Publish the site and turn on the assistant'}
          disabled={!site.published || !isEnabled}
          className="h-9 min-w-0 flex-1 rounded-md bg-transparent px-2 text-sm"
        />
        <IconButton label="Ask" icon="send" type="submit" className="size-9" disabled={isBusy || !site.published || !isEnabled} />
      </form>
    </Card>
  );
}

/** The used parts of an answer stream (UI message stream). */
interface Chunk {
  type: string;
  delta?: string;
  url?: string;
  title?: string;
  errorText?: string;
  messageMetadata?: { threadId?: string };
}

/**
 * Asks the assistant of a site as the signed-in user.
 * @returns the thread, for the next question
 * @throws ApiError, or an Error if the answer failed
 */
async function askAssistant(
  domain: string,
  question: string,
  threadId: string | undefined,
  listener: { onText: (text: string) => void; onSource: (source: Source) => void },
): Promise<string | undefined> {
  const message = { id: crypto.randomUUID?.() ?? String(Date.now()), role: 'user', parts: [{ type: 'text', text: question }] };
  const response = await request(`/discovery/v2/assistant/${encodeURIComponent(domain)}/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fp: 'dashboard', messages: [message], ...(threadId !== undefined && { threadId }) }),
  });
  let thread = threadId;
  for await (const { data } of eventsOf(response)) {
    if (data === '[DONE]') continue;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.type === 'error') throw new Error(chunk.errorText);
    if (chunk.type === 'text-delta' && chunk.delta !== undefined) listener.onText(chunk.delta);
    if (chunk.type === 'source-url' && chunk.url !== undefined)
      listener.onSource({ url: chunk.url, title: chunk.title ?? chunk.url });
    thread = chunk.messageMetadata?.threadId ?? thread;
  }
  return thread;
}
