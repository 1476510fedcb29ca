import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where commands keep what is theirs. */
export function tenantHome({ HOME: home }: Environment): string {
  return join(home || homedir(), '.tenant')
}

/** What `tenant up` uses unless told. */
export function upDataDirectory(env: Environment): string {
  return join(tenantHome(env), 'data')
}

/** What `tenant platform serve` uses unless told. */
export function platformDataDirectory(env: Environment): string {
  return join(tenantHome(env), 'platform')
}

/** What `tenant run` uses unless told. */
export function tenantDataDirectory(env: Environment, name: string): string {
  return join(tenantHome(env), 'tenants', name)
}
