import type { IndexData } from './index-data.ts';
import { PageField } from './posting-list.ts';
import type { QueryGroup } from './query-groups.ts';
import type { RankingWeights } from './ranking-weights.ts';

/** What a query is judged within: the pages that may be found, and how long their texts are on average. */
interface Scope {
  factors: Float32Array;
  sectionCount: number;
  averageSection: number;
  averagePage: number;
  averageTitle: number;
}

/**
 * Scores every section for a query: BM25 over weighted fields, once for the section by itself and once for its whole
 * page, because a question's words are often spread over a page. One object serves one index; its arrays are reused.
 */
export class SectionScorer {
  private readonly data: IndexData;
  private readonly weights: RankingWeights;
  /** Lengths in words; those of sections and pages count code half. */
  private readonly sectionLength: Float32Array;
  private readonly pageLength: Float32Array;
  private readonly titleLength: Float32Array;
  /** Weighted occurrences of the group at hand. */
  private readonly inSection: Float32Array;
  private readonly inPageBody: Float32Array;
  private readonly inPageHead: Float32Array;
  private touchedSections: number[] = [];
  private touchedPages: number[] = [];

  constructor(data: IndexData, weights: RankingWeights) {
    this.data = data;
    this.weights = weights;
    this.pageLength = new Float32Array(data.pages.length);
    this.sectionLength = Float32Array.from(
      data.proseLength,
      (prose, section) => prose + (data.codeLength[section] as number) * 0.5,
    );
    this.sectionLength.forEach((length, section) => {
      (this.pageLength[data.pageOfSection[section] as number] as number) += length;
    });
    this.titleLength = Float32Array.from(data.pages, (page) => page.title.split(/\s+/).length);
    this.inSection = new Float32Array(data.sectionCount);
    this.inPageBody = new Float32Array(data.pages.length);
    this.inPageHead = new Float32Array(data.pages.length);
  }

  /**
   * Scores 0–1, where 1 would be a section and page that are all about every word of the query.
   * @param factors what each page's score is multiplied by. Pages with 0 are left out altogether: what is rare and what is
   *   long is judged among the others, because another language knows other words
   */
  score(groups: readonly QueryGroup[], factors: Float32Array): { sections: number[]; scores: Float32Array } {
    const { data, weights } = this;
    const scope = this.measureScope(factors);
    const sectionScore = new Float32Array(data.sectionCount);
    const pageScore = new Float32Array(data.pages.length);
    let ideal = 0;
    for (const group of groups) {
      const worth = this.collect(group, scope) * group.importance;
      ideal += worth;
      for (const page of this.touchedPages) {
        const weighted = (this.inPageBody[page] as number) + (this.inPageHead[page] as number);
        (pageScore[page] as number) += worth * saturate(weighted, weights.pageSaturation);
      }
      for (const section of this.touchedSections) {
        const head = (this.inPageHead[data.pageOfSection[section] as number] as number) * weights.titleInSection;
        (sectionScore[section] as number) +=
          worth * saturate((this.inSection[section] as number) + head, weights.sectionSaturation);
      }
      this.forgetGroup();
    }
    return this.combine(sectionScore, pageScore, ideal, factors);
  }

  private measureScope(factors: Float32Array): Scope {
    const { data } = this;
    let [sectionCount, pageCount, words, titleWords] = [0, 0, 0, 0];
    for (let section = 0; section < data.sectionCount; section++) {
      if (factors[data.pageOfSection[section] as number] === 0) continue;
      sectionCount++;
      words += this.sectionLength[section] as number;
    }
    for (let page = 0; page < data.pages.length; page++) {
      if (factors[page] === 0) continue;
      pageCount++;
      titleWords += this.titleLength[page] as number;
    }
    return {
      factors,
      sectionCount,
      averageSection: words / sectionCount || 1,
      averagePage: words / pageCount || 1,
      averageTitle: titleWords / pageCount || 1,
    };
  }

  private combine(sectionScore: Float32Array, pageScore: Float32Array, ideal: number, factors: Float32Array) {
    const { data, weights } = this;
    const sections: number[] = [];
    for (let section = 0; section < data.sectionCount; section++) {
      const page = data.pageOfSection[section] as number;
      if (pageScore[page] === 0) continue;
      const mixed = (pageScore[page] as number) * weights.pageShare + (sectionScore[section] as number) * (1 - weights.pageShare);
      sectionScore[section] = (mixed / ideal) * (factors[page] as number);
      sections.push(section);
    }
    return { sections, scores: sectionScore };
  }

  /** Adds up the occurrences of a group's terms, and returns how rare the group is. */
  private collect(group: QueryGroup, scope: Scope): number {
    const { data, weights, inSection, inPageBody, inPageHead } = this;
    let frequency = 0;
    for (const [term, variant] of group.variants) {
      let sectionsWithTerm = 0;
      data.visit(term, {
        section: (section, heading, prose, code) => {
          const page = data.pageOfSection[section] as number;
          if (scope.factors[page] === 0) return;
          sectionsWithTerm++;
          const body = prose * weights.prose + code * weights.code;
          const inHeading = heading * weights.heading;
          const sectionNorm = lengthNorm(this.sectionLength[section] as number, scope.averageSection, weights.sectionLength);
          const pageNorm = lengthNorm(this.pageLength[page] as number, scope.averagePage, weights.pageLength);
          if (inSection[section] === 0) this.touchedSections.push(section);
          this.touchPage(page);
          (inSection[section] as number) += variant * (inHeading + body / sectionNorm);
          (inPageBody[page] as number) += (variant * (inHeading * 0.5 + body)) / pageNorm;
        },
        page: (page, fields) => {
          if (scope.factors[page] === 0) return;
          this.touchPage(page);
          (inPageHead[page] as number) += variant * this.headWeight(page, fields, scope);
        },
      });
      frequency = Math.max(frequency, sectionsWithTerm * variant);
    }
    return Math.log(1 + (scope.sectionCount + 0.5) / (frequency + 0.5));
  }

  private headWeight(page: number, fields: number, scope: Scope): number {
    const { weights } = this;
    let weight = 0;
    if (fields & PageField.title)
      weight += weights.title / lengthNorm(this.titleLength[page] as number, scope.averageTitle, weights.titleLength);
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

function lengthNorm(length: number, average: number, share: number): number {
  return 1 - share + (share * length) / average;
}
