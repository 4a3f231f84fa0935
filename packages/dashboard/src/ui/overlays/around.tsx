import { createContext, type RefObject, use } from 'react';
import { Button } from '../button.tsx';

/** The dialog or sheet around what is shown. */
interface Around {
  /** Whether text in it would be lost if it were closed now: its form says so. */
  hasChanges: RefObject<boolean>;
  /** Closes it; asks first if text would be lost. */
  close: () => void;
}

export const AroundContext = createContext<Around | undefined>(undefined);

/** Closes the dialog around a form. */
export function CancelButton() {
  const around = use(AroundContext);
  return <Button onClick={() => around?.close()}>Cancel</Button>;
}
