/** The Lease in the tenant's namespace by which its processes agree on which one syncs. */
export function syncerLeaseName(tenant: string): string {
  return `${tenant}-syncer`
}
