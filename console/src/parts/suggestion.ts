export interface Suggestion {
  /** What the text becomes. */
  readonly value: string
  /** What is searched for; absent: the value. */
  readonly label?: string
  /** Beside the value. */
  readonly note?: string
}
