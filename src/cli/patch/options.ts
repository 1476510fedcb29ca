import { defaultNamespace } from '../arguments/tenant-name.ts'

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

/** As on the command line: without a namespace, the tenant's default one applies. */
export type WithoutHostNamespace<T> = Omit<T, 'hostNamespace'> & { readonly hostNamespace?: string }

export function withHostNamespace<T extends { readonly tenant: string; readonly hostNamespace?: string }>(
  flags: T,
): T & { readonly hostNamespace: string } {
  return { ...flags, hostNamespace: flags.hostNamespace ?? defaultNamespace(flags.tenant) }
}
