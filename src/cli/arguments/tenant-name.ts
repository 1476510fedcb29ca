import { Argument, InvalidArgumentError, Option } from 'commander'
import { validateName } from '../../api/names.ts'

/**
 * The controller appends a hash to the name of a StatefulSet and writes it into a label, which is limited to 63
 * characters.
 */
const longestName = 50

/** Why the name is not allowed for a tenant; undefined if it is. */
export function tenantNameProblem(name: string): string | undefined {
  const [problem] = validateName('dns-1035-label', name)
  if (problem !== undefined) return problem
  return name.length > longestName ? `must be no more than ${longestName} characters` : undefined
}

export function tenantNameArgument(): Argument {
  return new Argument('<name>', 'name of the virtual cluster').argParser((name: string) => {
    const problem = tenantNameProblem(name)
    if (problem === undefined) return name
    throw new InvalidArgumentError(`It cannot be the name of a virtual cluster: ${problem}.`)
  })
}

/** `-n`, for every command that works on the host of a virtual cluster. */
export function hostNamespaceOption(): Option {
  return new Option('-n, --namespace <namespace>', 'its namespace on the host (default: tenant-NAME)')
}

export function defaultNamespace(name: string): string {
  return `tenant-${name}`
}
