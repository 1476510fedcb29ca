import type { ResourceAttributes, UserInfo } from '../../api/access.ts'

interface SecretSomewhere {
  /** Absent or empty: on the platform. */
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** What is asked before a user gets or updates a Secret, where it is. */
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
