import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where commands keep their files. */
export function tenantHome({ HOME: home }: Environment): string {
  return join(home || homedir(), '.tenant')
}

/** The default of `tenant up`. */
export function upDataDirectory(env: Environment): string {
  return join(tenantHome(env), 'data')
}

/** The default of `tenant platform serve`. */
export function platformDataDirectory(env: Environment): string {
  return join(tenantHome(env), 'platform')
}

/** The default of `tenant run`. */
export function tenantDataDirectory(env: Environment, name: string): string {
  return join(tenantHome(env), 'tenants', name)
}
