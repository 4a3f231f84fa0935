/** Where each section and each page stands among the parts of texts. */
export class TextPlaces {
  private readonly partOfSection: Uint32Array;
  /** Which text of its part each section is. */
  private readonly placeOfSection: Uint32Array;
  /** Which text of the part of its first section each page is: the one before. */
  private readonly pageOfSection: Uint32Array;
  private readonly firstSection: Uint32Array;
  /** How many texts each part holds. */
  readonly textCounts: number[] = [];

  constructor(sectionsOfPart: readonly number[], pageOfSection: Uint32Array, firstSection: Uint32Array) {
    this.pageOfSection = pageOfSection;
    this.firstSection = firstSection;
    this.partOfSection = new Uint32Array(pageOfSection.length);
    this.placeOfSection = new Uint32Array(pageOfSection.length);
    let section = 0;
    sectionsOfPart.forEach((count, part) => {
      let place = 0;
      let page = -1;
      for (const end = section + count; section < end; section++) {
        const own = pageOfSection[section] as number;
        if (own !== page) place++;
        page = own;
        this.partOfSection[section] = part;
        this.placeOfSection[section] = place++;
      }
      this.textCounts.push(place);
    });
  }

  part(section: number): number {
    return this.partOfSection[section] as number;
  }

  /** Which text of its part a section is. */
  place(section: number): number {
    return this.placeOfSection[section] as number;
  }

  /** Which text of the section's part tells of its page: that before the page's first section in the part. */
  pagePlace(section: number): number {
    const first = this.firstSection[this.pageOfSection[section] as number] as number;
    let at = section;
    while (at > first && this.part(at - 1) === this.part(section)) at--;
    return this.place(at) - 1;
  }
}
