import type { KeyUse } from '../../../src/auth/keys/contract.ts'

/** Reading Pods of a namespace in a cluster. */
export const exampleUse: KeyUse = {
  verb: 'get',
  group: '',
  resource: 'pods',
  namespace: 'a',
  name: '',
  path: '',
  target: 'cluster/c',
}
