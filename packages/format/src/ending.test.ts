import { expect, test } from 'vitest';
import { collected } from '../../../test/support/collected.ts';
import { createEnding } from './ending.ts';

const never = new Promise<never>(() => {});

test('an end rejects the wait that is under way and all later ones with its first reason', async () => {
  const ending = createEnding();
  expect(await ending.wait('a value')).toBe('a value');
  await expect(ending.wait(Promise.reject(new Error('its own error')))).rejects.toThrow(
    'own error',
  );
  const waiting = ending.wait(never);
  ending.end(new Error('the first'));
  ending.end(new Error('the second'));
  await expect(waiting).rejects.toThrow('the first');
  await expect(ending.wait('a value')).rejects.toThrow('the first');
});

test('an end between two waits is no unhandled rejection', async () => {
  const ending = createEnding();
  await ending.wait(1);
  ending.end(new Error('late'));
  await expect(ending.wait(2)).rejects.toThrow('late');
});

test('the results of earlier waits are not kept until the end', async () => {
  const ending = createEnding();
  const results: WeakRef<object>[] = [];
  for (let count = 0; count < 20; count++)
    results.push(new WeakRef(await ending.wait(Promise.resolve({ count }))));
  // The last one may still be in a register of this function.
  await collected(results.slice(0, -1));
  ending.end(new Error('over'));
});
