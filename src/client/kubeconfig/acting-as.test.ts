import { expect, it } from 'vitest'
import { actingAsAccount } from './acting-as.ts'
import type { ClusterAccess } from './contract.ts'

it('a user acts as a ServiceAccount, without their own groups', async () => {
  const access: ClusterAccess = {
    url: new URL('https://192.0.2.1'),
    trust: { mode: 'system' },
    namespace: 'default',
    credentials: {
      headers: async () => ({
        authorization: 'Bearer value',
        'impersonate-user': 'jane',
        'Impersonate-Group': ['system:masters'],
        'impersonate-extra-a': ['1'],
      }),
      clientCertificate: async () => undefined,
      refused: (authorization) => authorization === 'Bearer value',
    },
  }
  const { credentials, url } = actingAsAccount(access, 'tenant-demo', 'demo')
  expect(await credentials.headers()).toEqual({
    authorization: 'Bearer value',
    'impersonate-user': 'system:serviceaccount:tenant-demo:demo',
  })
  expect(credentials.refused('Bearer value')).toBe(true)
  expect(url).toBe(access.url)
})
