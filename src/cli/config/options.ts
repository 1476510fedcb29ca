interface FileOptions {
  readonly file: string
}

export interface ValidateOptions extends FileOptions {
  readonly output: 'text' | 'json'
}

export interface ShowOptions extends FileOptions {
  readonly output: 'yaml' | 'json'
}
