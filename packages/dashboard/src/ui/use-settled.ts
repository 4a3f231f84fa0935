import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/**
 * Returns a value once it has not changed for a moment, so that typing does not cause a request for
 * each letter.
 */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
