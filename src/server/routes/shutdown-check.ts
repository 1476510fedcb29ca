import { type HealthCheck, Unhealthy } from '../contract.ts'

/** Tells load balancers that the server is about to stop, while it still accepts requests. */
export class ShutdownCheck {
  #hasBegun = false

  readonly check: HealthCheck = {
    name: 'shutdown',
    only: ['readyz'],
    check: () => {
      if (this.#hasBegun) throw new Unhealthy('the process is shutting down')
    },
  }

  begin(): void {
    this.#hasBegun = true
  }
}
