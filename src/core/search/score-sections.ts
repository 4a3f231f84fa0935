import type { IndexData } from './index-data.ts';
import { PageField } from './posting-list.ts';
import type { QueryGroup } from './query-groups.ts';
import type { RankingWeights } from './ranking-weights.ts';

/**
 * Scores every section for a query: BM25 over weighted fields, once for the section by itself and once for its whole
 * page, because a question's words are often spread over a page. One object serves one index; its arrays are reused.
 */
export class SectionScorer {
  private readonly data: IndexData;
  private readonly weights: RankingWeights;
  /** Normalised length of each section and page, and of each title: 1 is the average. */
  private readonly sectionNorm: Float32Array;
  private readonly pageNorm: Float32Array;
  private readonly titleNorm: Float32Array;
  /** Weighted occurrences of the group at hand. */
  private readonly inSection: Float32Array;
  private readonly inPageBody: Float32Array;
  private readonly inPageHead: Float32Array;
  private touchedSections: number[] = [];
  private touchedPages: number[] = [];

  constructor(data: IndexData, weights: RankingWeights) {
    this.data = data;
    this.weights = weights;
    const pageLengths = new Float32Array(data.pages.length);
    const sectionLengths = data.proseLength.map((prose, section) => prose + (data.codeLength[section] as number) * 0.5);
    sectionLengths.forEach((length, section) => {
      (pageLengths[data.pageOfSection[section] as number] as number) += length;
    });
    this.sectionNorm = lengthNorms(sectionLengths, weights.sectionLength);
    this.pageNorm = lengthNorms(pageLengths, weights.pageLength);
    this.titleNorm = lengthNorms(
      data.pages.map((page) => page.title.split(/\s+/).length),
      weights.titleLength,
    );
    this.inSection = new Float32Array(data.sectionCount);
    this.inPageBody = new Float32Array(data.pages.length);
    this.inPageHead = new Float32Array(data.pages.length);
  }

  /** Scores 0–1, where 1 would be a section and page that are all about every word of the query. */
  score(groups: readonly QueryGroup[]): { sections: number[]; scores: Float32Array } {
    const { data, weights } = this;
    const sectionScore = new Float32Array(data.sectionCount);
    const pageScore = new Float32Array(data.pages.length);
    const found = new Float32Array(data.pages.length);
    let ideal = 0;
    for (const group of groups) {
      const worth = this.collect(group) * group.importance;
      ideal += worth;
      for (const page of this.touchedPages) {
        const weighted = (this.inPageBody[page] as number) + (this.inPageHead[page] as number);
        const part = saturate(weighted, weights.pageSaturation);
        (pageScore[page] as number) += worth * part;
        (found[page] as number) += worth * Math.min(1, weighted);
      }
      for (const section of this.touchedSections) {
        const head = (this.inPageHead[data.pageOfSection[section] as number] as number) * weights.titleInSection;
        (sectionScore[section] as number) += worth * saturate((this.inSection[section] as number) + head, weights.sectionSaturation);
      }
      this.forgetGroup();
    }
    return this.combine(sectionScore, pageScore, found, ideal);
  }

  private combine(sectionScore: Float32Array, pageScore: Float32Array, found: Float32Array, ideal: number) {
    const { data, weights } = this;
    const sections: number[] = [];
    for (let section = 0; section < data.sectionCount; section++) {
      const page = data.pageOfSection[section] as number;
      if (pageScore[page] === 0) continue;
      const mixed = (pageScore[page] as number) * weights.pageShare + (sectionScore[section] as number) * (1 - weights.pageShare);
      const coverage = 1 - weights.coverage + (weights.coverage * (found[page] as number)) / ideal;
      sectionScore[section] = (mixed / ideal) * coverage;
      sections.push(section);
    }
    return { sections, scores: sectionScore };
  }

  /** Adds up the occurrences of a group's terms, and returns how rare the group is. */
  private collect(group: QueryGroup): number {
    const { data, weights, sectionNorm, inSection, inPageBody, inPageHead } = this;
    let frequency = 0;
    for (const [term, variant] of group.variants) {
      frequency = Math.max(frequency, data.sectionFrequency(term) * variant);
      data.visit(term, {
        section: (section, heading, prose, code) => {
          const page = data.pageOfSection[section] as number;
          const body = prose * weights.prose + code * weights.code;
          if (inSection[section] === 0) this.touchedSections.push(section);
          this.touchPage(page);
          (inSection[section] as number) += variant * (heading * weights.heading + body / (sectionNorm[section] as number));
          (inPageBody[page] as number) += (variant * (heading * weights.heading * 0.5 + body)) / (this.pageNorm[page] as number);
        },
        page: (page, fields) => {
          this.touchPage(page);
          (inPageHead[page] as number) += variant * this.headWeight(page, fields);
        },
      });
    }
    return Math.log(1 + (data.sectionCount + 0.5) / (frequency + 0.5));
  }

  private headWeight(page: number, fields: number): number {
    const { weights } = this;
    let weight = 0;
    if (fields & PageField.title) weight += weights.title / (this.titleNorm[page] as number);
    if (fields & PageField.path) weight += weights.path;
    if (fields & PageField.description) weight += weights.description;
    if (fields & PageField.operation) weight += weights.operation;
    return weight;
  }

  private touchPage(page: number): void {
    if (this.inPageBody[page] === 0 && this.inPageHead[page] === 0) this.touchedPages.push(page);
  }

  private forgetGroup(): void {
    for (const section of this.touchedSections) this.inSection[section] = 0;
    for (const page of this.touchedPages) {
      this.inPageBody[page] = 0;
      this.inPageHead[page] = 0;
    }
    this.touchedSections = [];
    this.touchedPages = [];
  }
}

function saturate(weighted: number, half: number): number {
  return weighted / (weighted + half);
}

function lengthNorms(lengths: ArrayLike<number>, share: number): Float32Array {
  let sum = 0;
  for (let i = 0; i < lengths.length; i++) sum += lengths[i] as number;
  const average = sum / Math.max(1, lengths.length) || 1;
  return Float32Array.from(lengths, (length) => 1 - share + (share * length) / average);
}
