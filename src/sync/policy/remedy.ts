/** The remedy that names a setting. */
export function allowedWith(setting: string): string {
  return `policies.sync.${setting} in tenant.yaml allows it`
}
