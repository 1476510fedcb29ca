/** Tells the operator which setting of `policies.sync` allows it. */
export function allowedWith(setting: string): string {
  return `policies.sync.${setting} in tenant.yaml allows it`
}
