import { isRefusal } from '../../api/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { ReadSecret, SecretReading } from './contract.ts'

/** Reads Secrets of the host, and distinguishes a missing one from one that may not be read. */
export function secretReader(host: Pick<KubeClient, 'get'>): ReadSecret {
  return async (place, signal) => {
    try {
      const { data } = await host.get(secretType, place, signal)
      return { state: 'found', entries: decoded(data) }
    } catch (error) {
      return readingOf(error)
    }
  }
}

function readingOf(error: unknown): SecretReading {
  if (isRefusal(error, 404)) return { state: 'absent' }
  if (isRefusal(error, 403)) return { state: 'forbidden' }
  throw error
}

function decoded(data: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(data)) return {}
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(String(value), 'base64').toString('utf8')]),
  )
}
