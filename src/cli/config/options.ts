interface FileOptions {
  readonly file: string
}

export interface ValidateOptions extends FileOptions {
  readonly output: 'text' | 'json'
}

export interface ConfigShowOptions extends FileOptions {
  readonly output: 'yaml' | 'json'
}
