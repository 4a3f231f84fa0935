import { useState } from 'react';
import { Label } from './label.jsx';

export const Counter = ({ start = 0, children }) => {
  const [count, setCount] = useState(start);
  return (
    <div className={count > 5 ? 'text-red-600' : 'p-4'}>
      <button onClick={() => setCount(count + 1)} aria-label="Increase">
        +
      </button>
      <Label count={count} />
      {children}
    </div>
  );
};
