import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { Button } from '../button.tsx';
import { ShownOnce } from '../copy.tsx';
import { TextField } from '../field.tsx';
import { loadModule, loadWhenIdle } from '../on-demand.ts';
import { Card } from '../page.tsx';
import { type Action, useAction } from './notify.ts';

/** A component whose code is loaded when it is opened for the first time. */
export function onceOpened<Props extends { isOpen: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  loadWhenIdle(load);
  const Loaded = lazy(async () => ({ default: await loadModule(load) })) as ComponentType<Props>;
  return (props) => {
    const [wasOpened, setOpened] = useState(props.isOpen);
    if (props.isOpen && !wasOpened) setOpened(true);
    return wasOpened ? (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
}

export const Dialog = onceOpened(async () => (await import('./panels.tsx')).Dialog);
export const Sheet = onceOpened(async () => (await import('./panels.tsx')).Sheet);

interface SecretDialogProps extends Omit<ComponentProps<typeof ShownOnce>, 'value'> {
  title: string;
  /** The dialog is closed without one. */
  value: string | null | undefined;
}

/** A dialog with a secret that is shown this once. */
export function SecretDialog({ title, value, ...props }: SecretDialogProps) {
  return (
    <Dialog title={title} isOpen={value != null} onClose={props.onClose}>
      <ShownOnce value={value ?? ''} {...props} />
    </Dialog>
  );
}

interface Question extends Action<void, unknown> {
  title: string;
  /** What it means. */
  text: ReactNode;
  /** Label of the button: a verb. */
  action: string;
  /** Text that the user must type first, for irreversible actions. */
  typed?: string;
}

let ask: (question: Question) => void;

/** Asks for confirmation of an irreversible action, then does it and says whether it worked. */
export function confirmAction(question: Question): void {
  ask(question);
}

/** Where `confirmAction` asks. */
export function Confirmation() {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    ask = (next) => {
      setQuestion(next);
      setOpen(true);
    };
  }, []);
  const close = () => setOpen(false);
  return (
    <Dialog title={question?.title ?? ''} isOpen={isOpen} onClose={close}>
      {question && <ConfirmForm question={question} onClose={close} />}
    </Dialog>
  );
}

function ConfirmForm({ question, onClose }: { question: Question; onClose: () => void }) {
  const { text, action, typed, run } = question;
  const [written, setWritten] = useState('');
  const { mutate, isPending } = useAction({ ...question, run: () => run().finally(onClose) });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <div className="text-muted">{text}</div>
      {typed !== undefined && (
        <TextField
          label={`Type ${typed} to confirm`}
          value={written}
          onChange={(event) => setWritten(event.target.value)}
          spellCheck={false}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="danger"
          type="submit"
          isBusy={isPending}
          disabled={typed !== undefined && written !== typed}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}

/**
 * Deletes something after the user types its identifier. `children` lists what is deleted with it.
 */
export function DeleteCard(props: {
  kind: 'organization' | 'site';
  name: string;
  identifier: string;
  remove: () => Promise<void>;
  children: ReactNode;
}) {
  const { kind, name, identifier, remove, children } = props;
  const open = () =>
    confirmAction({
      title: `Delete ${name}`,
      text: `Everything that belongs to ${name} is permanently deleted.`,
      action: `Delete ${kind}`,
      typed: identifier,
      run: remove,
      failed: `${name} could not be deleted`,
    });
  return (
    <Card title={`Delete this ${kind}`} className="!border-danger">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-xl text-s text-muted">{children}</p>
        <Button variant="danger" icon="trash" onClick={open}>
          Delete {kind}
        </Button>
      </div>
    </Card>
  );
}
