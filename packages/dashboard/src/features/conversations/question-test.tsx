import { withoutSlashes } from '@docent/format/links.ts';
import { questionPage, questionSnippet } from '@docent/format/questions/question-snippet.ts';
import { useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { useSite } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';

interface QuestionTestProps {
  question: string;
  answer: Pick<Schema<'AssistantThreadAnswer'>, 'outcome' | 'helpful'> & {
    sources: readonly { url: string }[];
  };
  isOpen?: boolean;
}

/**
 * Makes a test of a reader's question: the owner chooses the pages that should answer it, and
 * copies it into questions.yaml.
 */
export function QuestionTest({
  question,
  answer: { sources, outcome, helpful },
  isOpen,
}: QuestionTestProps) {
  const { url } = useSite();
  const quoted = [...new Set(sources.flatMap((source) => questionPage(source.url, url) ?? []))];
  const isRight = outcome === 'answered' && helpful !== false;
  const [chosen, setChosen] = useState<readonly string[]>(isRight ? quoted.slice(0, 1) : []);
  const [other, setOther] = useState('');
  const otherPage = withoutSlashes(other.trim());
  const pages = [...chosen, ...(otherPage === '' ? [] : [otherPage])];
  return (
    <details className="text-s" open={isOpen}>
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text">
        Make a test of it
      </summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md border border-line p-3">
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-muted">Which pages should answer it?</legend>
          {quoted.map((path) => (
            <label key={path} className="flex items-center gap-2 break-all">
              <input
                type="checkbox"
                checked={chosen.includes(path)}
                onChange={({ target }) =>
                  setChosen(
                    target.checked ? [...chosen, path] : chosen.filter((page) => page !== path),
                  )
                }
              />
              {path}
            </label>
          ))}
          <input
            value={other}
            onChange={({ target }) => setOther(target.value)}
            aria-label="Another page"
            placeholder="Another page, such as guides/start"
            className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2.5"
          />
        </fieldset>
        <CodeBlock code={questionSnippet(question, pages)} label="Copy the test" />
        <p className="text-xs text-muted">
          Add it to <code className="font-mono">questions.yaml</code> beside docs.json.{' '}
          <a
            href="/help/guides/test-questions"
            target="_blank"
            rel="noreferrer"
            className="text-accent-text underline"
          >
            What that is
          </a>
        </p>
      </div>
    </details>
  );
}
