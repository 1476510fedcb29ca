interface FileFlags {
  readonly file: string
}

export interface ValidateFlags extends FileFlags {
  readonly output: 'text' | 'json'
}

export interface ShowFlags extends FileFlags {
  readonly output: 'yaml' | 'json'
}
