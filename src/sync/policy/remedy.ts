/** What an operator writes to allow something. */
export function allowedWith(setting: string): string {
  return `policies.sync.${setting} in tenant.yaml allows it`
}
