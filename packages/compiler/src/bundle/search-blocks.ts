import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ShardBlock, shardPath } from '@docent/search/shards/shard-format.ts';
import { type SearchCut, type SearchFile, searchStarts } from '../site/search-scripts.ts';

/**
 * A block ends after a shard for which chance has it so, by its content: what is added or removed
 * changes the block around it alone.
 */
const MIN_SHARDS = 8;
const MAX_SHARDS = 64;
const ENDS_IN = 16;
/** The hash of a head may consist of digits. */
const SHARD = /(?<!search-index)-\d+\.js$/;
const NUMBER_END = ','.charCodeAt(0);

/**
 * Names the shards of search indexes by the content of their blocks, so that a bundle changes where
 * its pages do, and readers load again only that; last come the scripts that list the blocks.
 * @param scripts each head, and after it its shards
 */
export async function* inBlocks(
  scripts: AsyncIterable<SearchFile>,
  cut: SearchCut,
): AsyncGenerator<SearchFile> {
  const blocksByHead = new Map<string, ShardBlock[]>();
  let head = '';
  let shards: Uint8Array[] = [];
  function* block(): Generator<SearchFile> {
    if (shards.length === 0) return;
    const blocks = blocksByHead.get(head) ?? [];
    const digest = createHash('sha256');
    for (const shard of shards) digest.update(shard);
    let name = digest.digest('hex').slice(0, 8);
    while (blocks.some(([other]) => other === name)) name = hash('sha256', name).slice(0, 8);
    blocksByHead.set(head, [...blocks, [name, shards.length]]);
    for (const [number, shard] of shards.entries())
      yield {
        path: shardPath(head, number, [[name, shards.length]]),
        bytes: Buffer.concat([Buffer.from(`__docentSearchShard(${number}`), shard]),
      };
    shards = [];
  }
  for await (const script of scripts) {
    if (!SHARD.test(script.path)) {
      yield* block();
      head = script.path;
      yield script;
      continue;
    }
    // Its content without its number.
    const shard = script.bytes.subarray(script.bytes.indexOf(NUMBER_END));
    shards.push(shard);
    const mayEnd = shards.length >= MIN_SHARDS && crc32(shard) % ENDS_IN === 0;
    if (mayEnd || shards.length >= MAX_SHARDS) yield* block();
  }
  yield* block();
  yield* searchStarts(cut, blocksByHead);
}
