/** A program that was run for the user failed. It has reported why itself; its exit code is passed on. */
export class ChildEnded extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`the command ended with ${exitCode}`)
    this.name = 'ChildEnded'
    this.exitCode = exitCode
  }
}
