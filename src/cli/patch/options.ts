export interface PatchTestOptions {
  readonly file: string
  readonly resource: string
  readonly object: string
  readonly hostObject?: string
  readonly fromHost?: boolean
  readonly tenant: string
  readonly hostNamespace: string
  readonly output: 'text' | 'json'
}

export interface TranslateOptions {
  readonly namespace: string
  readonly tenant: string
  readonly hostNamespace: string
  readonly file?: string
  readonly reverse?: string
  readonly output: 'text' | 'json' | 'name'
}
