import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type Site, useOrganisation } from '../../api/current.ts';
import { messageOf } from '../../api/problem.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { askAssistant, type Source } from './ask-assistant.ts';

interface Turn {
  question: string;
  answer: string;
  sources: Source[];
  fault?: string;
}

/** A form to ask the assistant of a site, as its readers do. */
export function TryAssistant({ site, isEnabled, starters }: { site: Site; isEnabled: boolean; starters: readonly string[] }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
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
    await queries.invalidateQueries({ queryKey: [org, 'threads'] });
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
            {turn.sources.length > 0 && (
              <ul className="flex flex-col gap-0.5 border-l-2 border-line pl-3 text-xs">
                {turn.sources.map(({ url, title }) => (
                  <li key={url}>
                    <a href={url} target="_blank" rel="noreferrer" className="text-accent-text hover:underline">
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            )}
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
