import { UsageError } from '../../base/usage-error.ts'

export interface EtcdAddressText {
  readonly endpoints: readonly string[]
  readonly prefix: string
  /** File names. */
  readonly cafile?: string
  readonly certfile?: string
  readonly keyfile?: string
  /** Contains `user:password`. */
  readonly userfile?: string
}

export type StoreAddress =
  | { readonly form: 'file'; readonly directory: string }
  | { readonly form: 'etcd'; readonly etcd: EtcdAddressText }

/** Stores that share an etcd each have their own prefix. */
const usualPrefix = '/tenant'

const fileSettings = ['cafile', 'certfile', 'keyfile', 'userfile'] as const
const settingNames: readonly string[] = ['prefix', ...fileSettings]

/** Parses a store address: `file:DIR`, or `etcd:URL[,URL][?SETTING=VALUE&…]`. */
export function parseStoreAddress(text: string): StoreAddress {
  const [, scheme, rest = ''] = /^(file|etcd):(.+)$/s.exec(text) ?? []
  if (scheme === 'file') return { form: 'file', directory: rest }
  if (scheme === 'etcd') return { form: 'etcd', etcd: parseEtcd(rest) }
  throw new UsageError(`${JSON.stringify(text)} is not a store: use file:DIR or etcd:URL[,URL]`)
}

function parseEtcd(text: string): EtcdAddressText {
  const question = text.indexOf('?')
  const endpoints = question < 0 ? text : text.slice(0, question)
  const settings = readSettings(question < 0 ? '' : text.slice(question + 1))
  requireTogether(settings)
  return {
    endpoints: endpoints.split(',').map((each) => each.trim()),
    prefix: prefixOf(settings.get('prefix')),
    ...filesOf(settings),
  }
}

function readSettings(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (!settingNames.includes(name)) {
      throw new UsageError(`${JSON.stringify(name)} is not a setting of an etcd: use ${settingNames.join(', ')}`)
    }
    if (value === '') throw new UsageError(`the setting ${name} of the etcd is empty`)
    if (settings.has(name)) throw new UsageError(`the setting ${name} of the etcd is given twice`)
    settings.set(name, value)
  }
  return settings
}

function requireTogether(settings: ReadonlyMap<string, string>): void {
  if (settings.has('certfile') !== settings.has('keyfile')) {
    throw new UsageError('a client certificate for the etcd needs both certfile and keyfile')
  }
}

/** Requires a canonical form, or two prefixes that differ in a slash would be one store. */
function prefixOf(prefix = usualPrefix): string {
  if (/^(\/[A-Za-z0-9._-]+)+$/.test(prefix) && prefix.length <= 200) return prefix
  throw new UsageError(
    `the prefix ${JSON.stringify(prefix)} must begin with a slash, have none at its end, and hold letters, digits, ".", "_" and "-" between slashes`,
  )
}

function filesOf(settings: ReadonlyMap<string, string>): Partial<EtcdAddressText> {
  return Object.fromEntries(fileSettings.flatMap((name) => (settings.has(name) ? [[name, settings.get(name)]] : [])))
}
