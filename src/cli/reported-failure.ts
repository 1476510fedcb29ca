/** The command failed and has said so already: nothing more is printed, and the exit code is 1. */
export class ReportedFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ReportedFailure'
  }
}
