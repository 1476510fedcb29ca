import type { ResourceAttributes, UserInfo } from '../../api/access.ts'

interface SecretSomewhere {
  /** Absent or empty: the platform itself. */
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** The right that a user needs to get or update a Secret where it is stored. */
export function secretAttributes(
  verb: 'get' | 'update',
  { cluster = '', namespace = '', name = '' }: SecretSomewhere,
  user: UserInfo,
): ResourceAttributes {
  return {
    user,
    verb,
    group: '',
    version: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace,
    name,
    ...(cluster === '' ? {} : { target: { kind: 'cluster', cluster } }),
  }
}
