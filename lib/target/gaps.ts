export interface Gap {
  readonly feature: string;
  readonly there: string;
  readonly headrace: string;
}
export const GAPS: readonly Gap[] = [];
