const ITEMS_AT_A_TIME = 200;

/** Splits a long list into groups for one query each. */
export async function* inGroups<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < ITEMS_AT_A_TIME) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
