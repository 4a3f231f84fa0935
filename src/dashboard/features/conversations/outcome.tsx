import type { Schema } from '../../api/client.ts';
import { Status, type Tone } from '../../ui/values.tsx';

type Name = NonNullable<Schema<'AssistantThreadSummary'>['outcome']>;

/** Labels for how an answer ended. */
export const OUTCOMES: Record<Name, { title: string; tone: Tone }> = {
  answered: { title: 'Answered', tone: 'success' },
  not_in_docs: { title: 'Not in the docs', tone: 'warning' },
  aborted: { title: 'Stopped', tone: 'neutral' },
  failed: { title: 'Failed', tone: 'danger' },
};

/** Shows how an answer ended. */
export function Outcome({ name }: { name: Name | null }) {
  if (name === null) return <span className="text-muted">unknown</span>;
  const { title, tone } = OUTCOMES[name];
  return <Status tone={tone}>{title}</Status>;
}
