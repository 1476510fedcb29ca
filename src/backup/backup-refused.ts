/** A backup, or its place, is not as it must be. The message says what is wrong and what to do; nothing was changed. */
export class BackupRefused extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'BackupRefused'
  }
}
