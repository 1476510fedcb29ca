/** The Lease by which the processes of a tenant agree on which of them syncs, in the tenant's namespace. */
export function syncerLeaseName(tenant: string): string {
  return `${tenant}-syncer`
}
