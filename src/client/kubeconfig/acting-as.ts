import type { ClusterAccess } from './contract.ts'

/** Access to the same cluster with the rights of a ServiceAccount there: the user must be allowed to impersonate it. */
export function actingAsAccount(access: ClusterAccess, namespace: string, account: string): ClusterAccess {
  const { credentials } = access
  return {
    ...access,
    credentials: {
      headers: async () => ({
        ...withoutImpersonation(await credentials.headers()),
        'impersonate-user': `system:serviceaccount:${namespace}:${account}`,
      }),
      clientCertificate: () => credentials.clientCertificate(),
      refused: (authorization) => credentials.refused(authorization),
    },
  }
}

/** Groups of another user would be added to those of the account. */
function withoutImpersonation<T>(headers: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^impersonate-/i.test(name)))
}
