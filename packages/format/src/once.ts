/** Returns the function, which then computes the value of each key once. */
export function onceForEach<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    if (!values.has(key)) values.set(key, compute(key));
    return values.get(key) as Value;
  };
}

/** Like `onceForEach`, for objects: a value is kept for as long as its object exists. */
export function oncePerObject<Key extends object, Value extends NonNullable<unknown>>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = make(key);
      values.set(key, value);
    }
    return value;
  };
}
