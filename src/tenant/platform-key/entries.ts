import { isMistyped } from '../../auth/keys/values/key-value.ts'
import type { KeySource, PlatformKey } from './contract.ts'
import { readHostAddress } from './host-address.ts'

export type Entries = Readonly<Record<string, string | undefined>>

export type ReadKey =
  | { readonly ok: true; readonly key: PlatformKey }
  /** Names the invalid entry, but never shows its value. */
  | { readonly ok: false; readonly message: string }

/** A key and its settings, from a Secret or the environment. */
export function readKeyEntries(source: KeySource, given: Entries): ReadKey {
  const entries = trimmed(given)
  const { accessKey, host, project, name } = entries
  if (accessKey === undefined) return wrong(host === undefined ? 'has no accessKey and no host' : 'has no accessKey')
  if (host === undefined) return wrong('has no host')
  if (!/^[\x21-\x7e]+$/.test(accessKey)) return wrong('has an accessKey with blanks or other signs no key has')
  if (isMistyped(accessKey)) return wrong('has an accessKey that is mistyped or cut off: its checksum is wrong')
  const address = readHostAddress(host)
  if (!address.ok) return wrong(`has a wrong host: ${address.message}`)
  const insecure = readFlag(entries.insecure)
  if (insecure === undefined) return wrong('has an entry insecure that is neither true nor false')
  const certificateAuthority = entries.certificateAuthorityData && pemIn(entries.certificateAuthorityData)
  if (certificateAuthority?.includes('-----BEGIN CERTIFICATE-----') === false) {
    return wrong('has an entry certificateAuthorityData that holds no certificate in PEM, nor one in base64')
  }
  return {
    ok: true,
    key: {
      source,
      url: address.url,
      accessKey,
      insecure,
      ...(project !== undefined && { project }),
      ...(name !== undefined && { name }),
      ...(certificateAuthority && { certificateAuthority }),
    },
  }
}

function wrong(message: string): ReadKey {
  return { ok: false, message }
}

/** Files that end with a line break become entries that do. An empty entry counts as absent. */
function trimmed(entries: Entries): Entries {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
}

function readFlag(text = 'false'): boolean | undefined {
  if (text === 'true') return true
  return text === 'false' ? false : undefined
}

function pemIn(text: string): string {
  return text.startsWith('-----') ? text : Buffer.from(text, 'base64').toString('latin1')
}
