export interface Suggestion {
  /** The resulting text. */
  readonly value: string
  /** The text that is searched; absent: the value. */
  readonly label?: string
  /** Shown beside the value. */
  readonly note?: string
}
