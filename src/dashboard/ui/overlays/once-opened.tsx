import { type ComponentType, lazy, Suspense, useState } from 'react';

/** A component whose code is loaded when it is opened for the first time. */
export function onceOpened<Props extends { isOpen: boolean }>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() })) as ComponentType<Props>;
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
