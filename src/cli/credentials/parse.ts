import { isJsonObject } from '../../base/json/member.ts'
import type { Trust } from '../../client/connection/trust.ts'
import type { KnownPlatform, StoredLogins } from './contract.ts'

const version = 1

/** Parses the file. Throws an Error that says what is wrong with it, without showing its content. */
export function parseCredentials(text: string): StoredLogins {
  const file = jsonIn(text)
  if (!isJsonObject(file)) throw new Error('it does not hold a JSON object')
  if (file.version !== version) throw new Error(`its version is not ${version}; it was written by another release`)
  const platforms = Array.isArray(file.platforms) ? file.platforms.map(platformIn) : []
  return { current: typeof file.current === 'string' ? file.current : undefined, platforms }
}

export function printCredentials({ current, platforms }: StoredLogins): string {
  return `${JSON.stringify({ version, current, platforms }, null, 2)}\n`
}

/** The message of JSON.parse quotes the text around the problem, which may be a key. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}

function platformIn(value: unknown, index: number): KnownPlatform {
  const place = `platforms[${index}]`
  if (!isJsonObject(value)) throw new Error(`${place} is not an object`)
  const text = (field: string): string => {
    const found = value[field]
    if (typeof found === 'string' && found !== '') return found
    throw new Error(`${place}.${field} is missing`)
  }
  return {
    name: text('name'),
    url: text('url'),
    domain: text('domain'),
    trust: trustIn(value.trust, `${place}.trust`),
    accessKey: text('accessKey'),
    ...(typeof value.ownKey === 'string' && { ownKey: value.ownKey }),
    ...(typeof value.project === 'string' && { project: value.project }),
  }
}

function trustIn(value: unknown, place: string): Trust {
  if (isJsonObject(value)) {
    const { mode, authority, fingerprint } = value
    if (mode === 'system') return { mode }
    if (mode === 'authority' && typeof authority === 'string') return { mode, authority }
    if (mode === 'fingerprint' && typeof fingerprint === 'string') return { mode, fingerprint }
  }
  throw new Error(`${place} is neither system, nor an authority, nor a fingerprint`)
}
