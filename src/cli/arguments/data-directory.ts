import { homedir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'

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

/** An empty text, such as of an unset variable of a shell, would mean the current directory. */
export function dataDirectoryArgument(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must be the path of a directory.')
}
