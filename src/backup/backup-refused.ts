/** A backup, or the place it is in, is not as it has to be. The message says what is wrong and what to do; nothing was changed. */
export class BackupRefused extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'BackupRefused'
  }
}
