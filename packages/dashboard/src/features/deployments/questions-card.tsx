import type { Schema } from '../../api/client.ts';
import { cx } from '../../ui/cx.ts';
import { Foldable } from '../../ui/foldable.tsx';
import { count, plural } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';

type Report = Schema<'QuestionReport'>;

/** How a deployment answers the questions of its repository, and what that changes for readers. */
export function QuestionsCard({ report: { counts, rules, results, changes } }: { report: Report }) {
  const { questions, first, inFive, answered } = counts;
  const failed = rules.filter(({ holds }) => !holds);
  const unanswered = results
    .filter(({ isAnswered, isOpen }) => !isAnswered && !isOpen)
    .map(({ question }) => question);
  const open = results.filter(({ isOpen }) => isOpen).map(({ question }) => question);
  return (
    <Card
      title="Questions"
      about={`${plural(questions, 'question')} of questions.yaml: ${count(first)} found first, ${count(inFive)} among the first five, ${count(answered)} answered`}
    >
      {(changes || failed.length > 0) && (
        <p className="border-b border-line px-4 pb-3 text-s">
          {changes && changeText(changes)}
          {failed.map(({ rule, limit, value }) => (
            <span key={rule} className="block text-warning">
              {RULES[rule]}: {Math.floor(value)} %, the rule requires {limit} %
            </span>
          ))}
        </p>
      )}
      <div className="divide-y divide-line">
        <Questions title="Lost" color="text-danger" questions={changes?.lost ?? []} isOpen />
        <Questions title="Gained" color="text-success" questions={changes?.gained ?? []} isOpen />
        <Questions title="Not answered" color="text-warning" questions={unanswered} />
        <Questions title="Without a page" color="text-muted" questions={open} />
      </div>
    </Card>
  );
}

const RULES = {
  first: 'Found first',
  inFive: 'Among the first five',
  answered: 'Answered',
  lost: 'Lost',
} as const;

function changeText({ gained, lost, openCount }: NonNullable<Report['changes']>): string {
  return `Compared with what was live: answers ${count(gained.length)} more, loses ${count(lost.length)}, ${count(openCount)} open`;
}

function Questions(props: {
  title: string;
  color: string;
  questions: readonly string[];
  isOpen?: boolean;
}) {
  const { title, color, questions, isOpen } = props;
  if (questions.length === 0) return null;
  return (
    <Foldable
      title={<span className={cx('flex-1 font-medium', color)}>{title}</span>}
      amount={count(questions.length)}
      {...(isOpen && { isOpen })}
    >
      <ul className="px-4 pb-4 pl-11 text-s leading-6">
        {questions.map((question) => (
          <li key={question} className="break-words">
            {question}
          </li>
        ))}
      </ul>
    </Foldable>
  );
}
