/** Ends the parsing of an expression, and nothing else. */
export class CelSyntaxError extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}
