/** The command failed and has already reported it: nothing more is printed, and the exit code is 1. */
export class ReportedFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ReportedFailure'
  }
}
