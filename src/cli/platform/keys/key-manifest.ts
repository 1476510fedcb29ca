import type { AccessKeySpec } from '../../../api/types/management.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { given } from '../../arguments/given.ts'
import type { KeyCreateOptions } from './options.ts'

const longestPrefix = 40

/** The object to create: flags override the file. The platform validates the rest. */
export function keyManifest(options: KeyCreateOptions, file: JsonBody, apiVersion: string): JsonBody {
  const spec = { ...asMembers(file.spec), ...specOf(options, file) }
  if (options.sliding && !Object.hasOwn(spec, 'ttl')) throw new UsageError('--sliding needs --expire-after')
  return {
    apiVersion,
    kind: 'OwnedAccessKey',
    ...file,
    metadata: { ...asMembers(file.metadata), ...naming(options, asMembers(file.metadata)) },
    spec,
  }
}

function specOf(options: KeyCreateOptions, file: JsonBody): AccessKeySpec {
  const { displayName, description, user, team, ttlSeconds: ttl, sliding, scope } = options
  return {
    ...given({ displayName, description, user, team, ttl }),
    ...(sliding ? { ttlAfterLastActivity: true } : {}),
    ...(scope === undefined ? {} : { scope: { ...asMembers(asMembers(file.spec).scope), ...scope } }),
  }
}

/** A name, or a prefix that the platform completes. */
function naming({ name, displayName = '' }: KeyCreateOptions, metadata: JsonBody): JsonBody {
  const { name: inFile, generateName } = metadata
  if (name !== undefined && inFile !== undefined && inFile !== name) {
    throw new UsageError(`the file names the key ${String(inFile)}, the command line ${name}`)
  }
  if (name !== undefined) return { name }
  return inFile === undefined && generateName === undefined ? { generateName: prefixFrom(displayName) } : {}
}

function prefixFrom(displayName: string): string {
  const words = displayName
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const prefix = (words ?? ['key']).join('-').slice(0, longestPrefix)
  return prefix.endsWith('-') ? prefix : `${prefix}-`
}
