/** What an object was made for: a tenant or the platform. */
export const instanceLabel = 'app.kubernetes.io/instance'
/** Where that lives, on what it has in other namespaces and in none. */
export const namespaceLabel = 'tenant.internal/host-namespace'
