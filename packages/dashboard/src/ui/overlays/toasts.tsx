import { Toast as Base } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';

const manager = Base.createToastManager();
const mounted = Promise.withResolvers<typeof manager>();

/**
 * Holds the visible toasts, once the page shows them: what is added before is lost, with its
 * *Undo*.
 */
export const visibleToasts: Promise<typeof manager> = mounted.promise;

/** Where toasts appear. */
export function Toasts() {
  // After the provider, a child, has subscribed.
  useEffect(() => mounted.resolve(manager), []);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="popup flex items-start gap-3 p-3 pl-4">
      {toast.type === 'error' && <Icon name="circle-alert" className="mt-0.75 text-danger" />}
      <div className="min-w-0 flex-1">
        <Base.Title className="text-sm font-medium" />
        <Base.Description className="text-s text-muted" />
      </div>
      <Base.Action className="text-s font-medium text-accent-text hover:underline" />
      <Base.Close render={<IconButton label="Dismiss" icon="x" className="-my-1 size-7" />} />
    </Base.Root>
  ));
}
