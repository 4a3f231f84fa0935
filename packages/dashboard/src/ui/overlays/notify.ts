import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { loadWhenIdle } from '../on-demand.ts';

const UNDO_MS = 6000;

/** Their code comes after that of the first page. */
const toasts = () => import('./toasts.tsx');
loadWhenIdle(toasts);

/** Says that something was done; with `undo`, offers to take it back for some seconds. */
export async function notify(title: string, undo?: () => void): Promise<void> {
  const manager = await (await toasts()).visibleToasts;
  const onClick = () => {
    manager.close(id);
    undo?.();
  };
  const id = manager.add({
    title,
    timeout: UNDO_MS,
    ...(undo && { actionProps: { children: 'Undo', onClick } }),
  });
}

/** Says that something failed, and why. */
export async function notifyFailure(title: string, error: unknown): Promise<void> {
  const manager = await (await toasts()).visibleToasts;
  manager.add({
    title,
    description: messageOf(error),
    type: 'error',
    priority: 'high',
    timeout: 12_000,
  });
}

export interface Action<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** Says that it was done, unless the page shows that anyway; or does what comes next. */
  done?: string | ((result: Result, input: Input) => unknown) | undefined;
  /** Says that it failed; the reason is added. */
  failed: string;
}

/** An action that says whether it worked. Either way, everything that is shown is refetched. */
export function useAction<Input = void, Result = unknown>({
  run,
  done,
  failed,
}: Action<Input, Result>) {
  return useMutation({
    mutationFn: run,
    onSuccess: (result, input) => (typeof done === 'string' ? notify(done) : done?.(result, input)),
    onError: (error) => notifyFailure(failed, error),
    onSettled: refresh,
  });
}
