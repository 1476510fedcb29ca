import type { Tenant } from '../../tenant/tenant.ts'
import type { TenantStatus } from './status-routes.ts'

/** The control plane serves before there is a tenant to report about. */
export class LateStatus implements TenantStatus {
  #tenant: Tenant | undefined
  #isReady = false

  of(tenant: Tenant): void {
    this.#tenant = tenant
  }

  setReady(): void {
    this.#isReady = true
  }

  isReady(): boolean {
    return this.#isReady
  }

  debug(): unknown {
    return this.#tenant?.debug() ?? {}
  }

  async metrics(): Promise<string> {
    return (await this.#tenant?.metrics()) ?? ''
  }
}
